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
import { channelOf, SIDES } from '../model.ts';
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
  /** How the parameter of each step grows from round to round. */
  readonly slopes: readonly number[];
  readonly after: (rounds: number) => GlobalState;
}

interface TypedAffine extends Affine {
  readonly type: number;
}

/** Null where the loop is none, or not understood. The loop is one round that was taken from `start`. */
export function accelerate(
  protocol: Protocol,
  start: GlobalState,
  loop: readonly ConcreteStep[],
): Acceleration | null {
  const end = loop.at(-1)?.next;
  if (end === undefined || end.control.join() !== start.control.join()) return null;
  if (loop.some(({ action, repeated }) => action.silent === 'again' || repeated !== undefined)) return null;
  const channels = SIDES.map((channel) => streamOf(start.channels[channel], channel, loop));
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
  readonly heads: readonly TypedAffine[];
}

function streamOf(
  contents: readonly Message[],
  channel: 0 | 1,
  loop: readonly ConcreteStep[],
): Stream | null {
  const on = loop.filter(({ action }) => action.silent === null && channelOf(action) === channel);
  const taken = on.filter(({ action }) => action.kind === 'receive').length;
  const sent = on.filter(({ action }) => action.kind === 'send');
  const put = sent.length;
  const plain = { contents, taken, put, rounds: Number.POSITIVE_INFINITY, heads: [] };
  if (taken === 0 || contents.length === 0) return taken === put || taken === 0 ? plain : null;
  if (put === 0) return draining(plain);
  if (put !== taken || contents.length % taken !== 0) return null;
  const delay = contents.length / taken;
  const heads = sent.map(({ action, parameter }, j): TypedAffine => {
    const { type, parameter: at } = contents[j]!;
    return { type, at, per: type === action.type ? (parameter - at) / delay : Number.NaN };
  });
  const fits = contents.every(({ type, parameter }, i) => {
    const head = heads[i % taken]!;
    return type === head.type && parameter === valueIn(head, Math.floor(i / taken));
  });
  return fits ? { ...plain, heads } : null;
}

