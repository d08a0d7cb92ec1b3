// Temporal properties of a Promela program on its concrete semantics: `ltl` formulas, never claims, acceptance cycles and
// non-progress cycles. Exact when the state space, under the declared capacities, is finite within the budget; else unknown.
//
// The meaning is SPIN's: the claim moves before every step of the system, runs that end are continued by standing still, and
// statements inside an atomic sequence are not seen one by one. Every violation is replayed before it is reported; for
// formulas the path is also judged by the definition of the logic.

import { type Budget, type Observer, shareOf } from '../base/budget.ts';
import type { Formula, FormulaNode, Proctype, Program } from '../process/program.ts';
import { type Answer, proved, refuted, unknown } from '../verdict/answer.ts';
import type { Stats } from '../verdict/verdict.ts';
import type { AcceptanceOutcome, ChoicePath } from './acceptance.ts';
import { findAcceptance } from './acceptance.ts';
import type { CompileOptions, Model } from './compile.ts';
import { compileModel } from './compile.ts';
import { describe } from './describe.ts';
import { faultText } from './faults.ts';
import { claimOf, coreOf } from './formula-claim.ts';
import { pathViolates } from './judge.ts';
import { findAcceptanceReduced } from './reduction/product.ts';
import { isStutterInvariant } from './reduction/stutter.ts';
import { TITLES } from './titles.ts';

export interface TemporalOptions {
  /** SPIN's -f: only runs in which every process that can move for ever does move. */
  readonly fair?: boolean;
  readonly compile?: CompileOptions;
  /** Leave out interleavings that the property cannot tell apart (default). */
  readonly reduce?: boolean;
}

/** A property that a program states or that every program has. */
export type TemporalProperty =
  | { readonly kind: 'formula'; readonly formula: Formula }
  | { readonly kind: 'claim'; readonly claim: Proctype }
  /** No run passes `accept` labels for ever. */
  | { readonly kind: 'acceptance' }
  /** Every infinite run passes `progress` labels for ever. */
  | { readonly kind: 'progress' };

/** By the name of an `ltl` block; null when the program has none of that name. */
export function checkPromelaFormula(
  program: Program,
  name: string,
  options: TemporalOptions,
  budget: Budget,
  observer: Observer,
): Answer | null {
  const formula = program.formulas.find((candidate) => candidate.name === name);
  if (formula === undefined) return null;
  return checkTemporal(program, { kind: 'formula', formula }, options, budget, observer);
}

export function checkTemporal(
  program: Program,
  property: TemporalProperty,
  options: TemporalOptions,
  budget: Budget,
  observer: Observer,
): Answer {
  return new TemporalCheck(program, property, options).run(budget, observer);
}

/** States of the product that are looked at before the system's graph is reduced. */
const SHORT_LOOK = 5000;

interface Found {
  readonly outcome: AcceptanceOutcome;
  readonly reduced: boolean;
}

class TemporalCheck {
  private readonly program: Program;
  private readonly property: TemporalProperty;
  private readonly options: TemporalOptions;

  constructor(program: Program, property: TemporalProperty, options: TemporalOptions) {
    this.program = program;
    this.property = property;
    this.options = options;
  }

  run(budget: Budget, observer: Observer): Answer {
    observer.stage('explore');
    const formula = this.formula();
    const core = formula === null ? null : coreOf(formula);
    const claim = formula === null ? this.claim() : claimOf(this.program, formula, core!);
    if (formula !== null && claim === null) return unknown('formula-too-large');
    // A run that ends is no livelock, so it is not continued by standing still.
    const stutter = this.property.kind !== 'progress';
    const acceptLabels = formula === null ? 'all' : 'claim';
    const compiled = compileModel(this.program, { ...this.options.compile, claim, stutter, acceptLabels });
    if (!compiled.ok) return unknown(compiled.error.reasonCode, compiled.error.reason);

    const begin = observer.now();
    const { outcome, reduced } = this.find(compiled.value, budget, observer);
    const stats = {
      states: outcome.states,
      transitions: outcome.transitions,
      ...(reduced ? { reduced } : {}),
      ...(claim === null
        ? {}
        : { automatonStates: claim.locations.length, automatonEdges: claim.edges.length }),
      milliseconds: { explore: observer.now() - begin },
    };
    switch (outcome.kind) {
      case 'limit':
        return unknown(outcome.limit, LIMITS[outcome.limit], { stats });
      case 'cycle': {
        const compile = this.options.compile ?? {};
        if (formula !== null && !pathViolates(this.program, compile, formula, core!, outcome.path))
          throw new Error('impossible: a path that the claim accepts satisfies the formula');
        return this.refuted(outcome.path, stats);
      }
      default:
        if (outcome.fault !== null)
          return unknown(
            'runtime-error',
            `some run ends in an error (${faultText(outcome.fault)}), so what would follow is not known`,
            { stats },
          );
        return proved(
          'exhaustive',
          {
            kind: 'exhaustion',
            states: outcome.states,
            transitions: outcome.transitions,
            ...(reduced ? { reduced } : {}),
          },
          'search',
          { stats },
        );
    }
  }

