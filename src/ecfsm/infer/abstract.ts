// Abstract states of `infer` and what actions do to them: control states × shapes of the channels × difference bounds.
//
// Variables of the zone: registers, and for every type present in a channel the first and the last value of every field of its messages. Steps from
// one message to the next of the same type are summarised by the strongest sequence predicate that fits. Conditions and updates that are
// not differences are forgotten: the result is a candidate, which the induction proves or refuses.

import type { Action, ActionVariable, Comparison, Linear, Protocol } from '../model.ts';
import { controlAfter, fieldOf, isField } from '../model.ts';
import type { Grain, Shape } from './shape.ts';
import { appended, consumed, coversShape, joinShapes, patternOf, typesOf } from './shape.ts';
import { Zone } from './zone.ts';

/** How consecutive parameters of one type differ, from strongest to weakest; null: nothing is known. */
export type Progress = 'const' | 'step1' | 'st-inc' | 'inc' | null;

export interface AbstractState {
  readonly control: readonly number[];
  readonly shapes: readonly Shape[];
  readonly zone: Zone;
  /** By `channel.type.field`; absent while there is only one message. */
  readonly progress: ReadonlyMap<string, Progress>;
}

/** States with the same key are joined. */
export const keyOfState = (state: AbstractState, grains: Grains): string =>
  `${state.control.join(',')}|${state.shapes.map((shape, channel) => patternOf(shape, grains[channel]!)).join('|')}`;

/** One per channel. */
export type Grains = readonly Grain[];

const registerName = (side: number, index: number): string => `r${side}.${index}`;
const firstName = (channel: number, type: number, field: number): string => `f${channel}.${type}.${field}`;
const lastName = (channel: number, type: number, field: number): string => `l${channel}.${type}.${field}`;
const slot = (channel: number, type: number, field: number): string => `${channel}.${type}.${field}`;
const fieldsOf = ({ fields }: Action): number[] => Array.from({ length: fields }, (_, field) => field);

const RANGE: Record<Exclude<Progress, null>, readonly [number, number]> = {
  const: [0, 0],
  step1: [1, 1],
  'st-inc': [1, Number.POSITIVE_INFINITY],
  inc: [0, Number.POSITIVE_INFINITY],
};

const rangeOf = (progress: Progress): readonly [number, number] =>
  progress === null ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : RANGE[progress];

function fitting(low: number, high: number): Progress {
  const order = ['const', 'step1', 'st-inc', 'inc'] as const;
  return order.find((name) => RANGE[name][0] <= low && high <= RANGE[name][1]) ?? null;
}

function joinProgress(a: Progress | undefined, b: Progress | undefined): Progress | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const [x, y] = [rangeOf(a), rangeOf(b)];
  return fitting(Math.min(x[0], y[0]), Math.max(x[1], y[1]));
}

export function join(
  a: AbstractState,
  b: AbstractState,
  thresholds: readonly number[] | null,
): AbstractState {
  const progress = new Map(a.progress);
  for (const [key, value] of b.progress) progress.set(key, joinProgress(progress.get(key), value)!);
  for (const [key, value] of progress) if (value === undefined) progress.set(key, null);
  return {
    control: a.control,
    shapes: a.shapes.map((shape, channel) => joinShapes(shape, b.shapes[channel]!)),
    zone: thresholds === null ? a.zone.joined(b.zone) : a.zone.widened(b.zone, thresholds),
    progress,
  };
}

export function covers(a: AbstractState, b: AbstractState): boolean {
  return (
    a.zone.contains(b.zone) &&
    a.shapes.every((shape, channel) => coversShape(shape, b.shapes[channel]!)) &&
    [...b.progress].every(
      ([key, value]) =>
        a.progress.has(key) && joinProgress(a.progress.get(key), value) === a.progress.get(key),
    )
  );
}

