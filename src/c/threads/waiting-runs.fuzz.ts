// All runs of a program of waiting.fuzz.ts. It shares nothing with the front end, the machine or the search.

import type { Op, Waiting } from './waiting.fuzz.ts';

interface State {
  at: number[];
  values: number[];
  sums: number[];
  kept: number[];
  owners: number[];
  writer: number;
  readers: number[];
  tokens: number[];
  /** Of each thread: the condition that it waits for, -1 for none. */
  waits: number[];
  late: boolean[];
  mutexes: number[];
  come: number;
  round: number;
  rounds: number[];
  serial: boolean[];
  once: number;
  memory: number;
  freed: boolean;
  /** Variables that are there, with the thread and the value. */
  there: [of: number, thread: number, value: number][];
  shown: number;
  found: number[];
  left: boolean[];
}

export interface Behaviour {
  /** What the threads have kept, and x and y, when all have ended. */
  readonly outcomes: ReadonlySet<string>;
  readonly deadlock: boolean;
  readonly undefined: boolean;
}

type Result = 'blocked' | 'undefined' | readonly State[];

/** Null where there is too much of it. */
export function behaviourOf({ threads, end }: Waiting, most: number): Behaviour | null {
  const code = threads.map((statements) => statements.flatMap(({ ops }) => ops));
  const none = () => code.map(() => 0);
  const start: State = {
    at: none(),
    values: [0, 0],
    sums: none(),
    kept: none(),
    owners: [-1, -1],
    writer: -1,
    readers: none(),
    tokens: [0, 1],
    waits: none().map(() => -1),
    late: none().map(() => false),
    mutexes: none(),
    come: 0,
    round: 0,
    rounds: none(),
    serial: none().map(() => false),
    once: 0,
    memory: 0,
    freed: false,
    there: [],
    shown: 0,
    found: none(),
    left: none().map(() => false),
  };
  const outcomes = new Set<string>();
  let [deadlock, isUndefined] = [false, false];
  const seen = new Map([[JSON.stringify(start), start]]);
  const main = code.length - 1;
  for (const state of seen.values()) {
    if (seen.size > most) return null;
    const hasEnded = (thread: number) => state.at[thread]! >= code[thread]!.length;
    if (hasEnded(main) && end !== 'exits' && !state.left[main]) {
      outcomes.add([...state.kept, ...state.values].join());
      continue;
    }
    let [moved, stands] = [false, false];
    code.forEach((ops, thread) => {
      if (hasEnded(thread)) return;
      const { next, counts } = steps(state, thread, ops[state.at[thread]!]!, hasEnded);
      if (next === 'undefined') isUndefined = true;
      if (next === 'undefined' || (next !== 'blocked' && counts)) moved = true;
      else stands = true;
      if (typeof next === 'string') return;
      for (const after of next) {
        const key = JSON.stringify(after);
        if (!seen.has(key)) seen.set(key, after);
      }
    });
    if (!moved && stands) deadlock = true;
  }
  return { outcomes, deadlock, undefined: isUndefined };
}

/** `counts`: somebody may count on it. */
function steps(
  state: State,
  thread: number,
  op: Op,
  hasEnded: (thread: number) => boolean,
): { readonly next: Result; readonly counts: boolean } {
  if (op.do !== 'wake') return { next: stepsOf(state, thread, op, hasEnded), counts: true };
  // Two steps: out of the wait, then the mutex.
  const copy = (): State => structuredClone(state);
  const gone = (change: (after: State) => void): State => {
    const after = copy();
    after.waits[thread] = -1;
    change(after);
    return after;
  };
  if (state.waits[thread]! >= 0) {
    const spurious = gone(() => {});
    const isTimed = state.late[thread]!;
    const late = gone((after) => void (after.kept[thread]! += 100));
    return { next: isTimed ? [spurious, late] : [spurious], counts: isTimed };
  }
  const mutex = state.mutexes[thread]!;
  if (state.owners[mutex] !== -1) return { next: 'blocked', counts: true };
  const after = copy();
  after.owners[mutex] = thread;
  after.at[thread]!++;
  return { next: [after], counts: true };
}

