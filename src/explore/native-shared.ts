// A WebAssembly engine whose store other threads use, too (code-store-shared.ts). Each thread has a machine of its own in the same memory.

import { SHARED_ARRAYS, STORE_CELLS } from './code-store-parts.ts';
import { UNIT } from './code-store-shared.ts';
import type { Model } from './compile.ts';
import type { EngineEvents } from './engine.ts';
import { codeOf, type Further, NativeEngine, type Place } from './native.ts';
import { type Memory, wasmHost } from './wasm/host.ts';
import type { ArrayPlace } from './wasm/unit.ts';

const EXPORTS = [
  'adopt',
  'allocate',
  'flush',
  'enlargeStates',
  'enlargeNodes',
  'countNodes',
  'setArrow',
  'arrowOf',
] as const;
const IMPORTS = { onUnit: 2, overflow: 0 } as const;

/** Tables are made this much larger, as long as they take a small part of the memory. */
const GROWTH = 4;
const SMALL_PART = 1 / 32;
/** Nodes that a single step may need beyond what a thread was given. */
const LEAST_NODE_SLOTS = 1 << 18;

/** A thread added more at once than the tables have room for: they can only grow while all stand still. */
export class StoreOverflow extends Error {}

/** Where another thread finds the store, and room for its machine. Can be sent to it. */
export interface SharedPlace {
  readonly memory: Memory;
  readonly shared: readonly (readonly [string, ArrayPlace])[];
  readonly start: number;
  readonly limit: number;
}

export interface SharedEvents extends EngineEvents {
  /** New states had numbers up to the first; from now on they have numbers from the second on. */
  unit(end: number, start: number): void;
}

export class SharedEngine extends NativeEngine {
  /** States of all threads; who leads them says how to know. */
  countAll: () => number = () => 0;
  private asideBytes = 0;
  /** The tables of one thread have entries that are too short for numbers with gaps. */
  private hasRoom = false;

  /** Goes on with what another engine has found; that one is not used any more. `arrows`: for a reduced search. */
  static adopt(model: Model, engine: NativeEngine, events: SharedEvents, arrows: boolean): SharedEngine {
    const code = codeOf(model, furtherOf(0, engine.arrays));
    const shared = new SharedEngine(engine.place, code, events, importsFor(events));
    if (shared.calls.initial() !== 0) throw new Error('impossible: it was built before');
    shared.variables['arrows']!.value = arrows ? 1 : 0;
    shared.calls['adopt']!();
    return shared;
  }

  /** On another thread. */
  static join(model: Model, place: SharedPlace, events: SharedEvents, arrows: boolean): SharedEngine {
    const host = wasmHost();
    if (host === null) throw new Error('there is no WebAssembly here');
    const code = codeOf(model, furtherOf(place.start, new Map(place.shared)));
    const { memory, limit } = place;
    const own: Place = { host, memory, limit, machines: 0 };
    const shared = new SharedEngine(own, code, events, importsFor(events));
    if (shared.calls.initial() !== 0) throw new Error('impossible: it was built before');
    shared.variables['arrows']!.value = arrows ? 1 : 0;
    return shared;
  }

  /** Room for one more thread. */
  placeForAnother(): SharedPlace {
    const { memory, machines } = this.place;
    // As much as this thread's machine has, and a line of the cache so that nothing is shared by accident.
    const words = Math.ceil(machines / 4) + 32;
    this.place.limit += words * 4;
    this.asideBytes += words * 4;
    const start = Math.ceil((this.calls['allocate']!(words) * 4) / 64) * 64;
    const shared = SHARED_ARRAYS.map((name) => [name, this.arrays.get(name)!] as const);
    return { memory, shared, start, limit: this.place.limit };
  }

  override get count(): number {
    return this.countAll();
  }

  override bytes(): number {
    return super.bytes() - this.asideBytes;
  }

  /** The number that the next new state gets, unless it begins a unit. */
  get next(): number {
    return this.variables['next']!.value;
  }

  /** States that this thread added since the last call. */
  takeAdded(): number {
    const added = this.variables['added']!;
    const { value } = added;
    added.value = 0;
    return value;
  }

  /** May it not add anything before the tables have grown? */
  isFull(): boolean {
    return this.variables['left']!.value <= 0 || this.variables['nodesLeft']!.value <= 0;
  }

  /** How many states and nodes it may add now, and how many more at the very end. */
  allow({ states, nodes, spare, nodeSpare }: Allowance): void {
    this.variables['left']!.value = states;
    this.variables['nodesLeft']!.value = nodes;
    this.variables['spare']!.value = -spare;
    this.variables['nodeSpare']!.value = -nodeSpare;
  }

  /** Others may see now how far this thread's numbers go. */
  flush(): void {
    this.calls['flush']!();
  }

  /** Nobody works: makes room in the tables. The result is what each of so many threads may add. */
  makeRoom(threads: number, maxBytes: number): Allowance {
    this.flush();
    const { stateSlots, stateLimit, nodeSlots, nodeLimit, isFlat } = STORE_CELLS;
    const { store, count } = this;
    const isFirst = !this.hasRoom;
    this.hasRoom = true;
    if (isFirst || count > 0.8 * store[stateLimit]!)
      this.calls['enlargeStates']!(wider(store[stateSlots]!, count, maxBytes));
    let nodes = 0;
    if (store[isFlat] === 0) {
      nodes = this.calls['countNodes']!();
      if (isFirst || nodes > 0.8 * store[nodeLimit]! || store[nodeSlots]! < LEAST_NODE_SLOTS)
        this.calls['enlargeNodes']!(Math.max(LEAST_NODE_SLOTS, wider(store[nodeSlots]!, nodes, maxBytes)));
    }
    return {
      states: Math.max(1, Math.floor((store[stateLimit]! - count) / threads)),
      nodes: Math.max(1, Math.floor((store[nodeLimit]! - nodes) / threads)),
      spare: Math.floor(store[stateSlots]! / 8 / threads),
      nodeSpare: Math.floor(store[nodeSlots]! / 8 / threads),
    };
  }

  /** The numbers that are in use; nobody works. */
  ranges(): readonly (readonly [number, number])[] {
    this.flush();
    const { address } = this.arrays.get('DU')!;
    const units = this.store[STORE_CELLS.stateUnits]!;
    const used = new Int32Array(this.place.memory.buffer, address, units);
    return Array.from(used, (count, unit) => [unit * UNIT, unit * UNIT + count] as const);
  }

  setArrow(state: number, arrow: number): void {
    this.calls['setArrow']!(state, arrow);
  }

  arrowOf(state: number): number {
    return this.calls['arrowOf']!(state);
  }
}

export interface Allowance {
  readonly states: number;
  readonly nodes: number;
  readonly spare: number;
  readonly nodeSpare: number;
}

function wider(slots: number, used: number, maxBytes: number): number {
  const large = slots * GROWTH;
  if (large * 4 <= maxBytes * SMALL_PART) return large;
  return Math.max(slots + (slots >>> 1), Math.ceil(used * 1.5));
}

const furtherOf = (start: number, placed: ReadonlyMap<string, ArrayPlace>): Further => ({
  exports: EXPORTS,
  imports: IMPORTS,
  start,
  placed,
});

const importsFor = (events: SharedEvents) => ({
  onUnit: (end: number, start: number) => events.unit(end, start),
  overflow: () => {
    throw new StoreOverflow('more new states at once than there is room for');
  },
});
