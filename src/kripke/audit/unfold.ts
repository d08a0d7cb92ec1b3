// What a formula demands, step by step: negations at the atoms only, and all ways to meet what is owed at one step. φ U ψ is ψ now, or φ now and the same
// again. Nothing here is shared with the ltl room but the syntax of formulas.

import type { Syntax } from '../../ltl/syntax.ts';

export type Node = { readonly key: string } & (
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
export function normal(syntax: Syntax, positive: boolean): Node {
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

export type Literal = Extract<Node, { id: number }>;

export interface Unfolding {
  readonly owed: readonly Node[];
  /** The literals on which nothing was known: what must be true for this way. */
  readonly assumed: readonly Literal[];
  /** The untils that were put off. */
  readonly putOff: ReadonlySet<string>;
}

export function literalsIn(root: Node): Map<string, Literal> {
  const found = new Map<string, Literal>();
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop())
    if (node.kind === 'event' || node.kind === 'proposition') found.set(`${node.kind}${node.id}`, node);
    else if (node.kind === 'next') open.push(node.arg);
    else if ('left' in node) open.push(node.left, node.right);
  return found;
}

/** All ways to meet what is owed at this step, with what is then owed at the next. `truth` is undefined where an atom may be either. */
export const unfold = (owed: readonly Node[], truth: (atom: Literal) => boolean | undefined): Unfolding[] =>
  unfoldWithin(owed, truth, Number.POSITIVE_INFINITY)!;

/** Null: more ways have to be tried than allowed. */
export function unfoldWithin(
  owed: readonly Node[],
  truth: (atom: Literal) => boolean | undefined,
  mostTries: number,
): Unfolding[] | null {
  const results = new Map<string, Unfolding>();
  let tries = 0;
  const go = (
    todo: readonly Node[],
    later: ReadonlyMap<string, Node>,
    putOff: ReadonlySet<string>,
    assumed: ReadonlyMap<string, Literal>,
  ): void => {
    if (++tries > mostTries) return;
    const [first, ...rest] = todo;
    if (first === undefined) {
      const keys = [...later.keys()].sort();
      const done = { owed: keys.map((key) => later.get(key)!), putOff, assumed: [...assumed.values()] };
      const under = [...assumed.keys()].sort();
      results.set(`${keys.join(';')}|${[...putOff].sort().join(';')}|${under.join(';')}`, done);
      return;
    }
    const meet = (atom: Literal): void => {
      const known = truth(atom);
      if (known !== undefined) {
        if (known === atom.positive) go(rest, later, putOff, assumed);
        return;
      }
      const opposite = assumed.get(atom.positive ? `!${atom.key}` : atom.key.slice(1));
      if (opposite === undefined) go(rest, later, putOff, new Map(assumed).set(atom.key, atom));
    };
    const again = () => new Map(later).set(first.key, first);
    switch (first.kind) {
      case 'constant':
        if (first.value) go(rest, later, putOff, assumed);
        return;
      case 'event':
      case 'proposition':
        meet(first);
        return;
      case 'next':
        go(rest, new Map(later).set(first.arg.key, first.arg), putOff, assumed);
        return;
      case 'and':
        go([first.left, first.right, ...rest], later, putOff, assumed);
        return;
      case 'or':
        go([first.left, ...rest], later, putOff, assumed);
        go([first.right, ...rest], later, putOff, assumed);
        return;
      case 'until':
        go([first.right, ...rest], later, putOff, assumed);
        go([first.left, ...rest], again(), new Set(putOff).add(first.key), assumed);
        return;
      case 'release':
        go([first.left, first.right, ...rest], later, putOff, assumed);
        go([first.right, ...rest], again(), putOff, assumed);
        return;
    }
  };
  go(owed, new Map(), new Set(), new Map());
  return tries > mostTries ? null : [...results.values()];
}
