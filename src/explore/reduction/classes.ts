// Instance classes with their tables: the footprint of every edge, what an edge that is not possible waits for, and for every location all that
// a process there may still do, processes it starts included.

import { components } from '../../graph/components.ts';
import { digraph } from '../../graph/digraph.ts';
import type { Expression } from '../../process/expression.ts';
import type { Proctype, ProctypeId } from '../../process/program.ts';
import { walkStatement } from '../../process/walk.ts';
import { Constants, constantCells, type Facts, type Instance } from './constants.ts';
import { Writer } from './footprint.ts';
import { type Needs, needsOf } from './needs.ts';

export interface StepFacts {
  readonly everything: boolean;
  readonly unsure: boolean;
  readonly resources: Int32Array;
  readonly modes: Uint16Array;
  /** By index: the modes of others that conflict. */
  readonly conflicts: Uint16Array;
  readonly lastLocalChannel: number;
}

export class InstanceClass {
  readonly proctype: Proctype;
  /** By edge. */
  readonly steps: readonly StepFacts[];
  /** By edge: can never be taken by a process of the class. */
  readonly isDead: readonly boolean[];
  /** By location: the modes in which each resource may be used from there on. */
  readonly after: readonly Uint16Array[];
  /** By edge: the channel of a plain receive where it is known for good, −channel for a send, else 0. */
  readonly waitsOn: readonly number[];
  /** The same without zeros, each once. */
  readonly waitedOn: readonly number[];
  /** By edge: all that processes started there may do; null without one. */
  readonly started: readonly (Uint16Array | null)[];
  /** The greatest number of a channel of a process that it holds for good. */
  readonly lastLocalChannel: number;
  private readonly needs: (Needs | undefined)[] = [];
  private readonly facts: Facts;
  private readonly instance: Instance | null;
  /** The values that make the class, in the order of `constantCells`; the process number first. */
  readonly key: Int32Array;

  constructor(
    facts: Facts,
    proctype: Proctype,
    instance: Instance | null,
    key: Int32Array,
    started: (proctype: ProctypeId) => Uint16Array | null,
  ) {
    this.facts = facts;
    this.proctype = proctype;
    this.instance = instance;
    this.key = key;
    this.steps = proctype.edges.map((edge) => stepFacts(facts, proctype, instance, edge.id));
    this.started = proctype.edges.map((_, id) => startedAt(facts, proctype, id, started));
    const constants = new Constants(facts, proctype, instance);
    this.isDead = proctype.edges.map((edge) => constants.isDead(edge));
    this.after = this.futures();
    this.waitsOn = proctype.edges.map((_, id) => waitsOn(facts, proctype, instance, id));
    this.waitedOn = [...new Set(this.waitsOn)].filter((channel) => channel !== 0);
    this.lastLocalChannel = this.steps.reduce((max, step) => Math.max(max, step.lastLocalChannel), 0);
  }

  /** Components come out of Tarjan's algorithm with what they lead to first, so one pass is enough. */
  private futures(): Uint16Array[] {
    const { resources } = this.facts;
    const { edges, locations } = this.proctype;
    const arcs = edges.filter(({ id }) => !this.isDead[id]).map(({ from, to }) => ({ from, to }));
    const { of, members } = components(digraph(locations.length, arcs));
    const tables = members.map(() => new Uint16Array(resources.count));
    for (const [component, inside] of members.entries()) {
      const table = tables[component]!;
      for (const location of inside) {
        for (const id of locations[location]!.edges) {
          if (this.isDead[id]) continue;
          this.addStep(table, id);
          const next = of[edges[id]!.to]!;
          if (next !== component) include(table, tables[next]!);
        }
      }
    }
    return locations.map((_, location) => tables[of[location]!]!);
  }

  private addStep(table: Uint16Array, edge: number): void {
    const { everything, unsure, resources, modes } = this.steps[edge]!;
    if (everything || unsure) table[this.facts.resources.everything]! |= 1;
    resources.forEach((resource, i) => {
      table[resource]! |= modes[i]!;
    });
    const started = this.started[edge];
    if (started != null) include(table, started);
  }

  /** The value of an expression that never changes in a process of the class, else null. */
  constantOf(expression: Expression): number | null {
    return new Constants(this.facts, this.proctype, this.instance).constant(expression);
  }

  needsOf(edge: number): Needs {
    const known = this.needs[edge];
    if (known !== undefined) return known;
    const found = needsOf(this.facts, this.proctype, this.instance, this.proctype.edges[edge]!);
    this.needs[edge] = found;
    return found;
  }
}

