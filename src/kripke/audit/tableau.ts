// Does every infinite path satisfy a formula? A tableau of the negated formula, unfolded along the composition: a node is a configuration with the
// formulas still owed. φ U ψ is ψ now, or φ now and the same again: who always puts it off never accepts. The formula holds when no
// cycle can be reached on which nothing is put off for ever. Nothing here is shared with the ltl room but the syntax of formulas.

import type { Syntax } from '../../ltl/syntax.ts';
import type { Literal, Node } from './unfold.ts';
import { literalsIn, normal, unfold } from './unfold.ts';

export interface Graph {
  readonly initial: readonly number[];
  /** Asked for each state that the formula needs, once for each set of formulas owed there. */
  readonly stepsOf: (state: number) => readonly { readonly event: string; readonly to: number }[];
}

interface Atoms {
  /** The name of an event, and whether a proposition holds in a state. */
  readonly event: (id: number) => string;
  readonly holds: (proposition: number, state: number) => boolean;
}

export type TableauResult = 'holds' | 'violated' | 'limit';

/** A conjunction holds when its parts do: each has a tableau of its own. */
export function everyPathSatisfies(
  formula: Syntax,
  graph: Graph,
  atoms: Atoms,
  limit: number,
  timeLeft: () => boolean,
): TableauResult {
  for (const part of conjuncts(formula)) {
    const result = partIsSatisfied(part, graph, atoms, limit, timeLeft);
    if (result !== 'holds') return result;
  }
  return 'holds';
}

function conjuncts(formula: Syntax): Syntax[] {
  const parts: Syntax[] = [];
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop())
    if (part.kind === 'binary' && part.operator === 'and') open.push(part.left, part.right);
    else parts.push(part);
  return parts;
}

function partIsSatisfied(
  formula: Syntax,
  graph: Graph,
  atoms: Atoms,
  limit: number,
  timeLeft: () => boolean,
): TableauResult {
  const debts = new Debts(normal(formula, false));
  const ids: Map<number, number>[] = [];
  const states: number[] = [];
  const owed: number[] = [];
  const idOf = (state: number, debt: number): number => {
    const known = (ids[debt] ??= new Map());
    let id = known.get(state);
    if (id === undefined) {
      id = states.push(state) - 1;
      owed.push(debt);
      known.set(state, id);
    }
    return id;
  };
  for (const state of graph.initial) idOf(state, 0);
  const edges = new Edges();
  for (let i = 0; i < states.length; i++) {
    if (states.length > limit || edges.to.length > 4 * limit || ((i & 255) === 0 && !timeLeft()))
      return 'limit';
    const state = states[i]!;
    const here = debts.in(owed[i]!, (proposition) => atoms.holds(proposition, state));
    for (const { event, to } of graph.stepsOf(state))
      for (const { next, putOff } of debts.paid(here, event, atoms)) edges.add(idOf(to, next), putOff);
    edges.close();
  }
  return hasAcceptingCycle(edges) ? 'violated' : 'holds';
}

/** The edges of node i are the indices from first[i] up to first[i + 1]. */
class Edges {
  readonly first: number[] = [0];
  readonly to: number[] = [];
  readonly putOff: ReadonlySet<string>[] = [];

  add(to: number, putOff: ReadonlySet<string>): void {
    this.to.push(to);
    this.putOff.push(putOff);
  }

  close(): void {
    this.first.push(this.to.length);
  }
}

interface Payment {
  readonly next: number;
  readonly putOff: ReadonlySet<string>;
}

interface Situation {
  readonly debt: number;
  readonly truth: ReadonlyMap<number, boolean>;
  readonly byEvent: Map<string, readonly Payment[]>;
}

/** The sets of formulas that can be owed, numbered (0: the formula itself), and what becomes of them in one step. */
class Debts {
  private readonly sets: (readonly Node[])[] = [];
  private readonly ids = new Map<string, number>();
  private readonly literals: readonly Literal[];
  private readonly situations = new Map<string, Situation>();

