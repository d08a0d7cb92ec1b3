// Everything one exploration shares: the program's layout, the plan, the value sets, the queues and the classes found so far. This is where
// what the transfer function found is written down, between two calls of it.

import type { LValue } from '../process/expression.ts';
import { type Liveness, liveness } from '../process/liveness.ts';
import type { Program, VariableId } from '../process/program.ts';
import { walkProgram } from '../process/walk.ts';
import type { Span } from '../source/source.ts';
import { Classes, type ProcessClass } from './classes.ts';
import { withSources } from './deciders.ts';
import { evaluate, type Reader } from './evaluate.ts';
import { Layout } from './layout.ts';
import type { Limits } from './limits.ts';
import type { Plan, Planner } from './plan.ts';
import { type Queue, Queues } from './queues.ts';
import { Store } from './store.ts';
import type { Outcome } from './transfer.ts';
import type { Unknown, Updates, Wish } from './updates.ts';
import { ANY, channelValue, stored, type Value } from './value.ts';
import type { View } from './view.ts';

function usesPriorities(program: Program): boolean {
  let found = program.proctypes.some((proctype) => proctype.priority !== null);
  walkProgram(program, null, {
    expression: (part) => {
      found ||= part.kind === 'set_priority' || (part.kind === 'run' && part.priority !== null);
    },
  });
  return found;
}

export class World implements View {
  readonly program: Program;
  readonly layout: Layout;
  readonly limits: Limits;
  readonly queues: Queues;
  readonly classes: Classes;
  readonly store: Store;
  /** Ways tried so far. */
  work = 0;
  /** Classes to (re-)explore. */
  readonly waiting = new Set<number>();
  /** Classes that are started somewhere. */
  readonly alive = new Set<number>();
  readonly assumedNeverFull = new Set<Queue>();
  /** Some step may end in a runtime error, as far as can be seen: an index, a division, a channel, a d_step that blocks. */
  mayFail = false;
  readonly atomicHolds: boolean;
  private readonly planner: Planner;
  private readonly liveness = new Map<number, Liveness>();
  /** Variables that some statement writes. */
  private readonly changing: ReadonlySet<VariableId>;
  private readonly unknownByKey = new Map<string, Unknown>();

  /** False when the time is over. */
  readonly goOn: () => boolean;

  constructor(program: Program, planner: Planner, limits: Limits, goOn: () => boolean) {
    this.goOn = goOn;
    this.program = program;
    this.layout = new Layout(program);
    this.planner = planner;
    this.limits = limits;
    const wake = (reader: number): void => void this.waiting.add(reader);
    this.queues = new Queues(() => planner.plan, wake);
    this.classes = new Classes(program, this.layout, planner, limits, this.queues.all);
    this.store = new Store(this.layout, limits, (cell, owner) => this.initialValue(cell, owner), wake);
    this.atomicHolds = !usesPriorities(program);
    this.changing = withSources(program, []).changing;
  }

  /** As it stands; what is found on the way may make it another one. */
  get plan(): Plan {
    return this.planner.plan;
  }

  get unknowns(): Unknown[] {
    return [...this.unknownByKey.values()];
  }

  unknown(reasonCode: Unknown['reasonCode'], reason: string, at: Span | null): void {
    const key = `${reasonCode}@${at?.file.path}:${at?.start}`;
    if (!this.unknownByKey.has(key)) this.unknownByKey.set(key, { reason, reasonCode, at });
  }

  spawned(process: ProcessClass): void {
    if (this.alive.has(process.id)) return;
    this.alive.add(process.id);
    this.waiting.add(process.id);
  }

  /** What a call of the transfer function for this class looked at, and asks for. */
  apply(process: ProcessClass, { reads, uses, wishes, mayFail }: Updates): void {
    if (mayFail) this.mayFail = true;
    for (const cell of reads) this.store.noteReader(cell, process);
    for (const queue of uses) this.queues.use(queue, process.id);
    for (const wish of wishes) this.grant(wish);
  }

  private grant(wish: Wish): void {
    const { planner, queues } = this;
    switch (wish.kind) {
      case 'unknown':
        this.unknown(wish.unknown.reasonCode, wish.unknown.reason, wish.unknown.at);
        break;
      case 'never-full':
        this.assumedNeverFull.add(wish.queue);
        break;
      case 'ask':
        planner.ask(wish.queue.key, wish.field, wish.value);
        queues.ask(wish.queue, wish.field, wish.value);
        break;
      case 'distinguish':
        queues.distinguish(wish.queue, wish.field, wish.value, wish.countedBefore);
        break;
      case 'split':
        planner.split(wish.queue.key, wish.field);
        break;
      case 'give-up-splitting':
        planner.giveUpSplitting(wish.queue.key, wish.field);
        break;
      case 'open':
        planner.open(wish.dstep);
        break;
      case 'drop-token':
        planner.dropToken(wish.cell);
        break;
    }
  }

