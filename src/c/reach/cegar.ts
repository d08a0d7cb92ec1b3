// Reachability of error locations in sequential C: abstract, search, check the path, refine. [MAGIC] section 10's outer loop for one
// component. The loop ends with a proof (no error state is left), a run that the concrete machine confirms, or a stated reason.

import { type Budget, fractionOf, type Observer, TimeOver, watchOf, withStates } from '../../base/budget.ts';
import { type Lesson, type Look, refineUntilSettledAsync } from '../../base/cegar.ts';
import { type AuditResult, auditProgram } from '../audit/audit.ts';
import { INVARIANTS_KIND, type InvariantsProof } from '../audit/invariants.ts';
import type { UnrollingProof } from '../audit/unrolling.ts';
import { Prober } from '../probe/reach.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Edge, Program } from '../program/program.ts';
import type { Precision } from './abstraction.ts';
import { Abstraction } from './abstraction.ts';
import type { Block } from './blocks.ts';
import { blockGraph } from './blocks.ts';
import { boundedSearch } from './bounded.ts';
import { confirm } from './confirm.ts';
import { explore, pathTo } from './explore.ts';
import { hasArrays, InvariantSearch } from './invariants.ts';
import { ValueLimits } from './limits.ts';
import { liveCells } from './liveness.ts';
import { type Asking, Oracle } from './oracle.ts';
import { checkPath } from './path.ts';
import { refine } from './refine.ts';
import { FEW_TURNS, MANY_TURNS, unrolledFor } from './unrolling.ts';
import type { AbstractGraph } from './write.ts';

export interface ReachStats {
  readonly iterations: number;
  readonly states: number;
  readonly predicates: number;
  readonly trackedVariables: number;
  readonly solverCalls: number;
  readonly blocks: number;
}

export type ReachResult = { readonly stats: ReachStats; readonly precision: Precision } & (
  | {
      readonly kind: 'unreachable';
      readonly proof: AbstractGraph | InvariantsProof | UnrollingProof;
      /** Where it was looked at a second time already. */
      readonly audit?: AuditResult;
    }
  | { readonly kind: 'reachable'; readonly run: Confirmed }
  | {
      readonly kind: 'unknown';
      readonly code: 'no-progress' | 'time-limit' | 'not-modelled' | 'solver-limit';
      readonly reason: string;
      readonly path: readonly Edge[];
    }
);

interface PassedOver {
  readonly code: Extract<ReachResult, { kind: 'unknown' }>['code'];
  readonly reason: string;
  readonly path: readonly Edge[];
}

/** Paths that may be passed over before the search gives up. */
const MOST_PASSED_OVER = 40;

/** What is tried before the abstraction. Tests leave some of it out, to see what the others say. */
export interface Shortcuts {
  readonly paths: boolean;
  readonly guesses: boolean;
  readonly unrolling: boolean;
  readonly lazy: boolean;
}

const ALL_SHORTCUTS: Shortcuts = { paths: true, guesses: true, unrolling: true, lazy: true };

export async function reach(
  program: Program,
  isError: (location: number) => boolean,
  budget: Budget,
  observer: Observer,
  asking: Asking = {},
  shortcuts: Shortcuts = ALL_SHORTCUTS,
): Promise<ReachResult> {
  const oracle = new Oracle(budget);
  asking.end = () => oracle.dispose();
  const loop = new Loop(program, isError, budget, observer, oracle, shortcuts);
  try {
    return await program.pool.watched(watchOf(budget), () => loop.run());
  } catch (error) {
    if (error instanceof RangeError) return loop.tooDeep();
    if (error instanceof TimeOver) return loop.timeOver();
    throw error;
  } finally {
    oracle.dispose();
  }
}

/** The answer when a run to an error is at hand. */
export const reachedBy = (run: Confirmed): Extract<ReachResult, { kind: 'reachable' }> => ({
  kind: 'reachable',
  run,
  stats: { iterations: 0, states: 0, predicates: 0, trackedVariables: 0, solverCalls: 0, blocks: 0 },
  precision: { tracked: new Set(), predicates: [] },
});

