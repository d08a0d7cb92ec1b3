// A compiled model as WebAssembly, with the store of visited states in its memory (code-store.ts). It does what the machine in JavaScript does, made
// from the same text, sooner at full speed and in less memory; it cannot trace, take single statements, or let queues grow without end.

import { ChoiceCells, type Choices } from './choices.ts';
import { STORE_CELLS, STORE_PAGE } from './code-store-parts.ts';
import type { Model } from './compile.ts';
import { machineText } from './compile.ts';
import type { Engine, EngineEvents } from './engine.ts';
import type { FaultCode } from './faults.ts';
import { type CompiledMachine, NOBODY, PART } from './machine.ts';
import type { ScriptEngine } from './script.ts';
import { assemble } from './wasm/assemble.ts';
import { type Host, type Memory, MOST_PAGES, PAGE, type Variable, wasmHost } from './wasm/host.ts';
import type { ArrayPlace } from './wasm/unit.ts';

const EXPORTS = [
  'initial',
  'emit',
  'read',
  'load',
  'expand',
  'explore',
  'compact',
  'flags',
  'probe',
  'parentOf',
] as const;
/** Of the store of one thread. */
const OWN_EXPORTS = ['begin', 'insert'] as const;
const IMPORTS = { onFault: 2, onStep: 2, onClaim: 0, onStill: 0, room: 1, tooLarge: 0 } as const;

type Call = (...args: number[]) => number;
type Calls = Record<(typeof EXPORTS)[number], Call>;
type VariableName =
  | 'tell'
  | 'part'
  | 'current'
  | 'successor'
  | 'inside'
  | 'transitions'
  | 'counted'
  | 'stop'
  | 'cn';

/** Arrays of the machine beyond this are not worth it. */
const MAX_ARRAYS = 1 << 28;
/** Memory grows by this much. */
const STRIDE = 1 << 24;
const MOST_BYTES = PAGE * MOST_PAGES;
const FIRST_ARRAY = 1024;
/** The engine's own compiler does not do it: changes and their log, the choices on the way, where a message is. */
const INLINE = /^(f\d+)$/;

/** A model as WebAssembly, and where its arrays go. */
export interface Code {
  readonly bytes: Uint8Array;
  readonly arrays: ReadonlyMap<string, ArrayPlace>;
  /** The first byte behind them. */
  readonly end: number;
}

/** What a store of several threads needs beyond. */
export interface Further {
  readonly exports: readonly string[];
  readonly imports: Readonly<Record<string, number>>;
  readonly start: number;
  readonly placed: ReadonlyMap<string, ArrayPlace>;
}

export function codeOf(model: Model, further: Further | null): Code {
  const text = machineText(model, further === null ? 'one thread' : 'several threads');
  const { bytes, unit } = assemble(text, {
    start: further?.start ?? FIRST_ARRAY,
    exports: [...EXPORTS, ...(further?.exports ?? OWN_EXPORTS)],
    imports: { ...IMPORTS, ...further?.imports },
    maxPages: MOST_PAGES,
    inline: INLINE,
    ...(further === null ? {} : { placed: further.placed }),
  });
  return { bytes, arrays: unit.arrays, end: unit.end };
}

export interface Place {
  readonly host: Host;
  readonly memory: Memory;
  /** Bytes that it may have at most. */
  limit: number;
  /** Bytes of machines. */
  readonly machines: number;
}

export class NativeEngine implements Engine {
  readonly machine: Engine['machine'];
  readonly peaks: Int32Array;
  protected readonly calls: Calls & Readonly<Record<string, Call>>;
  readonly place: Place;
  protected readonly store: Int32Array;
  readonly arrays: ReadonlyMap<string, ArrayPlace>;
  private readonly packed: Int32Array;
  private readonly chosen: Int32Array;
  private readonly taken: ChoiceCells;
  private readonly failing: ChoiceCells;
  protected readonly variables: Record<VariableName, Variable> & Readonly<Record<string, Variable>>;

  /** Null where it cannot be had: queues without bounds, no WebAssembly with shared memory, a very large model. */
  static of(model: Model, events: EngineEvents, maxBytes: number): NativeEngine | null {
    const host = wasmHost();
    if (model.options.capacity === 'unlimited' || host === null) return null;
    const code = codeOf(model, null);
    if (code.end > MAX_ARRAYS) return null;
    const memory = memoryOf(host, code.end);
    if (memory === null) return null;
    const limit = Math.min(MOST_BYTES, maxBytes) + code.end;
    const engine = new NativeEngine({ host, memory, limit, machines: code.end }, code, events);
    engine.calls['begin']!(Math.ceil(code.end / 4));
    return engine;
  }

