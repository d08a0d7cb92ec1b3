// A run in the user's words: choices are taken one by one on the concrete semantics, and what each did is written down.
// This is also the replay: choices that are not possible are reported, never skipped.

import type { Edge, Proctype } from '../process/program.ts';
import { startOf } from '../source/source.ts';
import type { Blockage } from '../verdict/blocked.ts';
import type { Change, Event, Run, Standing, Step } from '../verdict/run.ts';
import { blockageOf } from './blockage.ts';
import type { Choice } from './choices.ts';
import { diesWith } from './code-edge.ts';
import type { Model } from './compile.ts';
import { haveSeveral } from './instances.ts';
import { withLastTouch } from './last-touch.ts';
import { FRAME, HEADER } from './layout.ts';
import type { Operation } from './machine.ts';
import type { CellNames, NamedCell } from './names.ts';
import { cellNames, formatPrint, proctypeOf, showValue, stepText } from './names.ts';
import { applyChoice } from './trail.ts';

export interface DescribeOptions {
  readonly title: string;
  /** Index of the micro step from which the run repeats. */
  readonly loopStart?: number | null;
  /** The last choice is one that fails (a runtime error): it has no successor. */
  readonly failing?: boolean;
  /** Say at the end why nothing moves, or why these processes do not. */
  readonly explain?: boolean | readonly number[];
}

export type Described =
  /** `standing`: where the living processes are at the end. */
  | { readonly ok: true; readonly run: Run; readonly standing: readonly Standing[] }
  | { readonly ok: false; readonly failedAt: number; readonly run: Run };

export function describe(model: Model, choices: readonly Choice[], options: DescribeOptions): Described {
  const writer = new RunWriter(model);
  model.machine.initial();
  writer.begin();
  for (const [i, choice] of choices.entries()) {
    if (options.failing && i === choices.length - 1) {
      writer.failingStep(choice);
      break;
    }
    if (!writer.step(choice)) return { ok: false, failedAt: i, run: writer.finish(options) };
  }
  return { ok: true, run: writer.finish(options), standing: writer.standing() };
}

/** Is the process gone after the step? Partners of a rendezvous never are. */
export function diesAt(
  { anyOrderOfDeath }: Model,
  edge: Edge,
  { locations }: Proctype,
  isHandshake: boolean,
): boolean {
  return edge.statement.kind === 'end' || (anyOrderOfDeath && !isHandshake && diesWith(locations, edge));
}

/** Follows the machine and keeps names: of processes as they come and go, of the channels they bring. */
export class RunWriter {
  private readonly model: Model;
  private readonly names: CellNames;
  private readonly actors: string[] = [];
  /** By proctype: can it have several instances, and how many were started. */
  private readonly several: readonly boolean[];
  private readonly started: number[] = [];
  /** Process number → index in `actors`, and its proctype. */
  private readonly alive: { actor: number; type: number }[] = [];
  private readonly queues: { name: string; capacity: number | null }[] = [];
  /** Channel number − 1 → name, and index in the layout's queue names. */
  private readonly channels: string[] = [];
  private readonly nameIndex: number[] = [];
  private readonly steps: Step[] = [];
  private initial: Change[] = [];

  constructor(model: Model) {
    this.model = model;
    this.names = cellNames(model);
    this.several = haveSeveral(model.program);
  }

  /** The machine holds the first state. */
  begin(): void {
    const { layout } = this.model;
    for (const slot of layout.globalChannels)
      this.addChannel(slot.name, layout.queueNames[slot.name]!.name, slot.shape.capacity);
    for (let pid = 0; pid < this.processes(); pid++) this.born(pid);
    this.initial = this.values();
  }

