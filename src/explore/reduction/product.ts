// Acceptance cycles on a reduced state graph. The graph of the system alone is built first (search.ts with what the property looks at, cycles.ts);
// then its product with the claim is searched for a cycle, on the fly, as acceptance.ts does it without reduction. The claim
// moves before every step, and stands still inside an atomic sequence; a run that ends goes on by standing still.

import type { Budget, Observer } from '../../base/budget.ts';
import { IntList } from '../../base/growable.ts';
import type { MarkedEdge, MarkedGraph, MarkedPath } from '../../ltl/emptiness.ts';
import { findAcceptingCycle } from '../../ltl/emptiness.ts';
import type { AcceptanceOutcome, ChoicePath } from '../acceptance.ts';
import { ENDED, passesAccept } from '../acceptance.ts';
import type { Choice } from '../choices.ts';
import type { Model } from '../compile.ts';
import type { FaultCode } from '../faults.ts';
import { FAULT, isLimit, isPassable } from '../faults.ts';
import { FRAME, HEADER } from '../layout.ts';
import { FLAG } from '../machine.ts';
import { type SearchOutcome, type StateSpace, search } from '../search.ts';
import { choicesBetween } from '../trail.ts';
import { stubbornSetsOf } from './applies.ts';
import { immortalModel, stillPath } from './immortal.ts';
import type { Watched } from './visible.ts';

/** Null where nothing can be reduced. */
export function findAcceptanceReduced(
  model: Model,
  budget: Budget,
  observer: Observer,
): AcceptanceOutcome | null {
  const still = immortalModel(model);
  const found = still && findOn(still, budget, observer);
  // Without deaths SPIN's limits may be met where they would not be with them.
  if (found === null || (found.fault !== null && isLimit(found.fault)))
    return findOn(model, budget, observer);
  return found.kind === 'cycle' ? { ...found, path: stillPath(model, found.path) } : found;
}

/** The same without regard to deaths. */
export function findOn(model: Model, budget: Budget, observer: Observer): AcceptanceOutcome | null {
  const watched: Watched = { accept: model.options.acceptLabels !== 'claim' };
  if (stubbornSetsOf(model, watched) === null) return null;
  const markStep = (choices: readonly Choice[]): number => passesAccept(model, choices);
  const marks = model.options.acceptLabels === 'claim' ? {} : { markStep };
  const found = search(
    model,
    { part: 'system', graph: true, all: true, keep: 0, reduce: watched, ...marks },
    budget,
    observer,
  );
  return inProduct(found, budget, observer);
}

function inProduct(found: SearchOutcome, budget: Budget, observer: Observer): AcceptanceOutcome {
  const { states, transitions, cutBy: fault, limit, space } = found;
  if (limit !== null) return { kind: 'limit', limit, states, transitions, fault };
  const graph = new Product(space, found.bytes);
  const result = findAcceptingCycle(graph, budget, observer);
  const figures = { states: graph.size, transitions: graph.transitions, fault: fault ?? graph.fault };
  if (result.kind === 'empty') return { kind: 'none', ...figures };
  if (result.kind === 'limit') return { kind: 'limit', limit: result.limit, ...figures };
  return { kind: 'cycle', path: graph.choicesAlong(result.path), ...figures };
}

class Product implements MarkedGraph {
  readonly marks = 1;
  transitions = 0;
  fault: FaultCode | null = null;
  private readonly space: StateSpace;
  private readonly model: Model;
  /** By node: the state, and the claim's location. */
  private readonly states = new IntList();
  private readonly places = new IntList();
  /** By location of the claim, where it was met at all, and by state: the node, 0 for none. */
  private readonly nodes: Int32Array[] = [];
  /** What the graph of the system takes. */
  private readonly graphBytes: number;
  private claimMoves: number[] = [];
  private ended = false;

  constructor(space: StateSpace, graphBytes: number) {
    this.space = space;
    this.model = space.model;
    this.graphBytes = graphBytes;
    this.states.push(-1);
    this.places.push(-1);
  }

  get size(): number {
    return this.states.length;
  }

  bytes(): number {
    const byPlace = this.nodes.reduce((sum, { length }) => sum + 4 * length, 0);
    return this.graphBytes + byPlace + this.states.bytes() + this.places.bytes();
  }

