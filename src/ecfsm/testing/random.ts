// Random changes to a formula, random states: what this room's property tests draw from, beside the protocols of protocols.ts.

import fc from 'fast-check';
import { UNLIMITED } from '../../base/budget.ts';
import type { GlobalState } from '../concrete/state.ts';
import { Judge } from '../concrete/state.ts';
import { languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, star } from '../language/regex.ts';
import type {
  Comparison,
  Disjunct,
  Model,
  Protocol,
  SequenceAtom,
  StateVariable,
  Subsequence,
} from '../model.ts';
import { findExample } from '../safety/examples.ts';
import type { PreparedFormula } from '../safety/formula.ts';
import { sequencesOf } from '../safety/formula.ts';
import { atomsOf } from '../safety/reading.ts';
import { Decider } from '../solver/decider.ts';
import { and, constantSum, lessOrEqual } from '../solver/linear.ts';

/** Changes to a formula: a disjunct, an atom less or more, another constant, a looser relation, a looser or wider channel. */
export const mutation = fc.record({ kind: fc.nat(9), at: fc.nat(1000), which: fc.nat(1000) });
export type Mutation = { readonly kind: number; readonly at: number; readonly which: number };

export function mutate(model: Model, { kind, at, which }: Mutation): Model {
  if (model.invariant.length === 0) return model;
  const index = at % model.invariant.length;
  const old = model.invariant[index]!;
  if (kind === 0) return { ...model, invariant: model.invariant.filter((_, i) => i !== index) };
  const changed = mutateDisjunct(model, old, kind, which);
  return { ...model, invariant: model.invariant.map((one, i) => (i === index ? changed : one)) };
}

const without = <T>(list: readonly T[], which: number): T[] =>
  list.filter((_, i) => i !== which % Math.max(1, list.length));

function mutateDisjunct(
  { protocol, invariant }: Model,
  old: Disjunct,
  kind: number,
  which: number,
): Disjunct {
  const { relations, predicates } = old;
  const channel = which % old.shapes.length;
  switch (kind) {
    case 1:
      return { ...old, relations: without(relations, which) };
    case 2:
      return { ...old, predicates: without(predicates, which) };
    case 3: {
      const by = which % 2 === 0 ? 1 : -1;
      const moved = (one: Comparison<StateVariable>): Comparison<StateVariable> => ({
        ...one,
        sum: { ...one.sum, constant: one.sum.constant + by },
      });
      return {
        ...old,
        relations: relations.map((one, i) => (i === which % relations.length ? moved(one) : one)),
      };
    }
    case 4:
      return {
        ...old,
        relations: relations.map((one) => (which % 2 === 0 ? { ...one, relation: '<=' } : one)),
      };
    case 5:
      return { ...old, predicates: [...predicates, randomPredicate(protocol, which)] };
    case 6:
      return { ...old, relations: [...relations, randomRelation(protocol, which)] };
    case 7:
      return withShape(protocol, old, channel, choice([EMPTY, old.shapes[channel]!]));
    case 8: {
      const wider = invariant[which % invariant.length]!.shapes[channel]!;
      return withShape(protocol, old, channel, choice([wider, old.shapes[channel]!]));
    }
    default:
      return old;
  }
}

function withShape(protocol: Protocol, old: Disjunct, channel: number, shape: Regex): Disjunct {
  const language = languageOf(shape, protocol.alphabets[channel]!.length);
  if (language === null) return old;
  return {
    ...old,
    shapes: old.shapes.with(channel, shape),
    languages: old.languages.with(channel, language),
  };
}

const PREDICATES = ['step1', 'st-inc', 'inc', 'const'];
const FUNCTIONS = ['firstp', 'lastp', 'minp', 'maxp', 'len'];

function randomSequence(protocol: Protocol, which: number): Subsequence {
  const channel = which % protocol.channels.length;
  const all = protocol.alphabets[channel]!.map((_, type) => type);
  const some = all.filter((type) => type === which % 3);
  const types = some.length === 0 ? all : some;
  const fields = types.map((type) => (which >> 1) % protocol.fields[channel]![type]!.length);
  return { channel, types, fields };
}

