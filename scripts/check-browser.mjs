// Can what a browser gets be bundled, without anything of Node in it? Part of `npm run lint`: the other bundles would not notice.

import { build } from 'esbuild';
import { withoutNode } from './without-node.mjs';

const root = new URL('..', import.meta.url).pathname;
try {
  await build({
    entryPoints: [`${root}src/browser.ts`],
    bundle: true,
    splitting: true,
    outdir: `${root}dist/browser`,
    write: false,
    format: 'esm',
    platform: 'browser',
    plugins: [withoutNode()],
    logLevel: 'error',
  });
} catch {
  console.error(
    "put what needs Node behind an adaptor: package.json's imports have a 'browser' variant of each",
  );
  process.exit(1);
}
