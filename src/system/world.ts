// Everything one exploration shares: the program's layout, the plan, the value sets, the queues and the classes found so far.

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
import type { Plan } from './plan.ts';
import { type Queue, Queues } from './queues.ts';
import { Store } from './store.ts';
import { ANY, channelValue, stored, type Value } from './value.ts';

/** Something the abstraction cannot see through: no verdict may rest on the net then. */
export interface Unknown {
  readonly reason: string;
  readonly reasonCode: 'embedded-c' | 'unknown-channel' | 'too-large' | 'time-limit' | 'runtime-error';
  readonly at: Span | null;
}

function usesPriorities(program: Program): boolean {
  let found = program.proctypes.some((proctype) => proctype.priority !== null);
  walkProgram(program, null, {
    expression: (part) => {
      found ||= part.kind === 'set_priority' || (part.kind === 'run' && part.priority !== null);
    },
  });
  return found;
}

export class World {
  readonly program: Program;
  readonly layout: Layout;
  readonly plan: Plan;
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
  /** Queues that are taken to be never full: sends inside fused segments, and beside an `else`. */
  readonly assumedNeverFull = new Set<Queue>();
  /** Some step may end in a runtime error, as far as can be seen: an index, a division, a channel, a d_step that blocks. */
  mayFail = false;
  /** No process can be interrupted inside `atomic` by a priority. */
  readonly atomicHolds: boolean;
  private readonly liveness = new Map<number, Liveness>();
  /** Variables that some statement writes. */
  private readonly changing: ReadonlySet<VariableId>;
  private readonly unknownByKey = new Map<string, Unknown>();

  /** False when the time is over. */
  readonly goOn: () => boolean;

  constructor(program: Program, plan: Plan, limits: Limits, goOn: () => boolean) {
    this.goOn = goOn;
    this.program = program;
    this.layout = new Layout(program);
    this.plan = plan;
    this.limits = limits;
    this.queues = new Queues(plan, limits.valuesPerField);
    this.classes = new Classes(program, this.layout, plan, limits, this.queues.all);
    this.store = new Store(
      this.layout,
      limits,
      (cell, owner) => this.initialValue(cell, owner),
      (reader) => this.waiting.add(reader),
    );
    this.atomicHolds = !usesPriorities(program);
    this.changing = withSources(program, []).changing;
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

  livenessOf(process: ProcessClass): Liveness {
    const { proctype } = process;
    let found = this.liveness.get(proctype.id);
    if (found === undefined) {
      found = liveness(proctype);
      this.liveness.set(proctype.id, found);
    }
    return found;
  }

  /** Is the cell part of this class's locations? */
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
