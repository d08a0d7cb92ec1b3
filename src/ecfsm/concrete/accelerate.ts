// A loop of steps, many times at once: what a state becomes after k rounds, and for which k the loop can be taken.
//
// Conditions and assignments are linear, so if every register and every message is an affine function of the number of the round at the beginning of a
// round, it is one at every step of it, and every condition becomes `a + b·k <= 0`: it holds up to a round that can be computed. The functions are read off
// one round that was really taken, and then *checked* symbolically: the values at the end of round k are those at the beginning of round k + 1, identically in
// k. What comes out is exact, no approximation (acceleration of counter systems, Boigelot 1998; here without any set of states, along one run).
//
// Channels: a loop that does not touch a channel, one that takes out as many messages as it puts in (the message that is taken in round k was put in d
// rounds before), one that only puts in, and one that takes out a row of numbers that are affine themselves.

import type { Action, ActionVariable, Comparison, Linear, Protocol } from '../model.ts';
import { fieldVariable, isField, lookUp } from '../model.ts';
import type { GlobalState, Message } from './state.ts';
import type { ConcreteStep } from './step.ts';
import { exactUpTo } from './step.ts';

/** at + per · k in round k = 0, 1, 2, … */
export interface Affine {
  readonly at: number;
  readonly per: number;
}

const valueIn = ({ at, per }: Affine, round: number): number => at + per * round;
const sameFunction = (a: Affine, b: Affine): boolean => a.at === b.at && a.per === b.per;
const later = ({ at, per }: Affine, rounds: number): Affine => ({ at: at + per * rounds, per });

export interface Acceleration {
  /** So many rounds can be taken; infinitely many perhaps. */
  readonly most: number;
  /** Rounds after which a condition of some action that can be looked at on the way changes its truth. */
  readonly turns: readonly number[];
  /** How every field of each step grows from round to round. */
  readonly slopes: readonly number[];
  readonly after: (rounds: number) => GlobalState;
}

/** A message, each of its fields a function of the round. */
interface AffineMessage {
  readonly type: number;
  readonly fields: readonly Affine[];
}

const messageIn = ({ type, fields }: AffineMessage, round: number): Message => ({
  type,
  parameters: fields.map((field) => valueIn(field, round)),
});
const sameMessage = (a: Message, b: Message): boolean =>
  a.type === b.type && a.parameters.every((value, field) => value === b.parameters[field]);

/** Null where the loop is none, or not understood. The loop is one round that was taken from `start`. */
export function accelerate(
  protocol: Protocol,
  start: GlobalState,
  loop: readonly ConcreteStep[],
): Acceleration | null {
  const end = loop.at(-1)?.next;
  if (end === undefined || end.control.join() !== start.control.join()) return null;
  if (loop.some(({ action, repeated }) => action.silent === 'again' || repeated !== undefined)) return null;
  const channels = protocol.channels.map((_, channel) => streamOf(start.channels[channel]!, channel, loop));
  if (channels.includes(null)) return null;
  return new Round(protocol, start, loop, channels as Stream[]).result();
}

/** One channel during the loop. */
interface Stream {
  readonly contents: readonly Message[];
  readonly taken: number;
  readonly put: number;
  /** Messages taken are known in advance up to this round. */
  readonly rounds: number;
  /** What is at the head when the j-th message of a round is taken, where it was there before the round. */
  readonly heads: readonly AffineMessage[];
}

function streamOf(
  contents: readonly Message[],
  channel: number,
  loop: readonly ConcreteStep[],
): Stream | null {
  const on = loop.filter(({ action }) => action.silent === null && action.channel === channel);
  const taken = on.filter(({ action }) => action.kind === 'receive').length;
  const sent = on.filter(({ action }) => action.kind === 'send');
  const put = sent.length;
  const plain = { contents, taken, put, rounds: Number.POSITIVE_INFINITY, heads: [] };
  if (taken === 0 || contents.length === 0) return taken === put || taken === 0 ? plain : null;
  if (put === 0) return draining(plain);
  if (put !== taken || contents.length % taken !== 0) return null;
  const delay = contents.length / taken;
  const heads = sent.map(({ action, parameters }, j): AffineMessage => {
    const { type, parameters: first } = contents[j]!;
    const fields = first.map((at, field) => ({
      at,
      per: type === action.type ? (parameters[field]! - at) / delay : Number.NaN,
    }));
    return { type, fields };
  });
  const fits = contents.every((message, i) =>
    sameMessage(message, messageIn(heads[i % taken]!, Math.floor(i / taken))),
  );
  return fits ? { ...plain, heads } : null;
}