export function initialAbstract(protocol: Protocol): AbstractState[] {
  return protocol.initial.flatMap(({ control, relations }) => {
    let zone: Zone | null = Zone.top();
    for (const [side, { registers }] of protocol.machines.entries())
      for (const i of registers.keys()) zone = zone!.withNatural(registerName(side, i));
    for (const comparison of relations)
      zone = zone && constrained(zone, comparison, (variable) => registerName(variable.side, variable.index));
    const shapes: Shape[] = protocol.channels.map(() => []);
    return zone === null ? [] : [{ control, shapes, zone, progress: new Map() }];
  });
}

const parameterName = (field: number): string => `n${field}`;

/** The zone without the fields of the message that was sent or received. */
const withoutFields = (zone: Zone, action: Action): Zone =>
  fieldsOf(action).reduce((rest, field) => rest.without(parameterName(field)), zone);

export function successors(state: AbstractState, action: Action, grains: Grains): AbstractState[] {
  if (state.control[action.side] !== action.from) return [];
  const control = controlAfter(state.control, action);
  return (action.kind === 'send' ? sent(state, action, grains) : received(state, action)).map((next) => ({
    ...next,
    control,
  }));
}

function sent(state: AbstractState, action: Action, grains: Grains): AbstractState[] {
  const { channel, type } = action;
  const chosen = fieldsOf(action).reduce((rest, field) => rest.withNatural(parameterName(field)), state.zone);
  let zone = guarded(chosen, action);
  if (zone === null) return [];
  if (action.silent !== null) {
    const updated = assigned(zone, action);
    return updated === null ? [] : [{ ...state, zone: withoutFields(updated, action) }];
  }
  const progress = new Map(state.progress);
  for (const field of fieldsOf(action)) {
    if (zone === null) return [];
    const [last, parameter] = [lastName(channel, type, field), parameterName(field)];
    if (zone.has(last)) {
      const step = fitting(-zone.difference(last, parameter), zone.difference(parameter, last));
      const key = slot(channel, type, field);
      progress.set(key, progress.has(key) ? joinProgress(progress.get(key), step)! : step);
      zone = zone.without(last);
    } else zone = zone.withEqual(firstName(channel, type, field), parameter, 0);
    zone = zone?.withEqual(last, parameter, 0) ?? null;
  }
  const updated = zone === null ? null : assigned(zone, action);
  if (updated === null) return [];
  const shape = appended(state.shapes[channel]!, type, grains[channel]!);
  return [
    {
      control: state.control,
      shapes: state.shapes.with(channel, shape),
      zone: withoutFields(updated, action),
      progress,
    },
  ];
}

function received(state: AbstractState, action: Action): AbstractState[] {
  const { channel } = action;
  if (action.silent === 'again') return copied(state, action);
  return consumed(state.shapes[channel]!, action.type).flatMap(({ shape, left }) => {
    const taken = left === 'none' ? takeLast(state, action) : takeFirst(state, action, left === 'one');
    if (taken === null) return [];
    const guardedZone = guarded(taken.zone, action);
    const updated = guardedZone === null ? null : assigned(guardedZone, action);
    if (updated === null) return [];
    return [
      {
        control: state.control,
        shapes: state.shapes.with(channel, shape),
        zone: withoutFields(updated, action),
        progress: taken.progress,
      },
    ];
  });
}

/** The head is looked at and stays. */
function copied(state: AbstractState, action: Action): AbstractState[] {
  const { channel, type } = action;
  if (!state.shapes[channel]![0]?.types.includes(type)) return [];
  let zone: Zone | null = state.zone;
  for (const field of fieldsOf(action))
    zone = zone?.withEqual(parameterName(field), firstName(channel, type, field), 0) ?? null;
  const taken = zone === null ? null : guarded(zone, action);
  const updated = taken === null ? null : assigned(taken, action);
  return updated === null ? [] : [{ ...state, zone: withoutFields(updated, action) }];
}

