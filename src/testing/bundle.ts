// The shipped bundles, built for a test: worker threads and child processes run JavaScript, not TypeScript.

import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

export interface Bundle {
  /** Where `cli.js`, `index.js`, `worker.js` and `helper.js` are. */
  readonly folder: string;
  remove(): void;
}

/** In a folder of its own below node_modules, so that the solvers are found. */
export async function bundleForTest(): Promise<Bundle> {
  const folder = mkdtempSync(join(root, 'node_modules/.spillway-test-'));
  const source = (path: string): string => join(root, 'src', path);
  await build({
    entryPoints: {
      cli: source('cli/main.ts'),
      index: source('index.ts'),
      worker: source('workers/worker.ts'),
      helper: source('workers/helper.ts'),
      'queue-child': source('queue/child.ts'),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const { buildWhole } = (await import(join(root, 'scripts/whole.mjs'))) as {
    buildWhole(options: BuildOptions): Promise<void>;
  };
  await buildWhole({
    entryPoints: [source('cli/start.ts')],
    outfile: join(folder, 'whole.cjs'),
    packages: 'external',
    logLevel: 'error',
  });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
