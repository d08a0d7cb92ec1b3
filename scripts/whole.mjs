// The command line as one script (`whole.cjs`), for whose compiled code there is a place: see src/cli/compiled.ts.

import { writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

/** Options of esbuild; `outfile` is written. */
export async function buildWhole({ define, ...options }) {
  const { outputFiles } = await build({
    ...options,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 200,
    define: { ...define, 'import.meta.url': 'SPILLWAY_URL' },
    write: false,
  });
  await writeFile(options.outfile, inAscii(importing(outputFiles[0].text)));
}

/** Scripts may not import by themselves without a warning of Node: what is imported are a handful of packages. */
const importing = (text) => text.replace(/(?<![\w$.])import\(/g, 'SPILLWAY_IMPORT(');

/** One byte per character makes V8's work half as large. What esbuild leaves are characters in templates, which may be written this way, too. */
const inAscii = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
