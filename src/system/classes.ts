// Process classes: a proctype with the values of its parameters that are known when it is started ([IBOC] 3.3, 3.4).
// There are finitely many: beyond a limit, arguments that decide nothing are merged to ANY, and for proctypes that create
// themselves all plain ones; the
// channels of an instance that descends from its own proctype are merged into one set per proctype.

import type { Proctype, ProctypeId, Program } from '../process/program.ts';
import type { Layout } from './layout.ts';
import type { Limits } from './limits.ts';
import { nameOfValue } from './names.ts';
import type { Planner } from './plan.ts';
import type { Queue } from './queues.ts';
import { recursiveProctypes } from './recursion.ts';
import { ANY, isChannel, queueOf, stored, type Value } from './value.ts';

export interface ProcessClass {
  readonly id: number;
  readonly key: string;
  /** `client(0)`, `server`, `init`. */
  readonly name: string;
  readonly proctype: Proctype;
  /** Per scalar cell of the parameters, in order. */
  readonly args: readonly Value[];
  /** Its `_pid`, when known. */
  readonly pid: Value;
  /** Instances at the start. */
  readonly instances: number;
  /** Whose local channels are its own: the class itself, or `proctype*` for descendants of the same proctype. */
  readonly context: string;
  readonly ancestry: ReadonlySet<number>;
}

export class Classes {
  readonly all: ProcessClass[] = [];
  private readonly byKey = new Map<string, ProcessClass>();
  private readonly perProctype = new Map<number, number>();
  private readonly recursive: ReadonlySet<number>;
  private readonly program: Program;
  private readonly layout: Layout;
  private readonly planner: Planner;
  private readonly limits: Limits;
  private readonly queues: readonly Queue[];

  constructor(program: Program, layout: Layout, planner: Planner, limits: Limits, queues: readonly Queue[]) {
    this.program = program;
    this.layout = layout;
    this.planner = planner;
    this.limits = limits;
    this.queues = queues;
    this.recursive = recursiveProctypes(program);
  }

  /** The class of a process started with these arguments; null when there are too many classes. */
  get(id: ProctypeId, given: readonly Value[], pid: Value, instances: number): ProcessClass | null {
    const proctype = this.program.proctypes[id]!;
    const args = this.argumentsOf(proctype, given);
    const key = `${id}(${args.map((arg) => arg ?? '_').join()})${pid === ANY ? '' : `#${pid}`}`;
    const found = this.byKey.get(key);
    if (found !== undefined) return found;
    if (this.all.length >= this.limits.classes) return null;
    const created = this.create(proctype, args, key, pid, instances);
    this.all.push(created);
    this.byKey.set(key, created);
    this.countClass(id);
    return created;
  }

  private argumentsOf(proctype: Proctype, given: readonly Value[]): Value[] {
    const { plan } = this.planner;
    const merged = plan.merged.get(proctype.id);
    return this.layout.parameterCells(proctype).map((cell, index) => {
      const { storage } = this.layout.cell(cell);
      const value = stored(storage, given[index] === undefined ? 0 : given[index]!);
      const isDistinguishing = plan.distinguishing.has(this.layout.variableOf(cell));
      const isMerged = merged === 'plain' || (merged === 'undecided' && !isDistinguishing);
      return isMerged && !isChannel(value) ? ANY : value;
    });
  }

  private create(
    proctype: Proctype,
    args: readonly Value[],
    key: string,
    pid: Value,
    instances: number,
  ): ProcessClass {
    const parents = args.flatMap((arg) => {
      const queue = queueOf(arg);
      return queue === null ? [] : [...this.queues[queue]!.ancestry];
    });
    const descends = parents.includes(proctype.id);
    return {
      id: this.all.length,
      key,
      name: this.nameOf(proctype, args, pid),
      proctype,
      args,
      pid,
      instances,
      context: descends ? `${proctype.id}*` : key,
      ancestry: new Set([...parents, proctype.id]),
    };
  }

  private nameOf(proctype: Proctype, args: readonly Value[], pid: Value): string {
    const cells = this.layout.parameterCells(proctype);
    const shown = args.map((arg, index) => {
      const { type } = this.layout.cell(cells[index]!);
      return nameOfValue(this.program, type, arg, this.queues);
    });
    const known = pid === ANY ? shown : [...shown, `_pid=${pid}`];
    return known.length === 0 || known.every((arg) => arg === '_')
      ? proctype.name
      : `${proctype.name}(${known.join(',')})`;
  }

  private countClass(id: number): void {
    const count = (this.perProctype.get(id) ?? 0) + 1;
    this.perProctype.set(id, count);
    if (count <= this.limits.classesPerProctype) return;
    this.planner.merge(id, this.recursive.has(id) ? 'plain' : 'undecided');
  }
}