  protected constructor(
    place: Place,
    { bytes, arrays }: Code,
    events: EngineEvents,
    further: Readonly<Record<string, unknown>> = {},
  ) {
    this.place = place;
    this.arrays = arrays;
    const { host, memory } = place;
    for (const { address, content } of arrays.values())
      if (content !== null) new Int32Array(memory.buffer, address).set(content);
    const imports = {
      memory,
      onFault: (code: number, used: number) => events.fault(code as FaultCode, this.failing.upTo(used)),
      onStep: (state: number, isNew: number) => events.step(state, isNew !== 0),
      onClaim: () => events.claim(),
      onStill: () => events.still(),
      room: (words: number) => this.reserve(words * 4),
      tooLarge: () => {
        throw new RangeError('memory');
      },
      ...further,
    };
    const instance = new host.Instance(new host.Module(bytes), { o: imports });
    this.calls = instance.exports as unknown as typeof this.calls;
    this.variables = Object.fromEntries(
      Object.entries(instance.exports)
        .filter(([name]) => name.startsWith('$'))
        .map(([name, value]) => [name.slice(1), value]),
    ) as typeof this.variables;
    // Shared memory never moves: views of its beginning stay valid when it grows.
    const view = (name: string): Int32Array => {
      const { address, length } = arrays.get(name)!;
      return new Int32Array(memory.buffer, address, length);
    };
    const queues = view('M');
    const probed = view('PR');
    this.machine = {
      cells: view('S'),
      frames: view('PB'),
      shapeOfChannel: view('QSH'),
      queues: () => queues,
      movesOf: (pid, into) => into.read(probed, this.calls.probe(pid)),
      flags: this.calls.flags,
    };
    this.peaks = view('QX');
    this.store = view('G');
    this.packed = view('PW');
    this.chosen = view('chosen');
    this.taken = new ChoiceCells(view('C'));
    this.failing = new ChoiceCells(view('C'));
  }

  private reserve(bytes: number): number {
    const { memory, limit } = this.place;
    if (bytes > Math.min(limit, MOST_BYTES)) throw new RangeError('memory');
    const { byteLength } = memory.buffer;
    if (bytes > byteLength) {
      const wanted = Math.min(MOST_BYTES, Math.ceil(bytes / STRIDE) * STRIDE) - byteLength;
      memory.grow(Math.max(1, Math.ceil(wanted / PAGE)));
    }
    return 0;
  }

  get count(): number {
    return this.store[STORE_CELLS.states]!;
  }

  bytes(): number {
    const free = this.store[STORE_CELLS.freePages]! * STORE_PAGE;
    return (this.store[STORE_CELLS.top]! - free) * 4 - this.place.machines;
  }

  private take(name: VariableName, next: number): number {
    const { value } = this.variables[name];
    this.variables[name].value = next;
    return value;
  }

  tell(wanted: boolean): void {
    this.variables.tell.value = wanted ? 1 : 0;
  }

  begin(): number {
    const fault = this.calls.initial();
    if (fault === 0) this.calls.emit();
    return fault;
  }

  /** The states that another engine has found, with their numbers. */
  takeOver(found: ScriptEngine): void {
    const { machine } = found;
    this.variables.current.value = -1;
    if (this.calls.initial() !== 0) throw new Error('impossible: it was built before');
    for (let state = 0; state < found.count; state++) {
      found.loadInto(machine, state);
      const length = machine.pack();
      this.packed.set(machine.words().subarray(0, length));
      this.calls['insert']!(length, found.parentOf(state));
    }
    this.peaks.set(machine.peaks());
    this.variables.part.value = PART[found.part];
  }

  isFlat(): boolean {
    return this.store[STORE_CELLS.isFlat] !== 0;
  }

  /** Takes less memory and more time from now on. */
  compact(): void {
    this.calls.compact();
  }

  load(state: number): void {
    this.calls.load(state);
  }

  loadInto(machine: CompiledMachine, state: number): void {
    this.calls.read(state);
    machine.unpack(this.packed, 0);
  }

  equals(state: number, words: Int32Array, length: number): boolean {
    if (this.calls.read(state) !== length) return false;
    for (let i = 0; i < length; i++) if (this.packed[i] !== words[i]) return false;
    return true;
  }

  loaded(): number {
    return this.variables.current.value;
  }

  parentOf(state: number): number {
    return this.calls.parentOf(state);
  }

  expand(processes: Int32Array = NOBODY, count = 0): number {
    for (let i = 0; i < count; i++) this.chosen[i] = processes[i]!;
    return this.calls.expand(count);
  }

  explore(from: number, to: number): number {
    return this.calls.explore(from, to);
  }

  halt(): void {
    this.variables.stop.value = 1;
  }

  takeSuccessor(): number {
    return this.take('successor', -1);
  }

  takeInside(): boolean {
    return this.take('inside', 0) !== 0;
  }

  takeCounts(): { transitions: number; states: number } {
    return { transitions: this.take('transitions', 0), states: this.take('counted', 0) };
  }

  choices(): Choices {
    return this.taken.upTo(this.variables.cn.value);
  }
}

/** Null where there is no room: every memory takes its part of the address space. */
function memoryOf(host: Host, bytes: number): Memory | null {
  try {
    return new host.Memory({ initial: Math.ceil(bytes / PAGE) + 1, maximum: MOST_PAGES, shared: true });
  } catch {
    return null;
  }
}
