// The user's ECMAScript runs in QuickJS inside WebAssembly: it sees no file, no network, no clock, and stops after a fixed number of steps or
// bytes. Steps are counted, not timed, so that the same chart behaves the same on every machine.
//
// Two kinds of failure: an `EvaluationError` is part of the chart's meaning (it becomes `error.execution`); a `Fault` is not: a limit was reached, the
// data cannot be compared, or the answer would differ from run to run. After a fault the engine is thrown away, for nobody knows what state it is in.

import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core';
import { SourceFile } from '../source/source.ts';
import { Problems } from './codes.ts';
import { PRELUDE } from './sandbox-prelude.ts';
import { type Element, parseXml } from './xml.ts';

/** Data as the sandbox writes it down: see `sandbox-prelude.ts`. Equal texts are equal values. */
export type Encoded = string;

export const UNDEFINED: Encoded = '["u"]';
/** No variables at all. */
export const NO_DATA: Encoded = '["O"]';

/** The chart's own error: it is told about it by an event. */
export class EvaluationError extends Error {}

export type FaultKind = 'steps' | 'memory' | 'unrepresentable' | 'nondeterministic';

/** The end of what can be analysed. */
export class Fault extends Error {
  readonly kind: FaultKind;
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** One is ten thousand jumps and calls inside QuickJS. */
const MOST_INTERRUPTS = 400;
const MOST_MEMORY = 64 << 20;
const MOST_STACK = 256 << 10;

export type SandboxFunction =
  | 'restore'
  | 'snapshot'
  | 'allow'
  | 'bind'
  | 'value'
  | 'text'
  | 'truth'
  | 'run'
  | 'assign'
  | 'assignValue'
  | 'define'
  | 'defineValue'
  | 'isDefined'
  | 'literal'
  | 'begin'
  | 'each'
  | 'end'
  | 'log';

/** QuickJS, loaded once: everything else is synchronous. */
export type Engine = QuickJSWASMModule;

let loading: Promise<Engine> | null = null;

export function loadEngine(): Promise<Engine> {
  loading ??= newQuickJSWASMModuleFromVariant(import('@jitl/quickjs-wasmfile-release-sync'));
  return loading;
}

export class Sandbox {
  /** Asked by `In()` while code runs. */
  isActive: (state: string) => boolean = () => false;
  private readonly engine: Engine;
  private runtime: QuickJSRuntime | null = null;
  private context: QuickJSContext | null = null;
  private readonly functions = new Map<string, QuickJSHandle>();
  private interrupts = 0;
  private fault: Fault | null = null;
  private readonly allowed: string[] = [];

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** Texts of functions that may be kept in data. */
  allow(texts: string): void {
    this.allowed.push(texts);
    if (this.context !== null) this.call('allow', texts);
  }

  call(name: SandboxFunction, ...args: readonly string[]): string {
    this.interrupts = 0;
    this.fault = null;
    const context = this.context ?? this.open();
    this.interrupts = 0;
    const handles = args.map((arg) => context.newString(arg));
    const result = context.callFunction(this.functions.get(name)!, context.undefined, handles);
    for (const handle of handles) handle.dispose();
    const problem = this.fault as Fault | null;
    if (result.error !== undefined) {
      const message = problem === null ? messageOf(context, result.error) : '';
      result.error.dispose();
      throw this.failure(problem, message);
    }
    const text = context.typeof(result.value) === 'string' ? context.getString(result.value) : '';
    result.value.dispose();
    if (problem !== null) throw this.failure(problem, '');
    return text;
  }

  dispose(): void {
    for (const handle of this.functions.values()) handle.dispose();
    this.functions.clear();
    this.context?.dispose();
    this.runtime?.dispose();
    this.context = null;
    this.runtime = null;
  }

  private failure(fault: Fault | null, message: string): Error {
    const found = fault ?? limitIn(message);
    if (found === null) return new EvaluationError(message);
    this.abandon();
    return found;
  }

