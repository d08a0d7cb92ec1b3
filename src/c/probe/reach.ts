// An error of a sequential program by trying inputs: cheap, and for deep errors in long programs often the only way that is quick.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Program } from '../program/program.ts';
import type { ProbeEdge } from './graph.ts';
import { isTooLarge, ProbeGraph } from './graph.ts';
import { replay } from './replay.ts';

const FIRST_STEPS = 40_000;
const MOST_NODES = 30_000;

export class Prober {
  private readonly program: Program;
  private readonly graph: ProbeGraph | null;
  private readonly isError: (location: number) => boolean;
  private steps = FIRST_STEPS;
  private nextRound = 3;

  constructor(program: Program, live: readonly CellSet[], isError: (location: number) => boolean) {
    this.program = program;
    this.isError = isError;
    const isSink = (location: number) => isError(location) || program.locations[location]!.kind !== 'inner';
    this.graph = isTooLarge(program) ? null : new ProbeGraph(program, { live, labels: [], isSink, seed: 1 });
  }

  /** Several rounds at once, as long as there is time: the last resort. */
  tryHarder(budget: Budget): Confirmed | null {
    for (let i = 0; i < 4 && budget.timeLeft(); i++) {
      this.nextRound = 0;
      const witness = this.try(1, budget);
      if (witness !== null) return witness;
    }
    return null;
  }

  /** Asked every round, it works now and then, each time a little longer. */
  try(round: number, { timeLeft }: Budget): Confirmed | null {
    if (this.graph === null || round < this.nextRound) return null;
    this.nextRound = round * 2;
    const isFound = ({ location }: { readonly location: number }) => this.isError(location);
    const found = this.graph.explore(this.steps, MOST_NODES, isFound, timeLeft);
    this.steps *= 2;
    if (!found) return null;
    const path = pathTo(this.graph, this.graph.nodes.length - 1);
    return replay(
      this.program,
      path,
      [],
      path.map(() => []),
    );
  }
}

/** The fewest nodes from the start. */
function pathTo({ nodes }: ProbeGraph, target: number): ProbeEdge[] {
  const parents = new Map<number, { from: number; edge: ProbeEdge } | null>([[0, null]]);
  for (const [at] of parents)
    for (const edge of nodes[at]!.out) if (!parents.has(edge.to)) parents.set(edge.to, { from: at, edge });
  const path: ProbeEdge[] = [];
  for (let at = parents.get(target); at != null; at = parents.get(at.from)) path.push(at.edge);
  return path.reverse();
}