/** Nothing is put in: as many rounds as the messages go on as the first ones do. */
function draining(stream: Stream): Stream {
  const { contents, taken } = stream;
  const heads = contents.slice(0, taken).map(({ type, parameter: at }, j): TypedAffine => {
    const next = contents[j + taken];
    return { type, at, per: next === undefined ? 0 : next.parameter - at };
  });
  let rounds = 0;
  const goesOn = (round: number): boolean =>
    heads.every((head, j) => {
      const message = contents[round * taken + j];
      return message?.type === head.type && message.parameter === valueIn(head, round);
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
  private readonly heads: TypedAffine[][];
  private readonly put: TypedAffine[][] = [[], []];
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
      values.map((at, i) => ({ at, per: end.registers[side as 0 | 1][i]! - at })),
    );
    this.heads = channels.map(({ heads }) => [...heads]);
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
    for (const { at, per } of [...before.flat(), ...this.put.flat()])
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
    return this.put[channel]!.every(
      (message, j) => message.type === heads[j]!.type && sameFunction(message, later(heads[j]!, delay)),
    );
  }

  private parameterOf({ action, parameter }: ConcreteStep): Affine | null {
    if (action.kind === 'receive') return this.heads[channelOf(action)]![0] ?? null;
    return this.determined(action) ?? { at: parameter, per: 0 };
  }

  /** The parameter of a sending that an equation fixes. */
  private determined(action: Action): Affine | null {
    for (const { sum, relation } of action.condition) {
      const factor = sum.terms.find(([variable]) => variable === 'parameter')?.[1] ?? 0;
      if (relation !== '=' || Math.abs(factor) !== 1) continue;
      const rest = { ...sum, terms: sum.terms.filter(([variable]) => variable !== 'parameter') };
      const { at, per } = this.sum(rest, action.side, { at: 0, per: 0 });
      return { at: -at / factor + 0, per: -per / factor + 0 };
    }
    return null;
  }

  private sum({ terms, constant }: Linear<ActionVariable>, side: 0 | 1, parameter: Affine): Affine {
    let at = constant;
    let per = 0;
    for (const [variable, factor] of terms) {
      const value = variable === 'parameter' ? parameter : this.registers[side]![variable]!;
      at += factor * value.at;
      per += factor * value.per;
    }
    return { at, per };
  }

  private take(step: ConcreteStep): boolean {
    const { action } = step;
    const parameter = this.parameterOf(step);
    if (parameter === null || parameter.at !== step.parameter) return false;
    this.slopes.push(parameter.per);
    for (const [value, relation] of this.needs(action, parameter))
      this.most = Math.min(this.most, rounds(value, relation));
    const updated = action.updates.map((update) => this.sum(update, action.side, parameter));
    this.registers = this.registers.map((values, side) => (side === action.side ? updated : values));
    if (action.silent !== null) return true;
    const channel = channelOf(action);
    if (action.kind === 'receive') this.heads[channel]!.shift();
    else {
      const message = { type: action.type, ...parameter };
      this.put[channel]!.push(message);
      // With nothing in the channel before the round, what is taken was put in during the same round.
      if (this.channels[channel]!.contents.length === 0 && this.channels[channel]!.taken > 0)
        this.heads[channel]!.push(message);
    }
    return true;
  }

  private needs(
    action: Action,
    parameter: Affine,
  ): (readonly [Affine, Comparison<ActionVariable>['relation']])[] {
    return [
      ...action.condition.map(
        ({ sum, relation }) => [this.sum(sum, action.side, parameter), relation] as const,
      ),
      ...action.updates.map((update) => {
        const { at, per } = this.sum(update, action.side, parameter);
        return [{ at: -at, per: -per }, '<='] as const;
      }),
    ];
  }

  /** Before the step: when do the conditions of whatever could be done here change? */
  private look(taken: ConcreteStep): void {
    for (const side of SIDES) {
      const here = this.controlBefore(taken)[side];
      for (const action of this.protocol.machines[side].actions) {
        if (action.from !== here) continue;
        const parameter =
          action.kind === 'receive'
            ? (this.heads[channelOf(action)]![0] ?? { at: 0, per: 0 })
            : this.determined(action);
        for (const [{ at, per }] of this.needs(action, parameter ?? { at: 0, per: 0 })) {
          if (per === 0) continue;
          const crossing = Math.floor(-at / per);
          for (const round of [crossing - 1, crossing, crossing + 1]) if (round >= 1) this.turns.add(round);
        }
      }
    }
  }

  private controlBefore(step: ConcreteStep): readonly [number, number] {
    const index = this.loop.indexOf(step);
    return index === 0 ? this.start.control : this.loop[index - 1]!.next.control;
  }

  private after(before: readonly (readonly Affine[])[], count: number): GlobalState {
    const [first, second] = before.map((values) => values.map((value) => valueIn(value, count)));
    const [forth, back] = this.channels.map((stream, channel) => this.contentsAfter(stream, channel, count));
    return { control: this.start.control, registers: [first!, second!], channels: [forth!, back!] };
  }

  private contentsAfter({ contents, taken, put, heads }: Stream, channel: number, count: number): Message[] {
    if (taken === 0 && put === 0) return [...contents];
    if (taken === 0) {
      const added = Array.from({ length: count }, (_, round) =>
        this.put[channel]!.map((message) => ({ type: message.type, parameter: valueIn(message, round) })),
      );
      return [...contents, ...added.flat()];
    }
    if (put === 0) return contents.slice(taken * count);
    return contents.map((_, i) => {
      const head = heads[i % taken]!;
      return { type: head.type, parameter: valueIn(head, count + Math.floor(i / taken)) };
    });
  }
}

/** In how many rounds, from the first on, does `value <= 0` (or `= 0`) hold? */
function rounds({ at, per }: Affine, relation: '<=' | '='): number {
  if (relation === '=' ? at !== 0 : at > 0) return 0;
  if (relation === '=') return per === 0 ? Number.POSITIVE_INFINITY : 1;
  return per <= 0 ? Number.POSITIVE_INFINITY : Math.floor(-at / per) + 1;
}
