// Does every infinite path satisfy a formula? A tableau of the negated formula, unfolded along the composition: a node is a configuration with the
// formulas still owed. φ U ψ is ψ now, or φ now and the same again: who always puts it off never accepts. The formula holds when no
// cycle can be reached on which nothing is put off for ever. Nothing here is shared with the ltl room but the syntax of formulas.

import type { Syntax } from '../../ltl/syntax.ts';

export interface Graph {
  readonly initial: readonly number[];
  readonly steps: readonly (readonly { readonly event: string; readonly to: number }[])[];
}

interface Atoms {
  /** The name of an event, and whether a proposition holds in a state. */
  readonly event: (id: number) => string;
  readonly holds: (proposition: number, state: number) => boolean;
}

type Node = { readonly key: string } & (
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'event' | 'proposition'; readonly id: number; readonly positive: boolean }
  | { readonly kind: 'next'; readonly arg: Node }
  | { readonly kind: 'and' | 'or' | 'until' | 'release'; readonly left: Node; readonly right: Node }
);

const constant = (value: boolean): Node => ({ kind: 'constant', value, key: String(value) });
const next = (arg: Node): Node => ({ kind: 'next', arg, key: `X${arg.key}` });
const pair = (kind: 'and' | 'or' | 'until' | 'release', left: Node, right: Node): Node => ({
  kind,
  left,
  right,
  key: `(${kind} ${left.key} ${right.key})`,
});

/** Negations at the atoms only. */
function normal(syntax: Syntax, positive: boolean): Node {
  const both = (kind: 'and' | 'or' | 'until' | 'release', a: Syntax, b: Syntax, p = positive): Node => {
    const dual = { and: 'or', or: 'and', until: 'release', release: 'until' } as const;
    return pair(p ? kind : dual[kind], normal(a, p), normal(b, p));
  };
  switch (syntax.kind) {
    case 'constant':
      return constant(syntax.value === positive);
    case 'atom': {
      const { kind, id } = syntax.atom;
      return { kind, id, positive, key: `${positive ? '' : '!'}${kind[0]}${id}` };
    }
    case 'unary':
      switch (syntax.operator) {
        case 'not':
          return normal(syntax.operand, !positive);
        case 'next':
          return next(normal(syntax.operand, positive));
        case 'eventually':
          return pair(positive ? 'until' : 'release', constant(positive), normal(syntax.operand, positive));
        case 'always':
          return pair(positive ? 'release' : 'until', constant(!positive), normal(syntax.operand, positive));
      }
      break;
    case 'binary': {
      const { operator, left, right } = syntax;
      const same = () =>
        pair(
          'or',
          pair('and', normal(left, true), normal(right, true)),
          pair('and', normal(left, false), normal(right, false)),
        );
      const different = () =>
        pair(
          'or',
          pair('and', normal(left, true), normal(right, false)),
          pair('and', normal(left, false), normal(right, true)),
        );
      switch (operator) {
        case 'and':
        case 'or':
        case 'until':
        case 'release':
          return both(operator, left, right);
        case 'implies':
          return pair(positive ? 'or' : 'and', normal(left, !positive), normal(right, positive));
        case 'equivalent':
          return positive ? same() : different();
        case 'xor':
          return positive ? different() : same();
        case 'weak-until': {
          // φ W ψ is ψ R (φ ∨ ψ).
          const either = pair(positive ? 'or' : 'and', normal(left, positive), normal(right, positive));
          return pair(positive ? 'release' : 'until', normal(right, positive), either);
        }
        case 'strong-release': {
          // φ M ψ is ψ U (φ ∧ ψ).
          const together = pair(positive ? 'and' : 'or', normal(left, positive), normal(right, positive));
          return pair(positive ? 'until' : 'release', normal(right, positive), together);
        }
      }
    }
  }
  throw new Error('impossible: every formula has a normal form');
}

interface Unfolding {
  readonly owed: readonly Node[];
  /** The untils that were put off. */
  readonly putOff: ReadonlySet<string>;
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
  const ids = new Map<string, number>();
  const nodes: { state: number; debt: number }[] = [];
  const edges: { to: number; putOff: ReadonlySet<string> }[][] = [];
  const idOf = (state: number, debt: number): number => {
    const key = `${state} ${debt}`;
    let id = ids.get(key);
    if (id === undefined) {
      id = nodes.push({ state, debt }) - 1;
      ids.set(key, id);
    }
    return id;
  };
  for (const state of graph.initial) idOf(state, 0);
  for (let i = 0; i < nodes.length; i++) {
    if (nodes.length > limit || ((i & 255) === 0 && !timeLeft())) return 'limit';
    const { state, debt } = nodes[i]!;
    const out: { to: number; putOff: ReadonlySet<string> }[] = [];
    for (const { event, to } of graph.steps[state]!)
      for (const { next, putOff } of debts.paid(debt, (atom) =>
        atom.kind === 'event' ? atoms.event(atom.id) === event : atoms.holds(atom.id, state),
      ))
        out.push({ to: idOf(to, next), putOff });
    edges.push(out);
  }
  return hasAcceptingCycle(edges) ? 'violated' : 'holds';
}

