// The parts of XState that are used, as far as they are used: the user's own copy is loaded at run time.

export interface XEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface XNode {
  readonly id: string;
  readonly key: string;
  readonly path: readonly string[];
  readonly type: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly order: number;
  readonly states: Readonly<Record<string, XNode>>;
  readonly parent?: XNode;
  readonly tags: readonly string[];
  readonly meta?: Record<string, unknown>;
  readonly initial?: { readonly target: readonly XNode[] };
  readonly transitions: Map<string, XTransition[]>;
  readonly always?: XTransition[];
  readonly invoke: readonly { readonly id: string; readonly src: string }[];
  readonly entry: readonly unknown[];
  readonly exit: readonly unknown[];
  readonly config: Record<string, unknown>;
  readonly ownEvents: readonly string[];
}

export interface XTransition {
  readonly source: XNode;
  readonly target?: readonly XNode[];
  readonly eventType: string;
  readonly guard?: unknown;
  /** XState 6: a function that gives the target. */
  readonly to?: unknown;
  readonly actions: readonly unknown[];
  readonly delay?: number | string;
  readonly meta?: Record<string, unknown>;
}

export interface XSnapshot {
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  readonly output?: unknown;
  readonly error?: unknown;
  readonly context?: unknown;
  readonly value?: unknown;
  readonly _nodes?: readonly XNode[];
  /** What XState 6 calls them. */
  readonly nodes?: readonly XNode[];
  readonly tags?: Set<string>;
  readonly children?: Record<string, object>;
  readonly historyValue?: Record<string, readonly XNode[]>;
  /** XState 6: timers that are set, by id, and what states were entered with. */
  readonly timers?: Record<string, unknown>;
  readonly _stateInputs?: Record<string, unknown>;
  readonly _nextTimerId?: number;
  readonly _nextActorIds?: Record<string, number>;
  readonly input?: unknown;
}

export const nodesOf = ({ _nodes, nodes }: XSnapshot): readonly XNode[] => _nodes ?? nodes ?? [];

export interface XLogic {
  readonly config?: unknown;
  transition(snapshot: XSnapshot, event: XEvent, scope: XScope): XSnapshot;
  getInitialSnapshot(scope: XScope, input: unknown): XSnapshot;
  start?(snapshot: XSnapshot, scope: XScope): void;
}

/** XState 6: a step gives the next snapshot and the effects, as data. */
export interface XLogic6 {
  readonly config?: unknown;
  readonly id?: string;
  transition(snapshot: XSnapshot, event: XEvent, scope: object): [XSnapshot, XEffect6[]];
  initialTransition(input: unknown, scope: object): [XSnapshot, XEffect6[]];
  getExecutionErrorEvent?(snapshot: XSnapshot, error: unknown): XEvent | undefined;
}

export interface XMachine6 extends XLogic6 {
  readonly config: Record<string, unknown>;
  readonly sources: Record<'actors' | 'actions' | 'delays' | 'guards', Record<string, unknown>>;
  readonly root: XNode;
  readonly idMap: Map<string, XNode>;
}

export interface XEffect6 {
  readonly kind: 'builtin' | 'emit' | 'action';
  readonly type: string;
  readonly actor?: object;
  readonly target?: object;
  readonly event?: XEvent;
  readonly id?: string;
  readonly delay?: number;
  readonly status?: 'done' | 'error';
  readonly params?: { readonly key?: string };
  readonly exec: () => unknown;
}

export interface XMachine extends XLogic {
  readonly __xstatenode: true;
  readonly id: string;
  readonly config: Record<string, unknown>;
  readonly implementations: Record<'actors' | 'actions' | 'delays' | 'guards', Record<string, unknown>>;
  readonly root: XNode;
  readonly events: readonly string[];
  readonly idMap: Map<string, XNode>;
  readonly options?: { maxIterations?: number };
}

export interface XScope {
  readonly self: object;
  readonly id: string;
  readonly sessionId: string;
  readonly logger: () => void;
  readonly defer: (fn: () => void) => void;
  readonly system: object;
  readonly stopChild: () => void;
  readonly emit: (event: XEvent) => void;
  actionExecutor: (action: XAction) => void;
}

export interface XAction {
  readonly type: string;
  readonly info: unknown;
  readonly params: unknown;
  readonly exec?: (info: unknown, params: unknown) => void;
}

const isMachine5 = (value: object): boolean => (value as { __xstatenode?: unknown }).__xstatenode === true;

/** Machines of XState 6 have no mark of their own: they are known by what they have. */
export const isMachine6 = (value: object): boolean =>
  'initialTransition' in value && 'idMap' in value && 'root' in value && 'sources' in value;

export const isMachine = (value: unknown): value is XMachine =>
  typeof value === 'object' && value !== null && (isMachine5(value) || isMachine6(value));

/** Logics of either version. */
export const isLogic = (value: unknown): value is XLogic =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as XLogic).transition === 'function' &&
  typeof (value as XLogic).getInitialSnapshot === 'function';