/** Of the time that is left. */
const SHARE_OF_UNROLLING = 0.25;
const SHARE_OF_GUESSES = 0.2;
/** In programs with many edges a question about a large block takes long, and few are needed to see little of them. */
const SHARE_OF_LAZY = 0.35;
const SHARE_OF_LAZY_IN_LARGE = 0.1;
const LARGE = 400;
const SHARE_OF_ARRAYS = 0.45;
/** For rounds of the abstraction before loops are unrolled for many turns. */
const SHARE_BEFORE_MANY_TURNS = 0.1;
/** The clauses are tried once, when this many rounds, or states of one round, have not settled it. */
const ROUNDS_BEFORE_CLAUSES = 8;
const STATES_BEFORE_CLAUSES = 3000;

const signatureOf = (blocks: readonly Block[]): string => blocks.map(({ id }) => id).join();

/** What an exploration of the abstraction stopped at. */
type Seen = Extract<Awaited<ReturnType<typeof explore>>, { readonly node: unknown }>;

const REFINED: Lesson<never> = { kind: 'refined' };
const answered = (answer: ReachResult) => ({ kind: 'answer', answer }) as const;

class Loop {
  private readonly program: Program;
  private readonly isError: (location: number) => boolean;
  private readonly budget: Budget;
  private readonly observer: Observer;
  private readonly oracle: Oracle;
  private readonly shortcuts: Shortcuts;
  private iterations = 0;
  private states = 0;
  private blocks = 0;
  private precision: Precision = { tracked: new Set(), predicates: [] };
  private readonly limits = new ValueLimits();
  /** Paths to an error that could be neither confirmed nor excluded: each costs itself, not the answer. */
  private readonly passedOver = new Map<string, PassedOver>();
  /** Ends that are not modelled and can really be reached: a proof must not rest on what lies behind them. */
  private readonly openEnds = new Map<number, readonly Edge[]>();

  constructor(
    program: Program,
    isError: (location: number) => boolean,
    budget: Budget,
    observer: Observer,
    oracle: Oracle,
    shortcuts: Shortcuts,
  ) {
    this.shortcuts = shortcuts;
    this.program = program;
    this.isError = isError;
    this.budget = budget;
    this.observer = observer;
    this.oracle = oracle;
  }

