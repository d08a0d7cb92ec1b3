// What is asked for, and the program that is asked about: its files, or those of a task, read, parsed and lowered.

import { type Budget, type Observer, watchOf } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { type Entry, entryOf } from './lower/entry.ts';
import { lower } from './lower/lower.ts';
import type { Program } from './program/program.ts';
import type { Unit } from './syntax/parse.ts';
import { parseC } from './syntax/parse.ts';
import { readTask } from './syntax/task.ts';
import { problem } from './text/codes.ts';

export interface CRequest {
  readonly path: string;
  /** Further files of the same program. */
  readonly others?: readonly string[] | undefined;
  readonly files: FileSystem;
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  /** LP64, or what a task definition says, when nothing is said. */
  readonly dataModel?: 'ILP32' | 'LP64' | undefined;
  /** Where the program begins: main when nothing is said. */
  readonly function?: string | undefined;
  readonly budget: Budget;
  readonly observer: Observer;
}

export interface LoadedC {
  readonly unit: Unit;
  /** All files; the first is `unit`. */
  readonly units: readonly Unit[];
  readonly program: Program;
  readonly entry: Entry;
  /** What a task asks for beside the usual. */
  readonly asked: readonly string[];
  /** It was read to find signed overflows. */
  readonly findsOverflows?: true;
}

/** Read, parsed and lowered from main, or from the function that was asked for; null when there are errors. */
export async function loadC({
  path,
  others = [],
  files,
  defines,
  includes,
  dataModel,
  function: name,
  budget,
}: Pick<CRequest, 'path' | 'others' | 'files' | 'defines' | 'includes' | 'dataModel' | 'function'> & {
  /** Absent: it may take as long as it takes. */
  readonly budget?: Budget;
}): Promise<{
  readonly loaded: LoadedC | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}> {
  const file = new SourceFile(path, files.read(path) ?? '');
  const sources = new Map([[path, file.text]]);
  const task = /\.ya?ml$/.test(path)
    ? readTask(file)
    : { inputs: [path, ...others], dataModel: 'LP64' as const, properties: [] };
  if ('code' in task) return { loaded: null, diagnostics: [task], sources };
  const units: Unit[] = [];
  const watch = budget && watchOf(budget);
  for (const input of task.inputs) {
    const text = files.read(input);
    if (text === null)
      return {
        loaded: null,
        diagnostics: [problem('SPW5003', `there is no file '${input}'`, { file, start: 0, end: 1 })],
        sources,
      };
    sources.set(input, text);
    const options = { files, defines, includes, dataModel: dataModel ?? task.dataModel, watch };
    const unit = await parseC(new SourceFile(input, text), options);
    if (!unit.ok) return { loaded: null, diagnostics: unit.error, sources };
    for (const source of unit.value.sources) sources.set(source.path, source.text);
    units.push(unit.value);
  }
  const entry = entryOf(name);
  const program = lower(units, entry, PLAIN_C, [], budget);
  if (!program.ok) return { loaded: null, diagnostics: program.error, sources };
  const loaded = { unit: units[0]!, units, program: program.value, entry, asked: task.properties };
  return { loaded, diagnostics: [], sources };
}
