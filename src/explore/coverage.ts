// Which statements some run executes, and which places some process comes to: a search through every state, without reduction (which
// leaves out steps on purpose), one statement at a time, so that what lies inside atomic sequences is seen, too.
//
// What is found missing is only meaningful when nothing was left out: a limit, or an error at which a path ends, makes the answer incomplete.

import type { Budget, Observer } from '../base/budget.ts';
import { counted } from '../base/counted.ts';
import type { Edge, Proctype } from '../process/program.ts';
import type { Choices } from './choices.ts';
import type { Model } from './compile.ts';
import { isLimit, isPassable } from './faults.ts';
import { FRAME, HEADER } from './layout.ts';
import type { Incomplete } from './search.ts';
import { StateStore } from './store.ts';

export interface Unexecuted {
  readonly proctype: Proctype;
  readonly edge: Edge;
  /** Some process stands before it in some run; it is never executable there. */
  readonly isReached: boolean;
}

export interface Coverage {
  readonly states: number;
  readonly incomplete: Incomplete | null;
  /** In the order of the model; empty when incomplete. */
  readonly unexecuted: readonly Unexecuted[];
}

const CHECK_EVERY = 1024;

export function coverageOf(model: Model, budget: Budget, observer: Observer): Coverage {
  const { machine, program } = model;
  const store = new StateStore();
  const taken = program.proctypes.map(() => new Set<number>());
  const reached = program.proctypes.map(() => new Set<number>());
  let incomplete: Incomplete | null = null;
  const typeOf = (pid: number): number => machine.cells[machine.frames[pid]! + FRAME.type]!;
  /** By process of the loaded state: the sinks are told of steps while the machine is already elsewhere. */
  let types: number[] = [];
  const note = (pid: number, edge: number): void => {
    if (pid >= 0 && edge >= 0) taken[types[pid]!]!.add(edge);
  };
  const mark = (choices: Choices): void => {
    // Nobody moved: a claim went on alone.
    if (choices.length === 0) return;
    note(choices.process(0), choices.edge(0));
    note(choices.partner(0), choices.partnerEdge(0));
  };
  if (machine.initial() !== 0) return { states: 0, incomplete: 'runtime-error', unexecuted: [] };
  const first = machine.copy();
  store.add(first, first.length);
  const cursor = machine.open({
    micro: true,
    step: (words, length) => {
      mark(machine.choices());
      store.add(words, length);
    },
    fault: (code, choices) => {
      mark(choices);
      if (!isPassable(code)) incomplete ??= isLimit(code) ? 'process-limit' : 'runtime-error';
    },
  });
  for (let state = 0; state < store.count && incomplete === null; state++) {
    if (state % CHECK_EVERY === 0) {
      observer.progress(`${counted(store.count)} states`);
      incomplete = limitReached(store, budget);
    }
    store.loadInto(machine, state);
    types = Array.from({ length: machine.cells[HEADER.processes]! }, (_, pid) => typeOf(pid));
    for (const [pid, type] of types.entries())
      reached[type]!.add(machine.cells[machine.frames[pid]! + FRAME.location]!);
    cursor.expand();
  }
  if (incomplete !== null) return { states: store.count, incomplete, unexecuted: [] };
  const unexecuted = program.proctypes.flatMap((proctype, type) =>
    proctype.edges
      .filter((edge) => !taken[type]!.has(edge.id))
      .map((edge) => ({ proctype, edge, isReached: reached[type]!.has(edge.from) })),
  );
  return { states: store.count, incomplete: null, unexecuted };
}

function limitReached(store: StateStore, budget: Budget): Incomplete | null {
  if (store.count > budget.maxStates) return 'state-limit';
  if (store.bytes() > budget.maxMemory) return 'memory-limit';
  return budget.timeLeft() ? null : 'time-limit';
}
