// A run without end by trying inputs: a cycle among the concrete states that were met. It is executed again from the start, and must come back to the same values of
// everything that still matters.

import type { Budget } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { Interpreter } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import type { ProbeEdge } from './graph.ts';
import { ProbeGraph } from './graph.ts';
import { replay, returns } from './replay.ts';

export interface Lasso {
  readonly run: Confirmed;
  /** The edges from this one on repeat for ever. */
  readonly loopAt: number;
}

const STEPS = 400_000;
const MOST_NODES = 20_000;
const ROUNDS = 8;

export function findLasso(program: Program, live: readonly CellSet[], budget: Budget): Lasso | null {
  const isSink = (location: number) => program.locations[location]!.kind !== 'inner';
  const graph = new ProbeGraph(program, { live, labels: [], isSink, seed: 1 });
  for (let round = 0; round < ROUNDS && budget.timeLeft() && !graph.exhausted; round++) {
    graph.explore(STEPS / ROUNDS, MOST_NODES, () => false, budget.timeLeft);
    const found = cycleOf(graph);
    if (found === null) continue;
    const stretches = [...found.stem, ...found.cycle];
    const run = replay(
      program,
      stretches,
      [],
      stretches.map(() => []),
    );
    const lasso = run === null ? null : shortest(program, run, live);
    if (lasso !== null && returns(program, lasso.run, lasso.loopAt, live)) return lasso;
  }
  return null;
}

/** The run up to where it is for the first time as it was before. */
function shortest(program: Program, run: Confirmed, live: readonly CellSet[]): Lasso | null {
  let next = 0;
  const machine = new Interpreter(program, (cell, operation) =>
    operation === null ? run.initial.get(cell.id)! : run.inputs[next++]!.value,
  );
  const isVague = program.sites.some(({ vague }) => vague);
  const met = new Map<string, number>();
  for (let end = 0; ; end++) {
    const matters = program.cells.filter(
      ({ id, array }) => array === undefined && has(live[machine.location]!, id),
    );
    const values = isVague ? machine.snapshot() : matters.map((cell) => machine.value(cell));
    const key = `${machine.location}:${values.join()}`;
    const loopAt = met.get(key);
    if (loopAt !== undefined) return { run: firstSteps(run, end), loopAt };
    met.set(key, end);
    if (end === run.edges.length || machine.take(run.edges[end]!) !== 'ok') return null;
  }
}

function firstSteps(run: Confirmed, end: number): Confirmed {
  const edges = run.edges.slice(0, end);
  return {
    ...run,
    edges,
    changes: run.changes.slice(0, end),
    inputs: run.inputs.filter(({ step }) => step < end),
    calls: run.calls.slice(0, edges.filter(({ call }) => call !== undefined).length),
  };
}

/** A way to a node and from there back to it; searched in depth. */
function cycleOf({ nodes }: ProbeGraph): { stem: ProbeEdge[]; cycle: ProbeEdge[] } | null {
  const done = new Set<number>();
  const onPath = new Map<number, number>([[0, 0]]);
  const path: ProbeEdge[] = [];
  const stack: { readonly node: number; next: number }[] = [{ node: 0, next: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const edge = nodes[top.node]!.out[top.next++];
    if (edge === undefined) {
      done.add(top.node);
      onPath.delete(top.node);
      stack.pop();
      path.pop();
      continue;
    }
    const start = onPath.get(edge.to);
    if (start !== undefined) return { stem: path.slice(0, start), cycle: [...path.slice(start), edge] };
    if (done.has(edge.to)) continue;
    path.push(edge);
    onPath.set(edge.to, path.length);
    stack.push({ node: edge.to, next: 0 });
  }
  return null;
}
