// Options that every verb reading a model shares, and what they mean for the analyses.

import { type Budget, type Limits, startBudget } from '../base/budget.ts';
import type { CheckOptions } from '../engine/options.ts';
import { STRATEGIES } from '../kripke/strategies.ts';
import { wholeNumber } from './args.ts';
import type { Io, OptionTable, ParsedArgs } from './verb.ts';
import { UsageError } from './verb.ts';

export const MODEL_OPTIONS = {
  define: { takes: 'list', short: 'D' },
  include: { takes: 'list', short: 'I' },
  language: { takes: 'value', choices: ['promela', 'kripke', 'ecfsm', 'c'] },
  timeout: { takes: 'value' },
  'max-states': { takes: 'value' },
  'max-memory': { takes: 'value' },
  quiet: { takes: 'nothing' },
  verbose: { takes: 'nothing' },
} as const satisfies OptionTable;

/** For help texts. */
export const MODEL_OPTIONS_HELP = `  --timeout SECONDS   one budget for everything (default 60)
  --max-states N      states the search may store (default 10000000)
  --max-memory MB     memory the stored states may take (default 2048)
  --language L        the language, where the file's name does not tell it
  -DNAME=VALUE -IDIR  as in SPIN
  --quiet, --verbose  less, more`;

/** Options of the analyses. */
export const ANALYSIS_OPTIONS = {
  method: { takes: 'value', choices: ['flow', 'cycles'] },
  progress: { takes: 'list' },
  exact: { takes: 'nothing' },
  'no-confirm': { takes: 'nothing' },
  compose: { takes: 'nothing' },
  fair: { takes: 'nothing' },
  'no-reduction': { takes: 'nothing' },
  coverage: { takes: 'nothing' },
  formula: { takes: 'list' },
  invariant: { takes: 'list' },
  monolithic: { takes: 'nothing' },
  strategy: {
    takes: 'value',
    choices: STRATEGIES,
  },
  'data-model': {
    takes: 'value',
    choices: ['ILP32', 'LP64'],
    // As compilers have it.
    words: { '-m32': 'ILP32', '-m64': 'LP64' },
  },
  function: { takes: 'value' },
  'memory-model': { takes: 'value', choices: ['c11', 'sequential'] },
  export: { takes: 'value' },
  scheduler: { takes: 'value', choices: ['in-process', 'distributed'] },
  swarm: { takes: 'value' },
} as const satisfies OptionTable;

export function limitsOf(args: ParsedArgs): Limits {
  const pick = (key: keyof Limits, value: number | undefined): Limits =>
    value === undefined ? {} : { [key]: value };
  return {
    ...pick('timeout', wholeNumber(args.value('timeout'), 'timeout', 1)),
    ...pick('maxStates', wholeNumber(args.value('max-states'), 'max-states', 1)),
    ...pick('maxMemory', wholeNumber(args.value('max-memory'), 'max-memory', 1)),
  };
}

/** One budget for all that the user waits for. */
export const budgetOf = (args: ParsedArgs, io: Io): Budget => startBudget(limitsOf(args), io.now, io.began);

export function analysisOptions(args: ParsedArgs): CheckOptions {
  const method = choice(args, 'method', ['flow', 'cycles'] as const);
  const dataModel = choice(args, 'data-model', ['ILP32', 'LP64'] as const);
  const memoryModel = choice(args, 'memory-model', ['c11', 'sequential'] as const);
  const scheduler = choice(args, 'scheduler', ['in-process', 'distributed'] as const);
  const text = (name: string): string | undefined => args.value(name);
  return {
    ...given({ function: text('function') }),
    ...given({ swarm: wholeNumber(text('swarm'), 'swarm', 0) }),
    ...given({
      method,
      dataModel,
      memoryModel,
      scheduler,
      strategy: text('strategy'),
      export: text('export'),
    }),
    confirm: !args.flag('no-confirm'),
    exact: args.flag('exact'),
    fair: args.flag('fair'),
    reduction: !args.flag('no-reduction'),
    coverage: args.flag('coverage'),
    monolithic: args.flag('monolithic'),
    progress: args.list('progress'),
    formulas: args.list('formula'),
    invariants: args.list('invariant'),
    defines: args.list('define'),
    includes: args.list('include'),
    compose: args.flag('compose'),
  };
}

function choice<T extends string>(args: ParsedArgs, name: string, known: readonly T[]): T | undefined {
  const value = args.value(name);
  const found = known.find((one) => one === value);
  if (value !== undefined && found === undefined)
    throw new UsageError(`--${name} takes ${known.join(' or ')}, not '${value}'`);
  return found;
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
