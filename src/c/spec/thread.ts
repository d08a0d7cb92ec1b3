// A thread of the system under abstraction: its graph, its precision, its structure, and the refinement when a path turns out spurious.

import type { Budget } from '../../base/budget.ts';
import type { Expr } from '../expr.ts';
import { symbolNumber } from '../expr.ts';
import type { Extracted, Proposition } from '../extract.ts';
import { extract } from '../extract.ts';
import type { Oracle } from '../oracle.ts';
import type { Precision } from '../reach/abstraction.ts';
import { Abstraction } from '../reach/abstraction.ts';
import type { BlockGraph } from '../reach/blocks.ts';
import { blockGraph, liveCells } from '../reach/blocks.ts';
import type { CellSet } from '../reach/cell-set.ts';
import type { PathResult } from '../reach/path.ts';
import { refine } from '../reach/refine.ts';
import { atomsOf } from '../reach/substitute.ts';
import type { LoadedThread } from './load.ts';

const OPEN_LIMIT = 50;
const CLOSED_LIMIT = 50_000;

export class Thread {
  readonly loaded: LoadedThread;
  readonly graph: BlockGraph;
  readonly live: readonly CellSet[];
  private readonly abstraction: Abstraction;
  private readonly propositions: readonly Proposition[];
  private readonly isSink: (location: number) => boolean;
  private readonly banned = new Set<number>();
  private readonly open = new Set<number>();
  private limit = OPEN_LIMIT;
  private rounds = 0;
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
    this.propositions = propositions;
    this.isSink = (location) => sinks.has(location) || program.locations[location]!.kind !== 'inner';
    this.graph = blockGraph(program, (location) => sinks.has(location));
    const tests = propositions.flatMap(({ holds }) => ('test' in holds ? [holds.test] : []));
    const observed = [...new Set(tests.flatMap((test) => test.symbols.map(symbolNumber)))];
    this.live = liveCells(this.graph, observed);
    const hints = loaded.predicates.flatMap(({ name }, i) => (name === null ? [program.predicates[i]!] : []));
    const atoms = new Set<Expr>();
    for (const test of [...tests, ...hints]) atomsOf(program.pool, test, atoms);
    this.precision = { tracked: new Set(), predicates: [...atoms].filter((atom) => !atom.hasLoad) };
    this.abstraction = new Abstraction(this.graph, this.live, oracle, this.precision);
  }

  get name(): string {
    return this.loaded.definition.name;
  }

  /** The structure under the present precision; null when the budget ran out. */
  async structure(budget: Budget): Promise<Extracted | null> {
    const { program } = this.loaded;
    while (this.extracted === null) {
      const limit = (cell: number) => (this.open.has(cell) ? this.limit : CLOSED_LIMIT);
      const result = await extract(
        this.name,
        this.graph,
        this.abstraction,
        this.propositions,
        this.loaded.events,
        this.isSink,
        limit,
        budget,
      );
      if (result === null) return null;
      if (!('tooManyValues' in result)) {
        this.extracted = result;
        break;
      }
      this.banned.add(result.tooManyValues);
      const tracked = new Set([...this.precision.tracked].filter((cell) => cell !== result.tooManyValues));
      this.setPrecision({ ...this.precision, tracked });
    }
    void program;
    return this.extracted;
  }

  /** False when no new predicate or variable excludes the path. */
  exclude(path: Extract<PathResult, { kind: 'infeasible' }>): boolean {
    const finer = refine(this.loaded.program, path, this.precision, {
      banned: this.banned,
      isCut: this.graph.isCut,
      equations: ++this.rounds > 3,
      onOpen: (cell) => void this.open.add(cell),
    });
    const retry = this.banned.size > 0 && this.limit < 100_000 && (finer === null || this.rounds % 14 === 0);
    if (retry) {
      this.limit *= 8;
      this.banned.clear();
    }
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
