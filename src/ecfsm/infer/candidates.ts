// Atoms that may belong into a disjunct: everything of a few forms that holds in all reachable states which were seen there. Most are true by accident or
// do not last; `houdini.ts` throws out what does not follow from the others.
//
// Forms: predicates on the messages of one type; differences of registers, first, last, least and greatest parameters with a small bound; and linear
// equations between registers and numbers of messages, which are the affine hull of the states seen (Karr 1976, from samples).

import { evaluateSequence } from '../concrete/evaluate.ts';
import type { GlobalState } from '../concrete/state.ts';
import { subsequenceOf } from '../concrete/state.ts';
import { aliveStates } from '../language/language.ts';
import type { Comparison, Disjunct, Protocol, SequenceAtom, StateVariable, Subsequence } from '../model.ts';
import { sequenceOf } from '../model.ts';
import { affineHull } from './affine.ts';

/** With fewer states, too much would hold by accident. */
const FEWEST = 3;
const PREDICATES = ['const', 'step1', 'st-inc', 'inc'];
const MOST_SAMPLES = 300;

export interface Candidates {
  readonly predicates: readonly SequenceAtom[];
  readonly relations: readonly Comparison<StateVariable>[];
}

/** Which functions of the messages differences may speak of: from few candidates to many. */
export const TIERS: readonly (readonly string[])[] = [
  [],
  ['firstp', 'lastp'],
  ['firstp', 'lastp', 'minp', 'maxp'],
];

export interface Vocabulary {
  /** Constants that a difference may be bounded by. */
  readonly bounds: ReadonlySet<number>;
  readonly functions: readonly string[];
}

export function candidatesFor(
  protocol: Protocol,
  template: Disjunct,
  seen: readonly GlobalState[],
  vocabulary: Vocabulary,
): Candidates {
  const states = spread(seen);
  const sequences = sequencesIn(protocol, template);
  return {
    predicates: predicatesOf(protocol, sequences, states),
    relations: [
      ...differences(protocol, sequences, states, vocabulary),
      ...equations(protocol, sequences, states),
    ],
  };
}

/** Early states and late ones. */
const spread = (states: readonly GlobalState[]): readonly GlobalState[] => {
  const step = Math.max(1, Math.floor(states.length / MOST_SAMPLES));
  return states.filter((_, index) => index % step === 0);
};

/** Every field of the messages of one type, for every type that the template's channels may hold; and fields with one name of several types together. */
function sequencesIn(protocol: Protocol, { languages }: Disjunct): Subsequence[] {
  return languages.flatMap((language, channel) => {
    const { next } = language;
    const alive = aliveStates(language);
    const names = protocol.fields[channel]!;
    const present = [...names.keys()].filter((type) =>
      next.some((row, state) => alive[state] && alive[row[type]!]),
    );
    return [
      ...present.flatMap((type) => names[type]!.map((_, field) => sequenceOf(channel, type, field))),
      ...jointSequences(channel, present, names),
    ];
  });
}

/** `ack` of data and `ack` alone are one sequence. Only where messages have several fields: otherwise names say little. */
function jointSequences(
  channel: number,
  present: readonly number[],
  names: readonly (readonly string[])[],
): Subsequence[] {
  if (present.length < 2 || present.every((type) => names[type]!.length === 1)) return [];
  const all = [...new Set(present.flatMap((type) => names[type]!))];
  return all.flatMap((name) => {
    const types = present.filter((type) => names[type]!.includes(name));
    const fields = types.map((type) => names[type]!.indexOf(name));
    return types.length < 2 ? [] : [{ channel, types, fields }];
  });
}

function predicatesOf(
  protocol: Protocol,
  sequences: readonly Subsequence[],
  states: readonly GlobalState[],
): SequenceAtom[] {
  return sequences.flatMap((of) => {
    const rows = states.map((state) => subsequenceOf(state, of)).filter(({ length }) => length > 1);
    if (rows.length === 0) return [];
    return PREDICATES.filter((predicate) =>
      rows.every((row) => evaluateSequence(protocol.definitions, row).holds(predicate)),
    ).map((predicate) => ({ predicate, of }));
  });
}