  async run(): Promise<ReachResult> {
    const { program } = this;
    const isTarget = (location: number) =>
      this.isError(location) || (program.locations[location]!.kind === 'cut' && !this.openEnds.has(location));
    const graph = blockGraph(program, (location) => this.isError(location));
    this.blocks = graph.blocks.length;
    const live = liveCells(program, []);
    const abstraction = new Abstraction(graph, live, this.oracle, this.precision);
    const prober = new Prober(program, live, this.isError);
    const early = this.shortcuts.paths
      ? await boundedSearch(graph, this.isError, this.oracle, fractionOf(this.budget, 0.1))
      : null;
    if (early !== null) return this.reached(early);
    const isEnd = (location: number) => this.isError(location) || program.locations[location]!.kind === 'cut';
    const invariants = new InvariantSearch(program, isEnd, live, this.oracle, fractionOf(this.budget, 0.1));
    // What holds of all elements of an array is seldom found in another way.
    const share = hasArrays(program) ? SHARE_OF_ARRAYS : SHARE_OF_GUESSES;
    const simple = this.shortcuts.guesses
      ? await this.checked(await invariants.bySimpleGuesses(fractionOf(this.budget, share)))
      : null;
    if (simple !== null) return simple;
    const few = await this.unrolled(live, FEW_TURNS);
    if (few !== null && few !== 'more-turns') return few;
    const shareOfLazy = program.edges.length > LARGE ? SHARE_OF_LAZY_IN_LARGE : SHARE_OF_LAZY;
    const lazy = this.shortcuts.lazy
      ? await this.checked(await invariants.lazily(fractionOf(this.budget, shareOfLazy)))
      : null;
    if (lazy !== null) return lazy;
    // Many turns take long, and what few rounds settle needs none.
    let forRounds = few === null ? null : fractionOf(this.budget, SHARE_BEFORE_MANY_TURNS);
    let clausesTried = false;
    const look = async (round: number): Promise<Look<Seen, ReachResult>> => {
      this.iterations = round;
      const witness = prober.try(round, this.budget);
      if (witness !== null) return answered(this.reached(witness));
      const found = await explore(
        graph,
        abstraction,
        isTarget,
        (cell) => this.limits.of(cell),
        clausesTried ? this.budget : withStates(forRounds ?? this.budget, STATES_BEFORE_CLAUSES),
        (node) => this.passedOver.has(signatureOf(pathTo(node))),
      );
      this.states = found.states;
      this.observer.progress(
        `${this.iterations} rounds, ${found.states} states, ${this.precision.tracked.size} variables, ${this.precision.predicates.length} predicates`,
      );
      const stuck = found.kind === 'budget' || this.iterations >= ROUNDS_BEFORE_CLAUSES;
      if (stuck && forRounds !== null && this.budget.timeLeft()) {
        forRounds = null;
        const many = await this.unrolled(live, MANY_TURNS);
        if (many !== null && many !== 'more-turns') return answered(many);
        if (found.kind === 'budget' && found.states < STATES_BEFORE_CLAUSES) return { kind: 'again' };
      }
      if (stuck && !clausesTried && this.budget.timeLeft()) {
        clausesTried = true;
        const proof = await this.byClauses(invariants);
        if (proof !== null) return answered(proof);
        if (found.kind === 'budget') return { kind: 'again' };
      }
      if (found.kind === 'budget')
        return answered(this.unknown('time-limit', 'the time or state limit was reached', []));
      if (found.kind === 'exhausted') return answered(this.proved(found.graph, prober));
      return { kind: 'counterexample', counterexample: found };
    };
    const learn = async (found: Seen): Promise<Lesson<ReachResult>> => {
      const blocks = pathTo(found.node);
      const edges = blocks.flatMap((block) => block.edges);
      const path = await checkPath(program, edges, this.oracle);
      const passOver = (code: PassedOver['code'], reason: string): boolean => {
        if (this.passedOver.size >= MOST_PASSED_OVER) return false;
        this.passedOver.set(signatureOf(blocks), { code, reason, path: edges });
        return true;
      };
      if (path.kind === 'undecided') {
        const reason = 'the solver could not decide whether this path can be taken';
        if (found.kind === 'target' && passOver('solver-limit', reason)) return REFINED;
        return answered(this.unknown('solver-limit', reason, edges));
      }
      if (found.kind === 'too-many-values' && path.kind === 'feasible') {
        if (this.limits.exceeded(found.cell, found.states)) this.drop(found.cell);
        abstraction.refine(this.precision);
        return REFINED;
      }
      if (path.kind === 'feasible') {
        const end = found.node.state.location;
        if (!this.isError(end)) {
          this.openEnds.set(end, edges);
          return REFINED;
        }
        const run = confirm(program, path, this.isError);
        if (run.kind === 'confirmed') return answered(this.reached(run));
        if (passOver('not-modelled', run.reason)) return REFINED;
        return answered(this.unknown('not-modelled', run.reason, edges));
      }
      const finer = refine(program, path, this.precision, {
        banned: this.limits.banned,
        isCut: graph.isCut,
        equations: this.iterations > 3,
        onOpen: (cell) => this.limits.markOpen(cell),
      });
      const retry = this.limits.retry(finer !== null);
      if (finer !== null) this.precision = finer;
      else if (!retry) {
        const reason = 'no predicate was found that excludes this path';
        if (found.kind === 'target' && passOver('no-progress', reason)) return REFINED;
        return answered(this.unknown('no-progress', reason, edges));
      }
      abstraction.refine(this.precision);
      return REFINED;
    };
    const end = await refineUntilSettledAsync({ look, learn }, { budget: this.budget });
    return end.kind === 'answer' ? end.answer : this.timeOver();
  }

