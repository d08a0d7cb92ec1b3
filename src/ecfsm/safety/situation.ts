// One case of one event: the symbolic state before it, the symbolic state after it, and what is known about both.
//
// The part of the channel that the event leaves alone is the basis: the whole word before a sending, the word without its head before a
// receiving. Its views are fresh (or empty, or of a known small length); the longer sequence follows by the rewriting rules. An explicit
// situation has a variable for every message instead and is exact.

import type { Action, ChannelEvent, Side, Subsequence } from '../model.ts';
import { keyOf, needsHead, SIDES } from '../model.ts';
import type { View } from '../sequence/views.ts';
import {
  Context,
  consView,
  emptyView,
  explicitView,
  snocView,
  stateLemmas,
  unknownView,
} from '../sequence/views.ts';
import type { Sum } from '../solver/linear.ts';
import { constantSum, lessOrEqual } from '../solver/linear.ts';
import type { ChannelCase, Operation } from './cases.ts';
import type { PreparedFormula } from './formula.ts';
import type { Reading } from './reading.ts';
import { linearOf, lookIn } from './reading.ts';

export interface Situation {
  readonly context: Context;
  /** The parameter of the message sent or received. */
  readonly parameter: Sum;
  readonly before: Reading;
  /** Registers and sequences after an action of this kind on this channel. */
  after(action: Action): Reading;
}

export const operationOn = (channel: Side, event: ChannelEvent | null): Operation =>
  event === null || event.channel !== channel ? { kind: 'none' } : { kind: event.kind, type: event.type };

interface Frame {
  readonly context: Context;
  readonly registers: readonly [readonly Sum[], readonly Sum[]];
  readonly parameter: Sum;
}

function newFrame({ protocol, definitions }: PreparedFormula): Frame {
  const context = new Context(definitions);
  const [first, second] = SIDES.map((side) => protocol.machines[side].registers.map(() => context.natural()));
  return { context, registers: [first!, second!], parameter: context.natural() };
}

function situation(frame: Frame, views: { before: Map<string, View>; after: Map<string, View> }): Situation {
  const { context, registers, parameter } = frame;
  const reading = (values: readonly [readonly Sum[], readonly Sum[]], of: Map<string, View>): Reading => ({
    register: (side, index) => values[side][index]!,
    view: (sequence) => of.get(keyOf(sequence))!,
  });
  return {
    context,
    parameter,
    before: reading(registers, views.before),
    after: (action) => {
      const look = lookIn(registers[action.side], parameter);
      const updated = action.updates.map((update) => linearOf(update, look));
      return reading(action.side === 0 ? [updated, registers[1]] : [registers[0], updated], views.after);
    },
  };
}

/** `sequences` and `cases` per channel, in the same order as the counts in the cases. */
export function symbolicSituation(
  formula: PreparedFormula,
  event: ChannelEvent | null,
  sequences: readonly [readonly Subsequence[], readonly Subsequence[]],
  cases: readonly [ChannelCase, ChannelCase],
  cap: number,
): Situation {
  const frame = newFrame(formula);
  const { context, parameter } = frame;
  const before = new Map<string, View>();
  const after = new Map<string, View>();
  for (const channel of SIDES) {
    sequences[channel].forEach((of, i) => {
      const key = keyOf(of);
      const basis = basisOf(context, cases[channel].counts[i]!, cap);
      before.set(key, basis.view);
      after.set(key, basis.view);
      if (event === null || event.channel !== channel || !of.types.includes(event.type)) return;
      if (event.kind === 'send') after.set(key, snocView(context, basis.view, parameter));
      else {
        const whole = withHead(context, parameter, basis);
        before.set(key, whole);
        if (event.kind === 'look') after.set(key, whole);
      }
    });
  }
  return situation(frame, { before, after });
}

interface Basis {
  readonly view: View;
  /** All its elements, where they are known. */
  readonly elements: readonly Sum[] | null;
}

function basisOf(context: Context, count: number, cap: number): Basis {
  if (count === 0) return { view: emptyView(context.definitions), elements: [] };
  if (count < cap) {
    const elements = Array.from({ length: count }, () => context.natural());
    return { view: explicitView(context, elements), elements };
  }
  const view = unknownView(context);
  stateLemmas(context, view);
  if (cap > 1) context.facts.push(lessOrEqual(constantSum(cap), view.value('len')!));
  return { view, elements: null };
}

function withHead(context: Context, head: Sum, { view, elements }: Basis): View {
  if (elements !== null) return explicitView(context, [head, ...elements]);
  const whole = consView(context, head, view);
  stateLemmas(context, whole);
  return whole;
}

/** Every message a variable: exact for these words of types before the event (the head of a receiving is `parameter`). */
export function explicitSituation(
  formula: PreparedFormula,
  event: ChannelEvent | null,
  sequences: readonly [readonly Subsequence[], readonly Subsequence[]],
  words: readonly [readonly number[], readonly number[]],
): Situation & { readonly messages: readonly [readonly Sum[], readonly Sum[]] } {
  const frame = newFrame(formula);
  const { context, parameter } = frame;
  const before = new Map<string, View>();
  const after = new Map<string, View>();
  const [first, second] = SIDES.map((channel) =>
    words[channel].map((_, i) =>
      i === 0 && needsHead(event) && event.channel === channel ? parameter : context.natural(),
    ),
  );
  const messages = [first!, second!] as const;
  for (const channel of SIDES) {
    const here = event?.channel === channel ? event : null;
    const received = here?.kind === 'receive' ? 1 : 0;
    const wordAfter = [...words[channel].slice(received), ...(here?.kind === 'send' ? [here.type] : [])];
    const messagesAfter = [
      ...messages[channel].slice(received),
      ...(here?.kind === 'send' ? [parameter] : []),
    ];
    for (const of of sequences[channel]) {
      const pick = (word: readonly number[], values: readonly Sum[]): View =>
        explicitView(
          context,
          values.filter((_, i) => of.types.includes(word[i]!)),
        );
      before.set(keyOf(of), pick(words[channel], messages[channel]));
      after.set(keyOf(of), here === null ? before.get(keyOf(of))! : pick(wordAfter, messagesAfter));
    }
  }
  return { ...situation(frame, { before, after }), messages };
}
