// What may be missing in a formula: a failed step is compared with the reachable states that were tried.
//
// Either the example is one of them: then the formula is too narrow. Or the disjunct allows more than it should: then an atom that holds in
// all reachable states of the disjunct, and not in the example, is likely the missing one. That is a guess from some hundred states,
// and offered as one; only the induction decides.

import { evaluateSequence } from '../concrete/evaluate.ts';
import type { GlobalState } from '../concrete/state.ts';
import { Judge, stateKey, subsequenceOf } from '../concrete/state.ts';
import type {
  Comparison,
  Disjunct,
  Model,
  Protocol,
  SequenceAtom,
  StateVariable,
  Subsequence,
} from '../model.ts';
import { channelName, sequenceOf } from '../model.ts';
import { showComparison, showPredicate } from './print.ts';

/** With fewer states, too much would hold by accident. */
const FEWEST = 4;
const MOST_ATOMS = 3;

export function advice(
  model: Model,
  disjunct: Disjunct,
  reached: readonly GlobalState[],
  example: GlobalState,
): string | null {
  if (reached.length === 0) return null;
  const { protocol } = model;
  const key = stateKey(example);
  if (reached.some((state) => stateKey(state) === key))
    return 'the state before is reachable: the formula must describe the state after it';
  const inside = reached.filter((state) => new Judge(protocol.definitions, state).satisfies(disjunct));
  if (inside.length === 0)
    return `none of the ${reached.length} reachable states that were tried is in ${disjunct.name}`;
  if (inside.length < FEWEST) return null;
  const atoms = missingAtoms(protocol, inside, example);
  if (atoms.length > 0)
    return `perhaps missing in ${disjunct.name}: ${atoms.join(', ')} (${observed(atoms, inside)})`;
  const alike = inside.filter((state) => emptiness(state) === emptiness(example));
  const some = alike.length < FEWEST ? [] : missingAtoms(protocol, alike, example);
  if (some.length === 0) return null;
  const where = protocol.channels
    .map(
      (_, channel) =>
        `${channelName(protocol, channel)} ${example.channels[channel]!.length === 0 ? 'empty' : 'not empty'}`,
    )
    .join(' and ');
  return `perhaps ${disjunct.name} should be divided: with ${where}, add ${some.join(', ')} (${observed(some, alike)})`;
}

const observed = (atoms: readonly string[], states: readonly GlobalState[]): string =>
  `${atoms.length === 1 ? 'holds' : 'hold'} in its ${states.length} reachable states that were tried, not in the example`;

const emptiness = ({ channels }: GlobalState): string =>
  channels.map((messages) => messages.length === 0).join();

/** Atoms that hold in all these states and not in the example. */
function missingAtoms(
  protocol: Protocol,
  states: readonly GlobalState[],
  example: GlobalState,
): readonly string[] {
  return [
    ...missingPredicates(protocol, states, example).map((atom) => showPredicate(protocol, atom)),
    ...missingRelations(protocol, states, example).map((comparison) => showComparison(protocol, comparison)),
  ].slice(0, MOST_ATOMS);
}

/** The messages of one type, and all messages of a channel. */
function sequencesOf(protocol: Protocol): Subsequence[] {
  return protocol.channels.flatMap((_, channel) => {
    const types = protocol.alphabets[channel]!.map((__, type) => type);
    const single = types.flatMap((type) =>
      protocol.fields[channel]![type]!.map((__, field) => sequenceOf(channel, type, field)),
    );
    const all: Subsequence = { channel, types, fields: types.map(() => 0) };
    return types.length > 1 ? [...single, all] : single;
  });
}

/** From strongest to weakest: the first that fits is offered. */
const PREDICATES = ['const', 'step1', 'st-inc', 'inc'];

function missingPredicates(
  protocol: Protocol,
  inside: readonly GlobalState[],
  example: GlobalState,
): SequenceAtom[] {
  return sequencesOf(protocol).flatMap((of) => {
    const holds = (state: GlobalState, predicate: string): boolean =>
      evaluateSequence(protocol.definitions, subsequenceOf(state, of)).holds(predicate);
    if (inside.filter((state) => subsequenceOf(state, of).length > 1).length < FEWEST) return [];
    const predicate = PREDICATES.find(
      (name) => !holds(example, name) && inside.every((state) => holds(state, name)),
    );
    return predicate === undefined ? [] : [{ predicate, of }];
  });
}

const FUNCTIONS = ['firstp', 'lastp', 'minp', 'maxp'];

/** An equation is about the first or the last, a bound about all of them. */
const fits = (variable: StateVariable | null, equal: boolean, extreme: 'minp' | 'maxp'): boolean =>
  variable === null ||
  variable.kind === 'register' ||
  (equal ? variable.name === 'firstp' || variable.name === 'lastp' : variable.name === extreme);

type Value = (state: GlobalState) => number | null;

function variablesOf(protocol: Protocol): { variable: StateVariable | null; value: Value }[] {
  const registers = protocol.machines.flatMap((machine, side) =>
    machine.registers.map((_, index) => ({
      variable: { kind: 'register', side, index } as const,
      value: (state: GlobalState) => state.registers[side]![index]!,
    })),
  );
  const ends = sequencesOf(protocol)
    .filter(({ types }) => types.length === 1)
    .flatMap((of) =>
      FUNCTIONS.map((name) => ({
        variable: { kind: 'function', name, of } as const,
        value: (state: GlobalState) =>
          evaluateSequence(protocol.definitions, subsequenceOf(state, of)).value(name),
      })),
    );
  return [{ variable: null, value: () => 0 }, ...registers, ...ends];
}

/** Differences that are the same, or have the same sign, in all states: `x = y + 1`, `x <= y`, `x > 0`. */
function missingRelations(
  protocol: Protocol,
  inside: readonly GlobalState[],
  example: GlobalState,
): Comparison<StateVariable>[] {
  // Each is worked out once for a state, not once for every pair.
  const columns = variablesOf(protocol).map(({ variable, value }) => ({
    variable,
    here: value(example),
    values: inside.map(value),
  }));
  const found: { comparison: Comparison<StateVariable>; cost: number }[] = [];
  for (const [i, x] of columns.entries()) {
    for (const [j, y] of columns.entries()) {
      const here = difference(x.here, y.here);
      if (i === j || here === null) continue;
      const all = x.values.flatMap((value, state) => difference(value, y.values[state]!) ?? []);
      const most = Math.max(...all);
      if (all.length < FEWEST || here <= most || Math.abs(most) > 1) continue;
      const equal = Math.min(...all) === most;
      // An upper bound on a number is an accident of how far the search went.
      if (y.variable === null && !equal) continue;
      if (!fits(x.variable, equal, 'maxp') || !fits(y.variable, equal, 'minp')) continue;
      const terms: [StateVariable, number][] = [];
      if (x.variable !== null) terms.push([x.variable, 1]);
      if (y.variable !== null) terms.push([y.variable, -1]);
      const simple = terms.filter(([variable]) => variable.kind === 'function').length;
      const comparison: Comparison<StateVariable> = {
        relation: equal ? '=' : '<=',
        sum: { terms, constant: most === 0 ? 0 : -most },
      };
      found.push({ comparison, cost: (equal ? 0 : 3) + simple + Math.abs(most) });
    }
  }
  return found.sort((a, b) => a.cost - b.cost).map(({ comparison }) => comparison);
}

const difference = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a - b;
