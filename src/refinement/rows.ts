// Facts about every run that go beyond counting messages, as rows over the counts of transitions and of completed cycles:
//     Σ coefficient · (times taken)  +  cycleCoefficient · (rounds of the cycle)  ≥  − constant.
//
// Four kinds, each derived from a claim that names only places in the code, so that a checker derives the row again by itself:
//   ranking   every so many rounds of a cycle need a change of the variables its condition depends on (a numerical dependency),
//   messages  every pass of a test needs a message whose contents satisfy it ([CycleDeps] Proposition 2),
//   cyclic    the same as ranking for one variable that may wrap, by a potential over its type's range,
//   counter   a variable with bounded values cannot rise more often than it falls.
// Counting changes, not rounds of the cycles that contain them, is where this departs from [Ciclo] (38): a cycle that changes a variable twice
// in a round re-enables twice.

import { cycleOf, type NetCycle } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { ContentsTable } from './contents.ts';
import type { CodeContext } from './context.ts';
import { counterRow } from './counters.ts';
import { cyclicRow } from './cyclic.ts';
import { intervalsOf, type Values } from './intervals.ts';
import { messageRow } from './messages.ts';
import { checkRankingFunction } from './ranking.ts';
import { withSentValues } from './sent-values.ts';
import {
  changeUnder,
  shiftOf,
  staysInRangeAnywhere,
  type Termination,
  type TestAt,
  terminationBy,
  transitionStaysInRange,
  viewLoop,
} from './termination.ts';

export type Claim =
  | {
      readonly kind: 'ranking';
      readonly cycle: readonly number[];
      readonly test: TestAt;
      readonly lambda: readonly bigint[];
      readonly mu: readonly bigint[];
    }
  | {
      readonly kind: 'messages';
      readonly cycle: readonly number[];
      /** The receive, and the test of what it stored: transition in the cycle and operation. */
      readonly receive: { readonly step: number; readonly operation: number };
      readonly test: { readonly step: number; readonly operation: number };
      readonly place: number;
    }
  | {
      readonly kind: 'cyclic';
      readonly cycle: readonly number[];
      readonly test: { readonly step: number; readonly operation: number };
      /** Which of the test's linear consequences. */
      readonly form: number;
    }
  | {
      readonly kind: 'counter';
      readonly class: number;
      readonly variable: VariableId;
      readonly upwards: boolean;
    };

export interface RayRow {
  readonly claim: Claim;
  /** Transition → coefficient, without zeros. */
  readonly coefficients: ReadonlyMap<number, bigint>;
  readonly cycle: { readonly cycle: NetCycle; readonly coefficient: bigint } | null;
  readonly constant: bigint;
}

/** Intervals per class, computed once; and what is known about the contents of messages. */
export class Facts {
  readonly context: CodeContext;
  readonly contents = new ContentsTable();
  private readonly intervals = new Map<number, (Values | null)[]>();

  constructor(context: CodeContext) {
    this.context = withSentValues(context);
  }

  of(netClass: number): (Values | null)[] {
    let known = this.intervals.get(netClass);
    if (known === undefined) {
      known = intervalsOf(this.context, netClass);
      this.intervals.set(netClass, known);
    }
    return known;
  }
}

/** The row that the claim stands for, derived anew; null when the claim does not hold up. No solver takes part. */
export function deriveRow(facts: Facts, claim: Claim): RayRow | null {
  switch (claim.kind) {
    case 'ranking': {
      const termination = deriveTermination(facts, claim);
      return termination && rankingRow(facts, termination, claim);
    }
    case 'messages':
      return messageRow(facts, claim);
    case 'cyclic':
      return cyclicRow(facts, claim);
    case 'counter':
      return counterRow(facts, claim);
  }
}

export function deriveTermination(
  facts: Facts,
  claim: Extract<Claim, { kind: 'ranking' }>,
): Termination | null {
  const { context } = facts;
  const cycle = cycleAt(context, claim.cycle);
  const intervals = cycle && facts.of(cycle.class);
  const view = cycle && viewLoop(context, intervals!, cycle, claim.test);
  const ranking = view && checkRankingFunction(view.condition, view.update, claim.lambda, claim.mu);
  return ranking && terminationBy(context, intervals!, view!, ranking);
}

/** The transitions as an elementary cycle of a class; null when they are none. */
export function cycleAt({ net }: CodeContext, transitions: readonly number[]): NetCycle | null {
  const first = net.transitions[transitions[0] ?? -1];
  if (first === undefined) return null;
  const seen = new Set<number>();
  let at = first.from;
  for (const number of transitions) {
    const transition = net.transitions[number];
    if (transition?.class !== first.class || transition.from !== at || seen.has(at)) return null;
    seen.add(at);
    at = transition.to;
  }
  return at === first.from ? cycleOf(net, first.class, transitions) : null;
}

/** The transitions that can make the condition true again: they write its variables, and not only downwards. */
export function modifiersOf(facts: Facts, termination: Termination): Set<number> {
  const { context } = facts;
  const { variables, cycle, ranking, translation } = termination;
  const modifiers = new Set<number>();
  for (const variable of variables) {
    const isLocal = context.program.variables[variable]!.owner !== null;
    for (const writer of context.writers.get(variable) ?? [])
      if (!isLocal || context.net.transitions[writer]!.class === cycle.class) modifiers.add(writer);
  }
  // A harmless change may come between the test and an assignment of the cycle, which must then be in range all the same.
  if (!translation || !staysInRangeAnywhere(context, facts.of(cycle.class), cycle, variables))
    return modifiers;
  // [Ciclo] Fig. 6 skips neighbours with the same code as c; whatever adds constants and does not raise f is as harmless.
  for (const writer of [...modifiers]) {
    const { class: netClass, from } = context.net.transitions[writer]!;
    const shift = shiftOf(context, writer, variables);
    const isOwn = netClass === cycle.class;
    if (shift === null || changeUnder(ranking.form, shift) > 0n) continue;
    const before = isOwn || termination.local ? (facts.of(netClass)[from] ?? null) : null;
    if (transitionStaysInRange(context, before, writer, variables)) modifiers.delete(writer);
  }
  return modifiers;
}

/** n · (changes) − (1 + n · changes per round) · rounds ≥ −n · instances; null without an iteration count. */
function rankingRow(facts: Facts, termination: Termination, claim: Claim): RayRow | null {
  const { cycle, iterations } = termination;
  if (iterations === null) return null;
  const n = BigInt(iterations);
  const modifiers = modifiersOf(facts, termination);
  const inside = cycle.transitions.filter((transition) => modifiers.has(transition)).length;
  const coefficients = new Map<number, bigint>();
  if (n > 0n) for (const transition of modifiers) coefficients.set(transition, n);
  return {
    claim,
    coefficients,
    cycle: { cycle, coefficient: -(1n + n * BigInt(inside)) },
    constant: n * BigInt(facts.context.instances[cycle.class]!),
  };
}