  constructor(root: Node) {
    this.literals = [...literalsIn(root).values()];
    this.number([root]);
  }

  private number(owed: readonly Node[]): number {
    const key = owed.map((node) => node.key).join(';');
    let id = this.ids.get(key);
    if (id === undefined) {
      id = this.sets.push(owed) - 1;
      this.ids.set(key, id);
    }
    return id;
  }

  /** What is owed, in a state with these propositions. */
  in(debt: number, holds: (proposition: number) => boolean): Situation {
    let key = `${debt} `;
    for (const { kind, id } of this.literals) if (kind === 'proposition') key += holds(id) ? '1' : '0';
    let situation = this.situations.get(key);
    if (situation === undefined) {
      const truth = new Map<number, boolean>();
      for (const { kind, id } of this.literals) if (kind === 'proposition') truth.set(id, holds(id));
      situation = { debt, truth, byEvent: new Map() };
      this.situations.set(key, situation);
    }
    return situation;
  }

  /** All ways to pay in a step with this event. */
  paid({ debt, truth, byEvent }: Situation, event: string, { event: nameOf }: Atoms): readonly Payment[] {
    let result = byEvent.get(event);
    if (result === undefined) {
      const ways = unfold(this.sets[debt]!, ({ kind, id }) =>
        kind === 'event' ? nameOf(id) === event : truth.get(id)!,
      );
      result = ways.map(({ owed, putOff }) => ({ next: this.number(owed), putOff }));
      byEvent.set(event, result);
    }
    return result;
  }
}

/** Is there a strongly connected part with an edge, in which no until is put off by all edges? */
function hasAcceptingCycle({ first, to, putOff }: Edges): boolean {
  const part = stronglyConnected(first, to);
  /** For each part: what all of its inner edges so far put off. */
  const always = new Map<number, ReadonlySet<string>>();
  for (let from = 0; from + 1 < first.length; from++) {
    for (let i = first[from]!; i < first[from + 1]!; i++) {
      if (part[from] !== part[to[i]!]) continue;
      const before = always.get(part[from]!);
      if (before === undefined) always.set(part[from]!, putOff[i]!);
      else if (before.size > 0)
        always.set(part[from]!, new Set([...before].filter((until) => putOff[i]!.has(until))));
    }
  }
  return [...always.values()].some((all) => all.size === 0);
}

/** Kosaraju's algorithm: the number of the part of each node. */
export function stronglyConnected(first: readonly number[], to: readonly number[]): Int32Array {
  const nodes = first.length - 1;
  const backFirst = new Int32Array(nodes + 1);
  for (const target of to) backFirst[target + 1]!++;
  for (let node = 0; node < nodes; node++) backFirst[node + 1]! += backFirst[node]!;
  const next = backFirst.slice();
  const back = new Int32Array(to.length);
  for (let from = 0; from < nodes; from++)
    for (let i = first[from]!; i < first[from + 1]!; i++) back[next[to[i]!]!++] = from;
  const finished = finishingOrder(first, to);
  const part = new Int32Array(nodes).fill(-1);
  for (const root of finished.reverse()) {
    if (part[root] !== -1) continue;
    part[root] = root;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (let i = backFirst[node]!; i < backFirst[node + 1]!; i++) {
        const before = back[i]!;
        if (part[before] !== -1) continue;
        part[before] = root;
        open.push(before);
      }
  }
  return part;
}

function finishingOrder(first: readonly number[], to: readonly number[]): Int32Array {
  const nodes = first.length - 1;
  const seen = new Uint8Array(nodes);
  const at = Int32Array.from(first);
  const finished = new Int32Array(nodes);
  let count = 0;
  for (let root = 0; root < nodes; root++) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    const stack = [root];
    while (stack.length > 0) {
      const node = stack[stack.length - 1]!;
      if (at[node]! === first[node + 1]!) {
        finished[count++] = stack.pop()!;
        continue;
      }
      const target = to[at[node]!++]!;
      if (seen[target] === 1) continue;
      seen[target] = 1;
      stack.push(target);
    }
  }
  return finished;
}
