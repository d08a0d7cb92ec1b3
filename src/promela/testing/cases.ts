// Small models, one per peculiarity of the language, for tests: `=== name` and the text below it in cases.txt.

import { readFileSync } from 'node:fs';

export interface Case {
  readonly name: string;
  readonly text: string;
}

export const CASES: readonly Case[] = readFileSync(new URL('./cases.txt', import.meta.url), 'utf8')
  .split(/^=== /m)
  .slice(1)
  .map((part) => {
    const line = part.indexOf('\n');
    return { name: part.slice(0, line).trim(), text: part.slice(line + 1) };
  });