  open(dstep: string): void {
    this.planner.open(dstep);
  }

  stopFusing(edge: string): void {
    this.planner.stopFusing(edge);
  }

  /** Makes what happened on one way visible to everyone; the classes it starts, null when there are too many. */
  commit(process: ProcessClass, { writes, blurs, sends, starts }: Outcome): readonly ProcessClass[] | null {
    const started: ProcessClass[] = [];
    for (const { proctype, args, at } of starts) {
      const found = this.classes.get(proctype, args, ANY, 0);
      if (found === null) {
        this.unknown('too-large', 'more kinds of processes are created than can be told apart', at);
        return null;
      }
      started.push(found);
    }
    for (const { cell, value } of writes) this.store.add(cell, value, process);
    for (const { variable, value } of blurs) this.store.addAnywhere(variable, value, process);
    for (const { queue, message, fields } of sends)
      this.queues.put(queue, message, fields, this.limits.valuesPerLocal);
    for (const one of started) this.spawned(one);
    return started;
  }

  livenessOf(process: ProcessClass): Liveness {
    const { proctype } = process;
    let found = this.liveness.get(proctype.id);
    if (found === undefined) {
      found = liveness(proctype);
      this.liveness.set(proctype.id, found);
    }
    return found;
  }

  isUnfolded(cell: number, process: ProcessClass): boolean {
    const variable = this.layout.variableOf(cell);
    if (!this.plan.unfolded.has(variable)) return false;
    const { owner } = this.program.variables[variable]!;
    return owner === process.proctype.id || this.plan.owners.get(variable) === process.key;
  }

  /** What a cell holds when it comes to life: with the process for locals (`owner`), at the start for globals. */
  initialValue(cell: number, owner: ProcessClass | null): Value {
    const { storage, initial } = this.layout.cell(cell);
    if (owner !== null) {
      const parameter = this.layout.parameterCells(owner.proctype).indexOf(cell);
      if (parameter >= 0) return owner.args[parameter]!;
    }
    if (initial === null) return 0;
    if (initial.kind === 'channel') return channelValue(this.queueAt(cell, owner).id);
    return stored(storage, evaluate(initial.value, this.atStart(owner)));
  }

  /** The queue that a channel initialiser makes. */
  queueAt(cell: number, owner: ProcessClass | null): Queue {
    const { name, initial } = this.layout.cell(cell);
    if (initial?.kind !== 'channel') throw new Error(`impossible: ${name} is not an initialised channel`);
    const { site } = initial;
    return this.queues.get({
      key: owner === null ? `${cell}` : `${cell}@${owner.context}`,
      name: owner === null ? name : `${owner.proctype.name}.${name}`,
      site,
      single: owner === null || owner.proctype.kind === 'init',
      ancestry: owner?.ancestry ?? new Set(),
    });
  }

  /** The cell an initialiser reads; null when an index is not known, or when there is no such element (an error in SPIN). */
  private elementAtStart(lvalue: LValue, owner: ProcessClass | null): number | null {
    const located = this.layout.locate(lvalue);
    let { cell } = located;
    for (const { index, length, stride } of located.strides) {
      const at = evaluate(index, this.atStart(owner));
      if (at === ANY || at < 0 || at >= length) return null;
      cell += at * stride;
    }
    return cell;
  }

  /** Initialisers see parameters and globals; a global counts only while it cannot have changed. */
  private atStart(owner: ProcessClass | null): Reader {
    return {
      read: (lvalue) => {
        const cell = this.elementAtStart(lvalue, owner);
        if (cell === null) return ANY;
        if (owner === null || !this.layout.isGlobal(cell)) return this.initialValue(cell, owner);
        return this.changing.has(this.layout.variableOf(cell)) ? ANY : this.initialValue(cell, null);
      },
      start: () => ANY,
      opaque: (expression) => this.unknown('embedded-c', 'embedded C may do anything', expression.span),
      choose: () => null,
      pid: owner?.pid ?? ANY,
      sameChannel: (queue) => this.queues.all[queue]!.single,
    };
  }
}
