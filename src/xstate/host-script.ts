// Where the program of the module's process is: beside the bundle that is shipped, or built from the sources when they are run as they are.

import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let built: Promise<string> | null = null;

export async function hostScript(): Promise<string> {
  const shipped = fileURLToPath(new URL('./xstate-host.mjs', import.meta.url));
  if (existsSync(shipped)) return shipped;
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/spillway/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  // Test files run at the same time: each process writes a file of its own.
  const outfile = `${folder}xstate-host-${process.pid}.mjs`;
  const { build: bundle } = (await import('esbuild')) as { build: (options: object) => Promise<unknown> };
  await bundle({
    entryPoints: [fileURLToPath(new URL('./host/main.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
  });
  return outfile;
}
