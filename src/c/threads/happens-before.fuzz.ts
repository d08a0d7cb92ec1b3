// All interleavings of a small program, with vector clocks: what it can end with, whether it can get stuck, and whether two accesses of some run that conflict are not
// ordered by what happens before what (C11 5.1.2.4). It shares nothing with the front end, the machine or the search, and calls races by another definition.

import { CELLS, FIRST_BYTE, type SharedMemory, type Statement, type Step } from './shared-memory.fuzz.ts';

type Clock = readonly number[];

interface State {
  readonly values: readonly number[];
  /** What the threads have kept. */
  readonly kept: readonly number[];
  /** -1 for none. */
  readonly owners: readonly number[];
  /** Of each thread: its statement, the step within it, the byte that it scans next, its sum. */
  readonly at: readonly (readonly [statement: number, step: number, byte: number, sum: number])[];
  /** Of each thread: what of the others has happened before what it does now. */
  readonly clocks: readonly Clock[];
  readonly released: readonly Clock[];
  /** By location: what a read of it learns. */
  readonly published: readonly Clock[];
  /** By location and kind of access: when each thread made its last one. */
  readonly last: readonly Readonly<Record<Access, Clock>>[];
}

type Access = 'read' | 'write' | 'atomic read' | 'atomic write';

export interface Behaviour {
  /** What the threads have kept, then the values of all cells. */
  readonly outcomes: ReadonlyMap<string, readonly [kept: readonly number[], values: readonly number[]]>;
  readonly deadlock: boolean;
  readonly race: boolean;
}

const later = (a: Clock, b: Clock): Clock => a.map((time, i) => Math.max(time, b[i]!));
const replaced = <T>(list: readonly T[], at: number, value: T): readonly T[] =>
  list.map((old, i) => (i === at ? value : old));

/** Null where there is too much of it. */
export function behaviourOf({ threads }: SharedMemory, most: number): Behaviour | null {
  const outcomes = new Map<string, readonly [readonly number[], readonly number[]]>();
  let deadlock = false;
  let race = false;
  const never = threads.map(() => 0);
  const locations = 1 + Math.max(...CELLS.map(({ location }) => location));
  const start: State = {
    values: CELLS.map(() => 0),
    kept: never,
    owners: [-1, -1],
    at: threads.map(() => [0, 0, 0, 0] as const),
    // Main, the last one, starts the others at once.
    clocks: threads.map((_, i) => never.map((__, j) => (i === j ? 1 : 0))),
    released: [never, never],
    published: Array.from({ length: locations }, () => never),
    last: Array.from({ length: locations }, () => ({
      read: never,
      write: never,
      'atomic read': never,
      'atomic write': never,
    })),
  };
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const state of seen.values()) {
    if (seen.size > most) return null;
    let moved = false;
    threads.forEach((statements, thread) => {
      const step = stepOf(statements, state.at[thread]!);
      if (step === null || !isOpen(threads, state, step)) return;
      moved = true;
      if (racesIn(state, thread, step)) race = true;
      const after = taken(threads, state, thread, step);
      const key = JSON.stringify(after);
      if (!seen.has(key)) seen.set(key, after);
    });
    if (moved) continue;
    if (threads.every((statements, thread) => stepOf(statements, state.at[thread]!) === null))
      outcomes.set(JSON.stringify([state.kept, state.values]), [state.kept, state.values]);
    else deadlock = true;
  }
  return { outcomes, deadlock, race };
}

const stepOf = (statements: readonly Statement[], [statement, step]: State['at'][0]): Step | null =>
  statements[statement]?.steps[step] ?? null;

function isOpen(threads: SharedMemory['threads'], { owners, at }: State, step: Step): boolean {
  if (step.do === 'lock') return owners[step.mutex] === -1;
  return step.do !== 'join' || stepOf(threads[step.thread]!, at[step.thread]!) === null;
}

/** Which location it uses now, and how. */
function accessOf({ values, at }: State, thread: number, step: Step): readonly [number, Access] | null {
  const [, , byte, sum] = at[thread]!;
  switch (step.do) {
    case 'read':
      return [CELLS[step.cell]!.location, step.atomic ? 'atomic read' : 'read'];
    case 'write':
      return [CELLS[step.cell]!.location, step.atomic ? 'atomic write' : 'write'];
    case 'change': {
      const writes = step.by(values[step.cell]!, sum) !== null;
      return [CELLS[step.cell]!.location, writes ? 'atomic write' : 'atomic read'];
    }
    case 'scan':
      return [CELLS[FIRST_BYTE + byte]!.location, 'read'];
    default:
      return null;
  }
}