/** Nothing is put in: as many rounds as the messages go on as the first ones do. */
function draining(stream: Stream): Stream {
  const { contents, taken } = stream;
  const heads = contents.slice(0, taken).map(({ type, parameters }, j): AffineMessage => {
    const next = contents[j + taken];
    const fields = parameters.map((at, field) => ({
      at,
      per: next?.type === type ? next.parameters[field]! - at : 0,
    }));
    return { type, fields };
  });
  let rounds = 0;
  const goesOn = (round: number): boolean =>
    heads.every((head, j) => {
      const message = contents[round * taken + j];
      return message !== undefined && sameMessage(message, messageIn(head, round));
    });
  while (goesOn(rounds)) rounds++;
  return { ...stream, heads, rounds };
}

class Round {
  private readonly protocol: Protocol;
  private readonly start: GlobalState;
  private readonly loop: readonly ConcreteStep[];
  private readonly channels: readonly Stream[];
  private registers: Affine[][];
  private readonly heads: AffineMessage[][];
  private readonly put: AffineMessage[][];
  private readonly turns = new Set<number>();
  private readonly slopes: number[] = [];
  private most: number;

  constructor(
    protocol: Protocol,
    start: GlobalState,
    loop: readonly ConcreteStep[],
    channels: readonly Stream[],
  ) {
    this.protocol = protocol;
    this.start = start;
    this.loop = loop;
    this.channels = channels;
    const end = loop.at(-1)!.next;
    this.registers = start.registers.map((values, side) =>
      values.map((at, i) => ({ at, per: end.registers[side]![i]! - at })),
    );
    this.heads = channels.map(({ heads }) => [...heads]);
    this.put = channels.map(() => []);
    this.most = Math.min(...channels.map(({ rounds }) => rounds));
  }

  result(): Acceleration | null {
    const before = this.registers;
    for (const step of this.loop) {
      this.look(step);
      if (!this.take(step)) return null;
    }
    const closed =
      this.registers.every((values, side) =>
        values.every((value, i) => sameFunction(value, later(before[side]![i]!, 1))),
      ) && this.channels.every((_, channel) => this.isClosed(channel));
    if (!closed) return null;
    const limit = exactUpTo(this.protocol) / 2;
    const sent = this.put.flat().flatMap(({ fields }) => fields);
    for (const { at, per } of [...before.flat(), ...sent])
      if (per > 0) this.most = Math.min(this.most, Math.floor((limit - at) / per));
    return {
      most: Math.max(0, this.most),
      turns: [...this.turns],
      slopes: this.slopes,
      after: (rounds) => this.after(before, rounds),
    };
  }

  /** What is put in is what will be taken out, later. */
  private isClosed(channel: number): boolean {
    const { contents, taken, put, heads } = this.channels[channel]!;
    if (taken === 0 || put === 0) return true;
    if (contents.length === 0) return this.heads[channel]!.length === 0;
    const delay = contents.length / taken;
    return this.put[channel]!.every(({ type, fields }, j) => {
      const head = heads[j]!;
      return (
        type === head.type && fields.every((field, k) => sameFunction(field, later(head.fields[k]!, delay)))
      );
    });
  }

  private fieldsOf({ action, parameters }: ConcreteStep): readonly Affine[] | null {
    if (action.kind === 'receive') return this.heads[action.channel]![0]?.fields ?? null;
    return this.determined(action).map((field, k) => field ?? { at: parameters[k]!, per: 0 });
  }

  /** The fields of a sending that an equation fixes, without the others. */
  private determined(action: Action): (Affine | null)[] {
    return Array.from({ length: action.fields }, (_, field): Affine | null => {
      for (const { sum, relation } of action.condition) {
        const [own, ...others] = sum.terms.filter(([variable]) => isField(variable));
        if (relation !== '=' || own?.[0] !== fieldVariable(field) || others.length > 0) continue;
        const [, factor] = own;
        if (Math.abs(factor) !== 1) continue;
        const rest = { ...sum, terms: sum.terms.filter(([variable]) => !isField(variable)) };
        const { at, per } = this.sum(rest, action.side, []);
        return { at: -at / factor + 0, per: -per / factor + 0 };
      }
      return null;
    });
  }

