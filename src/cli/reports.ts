// Where the reports of one check go: `--format` and `--out` name the first, each `--report FORMAT=FILE` one more.

import { shellWord } from '../base/shell.ts';
import { FORMATS, type Format, isFormat, renderReports } from '../report/formats.ts';
import { PLAIN } from '../report/style.ts';
import type { TextOptions } from '../report/text.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { withoutPasswords } from './queue.ts';
import type { Io, ParsedArgs } from './verb.ts';
import { InputError, UsageError } from './verb.ts';

export interface ReportTarget {
  readonly format: Format;
  readonly file: string;
}

export function formatNamed(name: string): Format {
  if (isFormat(name)) return name;
  throw new UsageError(`there is no format '${name}'; known: ${FORMATS.join(', ')}`);
}

/** The further reports: those of the command line; where it names none, those of the configuration. */
export function furtherReports(
  args: ParsedArgs,
  configured: readonly ReportTarget[],
): readonly ReportTarget[] {
  const given = args.list('report').map(targetOf);
  const targets = given.length > 0 ? given : configured;
  const files = [args.value('out'), ...targets.map(({ file }) => file)].filter((file) => file !== undefined);
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new UsageError(`two reports cannot both be written to ${twice}`);
  return targets;
}

function targetOf(text: string): ReportTarget {
  const equals = text.indexOf('=');
  if (equals <= 0 || equals === text.length - 1)
    throw new UsageError(`--report takes FORMAT=FILE, for example sarif=results.sarif, not '${text}'`);
  return { format: formatNamed(text.slice(0, equals)), file: text.slice(equals + 1) };
}

export async function reportAs(
  format: Format,
  reports: readonly ModelReport[],
  textOptions: TextOptions,
  started: Date,
  io: Io,
): Promise<string> {
  return renderReports(reports, format, {
    ...textOptions,
    started,
    folder: io.folder,
    command:
      io.words === undefined
        ? undefined
        : ['spillway', ...withoutPasswords(io.words)].map(shellWord).join(' '),
  });
}

/** One that cannot be written does not keep the others from being written. */
export async function writeReports(
  targets: readonly ReportTarget[],
  reports: readonly ModelReport[],
  textOptions: TextOptions,
  started: Date,
  io: Io,
): Promise<void> {
  const problems: InputError[] = [];
  const plain = { ...textOptions, style: PLAIN, columns: undefined };
  for (const { format, file } of targets) {
    const text = await reportAs(format, reports, plain, started, io);
    try {
      io.writeFile(file, text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(error);
    }
  }
  if (problems.length > 0) throw new InputError(problems.map(({ message }) => message).join('\n'));
}
