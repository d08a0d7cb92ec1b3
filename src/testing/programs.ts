// Programs that comparison tests need beside them. A missing one skips the tests that need it, and says so.

import { existsSync } from 'node:fs';
import { runProgram } from './run-program.ts';

/** Is the program on the PATH? Prints, once per test file, why tests are skipped when it is not. */
export function hasProgram(name: string): boolean {
  const found = runProgram('sh', ['-c', `command -v ${name}`]).status === 0;
  if (!found)
    console.warn(`skipped: the tests that need '${name}', which is not installed (see CONTRIBUTING.md)`);
  return found;
}

/** Debian's Chromium, or null (with the reason printed). */
export function findChromium(): string | null {
  for (const path of ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']) {
    if (existsSync(path)) return path;
  }
  console.warn('skipped: the browser tests; no Chromium is installed (see CONTRIBUTING.md)');
  return null;
}
