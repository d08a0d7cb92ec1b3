// Options that every verb reading a model shares, and what they mean for the analyses.

import type { Budget } from '../base/budget.ts';
import type { CheckOptions } from '../check/language.ts';
import { wholeNumber } from './args.ts';
import type { Io, OptionTable, ParsedArgs } from './verb.ts';
import { UsageError } from './verb.ts';

export const MODEL_OPTIONS = {
  define: { takes: 'list', short: 'D' },
  include: { takes: 'list', short: 'I' },
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
  monolithic: { takes: 'nothing' },
  strategy: {
    takes: 'value',
    choices: ['portfolio', 'linear', 'compositional', 'minimised', 'refinement', 'monolithic'],
  },
} as const satisfies OptionTable;

const EXTRA_OPTIONS = ['fair', 'monolithic', 'strategy'] as const;

export interface Limits {
  readonly timeout?: number;
  readonly maxStates?: number;
  readonly maxMemory?: number;
}

export function limitsOf(args: ParsedArgs): Limits {
  const pick = (key: keyof Limits, value: number | undefined): Limits =>
    value === undefined ? {} : { [key]: value };
  return {
    ...pick('timeout', wholeNumber(args.value('timeout'), 'timeout', 1)),
    ...pick('maxStates', wholeNumber(args.value('max-states'), 'max-states', 1)),
    ...pick('maxMemory', wholeNumber(args.value('max-memory'), 'max-memory', 1)),
  };
}

/** The budget starts to run now. */
export function startBudget(limits: Limits, io: Io): Budget {
  const end = io.now() + (limits.timeout ?? 60) * 1000;
  return {
    timeLeft: () => io.now() < end,
    remaining: () => Math.max(0, end - io.now()),
    maxStates: limits.maxStates ?? 10_000_000,
    maxMemory: (limits.maxMemory ?? 2048) * 1024 * 1024,
  };
}

export function analysisOptions(args: ParsedArgs): CheckOptions {
  const method = args.value('method');
  if (method !== undefined && method !== 'flow' && method !== 'cycles') {
    throw new UsageError(`--method takes flow or cycles, not '${method}'`);
  }
  const extra: Record<string, string | boolean> = {};
  for (const name of EXTRA_OPTIONS) if (args.flag(name)) extra[name] = args.value(name) || true;
  return {
    ...(method === undefined ? {} : { method }),
    confirm: !args.flag('no-confirm'),
    exact: args.flag('exact'),
    progress: args.list('progress'),
    defines: args.list('define'),
    includes: args.list('include'),
    compose: args.flag('compose'),
    extra,
  };
}
