// The shipped bundles, built once in a run of tests: worker threads and child processes run JavaScript, not TypeScript.

import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Below node_modules, so that the solvers are found. */
const folderOf = (runner: number): string => join(root, `node_modules/.spillway-test-${runner}`);

/** Where `cli.js`, `index.js`, `worker.js` and `helper.js` are. Whoever comes first builds them; the runner of the tests removes them (removeBundles). */
export async function bundleForTest(): Promise<string> {
  // Files of tests run in processes that are children of the runner.
  const folder = folderOf(process.ppid);
  const draft = `${folder}-draft`;
  while (!existsSync(folder)) {
    if (!isFirst(draft)) {
      await setTimeout(50);
      continue;
    }
    try {
      // Somebody may have been done between two looks.
      if (existsSync(folder)) rmSync(draft, { recursive: true });
      else {
        await bundleInto(draft);
        renameSync(draft, folder);
      }
    } catch (error) {
      // The next one tries again, and fails as loudly.
      rmSync(draft, { recursive: true, force: true });
      throw error;
    }
  }
  return folder;
}

/** For the runner, when all tests are done. */
export function removeBundles(): void {
  rmSync(folderOf(process.pid), { recursive: true, force: true });
}

function isFirst(draft: string): boolean {
  try {
    mkdirSync(draft);
    return true;
  } catch {
    return false;
  }
}

async function bundleInto(folder: string): Promise<void> {
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
}
