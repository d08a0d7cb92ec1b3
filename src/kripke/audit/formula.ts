// A proof that a composition satisfies a formula, checked again: the composition is written out and the formula unfolded along it. Where it
// is too large, the proof names classes of states: lumping states together adds paths and takes none away ([MAGIC] Theorems 1 and 5),
// if the states of a class agree on the propositions of the formula.

import type { Syntax } from '../../ltl/syntax.ts';
import type { Kripke } from '../structure.ts';
import { eachEdge, KripkeBuilder, stateCount } from '../structure.ts';
import { compose } from '../system.ts';
import { propositionPlaces } from '../vocabulary.ts';
import { writeOut } from './product.ts';
import { everyPathSatisfies } from './tableau.ts';

/** For each component, the class of each state. */
export type Classes = readonly (readonly number[])[];

export interface FormulaAudit {
  readonly result: 'holds' | 'violated' | 'limit' | 'bad classes';
  readonly configurations: number;
  /** Without classes: runs that get stuck, with their last state taken to go on for ever. */
  readonly stuckRuns: 'none' | 'satisfy it' | 'open' | undefined;
}

/** Configurations, and nodes of a tableau, that are gone through. */
const LIMIT = 1_500_000;

/** The formula's atoms are numbered as in the composition of the components. */
export function auditFormula(
  components: readonly Kripke[],
  formula: Syntax,
  classes: Classes | null,
  timeLeft: () => boolean,
): FormulaAudit {
  const places = propositionPlaces(compose(components));
  const relevant = components.map((): number[] => []);
  for (const id of propositionsOf(formula)) relevant[places[id]!.component]!.push(places[id]!.local);
  const lumped = classes === null ? [...components] : lump(components, classes, relevant);
  const nothing = { configurations: 0, stuckRuns: undefined };
  if (lumped === null) return { result: 'bad classes', ...nothing };
  const system = compose(lumped);
  const written = writeOut(lumped, LIMIT, timeLeft);
  if (written === null) return { result: 'limit', ...nothing };
  const atoms = {
    event: (id: number) => system.events[id]!,
    holds: (proposition: number, state: number) => {
      const { component, local } = places[proposition]!;
      return lumped[component]!.labels[written.configurations[state]![component]!]!.includes(local);
    },
  };
  const configurations = written.configurations.length;
  const result = everyPathSatisfies(formula, written, atoms, LIMIT, timeLeft);
  if (result !== 'holds' || classes !== null) return { result, configurations, stuckRuns: undefined };
  if (written.steps.every((steps) => steps.length > 0)) return { result, configurations, stuckRuns: 'none' };
  const steps = written.steps.map((own, to) => (own.length === 0 ? [{ event: '', to }] : own));
  const also = everyPathSatisfies(formula, { initial: written.initial, steps }, atoms, LIMIT, timeLeft);
  return { result, configurations, stuckRuns: also === 'holds' ? 'satisfy it' : 'open' };
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

/** Null when the classes are none, or do not agree on the propositions. Names and numbers of events and propositions stay. */
function lump(
  components: readonly Kripke[],
  classes: Classes,
  relevant: readonly (readonly number[])[],
): Kripke[] | null {
  if (classes.length !== components.length) return null;
  const result: Kripke[] = [];
  for (const [i, component] of components.entries()) {
    const classOf = classes[i]!;
    if (classOf.length !== stateCount(component)) return null;
    const builder = new KripkeBuilder(component.name);
    for (const name of component.propositions) builder.proposition(name);
    for (const name of component.events) builder.event(name);
    const labels = new Map<number, string>();
    for (const [state, id] of classOf.entries()) {
      const seen = component.labels[state]!.filter((label) => relevant[i]!.includes(label));
      if ((labels.get(id) ?? seen.join()) !== seen.join()) return null;
      labels.set(id, seen.join());
    }
    const ids = new Map<number, number>();
    for (const [id, text] of labels) {
      const own = text === '' ? [] : text.split(',').map((label) => component.propositions[Number(label)]!);
      ids.set(id, builder.state(String(id), own));
    }
    for (const state of component.initial) builder.initial(ids.get(classOf[state]!)!);
    for (let state = 0; state < stateCount(component); state++)
      eachEdge(component, state, (event, to) =>
        builder.edge(ids.get(classOf[state]!)!, event, ids.get(classOf[to]!)!),
      );
    const made = builder.build();
    if (made === null) return null;
    result.push(made);
  }
  return result;
}

export const isClasses = (value: unknown): value is Classes =>
  Array.isArray(value) &&
  value.every((list) => Array.isArray(list) && list.every((id) => Number.isSafeInteger(id) && id >= 0));