function stepFacts(facts: Facts, proctype: Proctype, instance: Instance | null, id: number): StepFacts {
  const writer = new Writer(facts, proctype, instance);
  writer.step(proctype.edges[id]!);
  const { modes, everything, unsure, lastLocalChannel } = writer.footprint;
  const resources = Int32Array.from(modes.keys());
  return {
    everything,
    unsure,
    lastLocalChannel,
    resources,
    modes: Uint16Array.from(modes.values()),
    conflicts: Uint16Array.from(
      [...modes].map(([resource, used]) => facts.resources.conflicts(resource, used)),
    ),
  };
}

function startedAt(
  { resources }: Facts,
  proctype: Proctype,
  edge: number,
  started: (proctype: ProctypeId) => Uint16Array | null,
): Uint16Array | null {
  const targets = [...startedBy(proctype, edge)].flatMap((target) => started(target) ?? []);
  if (targets.length === 0) return null;
  const table = new Uint16Array(resources.count);
  for (const target of targets) include(table, target);
  return table;
}

function include(table: Uint16Array, other: Uint16Array): void {
  for (let i = 0; i < table.length; i++) table[i]! |= other[i]!;
}

function waitsOn(facts: Facts, proctype: Proctype, instance: Instance | null, id: number): number {
  const { statement } = proctype.edges[id]!;
  if (statement.kind !== 'receive' && statement.kind !== 'send') return 0;
  const numbers = new Constants(facts, proctype, instance).exactNumbers(statement.channel);
  if (numbers?.length !== 1 || numbers[0]! < 1) return 0;
  const number = numbers[0]!;
  // The channels of processes come and go; a rendezvous channel is empty and full.
  const shape = facts.model.layout.globalChannels[number - 1]?.shape;
  if (shape === undefined || shape.capacity === 0) return 0;
  return statement.kind === 'receive' ? number : -number;
}

function startedBy(proctype: Proctype, edge: number): Set<ProctypeId> {
  const targets = new Set<ProctypeId>();
  walkStatement(proctype.edges[edge]!.statement, {
    expression: (expression) => {
      if (expression.kind === 'run') targets.add(expression.proctype);
    },
  });
  return targets;
}

/** The classes of the processes of the loaded state. */
export class Classes {
  private readonly facts: Facts;
  private readonly byProctype: InstanceClass[][];
  private readonly cells: readonly (readonly number[])[];
  private readonly wholes: (Uint16Array | undefined)[] = [];
  private readonly last: (InstanceClass | undefined)[] = [];

  constructor(facts: Facts) {
    this.facts = facts;
    const { program } = facts.model;
    this.byProctype = program.proctypes.map(() => []);
    this.cells = program.proctypes.map((proctype) => constantCells(facts, proctype));
  }

  of(pid: number): InstanceClass {
    const { cells, frames } = this.facts.machine;
    const frame = frames[pid]!;
    const type = cells[frame]!;
    const constants = this.cells[type]!;
    const fits = ({ key, proctype }: InstanceClass): boolean => {
      if (proctype.id !== type || key[0] !== pid) return false;
      for (let i = 0; i < constants.length; i++)
        if (key[i + 1] !== cells[frame + constants[i]!]) return false;
      return true;
    };
    const before = this.last[pid];
    if (before !== undefined && fits(before)) return before;
    const known = this.byProctype[type]!.find(fits) ?? this.make(pid, frame, type);
    this.last[pid] = known;
    return known;
  }

  private make(pid: number, frame: number, type: number): InstanceClass {
    const { cells } = this.facts.machine;
    const constants = new Map(this.cells[type]!.map((cell) => [cell, cells[frame + cell]!]));
    const key = Int32Array.from([pid, ...constants.values()]);
    const proctype = this.facts.model.program.proctypes[type]!;
    const made = new InstanceClass(this.facts, proctype, { pid, constants }, key, (id) => this.whole(id));
    this.byProctype[type]!.push(made);
    return made;
  }

  /** All that any process of the proctype may do, and those it starts. */
  private whole(type: ProctypeId): Uint16Array | null {
    const known = this.wholes[type];
    if (known !== undefined) return known;
    const table = new Uint16Array(this.facts.resources.count);
    this.wholes[type] = table;
    for (const id of this.reachable(type)) {
      const proctype = this.facts.model.program.proctypes[id]!;
      const all = new InstanceClass(this.facts, proctype, null, new Int32Array(0), () => null);
      include(table, all.after[proctype.initial]!);
    }
    return table;
  }

  private reachable(type: ProctypeId): Set<ProctypeId> {
    const seen = new Set<ProctypeId>([type]);
    for (const id of seen) {
      const proctype = this.facts.model.program.proctypes[id]!;
      for (const edge of proctype.edges) for (const target of startedBy(proctype, edge.id)) seen.add(target);
    }
    return seen;
  }
}
