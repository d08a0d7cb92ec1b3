// Who has to do with a queue: what processes were seen to send and to take along some random walks, and which global variables they share.
// It only says where to look first, so it need not be complete. A process matters at level 0 when it sends to the queue; at
// level n + 1 when it sends to a queue, or writes a variable, that somebody of level n takes from, or reads. The levels are the focuses of boxed.ts.

import { Random } from '../../base/random.ts';
import type { LValue } from '../../process/expression.ts';
import type { Proctype, VariableId } from '../../process/program.ts';
import { type Parts, partsOf, partsOfStatement, walkStatement } from '../../process/walk.ts';
import type { Choice } from '../choices.ts';
import type { Model } from '../compile.ts';
import { FRAME, HEADER } from '../layout.ts';
import type { Operation } from '../machine.ts';
import type { Focus } from './boxed.ts';

const WALKS = 12;
const LENGTH = 200;

export interface Traffic {
  /** By role: the proctype, and the channels (numbers from 0) that processes of that role were seen to use. */
  readonly roles: ReadonlyMap<string, Uses>;
}

interface Uses {
  readonly proctype: number;
  readonly sends: Set<number>;
  readonly takes: Set<number>;
  /** Did it start others? They do not exist without it. */
  starts: boolean;
}

/** The model must be compiled with unlimited capacity. */
export function observeTraffic(model: Model): Traffic {
  const roles = new Map<string, Uses>();
  const random = new Random(1);
  for (let walk = 0; walk < WALKS; walk++) observeWalk(model, random, roles);
  return { roles };
}

/** Process numbers move up when others die: a process is known by its proctype and its arguments. */
export function roleOf({ machine, program, layout }: Model, pid: number): string {
  const { cells, frames } = machine;
  const start = frames[pid]!;
  const { id, parameters } = program.proctypes[cells[start + FRAME.type]!]!;
  return [id, ...parameters.map((parameter) => cells[start + layout.base[parameter]!])].join();
}

interface Seen {
  readonly words: Int32Array;
  readonly choice: Choice;
}

function observeWalk(model: Model, random: Random, roles: Map<string, Uses>): void {
  const { machine } = model;
  const count = (): number => machine.cells[HEADER.processes]!;
  const usesOf = (pid: number): Uses => {
    const role = roleOf(model, pid);
    const proctype = machine.cells[machine.frames[pid]! + FRAME.type]!;
    const known = roles.get(role) ?? { proctype, sends: new Set(), takes: new Set(), starts: false };
    roles.set(role, known);
    return known;
  };
  if (machine.initial() !== 0) return;
  for (let step = 0; step < LENGTH; step++) {
    const uses = Array.from({ length: count() }, (_, pid) => usesOf(pid));
    // What could be done counts as well as what is done.
    const steps = tracedSteps(model, ([pid, , partner], operations) =>
      note(operations, uses[pid]!, uses[partner] ?? null),
    );
    const next = steps[Math.floor(random.next() * steps.length)];
    if (next === undefined) return;
    machine.unpack(next.words, 0);
    if (count() > uses.length) uses[next.choice[0]]!.starts = true;
  }
}

/** The steps of the loaded state, statement by statement, each told with what it does to queues. */
function tracedSteps(
  { machine }: Model,
  tell: (choice: Choice, operations: readonly Operation[]) => void,
): Seen[] {
  const steps: Seen[] = [];
  const traced: Operation[] = [];
  const saved = machine.copy();
  const cursor = machine.open({
    micro: true,
    operations: traced,
    step: (words, length) => {
      const choice = machine.choices().at(0);
      tell(choice, traced);
      steps.push({ words: words.slice(0, length), choice });
    },
  });
  cursor.expand();
  machine.unpack(saved, 0);
  return steps;
}

function note(operations: readonly Operation[], uses: Uses, partner: Uses | null): void {
  for (const operation of operations) {
    if (operation.kind === 'print') continue;
    const channel = operation.channel - 1;
    if (operation.kind === 'send') uses.sends.add(channel);
    if (operation.kind === 'receive' || operation.kind === 'copy') uses.takes.add(channel);
    if (operation.kind !== 'rendezvous') continue;
    // Neither side of a handshake moves without the other.
    for (const side of [uses, partner]) for (const used of [side?.sends, side?.takes]) used?.add(channel);
  }
}

/**
 * Growing sets of roles for the queue of this number (from 0), all of them left out. Between two levels: the first with one of
 * the newcomers at a time, because those who come in together are often alike.
 */
export function focusesFor(model: Model, { roles }: Traffic, channel: number): Focus[] {
  const globals = model.program.proctypes.map((proctype) => globalsOf(model, proctype));
  const feeds = (from: Uses, { takes, proctype }: Uses): boolean =>
    meet(takes, from.sends) || meet(globals[proctype]!.reads, globals[from.proctype]!.writes);
  let inside = [...roles].filter(([, { sends, starts }]) => sends.has(channel) || starts);
  const found: Focus[] = [];
  while (inside.length < roles.size) {
    found.push(focusOn(roles, inside));
    const level = inside;
    const isIn = new Set(level.map(([role]) => role));
    const newcomers = [...roles].filter(
      ([role, uses]) => !isIn.has(role) && level.some(([, member]) => feeds(uses, member)),
    );
    if (newcomers.length === 0) break;
    if (newcomers.length > 1 && newcomers.length <= MOST_ALONE)
      for (const newcomer of newcomers) found.push(focusOn(roles, [...level, newcomer]));
    inside = [...level, ...newcomers];
  }
  return found;
}

const MOST_ALONE = 4;

const meet = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean => [...a].some((one) => b.has(one));

function focusOn(all: ReadonlyMap<string, Uses>, inside: readonly (readonly [string, Uses])[]): Focus {
  const taken = new Set(inside.flatMap(([, { takes }]) => [...takes]));
  const sent = [...all.values()].flatMap(({ sends }) => [...sends]);
  return {
    roles: new Set(inside.map(([role]) => role)),
    untaken: new Set(sent.filter((channel) => !taken.has(channel))),
  };
}

interface Globals {
  readonly reads: Set<VariableId>;
  readonly writes: Set<VariableId>;
}

/** The global variables of a proctype, channels aside. */
function globalsOf({ program }: Model, { edges }: Proctype): Globals {
  const found: Globals = { reads: new Set(), writes: new Set() };
  const isGlobal = (id: VariableId): boolean => {
    const { owner, type } = program.variables[id]!;
    return owner === null && type.kind !== 'chan';
  };
  const add = (to: Set<VariableId>, cells: readonly LValue[]): void => {
    for (const { variable } of cells) if (isGlobal(variable)) to.add(variable);
  };
  const lookInto = (parts: Parts): void => {
    add(found.reads, parts.cells ?? []);
    add(found.writes, parts.writes ?? []);
  };
  for (const { statement } of edges)
    walkStatement(statement, {
      statement: (part) => lookInto(partsOfStatement(part)),
      expression: (part) => lookInto(partsOf(part)),
    });
  return found;
}
