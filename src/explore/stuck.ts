// A process that is blocked for ever, while others may go on (`stuck-free`).
//
// A process is stuck in a state when it is not where it may stop and no continuation lets it move. It is then stuck in everything that follows, so
// it is enough to look at the components of the state graph that nothing leads out of: in one of them the process takes no step. The
// graph of a reduced search (docs/search.md) decides it, too: (1) by the second theorem there, whoever can ever move from a visited state moves somewhere
// behind it in the reduced graph; (2) let σ lead from a visited state to one in which p is stuck. A member of the stubborn set in σ can be moved to
// the front, and the rest is shorter. If there is none, σ is possible behind every possible member t and leads to the same state with t done, which
// p cannot have been the one to do; so p is stuck there, and along the way to a state that takes all its steps σ remains.

import type { Budget, Observer } from '../base/budget.ts';
import type { Location, Proctype } from '../process/program.ts';
import type { Choice, Choices } from './choices.ts';
import type { Model } from './compile.ts';
import { stateComponents } from './cycles.ts';
import { FRAME, HEADER } from './layout.ts';
import type { SearchOutcome, StateSpace } from './search.ts';
import { search, whyIncomplete } from './search.ts';
import { StateStore } from './store.ts';
import { choicesAlong, pathTo } from './trail.ts';

export interface StuckProcess {
  readonly pid: number;
  readonly proctype: Proctype;
  /** Where it stands. */
  readonly location: Location;
  /** From the initial state to one from which the process never moves again. */
  readonly choices: readonly Choice[];
}

export interface StuckOutcome {
  /** Null: there is none, if the search saw everything. */
  readonly found: StuckProcess | null;
  readonly search: SearchOutcome;
}

/** Spaces that end within so many states are looked at in full: their runs are the shortest. */
const SMALL = 20_000;

export function searchStuck(
  model: Model,
  { reduce }: { readonly reduce: boolean },
  budget: Budget,
  observer: Observer,
): StuckOutcome {
  const look = (small: boolean): SearchOutcome =>
    search(
      model,
      { graph: true, all: true, keep: 0, reduce: reduce && !small },
      small ? { ...budget, maxStates: Math.min(SMALL, budget.maxStates) } : budget,
      observer,
    );
  let outcome = look(reduce);
  if (reduce && outcome.limit === 'state-limit' && budget.maxStates > SMALL) outcome = look(false);
  // Inside an atomic sequence without end everyone is stuck, wherever they were when it began: there the order matters.
  if (outcome.reduced && outcome.heldControl)
    outcome = search(model, { graph: true, all: true, keep: 0 }, budget, observer);
  const found = whyIncomplete(outcome) === null ? firstStuck(outcome.space) : null;
  return { found, search: outcome };
}

function firstStuck(space: StateSpace): StuckProcess | null {
  for (const { pid, state, location } of stuckIn(space)) {
    const { machine, program } = space.model;
    load(space, state);
    const proctype = program.proctypes[machine.cells[machine.frames[pid]! + FRAME.type]!]!;
    const choices = choicesAlong(space, pathTo(space, state));
    return { pid, proctype, location: proctype.locations[location]!, choices };
  }
  return null;
}

/** The processes that move, partners too; the claim is none of them. */
function moversIn(choices: Choices): number[] {
  const movers: number[] = [];
  for (let i = 0; i < choices.length; i++) movers.push(choices.process(i), choices.partner(i));
  return movers.filter((pid) => pid >= 0);
}

/** How far a recorded run is looked beyond. */
const LOOK_BEYOND = 50_000;

/** Which processes of the loaded state are not where they may stop, and move in nothing that follows, as far as was looked. */
export function restingFrom(model: Model): number[] {
  const { machine } = model;
  const store = new StateStore();
  const candidates = new Set<number>();
  for (let pid = 0; pid < machine.cells[HEADER.processes]!; pid++)
    if (!mayStop(model, pid)) candidates.add(pid);
  const note = (choices: Choices): void => {
    for (const pid of moversIn(choices)) candidates.delete(pid);
  };
  const first = machine.copy();
  store.add(first, first.length);
  const cursor = machine.open({
    step: (words, length) => {
      note(machine.choices());
      store.add(words, length);
    },
    fault: (_, choices) => note(choices),
  });
  for (let state = 0; state < store.count && store.count < LOOK_BEYOND && candidates.size > 0; state++) {
    store.loadInto(machine, state);
    cursor.expand();
  }
  return [...candidates];
}

function mayStop({ machine, program }: Model, pid: number): boolean {
  const frame = machine.frames[pid]!;
  const { locations } = program.proctypes[machine.cells[frame + FRAME.type]!]!;
  const { isEnd, isFinal } = locations[machine.cells[frame + FRAME.location]!]!;
  return isEnd || isFinal;
}

/** Every process that is stuck in a closed component, in the order of states. */
export function* stuckIn(space: StateSpace): Generator<{ state: number; pid: number; location: number }> {
  const component = stateComponents(space);
  const closed = closedComponents(space, component);
  const movers = new Map<number, Set<number>>();
  for (let state = 0; state < component.length; state++)
    if (closed[component[state]!] === 1) noteMovers(space, state, movers, component[state]!);
  for (let state = 0; state < component.length; state++)
    if (closed[component[state]!] === 1)
      yield* whoRests(space, state, movers.get(component[state]!) ?? NOBODY);
}

const NOBODY: ReadonlySet<number> = new Set();

/** By component: 1 where no step leads out of it. */
function closedComponents({ edges, rowStart, rowEnd }: StateSpace, component: Int32Array): Uint8Array {
  const closed = new Uint8Array(component.length).fill(1);
  for (let state = 0; state < component.length; state++)
    for (let edge = rowStart.data[state]!; edge < rowEnd.data[state]!; edge++)
      if (component[edges.data[edge]!] !== component[state]) closed[component[state]!] = 0;
  return closed;
}

function load({ model, store }: StateSpace, state: number): void {
  store.loadInto(model.machine, state);
}

function noteMovers(space: StateSpace, state: number, movers: Map<number, Set<number>>, of: number): void {
  const { machine } = space.model;
  // Where nothing moves, and there may be many such components, nothing is kept.
  const note = (choices: Choices): void => {
    const moving = movers.get(of) ?? new Set<number>();
    for (const pid of moversIn(choices)) moving.add(pid);
    if (moving.size > 0) movers.set(of, moving);
  };
  const cursor = machine.open({
    step: () => note(machine.choices()),
    fault: (_, choices) => note(choices),
  });
  load(space, state);
  cursor.expand();
}

/** Processes of the state that do not move and are not where they may stop. */
function* whoRests(space: StateSpace, state: number, moving: ReadonlySet<number>) {
  const { machine } = space.model;
  load(space, state);
  for (let pid = 0; pid < machine.cells[HEADER.processes]!; pid++) {
    if (moving.has(pid) || mayStop(space.model, pid)) continue;
    yield { state, pid, location: machine.cells[machine.frames[pid]! + FRAME.location]! };
  }
}
