// What an .ecfsm file means after names are resolved: two machines, two channels, an invariant in disjunctive form, goals.
//
// [QLive] section 2 (Definitions 1-3) and 3.2 (atoms AF1-AF4). Guaranteed from here on: every index is in range, every action of a
// machine sends on its own outgoing channel or receives from its incoming one, every disjunct has one control state per machine and
// one language per channel, coefficients are small enough that sums in the solvers stay exact.

import type { Span } from '../source/source.ts';
import type { Language } from './language/language.ts';
import type { Regex } from './language/regex.ts';
import type { Definitions } from './sequence/definition.ts';

/** A machine, and also the channel it sends on: channel 0 runs from machine 0 to machine 1. */
export type Side = 0 | 1;
export const other = (side: Side): Side => (side === 0 ? 1 : 0);
export const SIDES: readonly Side[] = [0, 1];

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

/** In an action: a register of its own machine, or the parameter of its message. */
export type ActionVariable = number | 'parameter';

export interface Action {
  readonly name: string;
  readonly side: Side;
  readonly from: number;
  readonly to: number;
  /** What is internal, and a message that gets lost, counts as sent: it can be done at any time, but nothing gets into the channel. */
  readonly kind: 'send' | 'receive';
  /** What leaves the channels as they are; `again`: a copy is received, the message stays at the head. */
  readonly silent: 'internal' | 'lost' | 'again' | null;
  /** Index into the alphabet of the channel; −1 for what is internal. */
  readonly type: number;
  readonly condition: readonly Comparison<ActionVariable>[];
  /** One per register. The action is executable only where all of them are at least 0: registers hold natural numbers. */
  readonly updates: readonly Linear<ActionVariable>[];
  /** The action as the user wrote it, in one line. */
  readonly text: string;
  readonly span: Span;
}

export const channelOf = (action: Action): Side =>
  action.kind === 'send' ? action.side : other(action.side);

/** What the action does to a channel; null when nothing. */
export interface ChannelEvent {
  readonly channel: Side;
  /** `look`: the head is received, and stays. */
  readonly kind: 'send' | 'receive' | 'look';
  readonly type: number;
}

export function eventOf(action: Action): ChannelEvent | null {
  if (action.silent === 'internal' || action.silent === 'lost') return null;
  const kind = action.silent === 'again' ? 'look' : action.kind;
  return { channel: channelOf(action), kind, type: action.type };
}

/** Does the event need a message of its type at the head? */
export const needsHead = (event: ChannelEvent | null): event is ChannelEvent =>
  event !== null && event.kind !== 'send';

/** `send D(3)`, `lose D(3)`, `internal`: what happens, in a run. */
export function deedOf(protocol: Protocol, action: Action, parameter: number): string {
  if (action.silent === 'internal') return 'internal';
  const message = `${protocol.alphabets[channelOf(action)][action.type]}(${parameter})`;
  if (action.silent === 'again') return `receive a copy of ${message}`;
  return action.silent === 'lost' ? `send ${message}, which is lost` : `${action.kind} ${message}`;
}

export interface Machine {
  readonly name: string;
  readonly states: readonly string[];
  readonly registers: readonly string[];
  /** Per control state: may the machine stay there for good? */
  readonly final: readonly boolean[];
  readonly actions: readonly Action[];
}

export interface RegisterVariable {
  readonly kind: 'register';
  readonly side: Side;
  readonly index: number;
}

/** The parameters of the messages of these types on this channel, in their order: subseq(channel, types). */
export interface Subsequence {
  readonly channel: Side;
  /** Sorted indexes into the channel's alphabet. */
  readonly types: readonly number[];
}

export const keyOf = (sequence: Subsequence): string => `${sequence.channel}:${sequence.types.join(',')}`;

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
  readonly control: readonly [number, number];
  readonly shapes: readonly [Regex, Regex];
  readonly languages: readonly [Language, Language];
  readonly predicates: readonly SequenceAtom[];
  readonly relations: readonly Comparison<StateVariable>[];
  readonly span: Span | null;
}

export interface InitialStates {
  readonly control: readonly [number, number];
  readonly relations: readonly Comparison<RegisterVariable>[];
}

export interface Goal {
  readonly name: string;
  /** Indexes into the invariant. */
  readonly disjuncts: readonly number[];
  /** Where the goal is given by control states alone: those of each machine. */
  readonly control: readonly [readonly number[], readonly number[]] | null;
  readonly span: Span | null;
}

export interface Protocol {
  readonly name: string;
  readonly machines: readonly [Machine, Machine];
  /** Message types per channel. */
  readonly alphabets: readonly [readonly string[], readonly string[]];
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

export const channelName = (protocol: Protocol, channel: Side): string =>
  `${protocol.machines[channel].name}->${protocol.machines[other(channel)].name}`;