const randomPredicate = (protocol: Protocol, which: number): SequenceAtom => ({
  predicate: PREDICATES[which % PREDICATES.length]!,
  of: randomSequence(protocol, Math.floor(which / 4)),
});

function randomRelation(protocol: Protocol, which: number): Comparison<StateVariable> {
  const register: StateVariable = {
    kind: 'register',
    side: which % protocol.machines.length,
    index: (which >> 1) % 2,
  };
  const value: StateVariable = {
    kind: 'function',
    name: FUNCTIONS[(which >> 2) % FUNCTIONS.length]!,
    of: randomSequence(protocol, which >> 4),
  };
  const sign = (which >> 5) % 2 === 0 ? 1 : -1;
  const constant = ((which >> 6) % 3) - 1;
  return {
    relation: (which >> 8) % 3 === 0 ? '=' : '<=',
    sum: {
      terms: [
        [register, sign],
        [value, -sign],
      ],
      constant,
    },
  };
}

/** One disjunct per pair of control states, with channels that may hold anything or nothing, and of random atoms those that the states have. */
export function coarseFormula(
  { protocol }: Model,
  picks: readonly number[],
  states: readonly GlobalState[],
): Disjunct[] {
  const anything = (channel: number): Regex =>
    star(choice(protocol.alphabets[channel]!.map((_, i) => letter(i))));
  const shapes = protocol.channels.map((_, channel) => anything(channel));
  const languages = shapes.map((shape, channel) => languageOf(shape, protocol.alphabets[channel]!.length)!);
  const pairs = [...new Map(states.map(({ control }) => [control.join(), control])).values()];
  return pairs.map((control): Disjunct => {
    const here = states.filter((state) => state.control.join() === control.join());
    const plain: Disjunct = {
      name: `c${control.join('')}`,
      control,
      shapes,
      languages,
      predicates: [],
      relations: [],
      span: null,
    };
    const held = (part: Partial<Disjunct>): boolean =>
      here.every((state) => new Judge(protocol.definitions, state).satisfies({ ...plain, ...part }));
    return {
      ...plain,
      predicates: picks
        .map((which) => randomPredicate(protocol, which))
        .filter((atom) => held({ predicates: [atom] })),
      relations: picks
        .map((which) => randomRelation(protocol, which))
        .filter((relation) => held({ relations: [relation] })),
    };
  });
}

/** Every disjunct in two: x of machine A up to a limit, and above. */
export function byRegister(invariant: readonly Disjunct[], limit: number): Disjunct[] {
  const x: StateVariable = { kind: 'register', side: 0, index: 0 };
  return invariant.flatMap((one) => [
    {
      ...one,
      name: `${one.name}.low`,
      relations: [...one.relations, { relation: '<=', sum: { terms: [[x, 1]], constant: -limit } }],
    },
    {
      ...one,
      name: `${one.name}.high`,
      relations: [...one.relations, { relation: '<=', sum: { terms: [[x, -1]], constant: limit + 1 } }],
    },
  ]);
}

/** Some states of a disjunct, reachable or not: short words for the channels, numbers from the solver with random lower bounds. */
export async function statesOf(
  formula: PreparedFormula,
  disjunct: Disjunct,
  random: () => number,
  count: number,
): Promise<GlobalState[]> {
  const found: GlobalState[] = [];
  const decider = new Decider();
  await findExample(
    formula,
    decider,
    UNLIMITED,
    disjunct,
    null,
    sequencesOf(formula.protocol, [disjunct]),
    ({ before }) => {
      const bound = constantSum(Math.floor(random() * 3));
      const register = before.register(
        Math.floor(random() * formula.protocol.machines.length),
        random() < 0.5 ? 0 : 1,
      );
      return and([atomsOf(disjunct, before), lessOrEqual(bound, register)]);
    },
    ({ state }) => found.push(state) >= count,
  );
  decider.dispose();
  return found;
}