  initial(): readonly number[] {
    return this.space.store.count === 0 ? [] : [this.nodeOf(0, this.model.claim?.initial ?? 0)];
  }

  successors(node: number): readonly MarkedEdge[] {
    if (node === ENDED) return [{ target: ENDED, marks: 1 }];
    const state = this.states.data[node]!;
    const { edges, rowStart, rowEnd, marks } = this.space;
    const accepting = this.moveClaim(state, this.places.data[node]!);
    const found: MarkedEdge[] = this.ended ? [{ target: ENDED, marks: 1 }] : [];
    const from = rowStart.data[state]!;
    const to = rowEnd.data[state]!;
    for (const place of this.claimMoves) {
      for (let edge = from; edge < to; edge++) {
        const passes = edge < marks.length ? marks.data[edge]! : 0;
        found.push({ target: this.nodeOf(edges.data[edge]!, place), marks: accepting | passes });
      }
    }
    if (from === to && this.standsStill(state)) this.stutter(node, accepting, found);
    this.transitions += found.length;
    return found;
  }

  /** The system cannot move: it stands still while the claim goes on. */
  private stutter(node: number, accepting: number, found: MarkedEdge[]): void {
    const { claim, options } = this.model;
    if (claim === null) {
      if (accepting === 1) found.push({ target: node, marks: 1 });
    } else if (options.stutter ?? true) {
      for (const place of this.claimMoves)
        found.push({ target: this.nodeOf(this.states.data[node]!, place), marks: accepting });
    }
  }

  private nodeOf(state: number, place: number): number {
    this.nodes[place] ??= new Int32Array(this.space.store.count);
    const known = this.nodes[place][state]!;
    if (known !== 0) return known;
    const node = this.states.length;
    this.states.push(state);
    this.places.push(place);
    this.nodes[place][state] = node;
    return node;
  }

  /** Fills `claimMoves` with where the claim can go from there in the state; 1 when it is accepting. */
  private moveClaim(state: number, place: number): number {
    const { machine, claim, layout } = this.model;
    const { store } = this.space;
    store.loadInto(machine, state);
    const at = layout.claimFrame + FRAME.location;
    if (claim !== null) machine.cells[at] = place;
    const inside = machine.cells[HEADER.exclusive]! >= 0;
    const accepting = !inside && (machine.flags() & FLAG.accept) !== 0 ? 1 : 0;
    this.claimMoves = [];
    this.ended = false;
    if (claim === null || inside) this.claimMoves.push(place);
    else {
      const cursor = machine.open({
        part: 'claim',
        step: () => {
          if (machine.claimEnded()) this.ended = true;
          else this.claimMoves.push(machine.cells[at]!);
        },
        fault: this.onFault,
      });
      cursor.expand();
    }
    return accepting;
  }

  private readonly onFault = (code: FaultCode): void => {
    if (code === FAULT.assertion) this.ended = true;
    else if (!isPassable(code)) this.fault ??= code;
  };

  /** Nothing can be done: a state whose steps all fail is not that. */
  private standsStill(state: number): boolean {
    const { machine } = this.model;
    const { store } = this.space;
    store.loadInto(machine, state);
    return machine.open({ part: 'system', step: () => {} }).expand() === 0;
  }

  choicesAlong({ nodes, edges, loopStart }: MarkedPath<MarkedEdge>): ChoicePath {
    const ended = nodes[loopStart] === ENDED;
    const taken = ended ? edges.slice(0, loopStart) : edges;
    const steps = taken.map((edge, index) => this.choicesOf(nodes[index]!, edge));
    return { steps, loopStart: ended ? null : loopStart };
  }

  private choicesOf(node: number, { target, marks }: MarkedEdge): readonly Choice[] {
    if (target === ENDED) return [];
    const from = this.states.data[node]!;
    const to = this.states.data[target]!;
    const { rowStart, rowEnd } = this.space;
    if (rowStart.data[from] === rowEnd.data[from]) return [];
    const accepting = this.moveClaim(from, this.places.data[node]!);
    const other = (choices: readonly Choice[]): boolean =>
      (accepting | passesAccept(this.model, choices)) !== marks;
    return choicesBetween(this.space, from, to, other);
  }
}
