// Settles deadlock by the linear condition: narrowing, linear programs and case splits, with a proof that is checked, or with
// candidates for real deadlocks that a guided search tries to reach.
//
// Each node of the case tree narrows the domains; what is left goes to the linear program. No solution: a leaf with Farkas
// multipliers, computed exactly. A solution that puts every component in one state is a candidate; the counts of its events guide the
// search for a run. A solution that does not is split on a component it divides.

import type { Budget } from '../base/budget.ts';
import type { Path } from '../kripke/path.ts';
import type { System } from '../kripke/system.ts';
import { feasibility } from '../lp/feasible.ts';
import type { Solver } from '../lp/solver.ts';
import type { Block } from './blocks.ts';
import { buildBlocks } from './blocks.ts';
import type { Domains } from './domains.ts';
import { initialDomains, propagate } from './domains.ts';
import type { Encoding } from './encode.ts';
import { encode } from './encode.ts';
import { reach } from './guided.ts';
import type { LinearProof, ProofTree } from './proof.ts';
import { checkProof } from './proof.ts';

export interface LinearStats {
  readonly blocks: number;
  readonly lps: number;
  readonly splits: number;
  readonly candidates: number;
  readonly columns: number;
  readonly rows: number;
}

export type LinearResult =
  | { readonly kind: 'free'; readonly proof: LinearProof; readonly stats: LinearStats }
  | { readonly kind: 'deadlock'; readonly path: Path; readonly stats: LinearStats }
  /** Neither: the tree has open leaves, or the exact check did not accept the proof. */
  | { readonly kind: 'open'; readonly stats: LinearStats };

const MAX_NODES = 400;
const MAX_CANDIDATES = 20;
const MAX_COLUMNS = 500_000;

/** For tests and comparisons; what is not given is chosen by the size of the system. */
export interface LinearOptions {
  /** Components in a block at most; 0 is the plain condition without blocks. */
  readonly width?: number;
  /** Count events together that are alike in a component. */
  readonly grouped?: boolean;
}

/** `loadSolver` is called only when narrowing does not settle it. */
export async function settleLinear(
  system: System,
  budget: Budget,
  loadSolver: () => Promise<Solver>,
  report: (text: string) => void = () => {},
  options: LinearOptions = {},
): Promise<LinearResult> {
  const blocks = buildBlocks(system, budget, options.width);
  const search = new CaseSearch(system, blocks, budget, loadSolver, report, options.grouped);
  const tree = await search.settle(initialDomains(system));
  const stats = { ...search.stats, blocks: blocks.length };
  if (search.path !== null) return { kind: 'deadlock', path: search.path, stats };
  if (tree === null) return { kind: 'open', stats };
  const proof = { blocks: blocks.map(({ components }) => components), tree };
  return checkProof(system, proof) ? { kind: 'free', proof, stats } : { kind: 'open', stats };
}

class CaseSearch {
  readonly stats = { lps: 0, splits: 0, candidates: 0, columns: 0, rows: 0 };
  /** A run into a deadlock, once found. */
  path: Path | null = null;
  private readonly system: System;
  private readonly blocks: readonly Block[];
  private readonly budget: Budget;
  private readonly loadSolver: () => Promise<Solver>;
  private readonly report: (text: string) => void;
  private readonly grouped: boolean | undefined;
  private nodes = 0;

  constructor(
    system: System,
    blocks: readonly Block[],
    budget: Budget,
    loadSolver: () => Promise<Solver>,
    report: (text: string) => void,
    grouped: boolean | undefined,
  ) {
    this.system = system;
    this.grouped = grouped;
    this.blocks = blocks;
    this.budget = budget;
    this.loadSolver = loadSolver;
    this.report = report;
  }

  /** A proof that no deadlock has its end states in these domains; null when that stays open or a deadlock was found. */
  async settle(given: Domains): Promise<ProofTree | null> {
    const domains = propagate(given, this.blocks);
    if (domains === null) return { kind: 'empty' };
    if (++this.nodes > MAX_NODES || !this.budget.timeLeft()) return null;
    const encoding = encode(this.system, this.blocks, domains, this.grouped);
    this.note(encoding);
    if (encoding.problem.columns.length > MAX_COLUMNS) return null;
    const solver = await this.loadSolver();
    const answer = this.solve(solver, encoding);
    if (answer === null) return null;
    if (answer.kind === 'infeasible') return answer.leaf;
    const divided = dividedComponent(encoding, answer.values);
    if (divided === null) return this.tryCandidate(encoding, answer.values);
    return this.split(domains, divided.component, divided.state);
  }

  private note({ problem }: Encoding): void {
    this.stats.columns = Math.max(this.stats.columns, problem.columns.length);
    this.stats.rows = Math.max(this.stats.rows, problem.rows.length);
    this.report(`case ${this.nodes}: ${problem.columns.length} columns, ${problem.rows.length} rows`);
  }

  private solve(
    solver: Solver,
    encoding: Encoding,
  ): { kind: 'infeasible'; leaf: ProofTree } | { kind: 'feasible'; values: Float64Array } | null {
    this.stats.lps++;
    const answer = feasibility(solver, encoding.problem, this.budget);
    if (answer === null || answer.kind === 'feasible') return answer;
    const { values } = answer.dual;
    const rows = encoding.keys.flatMap((sum, index) =>
      values[index] === 0n ? [] : sum.map(({ key, sign }) => [key, sign * values[index]!] as const),
    );
    return { kind: 'infeasible', leaf: { kind: 'farkas', rows } };
  }

  private async split(domains: Domains, component: number, state: number): Promise<ProofTree | null> {
    this.stats.splits++;
    const others = domains.map((domain) => Uint8Array.from(domain));
    others[component]![state] = 0;
    const only = domains.map((domain) => Uint8Array.from(domain));
    only[component]!.fill(0);
    only[component]![state] = 1;
    const inside = await this.settle(only);
    if (this.path !== null) return null;
    // An open case does not end the search: a deadlock may still be found in the other.
    const outside = await this.settle(others);
    if (inside === null || outside === null) return null;
    return { kind: 'split', component, states: [state], inside, outside };
  }

  private tryCandidate({ ends, counts }: Encoding, values: Float64Array): null {
    if (this.stats.candidates >= MAX_CANDIDATES) return null;
    this.stats.candidates++;
    const target = ends.map((columns) => columns.findIndex((column) => column >= 0 && values[column]! > 0.5));
    const wanted = counts.map((columns) => columns.reduce((sum, column) => sum + values[column]!, 0));
    this.path = reach(this.system, target, wanted, this.budget);
    return null;
  }
}

const WHOLE = 1 - 1e-6;

/** A component that the solution spreads over several states, and the state that has most of it; null when there is none. */
function dividedComponent(
  { ends }: Encoding,
  values: Float64Array,
): { readonly component: number; readonly state: number } | null {
  let best: { component: number; state: number } | null = null;
  let bestSize = 0;
  ends.forEach((columns, component) => {
    let state = 0;
    let share = -1;
    let size = 0;
    columns.forEach((column, index) => {
      if (column < 0) return;
      size++;
      if (values[column]! <= share) return;
      share = values[column]!;
      state = index;
    });
    // The component with most states left decides most.
    if (share >= WHOLE || size <= bestSize) return;
    best = { component, state };
    bestSize = size;
  });
  return best;
}
