// Task definitions of the software-verification competition (`.yml`): which C files, and for which data model.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { SourceFile, Span } from '../../source/source.ts';
import { problem } from '../text/codes.ts';
import { folderOf } from '../text/preprocess.ts';

export interface VerificationTask {
  /** As paths. */
  readonly inputs: readonly string[];
  readonly dataModel: DataModel;
  /** What its property files ask for, in our words: those that are asked only by name. */
  readonly properties: readonly string[];
}

/** By the names of the files, as everybody has them. */
const PROPERTIES: Readonly<Record<string, string>> = {
  'no-overflow': 'no-overflow',
  termination: 'terminates',
  'valid-memcleanup': 'no-leaks',
};

export type DataModel = 'ILP32' | 'LP64';

/** The few lines of YAML that such a file consists of: keys with a value, or with a list in either form. */
export function readTask(file: SourceFile): VerificationTask | Diagnostic {
  const lines = file.text.split('\n').map((line) => line.replace(/(^|\s)#.*$/, '').trimEnd());
  const at = lines.findIndex((line) => /^input_files\s*:/.test(line));
  if (at < 0)
    return problem(
      'SPW5101',
      'this is no verification task: it names no input_files',
      { file, start: 0, end: Math.min(1, file.text.length) },
      'a task has a line such as: input_files: "program.c"',
    );
  const value = lines[at]!.replace(/^input_files\s*:/, '').trim();
  const names = value === '' ? listBelow(lines, at + 1) : value.replace(/^\[|\]$/g, '').split(',');
  const folder = folderOf(file.path);
  const inputs = names.map(unquoted).filter((name) => name !== '');
  if (inputs.length === 0) {
    const start = file.text.search(/^input_files\s*:/m);
    return problem(
      'SPW5101',
      'this task names no file',
      { file, start, end: start + 'input_files'.length },
      'name at least one: input_files: "program.c"',
    );
  }
  const model =
    lines.map((line) => /^\s*data_model\s*:\s*["']?(\w+)/.exec(line)?.[1]).find(Boolean) ?? 'LP64';
  if (model !== 'LP64' && model !== 'ILP32')
    return problem(
      'SPW5101',
      `the data model '${model}' is not known`,
      spanOf(file, model),
      'there are ILP32 and LP64',
    );
  return {
    inputs: inputs.map((name) => (folder === '' || name.startsWith('/') ? name : `${folder}/${name}`)),
    dataModel: model,
    properties: propertiesIn(lines),
  };
}

function propertiesIn(lines: readonly string[]): string[] {
  const files = lines.flatMap((line) => /^\s*(?:-\s+)?property_file\s*:\s*(\S+)/.exec(line)?.[1] ?? []);
  const names = files.map((file) =>
    unquoted(file)
      .replace(/^.*\//, '')
      .replace(/\.prp$/, ''),
  );
  return [...new Set(names.flatMap((name) => PROPERTIES[name] ?? []))];
}

function spanOf(file: SourceFile, word: string): Span {
  const start = file.text.search(new RegExp(`data_model\\s*:\\s*["']?${word}`));
  return { file, start, end: file.text.indexOf(word, start) + word.length };
}

function listBelow(lines: readonly string[], from: number): string[] {
  const items: string[] = [];
  for (let i = from; i < lines.length; i++) {
    const item = /^\s*-\s+(.*)$/.exec(lines[i]!)?.[1];
    if (item !== undefined) items.push(item);
    else if (lines[i]!.trim() !== '') break;
  }
  return items;
}

const unquoted = (text: string): string => text.trim().replace(/^["'](.*)["']$/, '$1');
