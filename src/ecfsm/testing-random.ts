// Random protocols, random changes to a formula, random states: what this room's property tests draw from.

import fc from 'fast-check';
import { UNLIMITED } from '../base/budget.ts';
import type { GlobalState } from './concrete/state.ts';
import { Judge } from './concrete/state.ts';
import { languageOf } from './language/language.ts';
import type { Regex } from './language/regex.ts';
import { choice, EMPTY, letter, star } from './language/regex.ts';
import type {
  Comparison,
  Disjunct,
  Model,
  Protocol,
  SequenceAtom,
  Side,
  StateVariable,
  Subsequence,
} from './model.ts';
import { findExample } from './safety/examples.ts';
import type { PreparedFormula } from './safety/formula.ts';
import { sequencesOf } from './safety/formula.ts';
import { atomsOf } from './safety/reading.ts';
import { Decider } from './solver/decider.ts';
import { and, constantSum, lessOrEqual } from './solver/linear.ts';

/** More cases and other seeds: SPILLWAY_FUZZ=2000 SPILLWAY_SEED=7. */
export const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 25);
export const seed = Number(process.env['SPILLWAY_SEED'] ?? 0);

/** Longer fuzzing may take its time. */
export const LIMIT = runs > 60 ? 36_000_000 : 300_000;

interface RandomAction {
  readonly from: number;
  readonly to: number;
  readonly type: number;
  readonly condition: number;
  readonly update: number;
}

/** Sums that are not differences go to the SMT solver, which takes its time: only for longer fuzzing. */
const LAST = runs > 60 ? 6 : 5;

const action = fc.record({
  from: fc.nat(1),
  to: fc.nat(1),
  type: fc.nat(1),
  condition: fc.nat(LAST),
  update: fc.nat(LAST),
});

/** The last of each is not a difference. Sends are mostly determined by the registers, so that there is something to know about the messages. */
const SEND = ['n = x', 'n = x', 'n = y', 'n = x + 1', 'n >= x, n <= y', 'x > y, n + 1 = x', 'n = x + y'];
const RECEIVE = ['n >= 0', 'n >= 0', 'n = x', 'n >= y', 'n >= x', 'n <= x', '2 * n >= x'];
const UPDATE = [
  '',
  'do x := x + 1',
  'do y := n + 1',
  'do x := n',
  'do x := x + 1, y := x',
  'do x := x - 1',
  'do y := x + y',
];

function machineText(
  name: string,
  sends: readonly RandomAction[],
  receives: readonly RandomAction[],
  prefix: string,
  other: string,
  extra: string,
): string {
  const line = (kind: 'send' | 'receive', one: RandomAction, i: number): string =>
    `  ${kind}${i}: s${one.from} -> s${one.to} ${kind} ${kind === 'send' ? prefix : other}${one.type}(n) when ${(kind === 'send' ? SEND : RECEIVE)[one.condition]} ${UPDATE[one.update]};`;
  return `machine ${name} {
  states s0, s1;
  registers x, y;
  init s0 where x = 0, y = 0;
${sends.map((one, i) => line('send', one, i)).join('\n')}
${receives.map((one, i) => line('receive', one, i)).join('\n')}
${extra === 'internal' ? '  tick: s0 -> s1 internal when x <= y do x := y + 1;' : ''}${extra === 'final' ? '  final s1;' : ''}
}`;
}

