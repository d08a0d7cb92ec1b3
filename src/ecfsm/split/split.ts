// `split`: the human step of [QLive] 5.3 done by the tool. Each disjunct is divided by "is this channel empty?" and "is this action
// executable?", so that every part answers these questions with one word. By `counts`, also by "is there exactly one message?", which tells
// whether the next reception empties the channel. By `recent`, by counts and by how far the messages under way have come (recent.ts).
//
// The parts of a disjunct describe together exactly the states of the disjunct, and parts that no state can satisfy are dropped (only
// where the solver shows it). So the divided formula describes the same set of states, and is safe and invariant iff the original is.

import { isOnlyEmpty, languageOf } from '../language/language.ts';
import type { Regex } from '../language/regex.ts';
import {
  acceptsEmpty,
  beginningWith,
  choice,
  derivative,
  EMPTY,
  letter,
  nonEmptyPart,
  sequence,
} from '../language/regex.ts';
import type { Action, Comparison, Disjunct, Goal, Linear, Model, Protocol, StateVariable } from '../model.ts';
import { fieldOf, isField, sequenceOf } from '../model.ts';
import { combine } from '../resolve/linear.ts';
import { sameVariable } from '../resolve/terms.ts';
import { executabilityOf } from '../safety/executable.ts';
import { prepare } from '../safety/formula.ts';
import { Induction } from '../safety/induction.ts';
import { atomsOf } from '../safety/reading.ts';
import type { Decider } from '../solver/decider.ts';
import { recentConditions } from './recent.ts';

export type SplitBy = 'emptiness' | 'everything' | 'counts' | 'recent';

export async function splitModel(model: Model, decider: Decider, by: SplitBy): Promise<Model> {
  const invariant: Disjunct[] = [];
  const parts: number[][] = [];
  for (const disjunct of model.invariant) {
    const pieces = await splitDisjunct(model.protocol, disjunct, decider, by);
    parts.push(pieces.map((_, i) => invariant.length + i));
    invariant.push(...pieces);
  }
  const goals = model.goals.map(
    (goal): Goal => ({ ...goal, disjuncts: goal.disjuncts.flatMap((index) => parts[index]!) }),
  );
  return { ...model, invariant, goals };
}

async function splitDisjunct(
  protocol: Protocol,
  disjunct: Disjunct,
  decider: Decider,
  by: SplitBy,
): Promise<Disjunct[]> {
  let pieces = disjunct.languages.reduce<Disjunct[]>(
    (soFar, _, channel) => soFar.flatMap((piece) => byEmptiness(protocol, piece, channel)),
    [disjunct],
  );
  if (!decider.timeLeft()) return pieces;
  if (by === 'counts' || by === 'recent') pieces = await byCounts(protocol, pieces, decider);
  if (by === 'recent') {
    for (const conditions of recentConditions(protocol, disjunct)) {
      const divided: Disjunct[] = [];
      for (const piece of pieces) {
        if (!decider.timeLeft()) return pieces;
        divided.push(...(await byConditions(protocol, piece, conditions, decider)));
      }
      pieces = divided;
      if (pieces.length > MOST_PIECES) break;
    }
  } else if (by !== 'emptiness') {
    for (const [side, { actions }] of protocol.machines.entries()) {
      for (const action of actions) {
        if (action.from !== disjunct.control[side]!) continue;
        if (!decider.timeLeft()) return pieces;
        const divided: Disjunct[] = [];
        for (const piece of pieces)
          divided.push(...(await byExecutability(protocol, piece, action, decider)));
        pieces = divided;
      }
    }
  }
  if (pieces.length === 1) return [{ ...pieces[0]!, name: disjunct.name }];
  return pieces.map((piece, i) => ({ ...piece, name: `${disjunct.name}.${i + 1}` }));
}

