// Is this a real pumping loop? The judge of every unboundedness (and growing livelock) refutation.
//
// A run γ →σ γ' repeats for ever when (1) the variables are equal in γ and γ', but for those that σ never looks at (drift.ts), and every
// process that moves in σ has its like in γ' (the same process when no process was added); (2) each queue's word condition holds (words.ts); (3) no step of σ depends on the
// queues that change in any other way (sensitive.ts). Then σ can be taken again from γ', and so on: the state before each round differs only in
// queue contents that still satisfy (2). Loops that leave processes behind are accepted only on request (theory counts processes as
// unlimited where SPIN stops at 255), and only when nothing in the model can see process numbers.
// To be safe against mistakes here the loop is also replayed twice more on the concrete semantics.

import type { Program, VariableId } from '../process/program.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { Drift } from './drift.ts';
import { harmlessDrift, holdsChannel, NO_DRIFT } from './drift.ts';
import type { Layout } from './layout.ts';
import { FRAME, HEADER, sizeOf } from './layout.ts';
import { type PumpOptions, Round, type Snapshot, snapshot } from './round.ts';
import { usesProcessNumbers } from './sensitive.ts';
import { applyChoice } from './trail.ts';
import { repeatsForEver } from './words.ts';

export interface Loop {
  readonly prefix: readonly Choice[];
  readonly loop: readonly Choice[];
}

export interface PumpedLoop extends Loop {
  /** By channel number: how many messages it gains per round. */
  readonly growth: ReadonlyMap<number, number>;
  /** Processes that each round leaves behind. */
  readonly newProcesses: number;
}

/** Null when the loop cannot be shown to repeat for ever. Leaves the machine in some state. */
export function pump(model: Model, candidate: Loop, options: PumpOptions): PumpedLoop | null {
  const { machine } = model;
  if (machine.initial() !== 0) return null;
  for (const choice of candidate.prefix) if (!applyChoice(model, choice)) return null;
  const before = snapshot(model);
  const round = new Round(model, options);
  if (!round.take(candidate.loop)) return null;
  const after = snapshot(model);
  const added = after.processes - before.processes;
  const drift = driftBetween(model, before, after, round, added);
  if (drift === null || !sameControl(model, before, after, round.moved, options, added)) return null;
  const growth = wordsRepeat(before, after, round, drift);
  if (growth === null || dependsOnChanges(model, before, after, round, added)) return null;
  if (options.progress === null && growth.size === 0) return null;
  if (model.options.capacity !== 'unlimited' && queuesChanged(before, after)) return null;
  if (round.someEnded && localQueuesChanged(model, before, after)) return null;
  if (!replays(model, candidate.loop, before, after, round.moved)) return null;
  return { ...candidate, growth, newProcesses: added };
}

const queuesChanged = (before: Snapshot, after: Snapshot): boolean =>
  before.queues.some((contents, j) => contents.join(';') !== after.queues[j]?.join(';'));

/** Queues that die and come back with their process have no history to compare. */
function localQueuesChanged(model: Model, before: Snapshot, after: Snapshot): boolean {
  const from = model.layout.globalChannels.length;
  return before.queues.some((contents, j) => j >= from && contents.join(';') !== after.queues[j]?.join(';'));
}

/** Two more rounds; where processes were left behind, each role is played by the process that has the same frame now. */
function replays(
  model: Model,
  loop: readonly Choice[],
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
): boolean {
  const added = after.processes - before.processes;
  const role = added === 0 ? (pid: number) => pid : successorRoles(before, after, moved);
  const rename = (pid: number): number => (pid < before.processes ? role(pid) : pid + added);
  let current = loop;
  for (let round = 0; round < (added === 0 ? 2 : 1); round++) {
    if (added > 0)
      current = current.map(([pid, edge, partner, other]) => [
        rename(pid),
        edge,
        partner < 0 ? partner : rename(partner),
        other,
      ]);
    if (!current.every((choice) => applyChoice(model, choice))) return false;
  }
  return true;
}

/** For each process that moved: one with an equal frame after the round, each used once. */
function successorRoles(
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
): (pid: number) => number {
  const used = new Set<number>();
  const roles = new Map<number, number>();
  for (const pid of moved) {
    const next = after.frames.findIndex((frame, i) => frame === before.frames[pid] && !used.has(i));
    used.add(next);
    roles.set(pid, next);
  }
  return (pid) => roles.get(pid) ?? pid;
}

