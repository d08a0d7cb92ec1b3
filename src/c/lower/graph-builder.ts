// The graph under construction: the place where code is being added, what is added there, and how (in one piece, as a model of a call, on trial, as a
// constant).

import type { Span } from '../../source/source.ts';
import type { Cell, Edge, Location, Operation } from '../program/program.ts';
import { refuse } from '../text/codes.ts';
import { Findings } from './findings.ts';
import { type Frame, newBlock, type OpenBlock } from './frames.ts';
import type { Memory } from './memory.ts';
import type { PendingLoads } from './pending-loads.ts';
import { Scope } from './scope.ts';
import type { ThreadPlan } from './thread-plan.ts';

/** Inlined edges past this are refused: the program would not be analysed in any sensible time. */
const MAX_EDGES = 400_000;

export abstract class GraphBuilder extends Findings {
  // What it uses of the context that it becomes a part of.
  abstract readonly memory: Memory;
  abstract readonly loads: PendingLoads;
  abstract frame: Frame;

  readonly locations: Location[] = [];
  readonly edges: Edge[] = [];
  /** Where we are in the text. */
  block: OpenBlock = newBlock();
  /** Null as long as one thread runs the program, and while a constant is computed, which no thread can change. */
  threads: ThreadPlan | null;
  /** The call of a function of the library, while a text of ours is read for it. */
  modelled: { readonly name: string; readonly span: Span } | null = null;
  private atomicDepth = 0;
  private isSpurious = false;
  /** Only types and constants are asked for. */
  isTrial = false;
  scope: Scope = new Scope(null);
  /** Null after a jump: what follows cannot be reached. */
  here: number | null = null;
  constantMode = false;
  /** Also for the value, not for a type alone (`sizeof f()`, the choice of `_Generic(f(), …)`). */
  asksForConstant = false;

  constructor(threads: ThreadPlan | null) {
    super();
    this.threads = threads;
  }

  location(span: Span): number {
    const id = this.locations.length;
    this.locations.push({
      id,
      kind: 'inner',
      why: '',
      function: this.frame?.function ?? '',
      labels: [],
      span: this.modelled?.span ?? span,
      ...(this.atomicDepth > 0 ? { atomic: true } : {}),
    });
    return id;
  }

  /** Adds an operation where we stand and moves on. */
  emit(operation: Operation, span: Span, call?: Edge['call']): void {
    if (this.here === null) return;
    this.loads.makeBefore(operation, span);
    const to = this.location(span);
    this.edge(this.here, to, operation, span, call);
    this.here = to;
  }

  edge(from: number, to: number, operation: Operation, span: Span, call?: Edge['call']): void {
    if (this.isTrial) return;
    if (this.constantMode) refuse('SPW5015', 'this must be a constant', span);
    if (this.edges.length >= MAX_EDGES)
      refuse('SPW5030', `the program has more than ${MAX_EDGES} edges after inlining its calls`, span);
    this.loads.madeBy(operation);
    this.edges.push({
      id: this.edges.length,
      from,
      to,
      operation,
      span: this.modelled?.span ?? span,
      ...(call === undefined ? {} : { call }),
      ...(this.atomicDepth > 0 ? { atomic: true } : {}),
      ...(this.isSpurious ? { spurious: true } : {}),
      block: this.block,
    });
  }

  jump(to: number, span: Span): void {
    if (this.here !== null) this.edge(this.here, to, { kind: 'skip' }, span);
    this.here = null;
  }

  /** The way ends here: an error, the program's end, or something that is not modelled. */
  stop(kind: Location['kind'], why: string, span: Span, wanted?: Cell): void {
    this.halt({ kind, why, ...(wanted === undefined ? {} : { wanted }) }, span);
  }

  /** The program ends, in order. */
  exit(why: string, span: Span): void {
    this.halt({ kind: 'end', why, isExit: true }, span);
  }

  private halt(how: Partial<Location>, span: Span): void {
    if (this.here === null) return;
    const to = this.location(span);
    Object.assign(this.locations[to]!, how);
    this.jump(to, span);
  }

  note(message: string, span: Span): void {
    const at = this.modelled?.span ?? span;
    if (!this.notes.some((note) => note.message === message && note.span.start === at.start))
      this.notes.push({ message, span: at });
  }

  /** What is emitted meanwhile happens in one piece: no other thread comes between. */
  atomically<T>(span: Span, work: () => T): T {
    if (this.threads === null || this.atomicDepth > 0) return work();
    this.atomicDepth++;
    try {
      return work();
    } finally {
      this.atomicDepth--;
      this.emit({ kind: 'skip' }, span);
    }
  }

  /** What is emitted meanwhile may happen, but nobody may count on it. */
  spuriously(work: () => void): void {
    this.isSpurious = true;
    work();
    this.isSpurious = false;
  }

  /** What is emitted meanwhile is shown as this one call. */
  asModel<T>(name: string, span: Span, work: () => T): T {
    const { modelled, memory } = this;
    const { hidesNames } = memory;
    this.modelled ??= { name, span };
    memory.hidesNames = true;
    try {
      return work();
    } finally {
      this.modelled = modelled;
      memory.hidesNames = hidesNames;
    }
  }

  /** What is declared meanwhile ends with a block of its own. */
  inBlock<T>(work: () => T): T {
    const outer = { scope: this.scope, block: this.block };
    this.scope = new Scope(this.scope);
    this.block = newBlock(this.block);
    try {
      return work();
    } finally {
      Object.assign(this, outer);
    }
  }

  /** What can be found out without doing anything: no edges, no notes, and labels that are defined stay to be defined. */
  onTrial<T>(work: () => T): T {
    const { here, frame, isTrial, asksForConstant, notes } = this;
    const noted = notes.length;
    this.here = null;
    this.isTrial = true;
    this.asksForConstant = false;
    this.frame = { ...frame, labels: new Map(), jumps: [], cases: frame.cases === null ? null : [] };
    try {
      return work();
    } finally {
      Object.assign(this, { here, frame, isTrial, asksForConstant });
      notes.length = noted;
    }
  }

  /** Runs with emission forbidden: for constant expressions. What is none is refused in the middle, maybe inside of a block: afterwards we stand where we stood. */
  constantly<T>(work: () => T): T {
    const { constantMode, asksForConstant, here, threads, scope, frame, block } = this;
    Object.assign(this, { constantMode: true, asksForConstant: true, threads: null });
    try {
      return work();
    } finally {
      Object.assign(this, { constantMode, asksForConstant, here, threads, scope, frame, block });
    }
  }
}