  /** A short look without stubborn sets first: small products need no more. */
  private find(model: Model, budget: Budget, observer: Observer): Found {
    const fair = this.options.fair ?? false;
    const reduce = !fair && (this.options.reduce ?? true) && this.ignoresSteps();
    const search = (maxStates: number): AcceptanceOutcome =>
      findAcceptance(model, { fair, reduce }, { ...budget, maxStates }, observer);
    if (!reduce || budget.maxStates <= SHORT_LOOK)
      return { outcome: search(budget.maxStates), reduced: false };
    const look = search(SHORT_LOOK);
    if (look.kind !== 'limit' || look.limit !== 'state-limit') return { outcome: look, reduced: false };
    const outcome = findAcceptanceReduced(model, shareOf(budget, 2), observer);
    // An error that the claim does not let a run come to is none: the product itself will tell.
    const isSettled = outcome?.kind === 'cycle' || (outcome?.kind === 'none' && outcome.fault === null);
    if (isSettled) return { outcome: outcome!, reduced: true };
    return { outcome: search(budget.maxStates), reduced: false };
  }

  /** Closed under stuttering: formulas without X, labels, and claims of which it can be shown. */
  private ignoresSteps(): boolean {
    const { property, program } = this;
    if (property.kind === 'formula') return !countsSteps(property.formula.root);
    if (property.kind !== 'claim') return true;
    // Accept labels of processes count, too: then there is more to a word than what the claim reads.
    const labelled = program.proctypes.some(({ locations }) => locations.some(({ isAccept }) => isAccept));
    return !labelled && isStutterInvariant(property.claim);
  }

  private formula(): Formula | null {
    if (this.property.kind === 'formula') return this.property.formula;
    if (this.property.kind !== 'progress') return null;
    const [first] = this.program.proctypes;
    if (first === undefined) return null;
    const { span } = first;
    const stuck = { kind: 'atom', expression: { kind: 'np_', span } } as const;
    return {
      name: 'progress',
      text: '[]<>!np_',
      root: { kind: 'always', operand: { kind: 'eventually', operand: { kind: 'not', operand: stuck } } },
      span,
    };
  }

  private claim(): Proctype | null {
    return this.property.kind === 'claim' ? this.property.claim : null;
  }

  private refuted(path: ChoicePath, stats: Stats): Answer {
    const plain = compileModel(this.program, { ...this.options.compile, claim: null });
    if (!plain.ok) throw new Error('impossible: the model was executed before');
    const { steps, loopStart } = path;
    const before = steps.slice(0, loopStart ?? steps.length).flat();
    const loop = loopStart === null ? [] : steps.slice(loopStart).flat();
    const described = describe(plain.value as Model, [...before, ...loop], {
      title: this.title(loopStart === null, loop.length === 0),
      loopStart: loop.length === 0 ? null : before.length,
    });
    if (!described.ok) throw new Error('impossible: the counterexample cannot be replayed');
    return refuted(described.run, { stats });
  }

  private title(ended: boolean, standsStill: boolean): string {
    const what = {
      formula: 'the formula is violated',
      claim: 'the never claim is matched',
      acceptance: 'an acceptance cycle',
      progress: TITLES.idleCycle,
    }[this.property.kind];
    if (ended) return what;
    return standsStill ? `${what}: nothing moves any more` : `${what} by a run that repeats for ever`;
  }
}

function countsSteps(node: FormulaNode): boolean {
  if (node.kind === 'next') return true;
  if ('operand' in node) return countsSteps(node.operand);
  return 'left' in node && (countsSteps(node.left) || countsSteps(node.right));
}

const LIMITS = {
  'time-limit': 'the time limit was reached before all states were seen',
  'state-limit': 'the limit on stored states was reached',
  'memory-limit': 'the memory limit was reached',
  'too-many-processes': 'weak fairness is supported for up to 29 processes at a time',
} as const;
