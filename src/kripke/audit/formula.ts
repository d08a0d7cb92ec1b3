// A proof that a composition satisfies a formula, checked again: the composition is written out and the formula unfolded along it. Where it
// is too large, the proof names classes of states: lumping states together adds paths and takes none away ([MAGIC] Theorems 1 and 5),
// if the states of a class agree on the propositions of the formula.

import type { Syntax } from '../../ltl/syntax.ts';
import type { Kripke } from '../structure.ts';
import { compose } from '../system.ts';
import { propositionPlaces } from '../vocabulary.ts';
import type { Classes } from './lump.ts';
import { lump } from './lump.ts';
import { walkThrough, writeOut } from './product.ts';
import type { Graph } from './tableau.ts';
import { everyPathSatisfies } from './tableau.ts';

export interface FormulaAudit {
  readonly result: 'holds' | 'violated' | 'limit' | 'bad classes';
  readonly configurations: number;
  /** Without classes, and if asked: runs that get stuck, with their last state taken to go on for ever. */
  readonly stuckRuns: 'none' | 'satisfy it' | 'open' | undefined;
}

/** The formula's atoms are numbered as in the composition of the components. */
export function auditFormula(
  components: readonly Kripke[],
  formula: Syntax,
  classes: Classes | null,
  timeLeft: () => boolean,
  wantsStuckRuns = false,
): FormulaAudit {
  const places = propositionPlaces(compose(components));
  const relevant = components.map((): number[] => []);
  for (const id of propositionsOf(formula)) relevant[places[id]!.component]!.push(places[id]!.local);
  const lumped = classes === null ? [...components] : lump(components, classes, relevant);
  const nothing = { configurations: 0, stuckRuns: undefined };
  if (lumped === null) return { result: 'bad classes', ...nothing };
  const system = compose(lumped);
  const walk = walkThrough(lumped);
  if (walk === null) return { result: 'limit', ...nothing };
  const atoms = {
    event: (id: number) => system.events[id]!,
    holds: (proposition: number, state: number) => {
      const { component, local } = places[proposition]!;
      return lumped[component]!.labels[walk.stateOf(state, component)]!.includes(local);
    },
  };
  const result = everyPathSatisfies(formula, walk, atoms, walk.mostNodes, timeLeft);
  const configurations = walk.size;
  if (result !== 'holds' || classes !== null || !wantsStuckRuns)
    return { result, configurations, stuckRuns: undefined };
  const whole = writeOut(components, timeLeft);
  if (whole === null) return { result, configurations, stuckRuns: 'open' };
  if (whole.steps.every((steps) => steps.length > 0))
    return { result, configurations: whole.configurations.length, stuckRuns: 'none' };
  const standing: Graph = {
    initial: walk.initial,
    eachStep: (state, visit) => {
      let isStuck = true;
      walk.eachStep(state, (event, to) => {
        isStuck = false;
        visit(event, to);
      });
      if (isStuck) visit('', state);
    },
  };
  const also = everyPathSatisfies(formula, standing, atoms, walk.mostNodes, timeLeft);
  return {
    result,
    configurations: whole.configurations.length,
    stuckRuns: also === 'holds' ? 'satisfy it' : 'open',
  };
}

function propositionsOf(formula: Syntax): Set<number> {
  const found = new Set<number>();
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop())
    if (part.kind === 'atom') part.atom.kind === 'proposition' && found.add(part.atom.id);
    else if (part.kind === 'unary') open.push(part.operand);
    else if (part.kind === 'binary') open.push(part.left, part.right);
  return found;
}
