#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadCompiled } from './compiled.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const compiled = loadCompiled<typeof import('./start.ts')>(
  join(folder, 'whole.cjs'),
  join(folder, 'compiled'),
  process.argv.slice(2),
);
const { start } = compiled?.exports ?? (await import('./start.ts'));
process.exitCode = await start();
compiled?.keep();
