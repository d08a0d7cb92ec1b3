// A baseline: the verdicts of last time, in a file that belongs into the repository. What is not worse passes: refuted is worse than unknown, and
// that is worse than proved. Models are named as seen from the file, so that it does not matter where the command is given.

import { dirname, relative, resolve } from 'node:path';
import type { ModelReport, PropertyResult, Verdict } from '../verdict/verdict.ts';
import { isWorse } from '../verdict/verdict.ts';
import type { Io } from './verb.ts';
import { InputError } from './verb.ts';

type Verdicts = Readonly<Record<string, Readonly<Record<string, Verdict>>>>;

const VERDICTS: readonly unknown[] = ['proved', 'refuted', 'unknown'];

export class Baseline {
  private readonly path: string;
  private readonly verdicts: Verdicts;
  private readonly folder: string;

  /** A file that is not there yet is empty where it is going to be written. */
  static read(path: string, io: Io, isToBeWritten: boolean): Baseline {
    const text = io.readFile(path);
    if (text === null && !isToBeWritten)
      throw new InputError(`${path}: no such baseline; --update-baseline writes one`);
    return new Baseline(path, text === null ? {} : verdictsIn(text, path), io.folder);
  }

  private constructor(path: string, verdicts: Verdicts, folder: string) {
    this.path = path;
    this.verdicts = verdicts;
    this.folder = folder;
  }

  /** With what it was last time; what is expected outright needs no comparison. */
  compared(files: readonly string[], result: PropertyResult): PropertyResult {
    const before = this.verdicts[this.nameOf(files)]?.[result.id];
    return before === undefined || result.expected !== undefined ? result : { ...result, atWorst: before };
  }

  /** What it asked for last time, and nobody asked for now. */
  missing({ files, properties }: ModelReport): readonly string[] {
    const known = Object.keys(this.verdicts[this.nameOf(files)] ?? {});
    return known.filter((id) => !properties.some((property) => property.id === id));
  }

  /** Models that were not checked this time stay as they are. */
  write(reports: readonly ModelReport[], io: Io): void {
    const verdicts: Record<string, Readonly<Record<string, Verdict>>> = { ...this.verdicts };
    for (const { files, properties } of reports)
      if (properties.length > 0)
        verdicts[this.nameOf(files)] = Object.fromEntries(
          sorted(properties.map(({ id, verdict }) => [id, verdict])),
        );
    const document = { schema: 1, models: Object.fromEntries(sorted(Object.entries(verdicts))) };
    io.writeFile(this.path, `${JSON.stringify(document, null, 2)}\n`);
  }

  private nameOf(files: readonly string[]): string {
    const from = dirname(resolve(this.folder, this.path));
    return files.map((file) => relative(from, resolve(this.folder, file)).replaceAll('\\', '/')).join(' ');
  }
}

const sorted = <T>(entries: [string, T][]): [string, T][] => entries.sort(([a], [b]) => (a < b ? -1 : 1));

function verdictsIn(text: string, path: string): Verdicts {
  const broken = (why: string) => new InputError(`${path}: no baseline: ${why}`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw broken('it is not JSON');
  }
  const { schema, models } = (document ?? {}) as { schema?: unknown; models?: unknown };
  if (schema !== 1 || typeof models !== 'object' || models === null)
    throw broken('it has no "schema": 1 and "models"');
  for (const [model, verdicts] of Object.entries(models))
    for (const [id, verdict] of Object.entries((verdicts ?? {}) as object))
      if (!VERDICTS.includes(verdict)) throw broken(`${model} ${id} is ${String(verdict)}`);
  return models as Verdicts;
}

/** How many got worse and better, for a last line. */
export function comparison(reports: readonly ModelReport[]): string {
  const compared = reports.flatMap(({ properties }) => properties).filter((one) => one.atWorst !== undefined);
  const worse = compared.filter(({ verdict, atWorst }) => isWorse(verdict, atWorst!)).length;
  const better = compared.filter(({ verdict, atWorst }) => isWorse(atWorst!, verdict)).length;
  const rest = better > 0 ? '; --update-baseline makes the better ones the measure' : '';
  return `compared with last time: ${worse} worse, ${better} better, ${compared.length - worse - better} as before${rest}`;
}
