import { countCycles } from '../../net/cycles.ts';
import { type DescribedCycle, describeCycle, nameCycles } from '../../refinement/describe.ts';
import { wholeNumber } from '../args.ts';
import { loadFacts } from '../model-net.ts';
import { budgetOf, MODEL_OPTIONS, MODEL_OPTIONS_HELP } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const cycles: Verb = {
  name: 'cycles',
  summary: 'the elementary cycles of each process with their effect vectors',
  help: `usage: spillway cycles MODEL [options]

  --format F          text (default) or json
  --max-cycles N      stop after N cycles (default 10000)
  --progress S        what counts as progress, as in check
${MODEL_OPTIONS_HELP}

Per cycle: its statements, what one round does to each message type, the neighbours it shares locations with, its exit
states, conditions, assignments and messages.

example: spillway cycles ring.pml
`,
  options: {
    ...MODEL_OPTIONS,
    format: { takes: 'value', choices: ['text', 'json'] },
    'max-cycles': { takes: 'value' },
    progress: { takes: 'list' },
  },
  run: async (args, io) => runCycles(args, io),
};

function runCycles(args: ParsedArgs, io: Io): ExitCode {
  const format = args.value('format') ?? 'text';
  if (format !== 'text' && format !== 'json') throw new UsageError(`there is no format '${format}'`);
  const limit = wholeNumber(args.value('max-cycles'), 'max-cycles', 1) ?? 10_000;
  const facts = loadFacts(args, io);
  if (facts === null) return EXIT.input;
  const named = nameCycles(facts, limit, budgetOf(args, io).timeLeft);
  const described = named.cycles.map((cycle) => describeCycle(facts, named, cycle));
  const counts = countCycles(facts.context.net, named.cycles);
  if (format === 'json')
    io.out(
      `${JSON.stringify({ schema: 1, complete: named.complete, ...counts, list: described }, null, 2)}\n`,
    );
  else io.out(asText(described, counts, named.complete));
  return named.complete ? EXIT.proved : EXIT.unknown;
}

function asText(
  list: readonly DescribedCycle[],
  counts: { readonly cycles: number; readonly effectVectors: number },
  complete: boolean,
): string {
  const lines = list.flatMap((cycle) => {
    const first = cycle.steps[0]?.at;
    const where = first ? `  (line ${first.line})` : '';
    const effect = Object.entries(cycle.effect).map(
      ([name, change]) => `${name} ${change > 0 ? '+' : ''}${change}`,
    );
    const row = (title: string, items: readonly string[]): string[] =>
      items.length === 0 ? [] : [`    ${title.padEnd(12)}${items.join(', ')}`];
    return [
      `${cycle.name}  ${cycle.process}: ${cycle.steps.map((step) => step.text).join('; ')}${where}`,
      ...row('effect', effect.length === 0 ? ['none'] : effect),
      ...row('progress', cycle.progress ? ['yes'] : []),
      ...row('neighbours', cycle.neighbours),
      ...row('exits', cycle.exitStates),
      ...row('conditions', cycle.conditions),
      ...row('assigns', cycle.assignments),
      ...row('messages', cycle.messages),
    ];
  });
  lines.push(
    `${counts.cycles} cycles, ${counts.effectVectors} effect vectors${complete ? '' : ' (and more: the limit was reached)'}`,
  );
  return `${lines.join('\n')}\n`;
}
