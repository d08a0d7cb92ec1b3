// What an .ecfsm file means after names are resolved: machines, channels between them, an invariant in disjunctive form, goals.
//
// [QLive] section 2 (Definitions 1-3) and 3.2 (atoms AF1-AF4), for any number of machines and messages of several fields (docs/ecfsm.md says why the
// theorems carry over). Guaranteed from here on: every index is in range, every action of a machine sends on a channel that begins at it or receives from one that
// ends at it, every disjunct has one control state per machine and one language per channel, coefficients are small enough that sums in the solvers stay exact.

import type { Span } from '../source/source.ts';
import type { Language } from './language/language.ts';
import type { Regex } from './language/regex.ts';
import type { Definitions } from './sequence/definition.ts';

/** Machines are numbered, and so are channels; with two machines, channel 0 runs from machine 0 to machine 1. */
export interface Channel {
  readonly from: number;
  readonly to: number;
}

/** A sum of whole-number multiples plus a constant; what the variables are depends on where it stands. */
export interface Linear<V> {
  readonly terms: readonly (readonly [V, number])[];
  readonly constant: number;
}

/** `sum <= 0` or `sum = 0`. */
export interface Comparison<V> {
  readonly sum: Linear<V>;
  readonly relation: '<=' | '=';
}

/** In an action: a register of its own machine, from 0 on, or a field of its message, from −1 downwards. */
export type ActionVariable = number;
export const fieldVariable = (field: number): ActionVariable => -1 - field;
export const isField = (variable: ActionVariable): boolean => variable < 0;
export const fieldOf = (variable: ActionVariable): number => -1 - variable;

/** Values of registers and of the fields of a message, as an action sees them. */
export const lookUp =
  <T>(registers: readonly T[], fields: readonly T[]) =>
  (variable: ActionVariable): T =>
    (variable < 0 ? fields[fieldOf(variable)] : registers[variable])!;

export interface Action {
  readonly name: string;
  readonly side: number;
  readonly from: number;
  readonly to: number;
  /** What is internal, and a message that gets lost, counts as sent: it can be done at any time, but nothing gets into the channel. */
  readonly kind: 'send' | 'receive';
  /** What leaves the channels as they are; `again`: a copy is received, the message stays at the head. */
  readonly silent: 'internal' | 'lost' | 'again' | null;
  /** The channel that is written or read, and the type, an index into its alphabet; both −1 for what is internal. */
  readonly channel: number;
  readonly type: number;
  /** How many fields the message has. */
  readonly fields: number;
  readonly condition: readonly Comparison<ActionVariable>[];
  /** One per register. The action is executable only where all of them are at least 0: registers hold natural numbers. */
  readonly updates: readonly Linear<ActionVariable>[];
  /** The action as the user wrote it, in one line. */
  readonly text: string;
  readonly span: Span;
}

/** The control states after the action. */
export const controlAfter = (control: readonly number[], { side, to }: Action): readonly number[] =>
  control.with(side, to);

/** What the action does to a channel; null when nothing. */
export interface ChannelEvent {
  readonly channel: number;
  /** `look`: the head is received, and stays. */
  readonly kind: 'send' | 'receive' | 'look';
  readonly type: number;
}

export function eventOf(action: Action): ChannelEvent | null {
  if (action.silent === 'internal' || action.silent === 'lost') return null;
  const kind = action.silent === 'again' ? 'look' : action.kind;
  return { channel: action.channel, kind, type: action.type };
}

/** Does the event need a message of its type at the head? */
export const needsHead = (event: ChannelEvent | null): event is ChannelEvent =>
  event !== null && event.kind !== 'send';

/** `D(3, 1)` */
export const showMessage = (
  protocol: Protocol,
  channel: number,
  type: number,
  parameters: readonly number[],
): string => `${protocol.alphabets[channel]![type]}(${parameters.join(', ')})`;

/** `send D(3)`, `lose D(3)`, `internal`: what happens, in a run. */
export function deedOf(protocol: Protocol, action: Action, parameters: readonly number[]): string {
  if (action.silent === 'internal') return 'internal';
  const message = showMessage(protocol, action.channel, action.type, parameters);
  if (action.silent === 'again') return `receive a copy of ${message}`;
  return action.silent === 'lost' ? `send ${message}, which is lost` : `${action.kind} ${message}`;
}

export interface RegisterMachine {
  readonly name: string;
  readonly states: readonly string[];
  readonly registers: readonly string[];
  /** Per control state: may the machine stay there for good? */
  readonly final: readonly boolean[];
  /** Per control state: the channels whose messages have to wait there. The machine has no action there that receives from them. */
  readonly deferred: readonly (readonly number[])[];
  readonly actions: readonly Action[];
}