function byEmptiness(protocol: Protocol, disjunct: Disjunct, channel: number): Disjunct[] {
  const shape = disjunct.shapes[channel]!;
  if (!acceptsEmpty(shape) || isOnlyEmpty(disjunct.languages[channel]!)) return [disjunct];
  return [
    withShape(protocol, disjunct, channel, EMPTY),
    withShape(protocol, disjunct, channel, nonEmptyPart(shape)),
  ].filter((piece) => piece !== null);
}

async function byCounts(
  protocol: Protocol,
  pieces: readonly Disjunct[],
  decider: Decider,
): Promise<Disjunct[]> {
  const parts = protocol.channels.reduce<readonly Disjunct[]>(
    (soFar, _, channel) => soFar.flatMap((piece) => oneOrMore(protocol, piece, channel)),
    pieces,
  );
  const result: Disjunct[] = [];
  for (const part of parts) if (await possible(protocol, part, decider)) result.push(part);
  return result;
}

/** One message on the channel, or at least two; the disjunct as it is where only one of these can be, or neither. */
function oneOrMore(protocol: Protocol, disjunct: Disjunct, channel: number): Disjunct[] {
  const shape = disjunct.shapes[channel]!;
  if (acceptsEmpty(shape)) return [disjunct];
  const after = protocol.alphabets[channel]!.map((_, type) => ({ type, rest: derivative(shape, type) }));
  const one = choice(after.filter(({ rest }) => acceptsEmpty(rest)).map(({ type }) => letter(type)));
  const more = choice(after.map(({ type, rest }) => sequence(letter(type), nonEmptyPart(rest))));
  if (one.kind === 'none' || more.kind === 'none') return [disjunct];
  return [one, more].flatMap((part) => withShape(protocol, disjunct, channel, part) ?? []);
}

/** The disjunct with another expression for a channel; null when a predicate fails on the empty sequence that this leaves. */
function withShape(protocol: Protocol, disjunct: Disjunct, channel: number, shape: Regex): Disjunct | null {
  const language = languageOf(shape, protocol.alphabets[channel]!.length);
  if (language === null) return { ...disjunct };
  const replaced: Disjunct = {
    ...disjunct,
    shapes: disjunct.shapes.with(channel, shape),
    languages: disjunct.languages.with(channel, language),
  };
  if (shape.kind !== 'empty') return replaced;
  const { predicates, functions } = protocol.definitions;
  const speaksOf = (of: { channel: number }): boolean => of.channel === channel;
  if (disjunct.predicates.some((atom) => speaksOf(atom.of) && !predicates.get(atom.predicate)!.empty))
    return null;
  const hasNoValue = ([variable]: readonly [StateVariable, number]): boolean =>
    variable.kind === 'function' && speaksOf(variable.of) && functions.get(variable.name)!.empty === null;
  return {
    ...replaced,
    predicates: disjunct.predicates.filter((atom) => !speaksOf(atom.of)),
    relations: disjunct.relations.filter(({ sum }) => !sum.terms.some(hasNoValue)),
  };
}

/** A disjunct in more parts than this is not divided further. */
const MOST_PIECES = 120;

/** Where the conditions speak of what is in a channel, only parts in which it is not empty are divided. */
function byConditions(
  protocol: Protocol,
  piece: Disjunct,
  conditions: readonly Comparison<StateVariable>[],
  decider: Decider,
): Promise<Disjunct[]> | Disjunct[] {
  const isSaid = conditions.every(({ sum }) =>
    sum.terms.every(
      ([variable]) => variable.kind === 'register' || !acceptsEmpty(piece.shapes[variable.of.channel]!),
    ),
  );
  return isSaid ? divide(protocol, piece, conditions, decider) : [piece];
}

