#!/usr/bin/env node
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUILD } from '../base/version.ts';
import { loadCompiled } from './compiled.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const compiled = loadCompiled<typeof import('./start.ts')>(
  join(folder, 'whole.cjs'),
  // V8 knows a text by its length: code of another build must not be taken for this one's.
  join(folder, 'compiled', BUILD),
  process.argv.slice(2),
);
const { start } = compiled?.exports ?? (await import('./start.ts'));
process.exitCode = await start();
compiled?.keep();
