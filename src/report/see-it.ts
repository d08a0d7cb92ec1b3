// The command with which a reader repeats a run: the replay of a trace, or for C a harness that is compiled.

import { shellWord } from '../base/shell.ts';
import type { Evidence, PropertyResult } from '../verdict/verdict.ts';

/** What files with the evidence of a property are called, without folder and extension. */
export function evidenceName(files: readonly string[], property: string): string {
  const model = (files[0] ?? 'model').replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  return `${model}.${property.replace(/[^\w.-]+/g, '_')}`;
}

export function seeIt(
  property: PropertyResult,
  evidence: Extract<Evidence, { kind: 'run' }>,
  files: readonly string[],
): string {
  const { reproduce } = property;
  if (evidence.harness !== undefined) {
    const folder = files[0]?.includes('/') ? [files[0].slice(0, files[0].lastIndexOf('/'))] : [];
    const includes = [...given(reproduce, 'I'), ...folder.map((path) => `-I${shellWord(path)}`)];
    const source = shellWord(`runs/${evidenceName(files, property.id)}.harness.c`);
    return `${reproduce} --certificates runs; ${['gcc -w -fwrapv', ...includes, '-o run', source].join(' ')} && ./run`;
  }
  // A replay needs the same definitions as the check.
  const model = [...files.map(shellWord), ...given(reproduce, 'D')].join(' ');
  return `${reproduce} --format json --out run.json; spillway replay run.json ${model}`;
}

/** Options of one letter as they stand in a command. */
const given = (command: string, letter: 'D' | 'I'): readonly string[] =>
  command.match(new RegExp(`(?<= )-${letter}('[^']*'|[^\\s'])+`, 'g')) ?? [];
