// Benchmarks import the sources through one bundle, so that what is measured is what ships.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = resolve(new URL('..', import.meta.url).pathname);

/** The exports of TypeScript modules under src/, merged into one object. */
export async function importSource(...modules) {
  // Inside the package, so that the solvers, which stay outside the bundle, are found from there.
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'spillway-bench-'));
  try {
    const outfile = join(folder, 'bundle.mjs');
    await build({
      stdin: {
        contents: modules.map((module) => `export * from './src/${module}';`).join('\n'),
        resolveDir: root,
      },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      external: ['highs', 'z3-solver', '@viz-js/viz'],
      logLevel: 'error',
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A script of src/ for a thread of its own: where it is, and how to take it away. */
export async function threadScript(module) {
  const cache = join(root, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'spillway-bench-'));
  const outfile = join(folder, 'thread.mjs');
  await build({
    entryPoints: [join(root, 'src', module)],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return { url: pathToFileURL(outfile), remove: () => rm(folder, { recursive: true, force: true }) };
}