export interface RegisterVariable {
  readonly kind: 'register';
  readonly side: number;
  readonly index: number;
}

/** One field of the messages of these types on this channel, in their order: subseq(channel, types). */
export interface Subsequence {
  readonly channel: number;
  /** Sorted indexes into the channel's alphabet. */
  readonly types: readonly number[];
  /** For each of the types: which field of it. */
  readonly fields: readonly number[];
}

export const sequenceOf = (channel: number, type: number, field = 0): Subsequence => ({
  channel,
  types: [type],
  fields: [field],
});

export const keyOf = ({ channel, types, fields }: Subsequence): string =>
  `${channel}:${types.join(',')}:${fields.join(',')}`;

/** The element that a message of this type adds to the sequence; null when it adds none. */
export function elementOf<T>({ types, fields }: Subsequence, type: number, values: readonly T[]): T | null {
  const at = types.indexOf(type);
  return at < 0 ? null : values[fields[at]!]!;
}

export interface SequenceTerm {
  readonly kind: 'function';
  readonly name: string;
  readonly of: Subsequence;
}

export type StateVariable = RegisterVariable | SequenceTerm;

/** An atom of kind AF3: a predicate on a sequence of parameters. */
export interface SequenceAtom {
  readonly predicate: string;
  readonly of: Subsequence;
}

/**
 * One disjunct of the invariant: control states (AF1), one language per channel (AF2), sequence predicates (AF3), and linear
 * relations (AF4). A relation that mentions a function without a value on the empty sequence holds wherever that sequence is empty.
 */
export interface Disjunct {
  readonly name: string;
  readonly control: readonly number[];
  readonly shapes: readonly Regex[];
  readonly languages: readonly Language[];
  readonly predicates: readonly SequenceAtom[];
  readonly relations: readonly Comparison<StateVariable>[];
  readonly span: Span | null;
}

export interface InitialStates {
  readonly control: readonly number[];
  readonly relations: readonly Comparison<RegisterVariable>[];
}

export interface Goal {
  readonly name: string;
  /** Indexes into the invariant. */
  readonly disjuncts: readonly number[];
  /** Where the goal is given by control states alone: those of each machine. */
  readonly control: readonly (readonly number[])[] | null;
  readonly span: Span | null;
}

export interface Protocol {
  readonly name: string;
  readonly machines: readonly RegisterMachine[];
  readonly channels: readonly Channel[];
  /** Message types per channel. */
  readonly alphabets: readonly (readonly string[])[];
  /** Per channel and type: the names of the fields, at least one. */
  readonly fields: readonly (readonly (readonly string[])[])[];
  readonly initial: readonly InitialStates[];
  readonly definitions: Definitions;
}

export interface Model {
  readonly protocol: Protocol;
  readonly invariant: readonly Disjunct[];
  readonly goals: readonly Goal[];
  /** The file's text outside the invariant and the goals, so that a new formula can be printed into it. */
  readonly frame: string;
  /** The goals given by control states, as the user wrote them: they have a meaning for any formula. */
  readonly goalTexts: readonly string[];
}

export function channelName({ machines, channels }: Protocol, channel: number): string {
  const { from, to } = channels[channel]!;
  return `${machines[from]!.name}->${machines[to]!.name}`;
}

/** The channels that end at a machine. */
export const incoming = ({ channels }: Protocol, side: number): number[] =>
  channels.flatMap(({ to }, channel) => (to === side ? [channel] : []));

/** All channels: first those that end at the first machine. */
export const byReceiver = (protocol: Protocol): number[] =>
  protocol.machines.flatMap((_, side) => incoming(protocol, side));

/** Must what is in the channel wait in these control states? */
export const isDeferred = (
  { machines, channels }: Protocol,
  control: readonly number[],
  channel: number,
): boolean => {
  const { to } = channels[channel]!;
  return machines[to]!.deferred[control[to]!]!.includes(channel);
};

/** The most fields that a message has. */
export const mostFields = ({ fields }: Protocol): number =>
  Math.max(1, ...fields.flat().map((names) => names.length));

/** `A@idle, B@wait` as names of states. */
export const controlNames = ({ machines }: Protocol, control: readonly number[]): string[] =>
  machines.map(({ states }, side) => states[control[side]!]!);

/** `B receives`, or `B receives from A` where there are others. */
export function receptionName({ machines, channels }: Protocol, channel: number): string {
  const { from, to } = channels[channel]!;
  const isOnly = channels.filter((one) => one.to === to).length === 1;
  return `${machines[to]!.name} receives${isOnly ? '' : ` from ${machines[from]!.name}`}`;
}