async function byExecutability(
  protocol: Protocol,
  disjunct: Disjunct,
  action: Action,
  decider: Decider,
): Promise<Disjunct[]> {
  if (action.kind === 'send') {
    const own = (index: number): StateVariable => ({ kind: 'register', side: action.side, index });
    const conditions = executabilityOf(action).map((sum) => renamed(sum, own));
    return divide(protocol, disjunct, conditions, decider);
  }
  const conditions = receptionConditions(action);
  if (conditions.every(({ sum }) => sum.terms.length === 0)) return [disjunct];
  const channel = action.channel;
  const shape = disjunct.shapes[channel]!;
  if (derivative(shape, action.type).kind === 'none') return [disjunct];
  const others = protocol.alphabets[channel]!.map((_, type) => type)
    .filter((type) => type !== action.type)
    .map((type) => sequence(letter(type), derivative(shape, type)));
  const rest = choice([...(acceptsEmpty(shape) ? [EMPTY] : []), ...others]);
  const atHead = withShape(protocol, disjunct, channel, beginningWith(shape, action.type));
  const notAtHead = rest.kind === 'none' ? null : withShape(protocol, disjunct, channel, rest);
  return [
    ...(atHead === null
      ? []
      : await divide(protocol, rest.kind === 'none' ? disjunct : atHead, conditions, decider)),
    ...(notAtHead === null ? [] : [notAtHead]),
  ];
}

const renamed = <V>(sum: Linear<V>, name: (variable: V) => StateVariable): Comparison<StateVariable> => ({
  relation: '<=',
  sum: { constant: sum.constant, terms: sum.terms.map(([variable, factor]) => [name(variable), factor]) },
});

/** The message received is the first of its type, when it is at the head at all. */
function receptionConditions(action: Action): Comparison<StateVariable>[] {
  const name = (variable: number): StateVariable =>
    isField(variable)
      ? { kind: 'function', name: 'firstp', of: sequenceOf(action.channel, action.type, fieldOf(variable)) }
      : { kind: 'register', side: action.side, index: variable };
  return [
    ...action.condition.flatMap(({ sum, relation }) => {
      const below = renamed(sum, name);
      return relation === '=' ? [below, opposite(below)] : [below];
    }),
    ...action.updates.map((update) => opposite(renamed(update, name))),
  ];
}

const ZERO: Linear<StateVariable> = { terms: [], constant: 0 };
const opposite = ({ sum }: Comparison<StateVariable>): Comparison<StateVariable> => ({
  relation: '<=',
  sum: combine(ZERO, sum, -1, { same: sameVariable }),
});
const negated = (comparison: Comparison<StateVariable>): Comparison<StateVariable> => {
  const { sum } = opposite(comparison);
  return { relation: '<=', sum: { ...sum, constant: sum.constant + 1 } };
};

/** All conditions, or the first one that fails: parts without a state are left out. */
async function divide(
  protocol: Protocol,
  disjunct: Disjunct,
  conditions: readonly Comparison<StateVariable>[],
  decider: Decider,
): Promise<Disjunct[]> {
  const failing: Disjunct[] = [];
  let holding = disjunct;
  for (const condition of conditions) {
    const fails = { ...holding, relations: [...holding.relations, negated(condition)] };
    if (!(await possible(protocol, fails, decider))) continue;
    failing.push(fails);
    holding = { ...holding, relations: [...holding.relations, condition] };
    if (!(await possible(protocol, holding, decider))) return failing.length === 1 ? [disjunct] : failing;
  }
  return [holding, ...failing];
}

/** False only when no state satisfies the disjunct. */
async function possible(protocol: Protocol, disjunct: Disjunct, decider: Decider): Promise<boolean> {
  const induction = new Induction(prepare(protocol, [disjunct]), decider);
  for (const cap of [1, 2]) if (!(await possibleUpTo(induction, disjunct, decider, cap))) return false;
  return true;
}

async function possibleUpTo(
  induction: Induction,
  disjunct: Disjunct,
  decider: Decider,
  cap: number,
): Promise<boolean> {
  const situations = induction.situations(disjunct, null, [], cap);
  if (situations === null) return true;
  for (const { situation } of situations) {
    const atoms = atomsOf(disjunct, situation.before);
    const { context } = situation;
    const decision = await decider.problem(context.facts, context.variables).solve(atoms);
    if (decision.kind !== 'unsatisfiable') return true;
  }
  return false;
}
