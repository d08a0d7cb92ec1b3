// Verbs that turn one .ecfsm model into text: reading, writing, exit code.

import type { ToolResult } from '../check/ecfsm-tools.ts';
import type { WorkRequest } from '../engine/language.ts';
import { hasErrors, render } from '../source/diagnostic.ts';
import { budgetOf } from './model-options.ts';
import { progressLine } from './progress.ts';
import type { ExitCode, Io, ParsedArgs } from './verb.ts';
import { EXIT, UsageError } from './verb.ts';

type Request = Pick<WorkRequest, 'files' | 'budget' | 'observer'> & { readonly path: string };

export async function runTool(
  args: ParsedArgs,
  io: Io,
  work: (request: Request) => Promise<ToolResult>,
): Promise<ExitCode> {
  const [path, ...more] = args.positional;
  if (path === undefined || more.length > 0) throw new UsageError('give one .ecfsm model');
  if (!path.endsWith('.ecfsm')) throw new UsageError(`${path}: only .ecfsm models have a formula`);
  const progress = progressLine(io, args.flag('quiet'));
  const { text, diagnostics, summary, verdict } = await work({
    path,
    files: { read: io.readFile },
    budget: budgetOf(args, io),
    observer: progress,
  }).finally(() => progress.clear());
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity === 'error' || !args.flag('quiet')) io.err(`${render(diagnostic)}\n`);
  }
  if (hasErrors(diagnostics)) return EXIT.input;
  if (!args.flag('quiet')) io.err(`${path}: ${summary}\n`);
  if (text === null) return EXIT.unknown;
  const target = args.value('out');
  if (target === undefined) io.out(text);
  else io.writeFile(target, text);
  return EXIT[verdict];
}
