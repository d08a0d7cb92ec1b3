// Values that are exported are used elsewhere: an export that nobody imports is dead, or an inner matter of its file. (Types are exempt: they are parts of
// the signatures of what is exported.)
// Tests count as users; entry points and what bundlers and benchmarks take by name are listed here. Run by `npm run lint`.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = resolve(new URL('..', import.meta.url).pathname);
/** What users of the package, workers and pages import. */
const ENTRIES = ['src/index.ts', 'src/browser.ts', 'src/vitest.ts'];

const filesBelow = (folder, endings) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => endings.some((ending) => name.endsWith(ending)) && !name.includes('dist/'))
    .map((name) => join(root, folder, name));
const sources = filesBelow('src', ['.ts', '.tsx']);
const others = ['web', 'bench', 'scripts'].flatMap((folder) => filesBelow(folder, ['.ts', '.mjs']));
const texts = new Map([...sources, ...others].map((path) => [path, readFileSync(path, 'utf8')]));
const aliases = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports;

/** By file: who names it, in an import of any kind. */
const users = new Map(sources.map((path) => [path, []]));
for (const [path, text] of texts) for (const target of targetsOf(path, text)) users.get(target)?.push(path);

const unused = sources
  .filter((path) => !ENTRIES.includes(relative(root, path)))
  .flatMap((path) =>
    exportsOf(texts.get(path))
      .filter((name) => !users.get(path).some((user) => uses(texts.get(user), name)))
      .map((name) => `${relative(root, path)}: ${name}`),
  );
for (const line of unused) console.error(`nobody imports ${line}`);
if (unused.length > 0) process.exitCode = 1;
else console.log(`exports: ${sources.length} files, all of them used`);

function targetsOf(path, text) {
  const named = [...text.matchAll(/(?:from|import|import\()\s*['"]([^'"]+)['"]/g)].map(([, name]) => name);
  // Benchmarks name files below src.
  const taken = [...text.matchAll(/importSource\(([^)]*)\)/g)].flatMap(([, list]) =>
    [...list.matchAll(/'([^']+)'/g)].map(([, name]) => join(root, 'src', name)),
  );
  const resolved = named.flatMap((name) =>
    aliases[name]
      ? Object.values(aliases[name]).map((file) => join(root, file))
      : [resolve(dirname(path), name)],
  );
  return [...new Set([...resolved, ...taken])];
}

function exportsOf(text) {
  const declared = text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) ([A-Za-z_$][\w$]*)/gm,
  );
  return [...declared].map(([, name]) => name);
}

function uses(text, name) {
  return (
    new RegExp(`(?<![\\w$])${name.replace('$', '\\$')}(?![\\w$])`).test(text) || /export \* from/.test(text)
  );
}
