// Does every infinite path satisfy a formula? A tableau of the negated formula, unfolded along the composition: a node is a configuration with the
// formulas still owed. φ U ψ is ψ now, or φ now and the same again: who always puts it off never accepts. The formula holds when no
// cycle can be reached on which nothing is put off for ever. Nothing here is shared with the ltl room but the syntax of formulas.

import { IntStack } from '../../base/int-stack.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import { hasAcceptingCycle } from './cycle.ts';
import { Debts } from './debts.ts';
import { PairNumbers } from './pair-numbers.ts';
import { normal } from './unfold.ts';

export interface Graph {
  readonly initial: readonly number[];
  /** Asked for each state that the formula needs, once for each set of formulas owed there. */
  readonly eachStep: (state: number, visit: (event: string, to: number) => void) => void;
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
  const debts = new Debts(normal(formula, false), atoms.event);
  const nodes = new PairNumbers();
  const first = new IntStack();
  const to = new IntStack();
  const putOff = new IntStack();
  for (const state of graph.initial) nodes.numberOf(state, 0);
  for (let i = 0; i < nodes.size; i++) {
    if (nodes.size > limit || to.size > 4 * limit || ((i & 1023) === 0 && !timeLeft())) return 'limit';
    const state = nodes.firstOf(i);
    const here = debts.in(nodes.secondOf(i), (proposition) => atoms.holds(proposition, state));
    first.push(to.size);
    graph.eachStep(state, (event, target) => {
      for (const payment of debts.paid(here, event)) {
        to.push(nodes.numberOf(target, payment.next));
        putOff.push(payment.putOff);
      }
    });
  }
  first.push(to.size);
  const edges = { first: first.view(), to: to.view() };
  return hasAcceptingCycle(edges, putOff.view(), debts.putOff) ? 'violated' : 'holds';
}