const AGAINST: Readonly<Record<Access, readonly Access[]>> = {
  read: ['write', 'atomic write'],
  write: ['read', 'write', 'atomic read', 'atomic write'],
  'atomic read': ['write'],
  'atomic write': ['read', 'write'],
};

function racesIn(state: State, thread: number, step: Step): boolean {
  const access = accessOf(state, thread, step);
  if (access === null) return false;
  const [location, how] = access;
  return AGAINST[how].some((other) =>
    state.last[location]![other].some((time, i) => i !== thread && time > state.clocks[thread]![i]!),
  );
}

function taken(threads: SharedMemory['threads'], before: State, thread: number, step: Step): State {
  const access = accessOf(before, thread, step);
  const reads = step.do === 'read' || step.do === 'change';
  const state = access === null ? before : ordered(before, thread, ...access, reads);
  const [statement, index, byte, sum] = state.at[thread]!;
  const isLast = index + 1 >= threads[thread]![statement]!.steps.length;
  const next = (value: number): State['at'][0] =>
    isLast ? [statement + 1, 0, 0, 0] : [statement, index + 1, 0, value];
  const moved = (place: State['at'][0], more: Partial<State> = {}): State => ({
    ...state,
    ...more,
    at: replaced(state.at, thread, place),
  });
  switch (step.do) {
    case 'read':
      return moved(next(sum + state.values[step.cell]!));
    case 'write':
      return moved(next(sum), { values: replaced(state.values, step.cell, sum + step.plus) });
    case 'change': {
      const old = state.values[step.cell]!;
      const values = replaced(state.values, step.cell, step.by(old, sum) ?? old);
      return moved(next(old), { values });
    }
    case 'scan': {
      const isOver = step.bytes === null ? state.values[FIRST_BYTE + byte] === 0 : byte + 1 >= step.bytes;
      // The last byte of the text is always 0.
      return moved(isOver || byte === 2 ? next(sum) : [statement, index, byte + 1, sum]);
    }
    case 'keep':
      return moved(next(sum), { kept: replaced(state.kept, thread, sum) });
    case 'only-if':
      return moved([statement + (sum === step.is ? 1 : 2), 0, 0, 0]);
    case 'lock':
      return moved(next(sum), {
        owners: replaced(state.owners, step.mutex, thread),
        clocks: learned(state, thread, state.released[step.mutex]!),
      });
    case 'unlock':
      return moved(next(sum), {
        owners: replaced(state.owners, step.mutex, -1),
        released: replaced(state.released, step.mutex, state.clocks[thread]!),
        clocks: ticked(state.clocks, thread),
      });
    case 'join':
      return moved(next(sum), { clocks: learned(state, thread, state.clocks[step.thread]!) });
  }
}

const learned = ({ clocks }: State, thread: number, from: Clock): readonly Clock[] =>
  replaced(clocks, thread, later(clocks[thread]!, from));
const ticked = (clocks: readonly Clock[], thread: number): readonly Clock[] =>
  replaced(clocks, thread, replaced(clocks[thread]!, thread, clocks[thread]![thread]! + 1));

/** What the access makes known: to later ones that it was made; by atomic ones, to those that read them, what was before. */
function ordered(state: State, thread: number, location: number, how: Access, reads: boolean): State {
  const own = state.clocks[thread]!;
  const made = {
    ...state.last[location]!,
    [how]: replaced(state.last[location]![how], thread, own[thread]!),
  };
  const last = replaced(state.last, location, made);
  const isAtomic = how === 'atomic read' || how === 'atomic write';
  const clocks = isAtomic && reads ? learned(state, thread, state.published[location]!) : state.clocks;
  if (how === 'read' || how === 'atomic read') return { ...state, last, clocks };
  const shown = how === 'write' ? own.map(() => 0) : clocks[thread]!;
  const published = replaced(state.published, location, shown);
  return { ...state, last, published, clocks: how === 'write' ? clocks : ticked(clocks, thread) };
}