export const protocols = fc
  .record({
    sendsA: fc.array(action, { minLength: 1, maxLength: 3 }),
    receivesA: fc.array(action, { maxLength: 4 }),
    sendsB: fc.array(action, { maxLength: 3 }),
    receivesB: fc.array(action, { minLength: 1, maxLength: 4 }),
    /** Strict as drawn; or everything is received everywhere, and A can always send, so that more protocols are safe; or with one hole. */
    manner: fc.constantFrom('strict', 'tolerant', 'tolerant', 'almost'),
    hole: fc.nat(7),
    /** Nothing more, mostly; or a channel that loses messages, an action that nobody else sees, states to end in. */
    extra: fc.constantFrom('', '', 'lossy', 'duplicating', 'internal', 'final'),
  })
  .map(({ sendsA, receivesA, sendsB, receivesB, manner, hole, extra }) => {
    const idle = (from: number, type: number): RandomAction => ({
      from,
      to: from,
      type,
      condition: 0,
      update: 0,
    });
    const everything = [0, 1].flatMap((from) => [0, 1].map((type) => idle(from, type)));
    const receives = (drawn: readonly RandomAction[], sends: readonly RandomAction[], shift: number) => {
      if (manner === 'strict') return drawn;
      const sent = (one: RandomAction): boolean => sends.some(({ type }) => type === one.type);
      const all = everything.filter((_, i) => manner === 'tolerant' || i + shift !== hole);
      return [...drawn.filter(sent), ...all.filter(sent)];
    };
    const lively = manner === 'strict' ? [] : [0, 1].map((from) => idle(from, sendsA[0]!.type));
    return [
      machineText('A', [...sendsA, ...lively], receives(receivesA, sendsB, 0), 'M', 'K', extra),
      machineText('B', sendsB, receives(receivesB, sendsA, 4), 'K', 'M', extra),
      ...(extra === 'lossy' || extra === 'duplicating' ? [`${extra} A->B;`] : []),
    ].join('\n');
  });

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
  const channel: Side = which % 2 === 0 ? 0 : 1;
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
      return withShape(protocol, old, channel, choice([EMPTY, old.shapes[channel]]));
    case 8: {
      const wider = invariant[which % invariant.length]!.shapes[channel];
      return withShape(protocol, old, channel, choice([wider, old.shapes[channel]]));
    }
    default:
      return old;
  }
}

function withShape(protocol: Protocol, old: Disjunct, channel: Side, shape: Regex): Disjunct {
  const language = languageOf(shape, protocol.alphabets[channel].length);
  if (language === null) return old;
  const put = <T>(pair: readonly [T, T], one: T): [T, T] => (channel === 0 ? [one, pair[1]] : [pair[0], one]);
  return { ...old, shapes: put(old.shapes, shape), languages: put(old.languages, language) };
}

const PREDICATES = ['step1', 'st-inc', 'inc', 'const'];
const FUNCTIONS = ['firstp', 'lastp', 'minp', 'maxp', 'len'];

function randomSequence(protocol: Protocol, which: number): Subsequence {
  const channel: Side = which % 2 === 0 ? 0 : 1;
  const all = protocol.alphabets[channel].map((_, type) => type);
  const some = all.filter((type) => type === which % 3);
  return { channel, types: some.length === 0 ? all : some };
}

const randomPredicate = (protocol: Protocol, which: number): SequenceAtom => ({
  predicate: PREDICATES[which % PREDICATES.length]!,
  of: randomSequence(protocol, Math.floor(which / 4)),
});

function randomRelation(protocol: Protocol, which: number): Comparison<StateVariable> {
  const register: StateVariable = {
    kind: 'register',
    side: which % 2 === 0 ? 0 : 1,
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
  const anything = (channel: Side): Regex =>
    star(choice(protocol.alphabets[channel].map((_, i) => letter(i))));
  const [forth, back] = [anything(0), anything(1)];
  const pairs = [...new Map(states.map(({ control }) => [control.join(), control])).values()];
  return pairs.map((control): Disjunct => {
    const here = states.filter((state) => state.control.join() === control.join());
    const plain: Disjunct = {
      name: `c${control.join('')}`,
      control,
      shapes: [forth, back],
      languages: [
        languageOf(forth, protocol.alphabets[0].length)!,
        languageOf(back, protocol.alphabets[1].length)!,
      ],
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
    sequencesOf([disjunct]),
    ({ before }) => {
      const bound = constantSum(Math.floor(random() * 3));
      const register = before.register(random() < 0.5 ? 0 : 1, random() < 0.5 ? 0 : 1);
      return and([atomsOf(disjunct, before), lessOrEqual(bound, register)]);
    },
    ({ state }) => found.push(state) >= count,
  );
  decider.dispose();
  return found;
}
