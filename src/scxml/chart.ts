// A statechart as the W3C's recommendation has it, with names resolved and every part at its place in the source.
//
// States are numbered in document order, the root (`<scxml>` itself) is number 0: comparing numbers is comparing document order, and a state's
// descendants are the numbers after it up to `last`. Guaranteed from here on: targets exist, initial states are descendants of their state, the
// targets of one transition can be active together, attributes have legal values. Expressions are texts; what is wrong with them shows at run time,
// as an `error.execution`.

import type { SourceFile, Span } from '../source/source.ts';
import type { Encoded } from './sandbox.ts';

export type Datamodel = 'null' | 'ecmascript';

export interface Chart {
  readonly file: SourceFile;
  /** The `name` attribute, or what the file is called. */
  readonly name: string;
  readonly datamodel: Datamodel;
  readonly binding: 'early' | 'late';
  /** Indexed by number. */
  readonly states: readonly State[];
  /** Indexed by their own number, in document order; the default transitions of `initial` and `history` are not among them. */
  readonly transitions: readonly Transition[];
  readonly stateNumbers: ReadonlyMap<string, number>;
  /** What the document says about events from outside; null: nothing. */
  readonly environment: readonly OutsideEvent[] | null;
  /** Top-level scripts, in document order. */
  readonly scripts: readonly Script[];
  readonly span: Span;
}

/** An event that the world outside may send, with one value that it may carry. */
export interface OutsideEvent {
  readonly name: string;
  readonly data: Encoded;
}

export type StateKind =
  | 'root'
  | 'atomic'
  | 'compound'
  | 'parallel'
  | 'final'
  | 'shallow-history'
  | 'deep-history';

export interface State {
  readonly number: number;
  /** The id; one that the document does not give is made up and begins with '#'. */
  readonly name: string;
  readonly kind: StateKind;
  /** -1 for the root. */
  readonly parent: number;
  /** Child states without histories, in document order. */
  readonly children: readonly number[];
  /** History states directly inside. */
  readonly histories: readonly number[];
  /** The number of the last descendant, itself when there is none. */
  readonly last: number;
  /** Default entry of the root and of compound states, default of a history. */
  readonly initial: DefaultTransition | null;
  readonly transitions: readonly number[];
  /** Each handler is a block of its own: an error ends only that block. */
  readonly onEntry: readonly (readonly Action[])[];
  readonly onExit: readonly (readonly Action[])[];
  readonly data: readonly DataItem[];
  readonly invokes: readonly Invoke[];
  readonly doneData: DoneData | null;
  /** `spillway:tags`; the tag `progress` marks progress. */
  readonly tags: readonly string[];
  readonly span: Span;
}

export interface DefaultTransition {
  readonly targets: readonly number[];
  readonly actions: readonly Action[];
  readonly span: Span;
}

export interface Transition {
  readonly number: number;
  readonly source: number;
  /** Event descriptors without a trailing `.*`; '*' is any event. Empty: eventless. */
  readonly events: readonly string[];
  readonly condition: Code | null;
  /** Empty: targetless. */
  readonly targets: readonly number[];
  readonly internal: boolean;
  readonly actions: readonly Action[];
  readonly span: Span;
}

/** A piece of the data model's language. */
export interface Code {
  readonly text: string;
  readonly span: Span;
}

export interface DataItem {
  readonly id: string;
  readonly value: Code | Content | null;
  readonly span: Span;
}

/** What stands inside `<content>`, `<data>` or `<assign>`, or in the file `src` names. */
export interface Content {
  readonly kind: 'content';
  readonly text: string;
  /** The markup, where it is XML. */
  readonly xml: string | null;
  readonly span: Span;
}

export interface Script {
  readonly code: Code;
  readonly span: Span;
}

/** An attribute that is written out, or an expression in its place. */
export type Given =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly code: Code };

export interface Parameter {
  readonly name: string;
  /** `expr`, or the location itself: both are read the same way. */
  readonly value: Code;
}

export interface Payload {
  readonly names: readonly Code[];
  readonly parameters: readonly Parameter[];
  readonly content: Content | Code | null;
}

export type Action =
  | { readonly kind: 'raise'; readonly event: string; readonly span: Span }
  | SendAction
  | { readonly kind: 'cancel'; readonly sendId: Given; readonly span: Span }
  | { readonly kind: 'log'; readonly label: string; readonly value: Code | null; readonly span: Span }
  | { readonly kind: 'assign'; readonly location: Code; readonly value: Code | Content; readonly span: Span }
  | { readonly kind: 'script'; readonly code: Code; readonly span: Span }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly span: Span }
  | ForEachAction;

export interface Branch {
  /** Null for `<else>`. */
  readonly condition: Code | null;
  readonly actions: readonly Action[];
}

export interface SendAction {
  readonly kind: 'send';
  readonly event: Given | null;
  readonly target: Given | null;
  readonly type: Given | null;
  readonly id: string | null;
  readonly idLocation: Code | null;
  readonly delay: Given | null;
  readonly payload: Payload;
  readonly span: Span;
}

export interface ForEachAction {
  readonly kind: 'foreach';
  readonly array: Code;
  readonly item: Code;
  readonly index: Code | null;
  readonly actions: readonly Action[];
  readonly span: Span;
}

export interface Invoke {
  readonly state: number;
  /** Its place among the invokes of its state. */
  readonly index: number;
  readonly id: string | null;
  readonly idLocation: Code | null;
  readonly type: Given | null;
  readonly source: InvokeSource;
  readonly names: readonly Code[];
  readonly parameters: readonly Parameter[];
  readonly autoForward: boolean;
  readonly finalize: Finalize | null;
  readonly span: Span;
}

export type InvokeSource =
  | { readonly kind: 'inline'; readonly chart: Chart }
  | { readonly kind: 'src'; readonly src: Given }
  /** `<content expr>`: the text of a document. */
  | { readonly kind: 'content'; readonly value: Code | Content }
  | { readonly kind: 'none' };

/** An empty `<finalize>` assigns what came back to the names and locations that were passed. */
export interface Finalize {
  readonly actions: readonly Action[];
  readonly isEmpty: boolean;
}

export interface DoneData {
  readonly parameters: readonly Parameter[];
  readonly content: Content | Code | null;
}

export const isDescendant = (chart: Chart, state: number, ancestor: number): boolean =>
  state > ancestor && state <= chart.states[ancestor]!.last;

export const isHistory = (state: State): boolean =>
  state.kind === 'shallow-history' || state.kind === 'deep-history';

/** Proper ancestors from the parent upwards, up to and without `top`; the root is the last without one. */
export function ancestorsOf(chart: Chart, state: number, top = -1): number[] {
  const ancestors: number[] = [];
  for (let at = chart.states[state]!.parent; at >= 0 && at !== top; at = chart.states[at]!.parent)
    ancestors.push(at);
  return ancestors;
}

/** Does an event descriptor (without `.*`) match the event's name? Descriptors match whole words between dots. */
export const matches = (descriptor: string, event: string): boolean =>
  descriptor === '*' ||
  event === descriptor ||
  (event.startsWith(descriptor) && event[descriptor.length] === '.');
