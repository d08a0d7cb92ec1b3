// The program IR that every asynchronous front end produces and every analysis reads.
//
// A program is a set of proctypes, each a control graph whose edges carry one basic statement, plus global variables and
// channels. The semantics is SPIN's: names and types are resolved, expressions are typed, control structures are gone.
// All of it is readonly; derived facts live in side tables keyed by the ids.

import type { Branded } from '../base/result.ts';
import type { Span } from '../source/source.ts';
import type { Expression, LValue, ReceiveArgument } from './expression.ts';
import type { Storage } from './storage.ts';

export type VariableId = Branded<number, 'variable'>;
export type ProctypeId = Branded<number, 'proctype'>;
/** Unique within one proctype. */
export type LocationId = Branded<number, 'location'>;
/** Unique within one proctype. */
export type EdgeId = Branded<number, 'edge'>;
/** An allocation site of channels: a `chan` declaration with an initialiser. Unique within the program. */
export type ChannelSiteId = Branded<number, 'channel-site'>;
export type StructId = Branded<number, 'struct'>;

export interface Program {
  readonly name: string;
  /** Indexed by VariableId: the globals and every proctype's parameters and locals. */
  readonly variables: readonly Variable[];
  readonly globals: readonly VariableId[];
  readonly structs: readonly Struct[];
  /** Indexed by ProctypeId. `init` is the proctype named 'init'. Never claims are not here. */
  readonly proctypes: readonly Proctype[];
  readonly channelSites: readonly ChannelSite[];
  readonly mtypes: readonly MtypeSet[];
  /** Never claims: the one written as `never`, if any; generated ones come from `formulas`. */
  readonly claims: readonly Proctype[];
  readonly formulas: readonly Formula[];
  /** `trace`/`notrace` assertions: kept, and named by analyses that ignore them. */
  readonly traces: readonly Trace[];
  /** Embedded C anywhere in the model (declarations included): places analyses must name when they cannot see through them. */
  readonly opaque: readonly OpaqueCode[];
}

export type ScalarType =
  | { readonly kind: 'bit' | 'bool' | 'byte' | 'pid' | 'short' | 'int' | 'chan' }
  | { readonly kind: 'mtype'; readonly set: string }
  | { readonly kind: 'unsigned'; readonly bits: number };

export type Type = ScalarType | { readonly kind: 'struct'; readonly struct: StructId };

export interface Struct {
  readonly id: StructId;
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  readonly type: Type;
  /** Null for a scalar; `x[1]` is an array of one. */
  readonly length: number | null;
  readonly initial: Initialiser | null;
  readonly span: Span;
}

export interface Variable extends Field {
  readonly id: VariableId;
  /** As the user wrote it; a name used in several blocks of one proctype occurs several times. */
  readonly name: string;
  /** Null for globals. */
  readonly owner: ProctypeId | null;
  readonly role: 'global' | 'parameter' | 'local';
  /** `hidden`: not part of the state. `show` and `local` change nothing. */
  readonly hidden: boolean;
}

/**
 * `chan` initialisers allocate one channel per array element, when the variable comes to life.
 * `each`: the expression initialises every element. Local initialisers that must run at the point of declaration are lowered to
 * assignment edges and have initial = null here; what stands here is evaluated when the process starts (with its parameters).
 */
export type Initialiser =
  | { readonly kind: 'each'; readonly value: Expression }
  | { readonly kind: 'list'; readonly values: readonly Expression[] }
  | { readonly kind: 'channel'; readonly site: ChannelSiteId }
  /**
   * In a typedef: every variable of the type has a site of its own there, found by `channelSiteOf(program, variable, fieldPath)`; parameters
   * have none, they are given the channels of the argument.
   */
  | { readonly kind: 'channel-field'; readonly capacity: number; readonly fields: readonly ScalarType[] };

export interface ChannelSite {
  readonly id: ChannelSiteId;
  readonly variable: VariableId;
  /** Names of the struct fields from the variable to the chan, for channels declared inside typedefs. */
  readonly fieldPath: readonly string[];
  /** 0 is rendezvous. */
  readonly capacity: number;
  /** Structures are flattened to their scalar fields, arrays element by element; so are the arguments of sends, receives and polls. */
  readonly fields: readonly ScalarType[];
  /** By field: what a message keeps of a value. */
  readonly storage: readonly Storage[];
  readonly span: Span;
}

/** `mtype` names with their values; set '' is the plain mtype, others are `mtype:name`. */
export interface MtypeSet {
  readonly set: string;
  readonly members: readonly { readonly name: string; readonly value: number }[];
}

