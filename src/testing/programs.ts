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

/** The shell without windows takes less than half the processor's time of a whole browser, and shows the same pages. */
const BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Debian's Chromium, or null (with the reason printed). */
export function findChromium(): string | null {
  const found = BROWSERS.find(existsSync);
  if (found !== undefined) return found;
  console.warn('skipped: the browser tests; no Chromium is installed (see CONTRIBUTING.md)');
  return null;
}
