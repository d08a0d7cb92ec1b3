// The command with which a reader repeats a run: the replay of a trace, or for C a harness that is compiled.

import { shellWord } from '../base/shell.ts';
import { commandOf, type Evidence, type PropertyResult, type Reproduction } from '../verdict/verdict.ts';

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
  const command = commandOf(reproduce);
  if (evidence.harness !== undefined) {
    const folder = files[0]?.includes('/') ? [files[0].slice(0, files[0].lastIndexOf('/'))] : [];
    const includes = [...given(reproduce, 'I'), ...folder.map((path) => `-I${shellWord(path)}`)];
    const source = shellWord(`runs/${evidenceName(files, property.id)}.harness.c`);
    const [gcc, libraries] = compilationOf(evidence.harness);
    const compile = [gcc, ...includes, '-o run', source, ...libraries].join(' ');
    return `${command} --certificates runs; ${compile} && ./run`;
  }
  // Runs of C threads are taken again by the check itself; a page walks through them.
  if (/\.(c|i|ya?ml)$/.test(files[0] ?? '')) return `${command} --format html --out run.html`;
  // A replay needs the same definitions as the check.
  const model = [...files.map(shellWord), ...given(reproduce, 'D')].join(' ');
  return `${command} --format json --out run.json; spillway replay run.json ${model}`;
}

/** What a harness says about its compilation: the command up to its files, and libraries. */
function compilationOf(harness: string): [command: string, libraries: string[]] {
  const [, command, libraries] = /Compile and run: +(.*?) -o harness THIS_FILE(.*?) &&/.exec(harness) ?? [];
  return [command ?? 'gcc -w -fwrapv', (libraries ?? '').split(' ').filter((word) => word !== '')];
}

/** Options of one letter, ready for a command. */
const given = ({ options }: Reproduction, letter: 'D' | 'I'): readonly string[] =>
  options.filter((word) => word.startsWith(`-${letter}`)).map(shellWord);