/** What differs between the two ends of the round, if it may; null when it may not. */
function driftBetween(
  model: Model,
  before: Snapshot,
  after: Snapshot,
  round: Round,
  added: number,
): Drift | null {
  const { program, layout } = model;
  const differing = new Set<VariableId>();
  const compare = (
    ids: readonly VariableId[],
    then: ArrayLike<number>,
    now: ArrayLike<number>,
    offset: number,
  ): boolean => {
    const owners = ownersOf(program, layout, ids);
    for (let i = 0; i < then.length; i++) {
      if (then[i] === now[i]) continue;
      const owner = owners.get(i + offset);
      if (owner === undefined || holdsChannel(program, program.variables[owner]!.type)) return false;
      differing.add(owner);
    }
    return true;
  };
  if (!compare(program.globals, before.globals, after.globals, HEADER.size)) return null;
  // Where processes are added, each is compared with the one that takes its place: as a whole.
  for (let pid = 0; added === 0 && pid < before.processes; pid++) {
    if (before.frames[pid] === after.frames[pid]) continue;
    const then = before.frames[pid]!.split(',').map(Number);
    const now = after.frames[pid]!.split(',').map(Number);
    const { parameters, locals } = program.proctypes[then[FRAME.type]!]!;
    if (then.length !== now.length || !compare([...parameters, ...locals], then, now, 0)) return null;
  }
  if (differing.size === 0) return NO_DRIFT;
  const drift = harmlessDrift(program, differing, round);
  const isGlobal = (id: VariableId): boolean => program.variables[id]!.owner === null;
  return drift !== null && added > 0 && ![...drift.variables].every(isGlobal) ? null : drift;
}

/** By cell: the variable it belongs to. */
function ownersOf(program: Program, layout: Layout, ids: readonly VariableId[]): Map<number, VariableId> {
  const owners = new Map<number, VariableId>();
  for (const id of ids) {
    const { type, length } = program.variables[id]!;
    const size = sizeOf(program, type) * (length ?? 1);
    for (let i = 0; i < size; i++) owners.set(layout.base[id]! + i, id);
  }
  return owners;
}

function sameControl(
  model: Model,
  before: Snapshot,
  after: Snapshot,
  moved: ReadonlySet<number>,
  options: PumpOptions,
  added: number,
): boolean {
  if (added < 0 || before.exclusive !== after.exclusive) return false;
  if (added === 0) return true;
  if (
    !options.allowNewProcesses ||
    before.exclusive >= 0 ||
    usesProcessNumbers(model.program, model.features)
  )
    return false;
  if (model.layout.localChannels.some((slots) => slots.length > 0)) return false;
  // Every process that moved has its like afterwards: enough equal frames of each kind.
  const available = new Map<string, number>();
  for (const frame of after.frames) available.set(frame, (available.get(frame) ?? 0) + 1);
  for (const pid of moved) {
    const left = available.get(before.frames[pid]!) ?? 0;
    if (left === 0) return false;
    available.set(before.frames[pid]!, left - 1);
  }
  return true;
}

/** The growth by channel number when every queue's word condition holds, else null. */
function wordsRepeat(
  before: Snapshot,
  after: Snapshot,
  { operations, doneBy }: Round,
  drift: Drift,
): Map<number, number> | null {
  const growth = new Map<number, number>();
  for (let j = 0; j < before.queues.length; j++) {
    const appended: string[] = [];
    const removed: string[] = [];
    let outOfOrder = false;
    let drifts = false;
    let looked = false;
    for (const [index, operation] of operations.entries()) {
      if (operation.kind === 'print' || operation.channel !== j + 1) continue;
      drifts ||= operation.kind !== 'receive' && drift.sends.has(doneBy[index]!);
      looked ||= operation.kind !== 'send';
      if (operation.kind === 'rendezvous') continue;
      if (operation.kind === 'send') appended.push(operation.message.join());
      if (operation.kind === 'receive') removed.push(operation.message.join());
      if (operation.kind === 'send' && operation.sorted) outOfOrder = true;
      if (operation.kind === 'receive' && operation.position > 0) outOfOrder = true;
    }
    if (drifts && looked) return null;
    const same = before.queues[j]!.join(';') === after.queues[j]!.join(';');
    // Equal contents: whatever was done to this queue can be done again.
    if (!same && outOfOrder && removed.length > 0) return null;
    if (!same && !repeatsForEver(before.queues[j]!, appended, removed)) return null;
    if (appended.length > removed.length) growth.set(j + 1, appended.length - removed.length);
  }
  return growth;
}

function dependsOnChanges(
  model: Model,
  before: Snapshot,
  after: Snapshot,
  round: Round,
  added: number,
): boolean {
  const { dependence } = round;
  if (added > 0 && (dependence.partners || round.oldProcessEnded || dependence.any)) return true;
  const changed = new Set<number>();
  before.queues.forEach((contents, j) => {
    if (contents.join(';') !== after.queues[j]!.join(';')) changed.add(model.machine.nameOfChannel[j]!);
  });
  if (changed.size === 0) return false;
  return dependence.any || [...dependence.queues].some((name) => changed.has(name));
}