  private sum({ terms, constant }: Linear<ActionVariable>, side: number, fields: readonly Affine[]): Affine {
    const look = lookUp(this.registers[side]!, fields);
    let at = constant;
    let per = 0;
    for (const [variable, factor] of terms) {
      const value = look(variable);
      at += factor * value.at;
      per += factor * value.per;
    }
    return { at, per };
  }

  private take(step: ConcreteStep): boolean {
    const { action } = step;
    const fields = this.fieldsOf(step);
    if (fields === null || fields.some(({ at }, k) => at !== step.parameters[k])) return false;
    this.slopes.push(...fields.map(({ per }) => per));
    for (const [value, relation] of this.needs(action, fields))
      this.most = Math.min(this.most, rounds(value, relation));
    const updated = action.updates.map((update) => this.sum(update, action.side, fields));
    this.registers = this.registers.map((values, side) => (side === action.side ? updated : values));
    if (action.silent !== null) return true;
    const channel = action.channel;
    if (action.kind === 'receive') this.heads[channel]!.shift();
    else {
      const message = { type: action.type, fields };
      this.put[channel]!.push(message);
      // With nothing in the channel before the round, what is taken was put in during the same round.
      if (this.channels[channel]!.contents.length === 0 && this.channels[channel]!.taken > 0)
        this.heads[channel]!.push(message);
    }
    return true;
  }

  private needs(
    action: Action,
    fields: readonly Affine[],
  ): (readonly [Affine, Comparison<ActionVariable>['relation']])[] {
    return [
      ...action.condition.map(({ sum, relation }) => [this.sum(sum, action.side, fields), relation] as const),
      ...action.updates.map((update) => {
        const { at, per } = this.sum(update, action.side, fields);
        return [{ at: -at, per: -per }, '<='] as const;
      }),
    ];
  }

  /** Before the step: when do the conditions of whatever could be done here change? */
  private look(taken: ConcreteStep): void {
    const control = this.controlBefore(taken);
    const unknown: Affine = { at: 0, per: 0 };
    for (const [side, { actions }] of this.protocol.machines.entries()) {
      for (const action of actions) {
        if (action.from !== control[side]) continue;
        const head = action.kind === 'receive' ? this.heads[action.channel]![0] : undefined;
        const isHere = head !== undefined && head.type === action.type;
        const known = action.kind === 'receive' ? (isHere ? head.fields : []) : this.determined(action);
        const fields = Array.from({ length: action.fields }, (_, field) => known[field] ?? unknown);
        for (const [{ at, per }] of this.needs(action, fields)) {
          if (per === 0) continue;
          const crossing = Math.floor(-at / per);
          for (const round of [crossing - 1, crossing, crossing + 1]) if (round >= 1) this.turns.add(round);
        }
      }
    }
  }

  private controlBefore(step: ConcreteStep): readonly number[] {
    const index = this.loop.indexOf(step);
    return index === 0 ? this.start.control : this.loop[index - 1]!.next.control;
  }

  private after(before: readonly (readonly Affine[])[], count: number): GlobalState {
    return {
      control: this.start.control,
      registers: before.map((values) => values.map((value) => valueIn(value, count))),
      channels: this.channels.map((stream, channel) => this.contentsAfter(stream, channel, count)),
    };
  }

  private contentsAfter({ contents, taken, put, heads }: Stream, channel: number, count: number): Message[] {
    if (taken === 0 && put === 0) return [...contents];
    if (taken === 0) {
      const added = Array.from({ length: count }, (_, round) =>
        this.put[channel]!.map((message) => messageIn(message, round)),
      );
      return [...contents, ...added.flat()];
    }
    if (put === 0) return contents.slice(taken * count);
    return contents.map((_, i) => messageIn(heads[i % taken]!, count + Math.floor(i / taken)));
  }
}

/** In how many rounds, from the first on, does `value <= 0` (or `= 0`) hold? */
function rounds({ at, per }: Affine, relation: '<=' | '='): number {
  if (relation === '=' ? at !== 0 : at > 0) return 0;
  if (relation === '=') return per === 0 ? Number.POSITIVE_INFINITY : 1;
  return per <= 0 ? Number.POSITIVE_INFINITY : Math.floor(-at / per) + 1;
}
