// `infer`: an invariant found by abstract reachability, so that nobody has to write [QLive] Table 4 by hand.
//
// One abstract state per pair of control states and pattern of the channels; new ones are joined to the known one until nothing changes,
// with widening to small thresholds so that this ends. Each becomes one disjunct. The result is only a candidate: whoever calls this
// proves it by the same induction as a formula written by a person.

import type { Budget } from '../../base/budget.ts';
import type { Language } from '../language/language.ts';
import { languageOf } from '../language/language.ts';
import type { Comparison, Disjunct, Protocol, SequenceAtom, StateVariable } from '../model.ts';
import { controlNames, sequenceOf } from '../model.ts';
import type { AbstractState, Grains } from './abstract.ts';
import { covers, initialAbstract, join, keyOfState, presentTypes, successors } from './abstract.ts';
import { evenGrains } from './grain.ts';
import { isSingle, regexOf } from './shape.ts';

const MAX_STATES = 4000;
/** Joins without widening first: most relations are found by then. */
const PATIENCE = 3;

/** Empty when no formula was found within the limits. */
export function inferInvariant(
  protocol: Protocol,
  budget: Budget,
  grains = evenGrains(protocol, false),
): Disjunct[] {
  const states = reach(protocol, budget, grains);
  if (states === null) return [];
  const used = new Map<string, number>();
  return states.map((state) => toDisjunct(protocol, state, used));
}

function reach(protocol: Protocol, budget: Budget, grains: Grains): AbstractState[] | null {
  const known = new Map<string, { state: AbstractState; joins: number }>();
  const work: string[] = [];
  const thresholds = thresholdsOf(protocol);
  const add = (state: AbstractState): void => {
    const key = keyOfState(state, grains);
    const entry = known.get(key);
    if (entry === undefined) {
      known.set(key, { state, joins: 0 });
      work.push(key);
    } else if (!covers(entry.state, state)) {
      entry.joins++;
      entry.state = join(entry.state, state, entry.joins > PATIENCE ? thresholds : null);
      if (!work.includes(key)) work.push(key);
    }
  };
  for (const state of initialAbstract(protocol)) add(state);
  for (let key = work.shift(); key !== undefined; key = work.shift()) {
    if (known.size > MAX_STATES || !budget.timeLeft()) return null;
    const entry = known.get(key)!;
    const state = { ...entry.state, zone: entry.state.zone.closed() };
    for (const { actions } of protocol.machines)
      for (const action of actions) for (const next of successors(state, action, grains)) add(next);
  }
  return [...known.values()].map(({ state }) => ({ ...state, zone: state.zone.closed() }));
}

/** The constants of the protocol and their neighbours: where bounds are likely to stop. */
export function thresholdsOf(protocol: Protocol): number[] {
  const found = new Set<number>([-2, -1, 0, 1, 2]);
  for (const { actions } of protocol.machines)
    for (const { condition, updates } of actions)
      for (const constant of [
        ...condition.map(({ sum }) => sum.constant),
        ...updates.map((update) => update.constant),
      ])
        for (const near of [-1, 0, 1]) {
          found.add(constant + near);
          found.add(-constant + near);
        }
  return [...found].sort((a, b) => a - b);
}

function toDisjunct(protocol: Protocol, state: AbstractState, used: Map<string, number>): Disjunct {
  const base = controlNames(protocol, state.control).join('_');
  const count = (used.get(base) ?? 0) + 1;
  used.set(base, count);
  const shapes = state.shapes.map(regexOf);
  const languages = shapes.map((shape, channel) => languageOf(shape, protocol.alphabets[channel]!.length));
  if (languages.includes(null)) throw new Error('impossible: a shape has few states');
  return {
    name: `${base}_${count}`,
    control: state.control,
    shapes,
    languages: languages as Language[],
    predicates: predicatesOf(state),
    relations: relationsOf(protocol, state),
    span: null,
  };
}

function predicatesOf(state: AbstractState): SequenceAtom[] {
  return [...state.progress].flatMap(([key, progress]) => {
    const [channel, type, field] = key.split('.').map(Number);
    if (progress === null) return [];
    return [{ predicate: progress, of: sequenceOf(channel!, type!, field!) }];
  });
}

function relationsOf(protocol: Protocol, state: AbstractState): Comparison<StateVariable>[] {
  const bounds = singleMessages(protocol, state).essential();
  const result: Comparison<StateVariable>[] = [];
  for (const { x, y, c } of bounds) {
    const terms: [StateVariable, number][] = [];
    if (x !== '0') terms.push([variableOf(x), 1]);
    if (y !== '0') terms.push([variableOf(y), -1]);
    if (x === '0' && c >= 0) continue;
    const opposite = bounds.some((other) => other.x === y && other.y === x && other.c === -c);
    // An equality is two bounds: say it once, where it is written with the smaller name first.
    if (opposite && x > y) continue;
    result.push({ sum: { terms, constant: -c === 0 ? 0 : -c }, relation: opposite ? '=' : '<=' });
  }
  return result;
}

/** A single message is its own first and last: one name is enough. */
function singleMessages({ fields }: Protocol, state: AbstractState): AbstractState['zone'] {
  let { zone } = state;
  for (const [channel, shape] of state.shapes.entries())
    for (const type of presentTypes(state, channel))
      if (isSingle(shape, type))
        for (const field of fields[channel]![type]!.keys())
          zone = zone.without(`l${channel}.${type}.${field}`);
  return zone;
}

function variableOf(name: string): StateVariable {
  const [head, index, field] = name.slice(1).split('.').map(Number);
  if (name[0] === 'r') return { kind: 'register', side: head!, index: index! };
  return {
    kind: 'function',
    name: name[0] === 'f' ? 'firstp' : 'lastp',
    of: sequenceOf(head!, index!, field!),
  };
}