  private reached(run: Extract<ReachResult, { kind: 'reachable' }>['run']): ReachResult {
    return { kind: 'reachable', run, stats: this.stats(), precision: this.precision };
  }

  /** Invariants from z3's solver for Horn clauses. Where a path is open there are none. */
  private async byClauses(invariants: InvariantSearch): Promise<ReachResult | null> {
    if (this.openEnds.size + this.passedOver.size > 0) return null;
    return this.checked(await invariants.byClauses(fractionOf(this.budget, 0.3)));
  }

  private async unrolled(
    live: readonly CellSet[],
    turns: readonly number[],
  ): Promise<ReachResult | 'more-turns' | null> {
    if (!this.shortcuts.unrolling) return null;
    const budget = fractionOf(this.budget, SHARE_OF_UNROLLING);
    const found = await unrolledFor(turns, this.program, live, this.isError, this.oracle, budget);
    if (found === null || found === 'more-turns') return found;
    return 'run' in found ? this.reached(found.run) : this.unreachable(found.proof);
  }

  private async checked(proof: InvariantsProof | null): Promise<ReachResult | null> {
    if (proof === null) return null;
    const document = { kind: INVARIANTS_KIND, ...proof };
    const audit = await auditProgram(this.program, this.isError, document, fractionOf(this.budget, 0.5));
    return audit.kind === 'accepted' ? this.unreachable(proof, audit) : null;
  }

  private unreachable(
    proof: AbstractGraph | InvariantsProof | UnrollingProof,
    audit?: AuditResult,
  ): ReachResult {
    const looked = audit === undefined ? {} : { audit };
    return { kind: 'unreachable', proof, ...looked, stats: this.stats(), precision: this.precision };
  }

  private drop(cell: number): void {
    this.precision = {
      ...this.precision,
      tracked: new Set([...this.precision.tracked].filter((other) => other !== cell)),
    };
  }

  timeOver(): ReachResult {
    const [first] = this.passedOver.values();
    const also = first === undefined ? '' : `; passed over before: ${first.reason}`;
    return this.unknown('time-limit', `the time limit was reached${also}`, first?.path ?? []);
  }

  /** Formulas along a long path can be nested deeper than the call stack. */
  tooDeep(): ReachResult {
    return this.unknown('solver-limit', 'the formulas of a path became too deep', []);
  }

  /** The whole abstraction was searched: nothing is left, or nothing but what was passed over. */
  private proved(graph: AbstractGraph, prober: Prober): ReachResult {
    const [first, ...more] = this.passedOver.values();
    if (first !== undefined) {
      const witness = prober.tryHarder(this.budget);
      if (witness !== null) return this.reached(witness);
      const others = [...new Set(more.map(({ reason }) => reason))].filter(
        (reason) => reason !== first.reason,
      );
      const also = others.length === 0 ? '' : `; passed over as well: ${others.slice(0, 3).join('; ')}`;
      const many = more.length === 0 ? '' : ` (${more.length + 1} such paths)`;
      return this.unknown(first.code, `${first.reason}${many}${also}`, first.path);
    }
    const [open] = this.openEnds;
    if (open === undefined) return this.unreachable(graph);
    return this.unknown('not-modelled', this.program.locations[open[0]]!.why, open[1]);
  }

  private unknown(
    code: Extract<ReachResult, { kind: 'unknown' }>['code'],
    reason: string,
    path: readonly Edge[],
  ): ReachResult {
    return { kind: 'unknown', code, reason, path, stats: this.stats(), precision: this.precision };
  }

  private stats(): ReachStats {
    return {
      iterations: this.iterations,
      states: this.states,
      predicates: this.precision.predicates.length,
      trackedVariables: this.precision.tracked.size,
      solverCalls: this.oracle.asked,
      blocks: this.blocks,
    };
  }
}