function stepsOf(state: State, thread: number, op: Op, hasEnded: (thread: number) => boolean): Result {
  const after = structuredClone(state);
  const on = (by = 1): Result => {
    after.at[thread]! += by;
    return [after];
  };
  switch (op.do) {
    case 'read':
      after.sums[thread]! += state.values[op.of]!;
      return on();
    case 'count':
      after.sums[thread] = state.tokens[op.of]!;
      return on();
    case 'write':
      after.values[op.of] = state.sums[thread]! + op.plus;
      after.sums[thread] = 0;
      return on();
    case 'add':
      after.values[op.of]! += op.plus;
      return on();
    case 'keep':
      after.kept[thread] = state.sums[thread]!;
      after.sums[thread] = 0;
      return on();
    case 'kept':
      after.kept[thread]! += op.plus;
      return on();
    case 'pass':
      return on(op.by);
    case 'unless':
      return on(state.values[op.of] === op.is ? 1 : op.by);
    case 'lock':
      if (state.owners[op.of] !== -1) return 'blocked';
      after.owners[op.of] = thread;
      return on();
    case 'try-lock':
      if (state.owners[op.of] !== -1) return on(op.by);
      after.owners[op.of] = thread;
      return on();
    case 'unlock':
      if (state.owners[op.of] !== thread) return 'undefined';
      after.owners[op.of] = -1;
      return on();
    case 'read-lock':
      if (state.writer !== -1) return 'blocked';
      after.readers[thread]!++;
      return on();
    case 'try-read':
      if (state.writer !== -1) return on(op.by);
      after.readers[thread]!++;
      return on();
    case 'try-write':
      if (state.writer !== -1 || state.readers.some((count) => count > 0)) return on(op.by);
      after.writer = thread;
      return on();
    case 'write-lock':
      if (state.writer !== -1 || state.readers.some((count) => count > 0)) return 'blocked';
      after.writer = thread;
      return on();
    case 'release':
      if (state.writer === thread) after.writer = -1;
      else if (state.readers[thread]! > 0) after.readers[thread]!--;
      else return 'undefined';
      return on();
    case 'take':
      if (state.tokens[op.of] === 0) return 'blocked';
      after.tokens[op.of]!--;
      return on();
    case 'try-take':
      if (state.tokens[op.of] === 0) return on(op.by);
      after.tokens[op.of]!--;
      return on();
    case 'give':
      after.tokens[op.of]!++;
      return on();
    case 'wait':
      if (state.owners[op.mutex] !== thread) return 'undefined';
      after.owners[op.mutex] = -1;
      after.waits[thread] = op.of;
      after.late[thread] = op.timed;
      after.mutexes[thread] = op.mutex;
      return on();
    case 'signal': {
      const waiting = state.waits.flatMap((condition, i) => (condition === op.of ? [i] : []));
      if (waiting.length === 0) return on();
      return waiting.map((woken) => {
        const one = structuredClone(state);
        one.waits[woken] = -1;
        one.at[thread]!++;
        return one;
      });
    }
    case 'broadcast':
      after.waits = state.waits.map((condition) => (condition === op.of ? -1 : condition));
      return on();
    case 'arrive':
      after.serial[thread] = state.come === 1;
      after.rounds[thread] = state.round;
      if (state.come === 1) {
        after.come = 0;
        after.round++;
      } else after.come++;
      return on();
    case 'begin':
      if (state.round === state.rounds[thread]) return 'blocked';
      if (state.serial[thread]) after.kept[thread]! += 1000;
      after.serial[thread] = false;
      return on();
    case 'first':
      if (state.once === 1) return 'blocked';
      if (state.once === 2) return on(3);
      after.once = 1;
      return on();
    case 'last':
      after.once = 2;
      return on();
    case 'put':
      if (state.freed) return 'undefined';
      after.memory = op.plus;
      return on();
    case 'get':
      if (state.freed) return 'undefined';
      after.sums[thread] = state.memory;
      return on();
    case 'free':
      if (state.freed) return 'undefined';
      after.freed = true;
      return on();
    case 'show':
      after.there.push([op.of, thread, op.plus]);
      after.shown = op.of;
      return on();
    case 'hide':
      after.there = state.there.filter(([of]) => of !== op.of);
      return on();
    case 'find':
      after.found[thread] = state.shown;
      return on(state.shown === 0 ? 2 : 1);
    case 'look': {
      const found = state.there.find(([of]) => of === state.found[thread]);
      if (found === undefined) return 'undefined';
      after.kept[thread] = found[2];
      after.found[thread] = 0;
      return on();
    }
    case 'leave':
      after.there = state.there.filter(([, owner]) => owner !== thread);
      after.left[thread] = true;
      return on(1000);
    case 'join':
      return hasEnded(op.of) ? on() : 'blocked';
    default:
      throw new Error('impossible: another step');
  }
}
