import { checkModel } from '../../check/check.ts';
import { table } from '../../report/table.ts';
import { hasErrors, renderPlaced } from '../../source/diagnostic.ts';
import { filesOf } from '../model.ts';
import {
  ANALYSIS_OPTIONS,
  analysisOptions,
  budgetOf,
  MODEL_OPTIONS,
  MODEL_OPTIONS_HELP,
} from '../model-options.ts';
import { progressLine } from '../progress.ts';
import type { Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const bounds: Verb = {
  name: 'bounds',
  summary: 'how long each queue gets at most',
  help: `usage: spillway bounds MODEL [--exact] [--format text|json]

One line per queue: the proven bound, the exact maximum if known, the declared capacity.

${MODEL_OPTIONS_HELP}

example: spillway bounds ring.pml --exact
`,
  options: { ...MODEL_OPTIONS, ...ANALYSIS_OPTIONS, format: { takes: 'value', choices: ['text', 'json'] } },
  run: async (args, io) => {
    const format = args.value('format') ?? 'text';
    if (format !== 'text' && format !== 'json') throw new UsageError(`there is no format '${format}'`);
    const report = await checkBoundedOnly(args, io);
    if (hasErrors(report.diagnostics)) {
      for (const diagnostic of report.diagnostics) io.err(`${renderPlaced(diagnostic)}\n`);
      return EXIT.input;
    }
    const property = report.properties[0]!;
    const queues = property.queues ?? [];
    if (format === 'json') {
      io.out(`${JSON.stringify(queues, null, 2)}\n`);
    } else {
      const number = (value: number | null): string => (value === null ? '-' : String(value));
      const rows = queues.map((queue) => [
        queue.name,
        queue.verdict === 'refuted' ? 'unbounded' : number(queue.bound),
        number(queue.exact),
        String(queue.declared),
      ]);
      // Places of nets and channels of machines declare nothing.
      const width = queues.some(({ declared }) => declared > 0) ? 4 : 3;
      const lines = table(
        [[width === 3 ? 'where' : 'queue', 'bound', 'exact', 'declared'], ...rows].map((row) =>
          row.slice(0, width),
        ),
        (['left', 'right', 'right', 'right'] as const).slice(0, width),
      );
      io.out(queues.length === 0 ? 'no buffered queue\n' : `${lines.join('\n')}\n`);
    }
    return EXIT[property.verdict];
  },
};

/** The `bounded` property of one model, for this verb and for `tighten`. */
export function checkBoundedOnly(args: ParsedArgs, io: Io) {
  const [path, ...more] = args.positional;
  if (path === undefined || more.length > 0) throw new UsageError('give one model');
  const progress = progressLine(io, args.flag('quiet'));
  return checkModel({
    paths: [path],
    files: filesOf(io),
    properties: ['bounded'],
    ...(args.value('language') === undefined ? {} : { language: args.value('language')! }),
    options: { ...analysisOptions(args), allQueues: true },
    budget: budgetOf(args, io),
    observer: progress,
  }).finally(() => progress.clear());
}