  /** After a limit the engine may refuse even to be taken down; what it holds is one WebAssembly memory. */
  private abandon(): void {
    try {
      this.dispose();
    } catch {
      this.functions.clear();
      this.context = null;
      this.runtime = null;
    }
  }

  private open(): QuickJSContext {
    const runtime = this.engine.newRuntime();
    runtime.setMemoryLimit(MOST_MEMORY);
    runtime.setMaxStackSize(MOST_STACK);
    runtime.setInterruptHandler(() => {
      if (++this.interrupts <= MOST_INTERRUPTS) return false;
      this.fault = new Fault('steps', 'a script runs for too long');
      return true;
    });
    const context = runtime.newContext();
    this.runtime = runtime;
    this.context = context;
    const make = context.unwrapResult(context.evalCode(PRELUDE, 'spillway'));
    const host = this.host(context);
    const made = context.unwrapResult(context.callFunction(make, context.undefined, host));
    for (const name of NAMES) this.functions.set(name, context.getProp(made, name));
    for (const handle of [make, host, made]) handle.dispose();
    for (const texts of this.allowed) this.call('allow', texts);
    return context;
  }

  private host(context: QuickJSContext): QuickJSHandle {
    const host = context.newObject();
    const offer = (name: string, answer: (text: string) => QuickJSHandle): void => {
      const handle = context.newFunction(name, (text) =>
        answer(text === undefined ? '' : context.getString(text)),
      );
      context.setProp(host, name, handle);
      handle.dispose();
    };
    const report = (kind: FaultKind, message: string): QuickJSHandle => {
      this.fault ??= new Fault(kind, message);
      return context.undefined;
    };
    offer('inState', (name) => (this.isActive(name) ? context.true : context.false));
    offer('nondeterministic', (what) => report('nondeterministic', `the chart reads ${what}`));
    offer('unrepresentable', (what) => report('unrepresentable', `the data holds ${what}`));
    offer('tooLong', () => report('steps', 'an array is too long'));
    offer('parseXml', (text) => {
      const tree = parseXml(
        new SourceFile('data', `<document>${text.replace(/^\s*<\?xml[^?]*\?>/, '')}</document>`),
        new Problems(),
      );
      return tree === null ? context.null : context.newString(JSON.stringify({ ...plain(tree), n: null }));
    });
    return host;
  }
}

const NAMES: readonly SandboxFunction[] = [
  'restore',
  'snapshot',
  'allow',
  'bind',
  'value',
  'text',
  'truth',
  'run',
  'assign',
  'assignValue',
  'define',
  'defineValue',
  'isDefined',
  'literal',
  'begin',
  'each',
  'end',
  'log',
];

function limitIn(message: string): Fault | null {
  if (/interrupted$/.test(message)) return new Fault('steps', 'a script runs for too long');
  if (/out of memory$/.test(message)) return new Fault('memory', 'a script takes too much memory');
  return null;
}

function messageOf(context: QuickJSContext, handle: QuickJSHandle): string {
  const error: unknown = context.dump(handle);
  if (typeof error !== 'object' || error === null) return String(error);
  const { name, message } = error as { name?: unknown; message?: unknown };
  return message === undefined ? 'an error' : `${String(name ?? 'Error')}: ${String(message)}`;
}

interface PlainXml {
  readonly n: string | null;
  readonly a: Record<string, string>;
  readonly c: readonly (PlainXml | string)[];
}

function plain(element: Element): PlainXml {
  return {
    n: element.name,
    a: Object.fromEntries([...element.attributes].map(([name, { value }]) => [name, value])),
    c: element.children.map((child) => (child.kind === 'text' ? child.text : plain(child))),
  };
}

/** JSON-like data of the host in the sandbox's writing. */
export function encodeValue(value: unknown): unknown {
  if (value === undefined) return ['u'];
  if (Array.isArray(value)) return ['a', ...value.map(encodeValue)];
  if (typeof value !== 'object' || value === null) return value;
  return ['o', ...Object.entries(value).flatMap(([key, item]) => [key, encodeValue(item)])];
}

export const encode = (value: unknown): Encoded => JSON.stringify(encodeValue(value));