/** The head is the last message of its type. */
function takeLast(state: AbstractState, action: Action) {
  const { channel, type } = action;
  const progress = new Map(state.progress);
  let zone: Zone | null = state.zone;
  for (const field of fieldsOf(action)) {
    const [first, last] = [firstName(channel, type, field), lastName(channel, type, field)];
    zone = zone?.equated(first, last, 0)?.without(last).renamed(first, parameterName(field)) ?? null;
    progress.delete(slot(channel, type, field));
  }
  return zone === null ? null : { zone, progress };
}

/** Behind the head there are more of its type: the next one is the new first, and with `alone` also the last. */
function takeFirst(state: AbstractState, action: Action, alone: boolean) {
  const { channel, type } = action;
  const progress = new Map(state.progress);
  let zone: Zone | null = state.zone;
  for (const field of fieldsOf(action)) {
    const [first, last] = [firstName(channel, type, field), lastName(channel, type, field)];
    const parameter = parameterName(field);
    const known = state.progress.get(slot(channel, type, field)) ?? null;
    const [low, high] = rangeOf(known);
    zone = zone?.renamed(first, parameter).withNatural(first) ?? null;
    if (high < Number.POSITIVE_INFINITY) zone = zone?.limited(first, parameter, high) ?? null;
    if (low > Number.NEGATIVE_INFINITY) zone = zone?.limited(parameter, first, -low) ?? null;
    if (low >= 0) zone = zone?.limited(first, last, 0) ?? null;
    if (known === 'const' || alone) zone = zone?.equated(first, last, 0) ?? null;
    if (alone) progress.delete(slot(channel, type, field));
  }
  return zone === null ? null : { zone, progress };
}

const nameIn =
  (side: number) =>
  (variable: ActionVariable): string =>
    isField(variable) ? parameterName(fieldOf(variable)) : registerName(side, variable);

function guarded(zone: Zone, action: Action): Zone | null {
  let result: Zone | null = zone;
  for (const comparison of action.condition) {
    if (result === null) return null;
    result = constrained(result, comparison, nameIn(action.side));
  }
  return result;
}

function constrained<V>(
  zone: Zone,
  { sum, relation }: Comparison<V>,
  name: (variable: V) => string,
): Zone | null {
  const difference = asDifference(sum, name);
  if (difference === null) return zone;
  const { x, y, c } = difference;
  return relation === '=' ? zone.equated(x, y, c) : zone.limited(x, y, c);
}

/** sum <= 0 as x - y <= c, if it is one. */
function asDifference<V>(
  { terms, constant }: Linear<V>,
  name: (variable: V) => string,
): { x: string; y: string; c: number } | null {
  const positive = terms.filter(([, factor]) => factor === 1);
  const negative = terms.filter(([, factor]) => factor === -1);
  if (positive.length + negative.length !== terms.length || positive.length > 1 || negative.length > 1)
    return null;
  const x = positive[0] === undefined ? '0' : name(positive[0][0]);
  const y = negative[0] === undefined ? '0' : name(negative[0][0]);
  return x === y ? null : { x, y, c: -constant };
}

/** All registers at once: new values beside the old ones, then in their place. */
function assigned(zone: Zone, action: Action): Zone | null {
  const name = nameIn(action.side);
  let result: Zone | null = zone;
  for (const [index, { terms, constant }] of action.updates.entries()) {
    if (result === null) return null;
    const fresh = `new ${registerName(action.side, index)}`;
    const [only] = terms;
    if (terms.length === 0) result = result.withEqual(fresh, '0', constant);
    else if (terms.length === 1 && only![1] === 1) result = result.withEqual(fresh, name(only![0]), constant);
    else result = result.withNatural(fresh);
  }
  for (const index of action.updates.keys()) {
    const register = registerName(action.side, index);
    result = result?.without(register).renamed(`new ${register}`, register) ?? null;
  }
  return result;
}

export const presentTypes = (state: AbstractState, channel: number): number[] =>
  typesOf(state.shapes[channel]!);