type Literal = Extract<Node, { id: number }>;

/** The sets of formulas that can be owed, numbered (0: the formula itself), and what becomes of them in one step. */
class Debts {
  private readonly sets: (readonly Node[])[] = [];
  private readonly ids = new Map<string, number>();
  private readonly literals: readonly Literal[];
  private readonly known = new Map<string, { next: number; putOff: ReadonlySet<string> }[]>();

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

  paid(
    debt: number,
    isTrue: (atom: Literal) => boolean,
  ): readonly { next: number; putOff: ReadonlySet<string> }[] {
    let key = `${debt} `;
    const truth = new Map<string, boolean>();
    for (const literal of this.literals) {
      const holds = isTrue(literal);
      truth.set(`${literal.kind}${literal.id}`, holds);
      key += holds ? '1' : '0';
    }
    let result = this.known.get(key);
    if (result === undefined) {
      const ways = unfold(this.sets[debt]!, (atom) => truth.get(`${atom.kind}${atom.id}`)!);
      result = ways.map(({ owed, putOff }) => ({ next: this.number(owed), putOff }));
      this.known.set(key, result);
    }
    return result;
  }
}

function literalsIn(root: Node): Map<string, Literal> {
  const found = new Map<string, Literal>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    if (node.kind === 'event' || node.kind === 'proposition') found.set(`${node.kind}${node.id}`, node);
    else if (node.kind === 'next') open.push(node.arg);
    else if ('left' in node) open.push(node.left, node.right);
  return found;
}

/** All ways to meet what is owed at this step, with what is then owed at the next. */
function unfold(owed: readonly Node[], isTrue: (atom: Literal) => boolean): Unfolding[] {
  const results = new Map<string, Unfolding>();
  const go = (todo: readonly Node[], later: ReadonlyMap<string, Node>, putOff: ReadonlySet<string>): void => {
    const [first, ...rest] = todo;
    if (first === undefined) {
      const keys = [...later.keys()].sort();
      const done = { owed: keys.map((key) => later.get(key)!), putOff };
      results.set(`${keys.join(';')}|${[...putOff].sort().join(';')}`, done);
      return;
    }
    const again = () => new Map(later).set(first.key, first);
    switch (first.kind) {
      case 'constant':
        if (first.value) go(rest, later, putOff);
        return;
      case 'event':
      case 'proposition':
        if (isTrue(first) === first.positive) go(rest, later, putOff);
        return;
      case 'next':
        go(rest, new Map(later).set(first.arg.key, first.arg), putOff);
        return;
      case 'and':
        go([first.left, first.right, ...rest], later, putOff);
        return;
      case 'or':
        go([first.left, ...rest], later, putOff);
        go([first.right, ...rest], later, putOff);
        return;
      case 'until':
        go([first.right, ...rest], later, putOff);
        go([first.left, ...rest], again(), new Set(putOff).add(first.key));
        return;
      case 'release':
        go([first.left, first.right, ...rest], later, putOff);
        go([first.right, ...rest], again(), putOff);
        return;
    }
  };
  go(owed, new Map(), new Set());
  return [...results.values()];
}

/** Is there a strongly connected part with an edge, in which no until is put off by all edges? */
function hasAcceptingCycle(
  edges: readonly (readonly { readonly to: number; readonly putOff: ReadonlySet<string> }[])[],
): boolean {
  const part = stronglyConnected(edges.map((out) => out.map(({ to }) => to)));
  /** For each part: what all of its inner edges so far put off. */
  const always = new Map<number, ReadonlySet<string>>();
  edges.forEach((out, from) => {
    for (const { to, putOff } of out) {
      if (part[from] !== part[to]) continue;
      const before = always.get(part[from]!);
      always.set(
        part[from]!,
        before === undefined ? putOff : new Set([...before].filter((until) => putOff.has(until))),
      );
    }
  });
  return [...always.values()].some((putOff) => putOff.size === 0);
}

/** Kosaraju's algorithm: the number of the part of each node. */
function stronglyConnected(next: readonly (readonly number[])[]): number[] {
  const back: number[][] = next.map(() => []);
  next.forEach((targets, from) => {
    for (const to of targets) back[to]!.push(from);
  });
  const finished = finishingOrder(next);
  const part = next.map(() => -1);
  for (const root of finished.reverse()) {
    if (part[root] !== -1) continue;
    part[root] = root;
    const open = [root];
    for (let node = open.pop(); node !== undefined; node = open.pop())
      for (const before of back[node]!)
        if (part[before] === -1) {
          part[before] = root;
          open.push(before);
        }
  }
  return part;
}

function finishingOrder(next: readonly (readonly number[])[]): number[] {
  const seen = next.map(() => false);
  const finished: number[] = [];
  for (let root = 0; root < next.length; root++) {
    if (seen[root]) continue;
    seen[root] = true;
    const stack = [{ node: root, at: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const to = next[top.node]![top.at++];
      if (to === undefined) finished.push(stack.pop()!.node);
      else if (!seen[to]) {
        seen[to] = true;
        stack.push({ node: to, at: 0 });
      }
    }
  }
  return finished;
}