  /** Takes the choice; false when the loaded state does not allow it. */
  step(choice: Choice): boolean {
    const [pid, edgeId, partner, partnerEdge] = choice;
    const edge = this.edgeAt(pid, edgeId);
    const other = partner >= 0 ? this.edgeAt(partner, partnerEdge) : null;
    if (edge === undefined || other === undefined) return false;
    const proctype = proctypeOf(this.model, pid);
    const before = this.snapshot();
    const actors =
      partner >= 0 ? [this.alive[pid]!.actor, this.alive[partner]!.actor] : [this.alive[pid]!.actor];
    const events: Event[] = [];
    // They belong to the chosen step only: the list is copied at the moment the step is seen.
    const operations: Operation[] = [];
    if (!applyChoice(this.model, choice, (done) => operations.push(...done))) return false;
    for (const operation of operations) events.push(this.eventOf(operation));
    events.push(...this.birthsAndDeaths(diesAt(this.model, edge, proctype, partner >= 0) ? pid : null));
    const changes = this.values(before);
    this.steps.push({
      actors,
      text: this.text(edge, other),
      at: startOf(edge.span),
      ...(other === null ? {} : { partnerAt: startOf(other.span) }),
      events,
      changes,
      choice: partner >= 0 ? choice : choice.slice(0, 2),
    });
    return true;
  }

  /** The name of a living process. */
  actorOf(pid: number): string {
    return this.actors[this.alive[pid]!.actor]!;
  }

  /** Where the living processes are, in the state that the machine holds. */
  standing(): Standing[] {
    const { machine, program } = this.model;
    return this.alive.slice(0, this.processes()).map(({ actor }, pid) => {
      const { edges, locations } = proctypeOf(this.model, pid);
      const location = locations[machine.cells[machine.frames[pid]! + FRAME.location]!]!;
      const ways = location.edges.map((id) => edges[id]!).filter(({ statement }) => statement.kind !== 'end');
      return {
        process: this.actors[actor]!,
        at: startOf(ways[0]?.span ?? location.span),
        statements: ways.map((edge) => stepText(program, edge)),
      };
    });
  }

  failingStep([pid, edgeId]: Choice): void {
    const edge = this.edgeAt(pid, edgeId);
    if (edge === undefined) return;
    this.steps.push({
      actors: [this.alive[pid]!.actor],
      text: stepText(this.model.program, edge),
      at: startOf(edge.span),
      events: [],
      changes: [],
      choice: [pid, edgeId],
    });
  }

  /** A recorded choice may be of another model, or of none. */
  private edgeAt(pid: number, edgeId: number): Edge | undefined {
    return pid >= 0 && pid < this.processes() ? proctypeOf(this.model, pid).edges[edgeId] : undefined;
  }

  finish(options: DescribeOptions): Run {
    return {
      title: options.title,
      actors: this.actors,
      queues: this.queues,
      initial: this.initial,
      steps: this.steps,
      loopStart: options.loopStart ?? null,
      ...(options.explain ? { blocked: this.blocked(options.explain) } : {}),
    };
  }

  private blocked(whom: true | readonly number[]): Blockage {
    const names = { process: (pid: number) => this.actorOf(pid), channel: this.channelName };
    const blockage = blockageOf(this.model, names, whom === true ? undefined : whom);
    return withLastTouch(blockage, this.steps, this.actors);
  }

  private processes(): number {
    return this.model.machine.cells[HEADER.processes]!;
  }

  private text(edge: Edge, other: Edge | null): string {
    const { program } = this.model;
    return other === null
      ? stepText(program, edge)
      : `${stepText(program, edge)} → ${stepText(program, other)}`;
  }

  private readonly channelName = (id: number): string => this.channels[id - 1] ?? `channel ${id}`;

  private addChannel(index: number, name: string, capacity: number): void {
    const unlimited = this.model.options.capacity === 'unlimited' && capacity > 0;
    this.nameIndex[this.channels.length] = index;
    this.channels.push(name);
    this.queues.push({ name, capacity: unlimited ? null : capacity });
  }

