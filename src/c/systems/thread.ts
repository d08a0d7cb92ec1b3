// A thread of the system under abstraction: its graph, its precision, its structure, and the refinement when a path turns out spurious.

import type { Budget } from '../../base/budget.ts';
import type { ComponentProof } from '../audit/proof.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { atomsOf } from '../program/substitute.ts';
import type { Precision } from '../reach/abstraction.ts';
import { Abstraction } from '../reach/abstraction.ts';
import type { BlockGraph } from '../reach/blocks.ts';
import { blockGraph } from '../reach/blocks.ts';
import { ValueLimits } from '../reach/limits.ts';
import { liveCells } from '../reach/liveness.ts';
import type { Oracle } from '../reach/oracle.ts';
import { checkPath, type PathResult } from '../reach/path.ts';
import { refine } from '../reach/refine.ts';
import { writeComponent } from '../reach/write.ts';
import type { LoadedThread } from '../spec/load.ts';
import type { Proposition } from '../spec/names.ts';
import type { Extracted, TooManyValues, View } from './extract.ts';
import { extract } from './extract.ts';

export class Thread {
  readonly loaded: LoadedThread;
  readonly graph: BlockGraph;
  readonly live: readonly CellSet[];
  private readonly abstraction: Abstraction;
  readonly propositions: readonly Proposition[];
  readonly isSink: (location: number) => boolean;
  private readonly limits = new ValueLimits();
  private readonly oracle: Oracle;
  private rounds = 0;
  private view: View = { silent: true, question: 'errors' };
  precision: Precision;
  extracted: Extracted | null = null;

  /** `sinks`: locations where the thread stops for this property (errors, a label that must not be reached). */
  constructor(
    loaded: LoadedThread,
    propositions: readonly Proposition[],
    sinks: ReadonlySet<number>,
    oracle: Oracle,
  ) {
    const { program } = loaded;
    this.loaded = loaded;
    this.oracle = oracle;
    this.propositions = propositions;
    this.isSink = (location) => sinks.has(location) || program.locations[location]!.kind !== 'inner';
    const tests = propositions.flatMap(({ holds }) => ('test' in holds ? [holds.test] : []));
    const observed = [...new Set(tests.flatMap((test) => test.symbols.map(symbolNumber)))];
    this.graph = blockGraph(program, (location) => sinks.has(location), new Set(observed));
    this.live = liveCells(program, observed);
    const hints = loaded.predicates.flatMap(({ name }, i) => (name === null ? [program.predicates[i]!] : []));
    const atoms = new Set<Expr>();
    for (const test of [...tests, ...hints]) atomsOf(program.pool, test, atoms);
    this.precision = { tracked: new Set(), predicates: [...atoms].filter((atom) => !atom.hasLoad) };
    this.abstraction = new Abstraction(this.graph, this.live, oracle, this.precision);
  }

  get name(): string {
    return this.loaded.definition.name;
  }

  lookAt(view: View): void {
    if (view.silent === this.view.silent && view.question === this.view.question) return;
    this.view = view;
    this.extracted = null;
  }

  /** The structure under the present precision; null when the budget ran out. */
  async structure(budget: Budget): Promise<Extracted | null> {
    while (this.extracted === null) {
      const result = await extract(
        this.name,
        this.graph,
        this.abstraction,
        this.propositions,
        this.loaded.events,
        this.isSink,
        (cell) => this.limits.of(cell),
        this.view,
        budget,
      );
      if (result === null) return null;
      if ('tooManyValues' in result) await this.settleValues(result);
      else this.extracted = result;
    }
    return this.extracted;
  }

  /** What the last structure was made of. */
  proof(): ComponentProof {
    const { graph, labels, order } = this.extracted!;
    return writeComponent(this.name, this.loaded.program, graph, (state) => labels[state]!, order);
  }

  /** Many values are real, or the path to the last of them shows what else to follow. */
  private async settleValues({ tooManyValues: cell, path, states }: TooManyValues): Promise<void> {
    const edges = path.flatMap((block) => [...block.edges]);
    const checked = await checkPath(this.loaded.program, edges, this.oracle);
    if (checked.kind === 'infeasible' && this.exclude(checked)) return;
    if (!this.limits.exceeded(cell, states)) return;
    const tracked = new Set([...this.precision.tracked].filter((other) => other !== cell));
    this.setPrecision({ ...this.precision, tracked });
  }

  /** False when no new predicate or variable excludes the path. */
  exclude(path: Extract<PathResult, { kind: 'infeasible' }>): boolean {
    const finer = refine(this.loaded.program, path, this.precision, {
      banned: this.limits.banned,
      isCut: this.graph.isCut,
      equations: ++this.rounds > 3,
      onOpen: (cell) => this.limits.markOpen(cell),
    });
    const retry = this.limits.retry(finer !== null);
    if (finer !== null) this.setPrecision(finer);
    else if (retry) this.setPrecision(this.precision);
    return finer !== null || retry;
  }

  private setPrecision(precision: Precision): void {
    this.precision = precision;
    this.abstraction.refine(precision);
    this.extracted = null;
  }
}