interface Quantity {
  readonly variable: StateVariable | null;
  /** One for each state; null where it has no value. */
  readonly values: readonly (number | null)[];
}

function registersOf(protocol: Protocol, states: readonly GlobalState[]): Quantity[] {
  return protocol.machines.flatMap((machine, side) =>
    machine.registers.map((_, index) => ({
      variable: { kind: 'register', side, index } as const,
      values: states.map(({ registers }) => registers[side]![index]!),
    })),
  );
}

function functionsOf(
  protocol: Protocol,
  sequences: readonly Subsequence[],
  states: readonly GlobalState[],
  names: readonly string[],
): Quantity[] {
  return sequences.flatMap((of) => {
    const valuations = states.map((state) =>
      evaluateSequence(protocol.definitions, subsequenceOf(state, of)),
    );
    return names.map((name) => ({
      variable: { kind: 'function', name, of } as const,
      values: valuations.map((valuation) => valuation.value(name)),
    }));
  });
}

/** x − y <= c, with the least c that was seen. */
function differences(
  protocol: Protocol,
  sequences: readonly Subsequence[],
  states: readonly GlobalState[],
  { bounds, functions }: Vocabulary,
): Comparison<StateVariable>[] {
  const zero: Quantity = { variable: null, values: states.map(() => 0) };
  const all = [
    zero,
    ...registersOf(protocol, states),
    ...functionsOf(protocol, sequences, states, functions),
  ];
  const found: Comparison<StateVariable>[] = [];
  for (const x of all) {
    for (const y of all) {
      if (x === y || isIdle(x, y)) continue;
      const most = greatestDifference(x, y);
      if (most === null || !bounds.has(most)) continue;
      const terms: [StateVariable, number][] = [];
      if (x.variable !== null) terms.push([x.variable, 1]);
      if (y.variable !== null) terms.push([y.variable, -1]);
      found.push({ relation: '<=', sum: { terms, constant: most === 0 ? 0 : -most } });
    }
  }
  return found;
}

/** Says nothing new: natural numbers are at least 0, and of one sequence the predicates speak. */
function isIdle(x: Quantity, y: Quantity): boolean {
  if (x.variable === null && y.variable !== null)
    return y.values.every((value) => value === null || value === 0);
  return (
    x.variable?.kind === 'function' && y.variable?.kind === 'function' && x.variable.of === y.variable.of
  );
}

function greatestDifference(x: Quantity, y: Quantity): number | null {
  let most: number | null = null;
  let count = 0;
  x.values.forEach((value, i) => {
    const other = y.values[i]!;
    if (value === null || other === null) return;
    count++;
    if (most === null || value - other > most) most = value - other;
  });
  return count < FEWEST ? null : most;
}

/** There are as many of one field as of another; what is true of several types follows from each. */
const countsOf = ({ types, fields }: Subsequence): readonly string[] =>
  types.length > 1 ? [] : fields[0] === 0 ? ['len', 'sump'] : ['sump'];

/** Equations with numbers or sums of messages, or of registers where they are not differences. */
function equations(
  protocol: Protocol,
  sequences: readonly Subsequence[],
  states: readonly GlobalState[],
): Comparison<StateVariable>[] {
  const columns = [
    ...registersOf(protocol, states),
    ...sequences.flatMap((of) => functionsOf(protocol, [of], states, countsOf(of))),
  ];
  if (states.length < columns.length + FEWEST) return [];
  const rows = states.map((_, i) => columns.map(({ values }) => values[i] ?? 0));
  return affineHull(rows).flatMap(({ factors, constant }) => {
    const terms = factors.flatMap((factor, i): [StateVariable, number][] =>
      factor === 0 ? [] : [[columns[i]!.variable!, factor]],
    );
    const counts = terms.some(([variable]) => variable.kind === 'function');
    const isDifference = !counts && terms.length === 2 && terms[0]![1] === -terms[1]![1];
    if (terms.length < 2 || isDifference) return [];
    return [{ relation: '=' as const, sum: { terms, constant } }];
  });
}