  private born(pid: number): number {
    const { layout, machine } = this.model;
    const type = machine.cells[machine.frames[pid]! + FRAME.type]!;
    const label = this.freshName(type);
    this.actors.push(label);
    this.alive[pid] = { actor: this.actors.length - 1, type };
    for (const slot of layout.localChannels[type]!) {
      const own = layout.queueNames[slot.name]!.name.slice(layout.program.proctypes[type]!.name.length + 1);
      this.addChannel(slot.name, `${label}.${own}`, slot.shape.capacity);
    }
    return this.actors.length - 1;
  }

  /** `phil[0]`, `phil[1]` in the order in which they start; the bare name where there can be only one. */
  private freshName(type: number): string {
    const { name } = this.model.program.proctypes[type]!;
    const number = this.started[type] ?? 0;
    this.started[type] = number + 1;
    return this.several[type] ? `${name}[${number}]` : name;
  }

  private birthsAndDeaths(ended: number | null): Event[] {
    const { layout } = this.model;
    const events: Event[] = [];
    const now = this.processes();
    if (ended !== null) {
      events.push({ kind: 'end' });
      const [gone] = this.alive.splice(ended, 1);
      this.channels.length -= layout.localChannels[gone!.type]!.length;
    }
    const known = this.alive.length;
    for (let pid = known; pid < now; pid++) events.push({ kind: 'start', actor: this.born(pid) });
    return events;
  }

  private message(values: readonly number[], name: number): string {
    const { layout, program } = this.model;
    const { fields } = layout.queueNames[name]!.site;
    return values.map((value, i) => showValue(program, fields[i]!, value, this.channelName)).join(',');
  }

  private eventOf(operation: Operation): Event {
    if (operation.kind === 'print')
      return { kind: 'print', text: formatPrint(this.model.program, operation) };
    const name = this.nameIndex[operation.channel - 1]!;
    const queue = this.channelName(operation.channel);
    const message = this.message(operation.message, name);
    if (operation.kind === 'rendezvous') return { kind: 'rendezvous', queue, message };
    if (operation.kind === 'send')
      return { kind: 'send', queue, message, ...(operation.sorted ? { position: operation.position } : {}) };
    return {
      kind: 'receive',
      queue,
      message,
      ...(operation.position > 0 ? { position: operation.position } : {}),
      ...(operation.kind === 'copy' ? { copy: true } : {}),
    };
  }

  /** Every variable with its value; with `before`, those that differ from then. Numbers are compared, few are ever shown. */
  private values(before: Snapshot | null = null): Change[] {
    const { machine, program } = this.model;
    const result: Change[] = [];
    const add = (named: NamedCell, prefix: string, start: number, old: Int32Array | undefined): void => {
      const value = machine.cells[start + named.cell]!;
      if (old !== undefined && old[named.cell] === value) return;
      const shown = showValue(program, named.type, value, this.channelName);
      result.push({ name: prefix + named.name, value: shown });
    };
    for (const named of this.names.globals) add(named, '', 0, before?.globals);
    for (let pid = 0; pid < this.alive.length && pid < this.processes(); pid++) {
      const frame = machine.frames[pid]!;
      const { actor } = this.alive[pid]!;
      const prefix = `${this.actors[actor]!}.`;
      const old = before?.locals.get(actor);
      for (const named of this.names.locals[machine.cells[frame + FRAME.type]!]!)
        add(named, prefix, frame, old);
    }
    return result;
  }

  private snapshot(): Snapshot {
    const { machine, layout } = this.model;
    const { cells, frames } = machine;
    const locals = this.alive.slice(0, this.processes()).map(({ actor, type }, pid) => {
      const start = frames[pid]!;
      return [actor, cells.slice(start, start + layout.frameSize[type]!)] as const;
    });
    return { globals: cells.slice(0, layout.firstFrame), locals: new Map(locals) };
  }
}

/** Variables as numbers: of the globals, and of each living actor. */
interface Snapshot {
  readonly globals: Int32Array;
  readonly locals: ReadonlyMap<number, Int32Array>;
}
