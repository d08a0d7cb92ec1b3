// One case of one event: the symbolic state before it, the symbolic state after it, and what is known about both.
//
// The part of the channel that the event leaves alone is the basis: the whole word before a sending, the word without its head before a
// receiving. Its views are fresh (or empty, or of a known small length); the longer sequence follows by the rewriting rules. An explicit
// situation has a variable for every message instead and is exact.

import type { Action, ChannelEvent, Subsequence } from '../model.ts';
import { elementOf, keyOf, lookUp, mostFields, needsHead } from '../model.ts';
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
import { constantSum, equalTo, lessOrEqual } from '../solver/linear.ts';
import type { ChannelCase, Operation } from './cases.ts';
import type { PreparedFormula } from './formula.ts';
import type { Reading } from './reading.ts';
import { linearOf } from './reading.ts';

export interface Situation {
  readonly context: Context;
  /** The fields of the message sent or received; as many as any message has. */
  readonly parameters: readonly Sum[];
  readonly before: Reading;
  /** Registers and sequences after an action of this kind on this channel. */
  after(action: Action): Reading;
}

export const operationOn = (channel: number, event: ChannelEvent | null): Operation =>
  event === null || event.channel !== channel ? { kind: 'none' } : { kind: event.kind, type: event.type };

interface Frame {
  readonly context: Context;
  readonly registers: readonly (readonly Sum[])[];
  readonly parameters: readonly Sum[];
}

function newFrame({ protocol, definitions }: PreparedFormula): Frame {
  const context = new Context(definitions);
  const registers = protocol.machines.map((machine) => machine.registers.map(() => context.natural()));
  const parameters = Array.from({ length: mostFields(protocol) }, () => context.natural());
  return { context, registers, parameters };
}

function situation(frame: Frame, views: { before: Map<string, View>; after: Map<string, View> }): Situation {
  const { context, registers, parameters } = frame;
  const reading = (values: readonly (readonly Sum[])[], of: Map<string, View>): Reading => ({
    register: (side, index) => values[side]![index]!,
    view: (sequence) => of.get(keyOf(sequence))!,
  });
  return {
    context,
    parameters,
    before: reading(registers, views.before),
    after: (action) => {
      const look = lookUp(registers[action.side]!, parameters);
      const updated = action.updates.map((update) => linearOf(update, look));
      return reading(registers.with(action.side, updated), views.after);
    },
  };
}

/** `sequences` and `cases` per channel, in the same order as the counts in the cases. */
export function symbolicSituation(
  formula: PreparedFormula,
  event: ChannelEvent | null,
  sequences: readonly (readonly Subsequence[])[],
  cases: readonly ChannelCase[],
  cap: number,
): Situation {
  const frame = newFrame(formula);
  const { context, parameters } = frame;
  const before = new Map<string, View>();
  const after = new Map<string, View>();
  for (const [channel, spoken] of sequences.entries()) {
    const bases = spoken.map((_, i) => basisOf(context, cases[channel]!.counts[i]!, cap));
    stateLengths(context, spoken, bases);
    spoken.forEach((of, i) => {
      const key = keyOf(of);
      const basis = bases[i]!;
      before.set(key, basis.view);
      after.set(key, basis.view);
      if (event === null || event.channel !== channel) return;
      const element = elementOf(of, event.type, parameters);
      if (element === null) return;
      if (event.kind === 'send') after.set(key, snocView(context, basis.view, element));
      else {
        const whole = withHead(context, element, basis);
        before.set(key, whole);
        if (event.kind === 'look') after.set(key, whole);
      }
    });
  }
  return situation(frame, { before, after });
}

/** Two fields of the same messages: as many of the one as of the other. */
function stateLengths(context: Context, spoken: readonly Subsequence[], bases: readonly Basis[]): void {
  const first = new Map<string, Basis>();
  for (const [i, { types }] of spoken.entries()) {
    const basis = bases[i]!;
    const known = first.get(types.join());
    if (known === undefined) first.set(types.join(), basis);
    else if (basis.elements === null)
      context.facts.push(equalTo(known.view.value('len')!, basis.view.value('len')!));
  }
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

/** Every field of every message a variable: exact for these words of types before the event (the head of a receiving is `parameters`). */
export function explicitSituation(
  formula: PreparedFormula,
  event: ChannelEvent | null,
  sequences: readonly (readonly Subsequence[])[],
  words: readonly (readonly number[])[],
): Situation & { readonly messages: readonly (readonly (readonly Sum[])[])[] } {
  const frame = newFrame(formula);
  const { context, parameters } = frame;
  const { fields } = formula.protocol;
  const before = new Map<string, View>();
  const after = new Map<string, View>();
  const messages = words.map((word, channel) =>
    word.map((type, i) =>
      i === 0 && needsHead(event) && event.channel === channel
        ? parameters
        : fields[channel]![type]!.map(() => context.natural()),
    ),
  );
  for (const [channel, spoken] of sequences.entries()) {
    const here = event?.channel === channel ? event : null;
    const received = here?.kind === 'receive' ? 1 : 0;
    const wordAfter = [...words[channel]!.slice(received), ...(here?.kind === 'send' ? [here.type] : [])];
    const messagesAfter = [
      ...messages[channel]!.slice(received),
      ...(here?.kind === 'send' ? [parameters] : []),
    ];
    for (const of of spoken) {
      const pick = (word: readonly number[], values: readonly (readonly Sum[])[]): View =>
        explicitView(
          context,
          values.flatMap((value, i) => elementOf(of, word[i]!, value) ?? []),
        );
      before.set(keyOf(of), pick(words[channel]!, messages[channel]!));
      after.set(keyOf(of), here === null ? before.get(keyOf(of))! : pick(wordAfter, messagesAfter));
    }
  }
  return { ...situation(frame, { before, after }), messages };
}