export interface Proctype {
  readonly id: ProctypeId;
  readonly name: string;
  readonly kind: 'proctype' | 'init' | 'never';
  readonly parameters: readonly VariableId[];
  /** In order of declaration, parameters excluded. */
  readonly locals: readonly VariableId[];
  /** Instances at the start: `active [n]`, 1 for init and never, else 0. */
  readonly active: number;
  readonly priority: number | null;
  readonly provided: Expression | null;
  /** `D_proctype`. */
  readonly deterministic: boolean;
  /** Indexed by LocationId. */
  readonly locations: readonly Location[];
  /** Indexed by EdgeId. */
  readonly edges: readonly Edge[];
  readonly initial: LocationId;
  /** Every user label, prefixed ones included. Several labels may share a location. */
  readonly labels: ReadonlyMap<string, LocationId>;
  readonly span: Span;
}

export interface Location {
  readonly id: LocationId;
  /** Out-going edges in the order of the source. */
  readonly edges: readonly EdgeId[];
  /** Carries an `end*` label, or is the final location: standing here is a valid end. */
  readonly isEnd: boolean;
  readonly isProgress: boolean;
  readonly isAccept: boolean;
  /** The process's end, `-end-`: its only edge is the `end` statement that removes the process. */
  readonly isFinal: boolean;
  readonly span: Span;
}

export interface Edge {
  readonly id: EdgeId;
  readonly from: LocationId;
  readonly to: LocationId;
  readonly statement: Statement;
  /**
   * Inside `atomic`: after this edge the process keeps exclusive control while it can go on (and gives it up, without harm,
   * where it blocks). Sound to ignore for over-approximation.
   */
  readonly keepsControl: boolean;
  /**
   * `unless`: this edge must not be taken while one of these edges (of the same location) is executable. Sound to ignore for
   * over-approximation. Escape edges come first, those of outer `unless` before those of inner ones, as in SPIN without -J.
   */
  readonly blockedBy: readonly EdgeId[];
  readonly span: Span;
  /** SPIN's number of the statement, counted through the whole model: what its trail files name. Absent where it is not known. */
  readonly element?: number;
}

export type Statement =
  /** Executable when the expression is not zero. `skip`, `true` and jumps are the constant 1. */
  | { readonly kind: 'condition'; readonly expression: Expression }
  /** Executable when no edge before it in the order of its location is (an `if` inside an option is merged into the outer choice). */
  | { readonly kind: 'else' }
  | { readonly kind: 'assign'; readonly target: LValue; readonly value: Expression }
  | Send
  | Receive
  | { readonly kind: 'assert'; readonly expression: Expression }
  | { readonly kind: 'print'; readonly format: string; readonly args: readonly Expression[] }
  /** `d_step`: one indivisible step through a graph of its own, from `initial` to any location without out-going edges; a choice takes its first executable edge. */
  | { readonly kind: 'dstep'; readonly body: DStepBody }
  /** Embedded C: what it does is not known. `guard` for c_expr. */
  | { readonly kind: 'opaque'; readonly code: OpaqueCode }
  /** The process dies; executable only when every younger process has died (SPIN's order of death). The edge leads back to its location. */
  | { readonly kind: 'end' };

export interface Send {
  readonly kind: 'send';
  readonly channel: LValue;
  readonly args: readonly Expression[];
  /** `!!` */
  readonly sorted: boolean;
}

export interface Receive {
  readonly kind: 'receive';
  readonly channel: LValue;
  readonly args: readonly ReceiveArgument[];
  /** `??` takes the first message that matches, wherever it stands. */
  readonly random: boolean;
  /** `?<…>` leaves the message in the channel. */
  readonly copy: boolean;
}

export interface DStepBody {
  readonly initial: LocationId;
  /** Ids are local to the body. */
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
}

export interface Formula {
  readonly name: string;
  /** The text between the braces, macros expanded, for the ltl room's parser; atoms are resolved through `atoms`. */
  readonly text: string;
  readonly root: FormulaNode;
  readonly span: Span;
}

/** LTL over state predicates, as Promela's `ltl` blocks have it. */
export type FormulaNode =
  | { readonly kind: 'atom'; readonly expression: Expression }
  | { readonly kind: 'true' | 'false' }
  | { readonly kind: 'not' | 'next' | 'always' | 'eventually'; readonly operand: FormulaNode }
  | {
      readonly kind: 'and' | 'or' | 'implies' | 'equivalent' | 'until' | 'weak-until' | 'release';
      readonly left: FormulaNode;
      readonly right: FormulaNode;
    };

export interface Trace {
  readonly kind: 'trace' | 'notrace';
  readonly span: Span;
}

export interface OpaqueCode {
  readonly kind: 'c_code' | 'c_expr' | 'c_decl' | 'c_state' | 'c_track';
  readonly text: string;
  readonly span: Span;
}
