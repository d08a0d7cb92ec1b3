import { loadSolver } from '../../lp/solver.ts';
import { settled } from '../../refinement/contents-smt.ts';
import { dependenciesOf, type Strategy } from '../../refinement/dependencies.ts';
import {
  type DescribedDependency,
  describeDependency,
  hints,
  nameCycles,
} from '../../refinement/describe.ts';
import { wholeNumber } from '../args.ts';
import { loadFacts } from '../model-net.ts';
import { budgetOf, MODEL_OPTIONS, MODEL_OPTIONS_HELP } from '../model-options.ts';
import type { ExitCode, Io, ParsedArgs, Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

const IDEAL =
  'read with integers that never wrap, as in the papers: not what SPIN does, and not what verdicts rest on\n';

const STRATEGIES: readonly Strategy[] = ['N', 'MC', 'ND', 'PC', 'IS', 'SC', 'FC'];

export const deps: Verb = {
  name: 'deps',
  summary: 'which loops need which others to go on, and why',
  help: `usage: spillway deps MODEL [options]

  --strategy S        show only this strategy (repeat for several; default PC and FC):
                      N neighbours, MC cycles that modify, ND next door, PC preemptive cycles,
                      IS preemptive cycles that can make the condition true again,
                      SC senders, FC senders of fitting messages in fastened cycles
  --ideal-integers    as in the papers, an int never wraps; SPIN's do, and no verdict uses this
  --format F          text (default) or json
  --max-cycles N      stop after N cycles (default 2000)
${MODEL_OPTIONS_HELP}

(n, C, {…}): every n rounds of C need a change that one of the others makes. The sums at the end compare the strategies.

example: spillway deps ring.pml --strategy MC --strategy PC
`,
  options: {
    ...MODEL_OPTIONS,
    strategy: { takes: 'list' },
    'ideal-integers': { takes: 'nothing' },
    format: { takes: 'value', choices: ['text', 'json'] },
    'max-cycles': { takes: 'value' },
    progress: { takes: 'list' },
  },
  run: runDeps,
};

async function runDeps(args: ParsedArgs, io: Io): Promise<ExitCode> {
  const format = args.value('format') ?? 'text';
  if (format !== 'text' && format !== 'json') throw new UsageError(`there is no format '${format}'`);
  const asked = args.list('strategy').map(strategyOf);
  const shown: readonly Strategy[] = asked.length === 0 ? ['PC', 'FC'] : asked;
  const limit = wholeNumber(args.value('max-cycles'), 'max-cycles', 1) ?? 2_000;
  const ideal = args.flag('ideal-integers');
  const facts = loadFacts(args, io, ideal);
  if (facts === null) return EXIT.input;
  const budget = budgetOf(args, io);
  const solver = await loadSolver();
  const named = nameCycles(facts, limit, budget.timeLeft);
  const sums = new Map<Strategy, number>(STRATEGIES.map((strategy) => [strategy, 0]));
  const list: DescribedDependency[] = [];
  let complete = named.complete;
  for (const cycle of named.cycles) {
    if (!budget.timeLeft()) {
      complete = false;
      break;
    }
    for (const dependency of await settled(
      facts,
      () => dependenciesOf(facts, solver, cycle, STRATEGIES),
      budget,
    )) {
      sums.set(dependency.strategy, sums.get(dependency.strategy)! + dependency.on.length);
      if (shown.includes(dependency.strategy)) list.push(describeDependency(facts, named, dependency));
    }
  }
  const notes = complete ? await hints(facts, solver, limit) : [];
  if (format === 'json') {
    const integers = ideal ? 'ideal' : 'wrapping';
    const result = {
      schema: 1,
      complete,
      integers,
      sums: Object.fromEntries(sums),
      dependencies: list,
      notes,
    };
    io.out(`${JSON.stringify(result, null, 2)}\n`);
  } else io.out(asText(list, sums, notes, complete) + (ideal ? IDEAL : ''));
  return complete ? EXIT.proved : EXIT.unknown;
}

function strategyOf(text: string): Strategy {
  const found = STRATEGIES.find((strategy) => strategy === text.toUpperCase());
  if (found === undefined) throw new UsageError(`there is no strategy '${text}': ${STRATEGIES.join(', ')}`);
  return found;
}

function asText(
  list: readonly DescribedDependency[],
  sums: ReadonlyMap<Strategy, number>,
  notes: readonly { readonly message: string }[],
  complete: boolean,
): string {
  const lines = list.flatMap(({ cycle, on, iterations, strategy, kind, reason, at }) => {
    const set = `{${on.join(', ')}}`;
    const pair = iterations === null ? `(${cycle}, ${set})` : `(${iterations}, ${cycle}, ${set})`;
    return [`${pair}  ${strategy}, ${kind}`, `    ${reason}${at === null ? '' : ` (line ${at.line})`}`];
  });
  if (list.length === 0) lines.push('no dependencies found');
  lines.push(`sizes in all: ${[...sums].map(([strategy, size]) => `${strategy} ${size}`).join(', ')}`);
  for (const { message } of notes) lines.push(`hint: ${message}`);
  if (!complete) lines.push('not complete: a limit was reached');
  return `${lines.join('\n')}\n`;
}
