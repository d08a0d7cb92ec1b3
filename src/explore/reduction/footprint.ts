// What a step of a process uses. A footprint belongs to an edge of an *instance class*: a proctype together with the values that never change
// in a process of it (its number, parameters and locals that nothing assigns), so that `chan[id]` is one channel and not the array.
//
// An atomic sequence is one step: the footprint of its first edge holds everything up to where control may be given up, and each
// statement after the first counts as a test, too, because it decides whether the step goes on. So does d_step. A handshake is
// two edges; each has its own half, and stubborn.ts puts them together; where a sequence comes to a handshake in its middle, the other half is
// that of any receiver.

import { impossible } from '../../base/result.ts';
import { computeBinary } from '../../process/arithmetic.ts';
import type { BinaryOperator, Expression, LValue, ReceiveArgument } from '../../process/expression.ts';
import type { DStepBody, Edge, Proctype, Program, Statement } from '../../process/program.ts';
import { walkExpression, walkStatement } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import { fixedChannels, sizeOf } from '../layout.ts';
import type { LoadedState } from '../machine.ts';
import type { PointsTo } from './points-to.ts';
import { CELL, CHANNEL, LIFE, type Resources } from './resources.ts';

/** Facts about the model that all footprints share. */
export interface Facts {
  readonly model: Model;
  /** Where states are loaded. */
  machine: LoadedState;
  readonly resources: Resources;
  readonly pointsTo: PointsTo;
  /** Some step goes on or not depending on who is ready to receive. */
  readonly looksForReceivers: boolean;
}

/** A process as far as it never changes; null stands for any process of the proctype. */
export interface Instance {
  readonly pid: number;
  /** By cell of the frame, for those that never change. */
  readonly constants: ReadonlyMap<number, number>;
}

class Footprint {
  /** Conflicts with every step of every other process. */
  everything = false;
  /** A channel variable without a channel: what happens is an error, and better looked at in full. */
  unsure = false;
  readonly modes = new Map<number, number>();
  /** Reads variables of its own that change. */
  readsOwn = false;
  /** The greatest number of a channel of some process that it holds for good; 0 without one. */
  lastLocalChannel = 0;

  add(resource: number, modes: number): void {
    this.modes.set(resource, (this.modes.get(resource) ?? 0) | modes);
  }
}

export class Writer {
  readonly footprint = new Footprint();
  private readonly facts: Facts;
  private readonly program: Program;
  private readonly proctype: Proctype;
  private readonly instance: Instance | null;
  /** Receivers of handshakes that are being looked at: sequences may hand control to each other in circles. */
  private readonly receivers: Set<Edge>;

  constructor(facts: Facts, proctype: Proctype, instance: Instance | null, receivers: Set<Edge> = new Set()) {
    this.facts = facts;
    this.program = facts.model.program;
    this.proctype = proctype;
    this.instance = instance;
    this.receivers = receivers;
  }

  /** The whole step that begins with the edge. */
  step(edge: Edge): void {
    this.statement(edge.statement, false);
    this.around(edge);
    if (edge.keepsControl) this.chain(edge.to, new Set());
  }

  private around(edge: Edge): void {
    const { edges, locations, provided } = this.proctype;
    if (provided !== null) this.reads(provided);
    for (const id of edge.blockedBy) this.tests(edges[id]!.statement);
    if (edge.statement.kind === 'else')
      for (const id of locations[edge.from]!.edges) if (id !== edge.id) this.tests(edges[id]!.statement);
    this.moves(edge.from);
    this.moves(edge.to);
  }

  /** Leaves or comes to a location. */
  private moves(location: number): void {
    const { resources, looksForReceivers } = this.facts;
    if (resources.watchedLocations.get(this.proctype.id)?.has(location))
      this.footprint.add(resources.locationsOf(this.proctype.id)!, CELL.write);
    if (looksForReceivers) this.ready(location);
  }

  private ready(location: number): void {
    for (const id of this.proctype.locations[location]!.edges)
      for (const receive of handshakeReceives(this.proctype.edges[id]!.statement))
        this.channel(receive.channel, (capacity) => (capacity === 0 ? CHANNEL.readiness : 0));
  }

  /** What follows under exclusive control: every statement there is tested, and done if it can be. */
  private chain(location: number, seen: Set<number>): void {
    if (seen.has(location)) return;
    seen.add(location);
    for (const id of this.proctype.locations[location]!.edges) {
      const edge = this.proctype.edges[id]!;
      this.statement(edge.statement, true);
      this.around(edge);
      if (edge.keepsControl) this.chain(edge.to, seen);
    }
  }

  private statement(statement: Statement, inside: boolean): void {
    switch (statement.kind) {
      case 'condition':
        if (!waitsForTimeout(statement.expression)) this.reads(statement.expression);
        break;
      case 'assert':
        this.reads(statement.expression);
        break;
      case 'assign':
        this.write(statement.target);
        this.reads(statement.value);
        break;
      case 'send':
        this.send(statement, inside);
        break;
      case 'receive':
        this.reading(statement.channel);
        for (const argument of statement.args) this.argument(argument, true);
        this.channel(statement.channel, (capacity) => receiveModes(statement.copy, capacity, inside));
        break;
      case 'print':
        if (startsProcess(statement)) for (const argument of statement.args) this.reads(argument);
        break;
      case 'dstep':
        this.body(statement.body, inside);
        break;
      case 'end':
        this.end();
        break;
      case 'else':
        break;
      case 'opaque':
        this.footprint.everything = true;
        break;
      default:
        impossible(statement, 'every statement leaves a footprint');
    }
  }

  private send(statement: Statement & { kind: 'send' }, inside: boolean): void {
    this.reading(statement.channel);
    for (const argument of statement.args) this.reads(argument);
    let handshake = false;
    this.channel(statement.channel, (capacity) => {
      if (capacity > 0)
        return (statement.sorted ? CHANNEL.sortedSend : CHANNEL.send) | (inside ? CHANNEL.test : 0);
      handshake = true;
      return CHANNEL.rendezvous | (inside ? CHANNEL.looksForReceiver : 0);
    });
    if (inside && handshake) this.anyReceiver(statement.channel);
  }

  /** The other half of a handshake in the middle of an atomic sequence. */
  private anyReceiver(channel: LValue): void {
    const mine = this.sitesOf(channel);
    for (const proctype of this.program.proctypes) {
      for (const edge of proctype.edges) {
        const meets = handshakeReceives(edge.statement).some((receive) => {
          const theirs = this.sitesOf(receive.channel);
          return mine === null || theirs === null || [...mine].some((site) => theirs.has(site));
        });
        if (!meets || this.receivers.has(edge)) continue;
        this.receivers.add(edge);
        const other = new Writer(this.facts, proctype, null, this.receivers);
        other.step(edge);
        this.include(other.footprint);
      }
    }
  }

  private include(other: Footprint): void {
    this.footprint.everything ||= other.everything;
    for (const [resource, modes] of other.modes) this.footprint.add(resource, modes);
  }

  private sitesOf(channel: LValue) {
    return this.facts.pointsTo.sitesOf(channel.variable);
  }

  private body(body: DStepBody, inside: boolean): void {
    const alone = body.locations[body.initial]!.edges.length === 1;
    for (const edge of body.edges) {
      const first = edge.from === body.initial && alone && !inside;
      this.statement(edge.statement, !first);
      if (!first) this.tests(edge.statement);
    }
  }

  private end(): void {
    const { resources, model } = this.facts;
    this.footprint.add(0, LIFE.end);
    if (model.layout.localChannels[this.proctype.id]!.length > 0) this.localChannels(CHANNEL.dies);
    if (resources.locationsOf(this.proctype.id) !== null)
      this.footprint.add(resources.locationsOf(this.proctype.id)!, CELL.write);
  }

  private localChannels(modes: number): void {
    const { firstLocalChannel, channels } = this.facts.resources;
    for (let number = firstLocalChannel; number <= channels; number++) this.footprint.add(number, modes);
  }

  /** Is the statement executable? Whatever could change the answer is used. */
  tests(statement: Statement): void {
    switch (statement.kind) {
      case 'condition':
        if (!waitsForTimeout(statement.expression)) this.reads(statement.expression);
        break;
      case 'send':
        this.reading(statement.channel);
        for (const argument of statement.args) this.reads(argument);
        this.channel(statement.channel, (capacity) =>
          capacity > 0 ? CHANNEL.test : CHANNEL.looksForReceiver,
        );
        // Whether a receiver is ready depends on what it compares with.
        if (this.handshakes(statement.channel)) this.anyReceiver(statement.channel);
        break;
      case 'receive':
        this.reading(statement.channel);
        for (const argument of statement.args) this.argument(argument, false);
        this.channel(statement.channel, (capacity) => (capacity > 0 ? CHANNEL.test : CHANNEL.rendezvous));
        break;
      case 'dstep':
        for (const id of statement.body.locations[statement.body.initial]!.edges)
          this.tests(statement.body.edges[id]!.statement);
        break;
      case 'end':
        this.footprint.add(0, LIFE.look);
        break;
      case 'opaque':
        this.footprint.everything = true;
        break;
      default:
        break;
    }
  }

  private handshakes(channel: LValue): boolean {
    const sites = this.sitesOf(channel);
    return sites === null || [...sites].some((site) => site.capacity === 0);
  }

  argument(argument: ReceiveArgument, stores: boolean): void {
    if (argument.kind === 'match') this.reads(argument.value);
    if (argument.kind === 'store' && stores) this.write(argument.target);
  }

  reads(expression: Expression): void {
    walkExpression(expression, { expression: (part) => this.part(part) });
  }

  private part(expression: Expression): void {
    const { footprint } = this;
    switch (expression.kind) {
      case 'read':
        this.reading(expression.cell);
        break;
      case 'channel-query':
      case 'poll':
        this.reading(expression.channel);
        this.channel(expression.channel, () => CHANNEL.test);
        break;
      case 'run':
        this.run(this.program.proctypes[expression.proctype]!);
        break;
      case '_nr_pr':
        footprint.add(0, LIFE.look);
        break;
      case 'remote-label':
        footprint.add(0, LIFE.look);
        footprint.add(this.facts.resources.locationsOf(expression.proctype)!, CELL.read);
        break;
      case 'np_':
        // In a claim it looks at labels (visible.ts); a process that looks at all others is not reduced (applies.ts).
        break;
      case 'remote-read':
        footprint.add(0, LIFE.look);
        this.cells(expression.cell, null, CELL.read);
        break;
      case 'timeout':
      case 'enabled':
      case 'pc_value':
      case 'get_priority':
      case 'set_priority':
      case '_last':
      case '_priority':
      case 'opaque':
        footprint.everything = true;
        break;
      default:
        break;
    }
  }

  /** A new process: it has the next number, its channels the next numbers, and its variables their first values. */
  private run(target: Proctype): void {
    const { model, looksForReceivers } = this.facts;
    this.footprint.add(0, LIFE.run);
    if (model.layout.localChannels[target.id]!.length > 0) this.localChannels(CHANNEL.created);
    const started = new Writer(this.facts, target, null);
    for (const id of target.locals) {
      const { initial } = this.program.variables[id]!;
      const values =
        initial?.kind === 'each' ? [initial.value] : initial?.kind === 'list' ? initial.values : [];
      for (const value of values) started.reads(value);
    }
    if (looksForReceivers) started.ready(target.initial);
    this.include(started.footprint);
  }

  /** The cell that an expression reads, or the variable that says which channel. (Indices are visited by themselves.) */
  reading(cell: LValue): void {
    const { owner } = this.program.variables[cell.variable]!;
    if (owner !== null) {
      if (this.facts.model.features.written.has(cell.variable)) this.footprint.readsOwn = true;
    } else this.cells(cell, this.offset(cell), CELL.read);
    for (const step of cell.path) if (step.kind === 'index') this.reads(step.index);
  }

  private write(cell: LValue): void {
    const global = this.program.variables[cell.variable]!.owner === null;
    this.cells(cell, global ? this.offset(cell) : null, CELL.write);
    for (const step of cell.path) if (step.kind === 'index') this.reads(step.index);
  }

  private cells(cell: LValue, offset: number | null, modes: number): void {
    const { from, to } = this.facts.resources.cellsOf(cell.variable, offset);
    for (let resource = from; resource < to; resource++) this.footprint.add(resource, modes);
  }

  /** Adds modes for every channel that the cell can hold; `modes` is asked by capacity. */
  channel(cell: LValue, modes: (capacity: number) => number): void {
    const { resources, pointsTo } = this.facts;
    const exact = this.exactNumbers(cell);
    if (exact !== null) {
      for (const number of exact) {
        if (number < 1 || number > resources.channels) this.footprint.unsure = true;
        else {
          this.footprint.add(number, this.modesOf(cell, number, modes));
          if (number >= resources.firstLocalChannel)
            this.footprint.lastLocalChannel = Math.max(this.footprint.lastLocalChannel, number);
        }
      }
      return;
    }
    const sites = pointsTo.sitesOf(cell.variable) ?? this.program.channelSites;
    for (const site of sites) {
      if (this.program.variables[site.variable]!.owner !== null)
        this.localChannels(modes(site.capacity) | CHANNEL.unsure);
      else for (const number of resources.numbersOf(site)) this.footprint.add(number, modes(site.capacity));
    }
    if (pointsTo.sitesOf(cell.variable) === null) this.localChannels(CHANNEL.unsure);
  }

  private modesOf(cell: LValue, number: number, modes: (capacity: number) => number): number {
    const { layout } = this.facts.model;
    const slot = layout.globalChannels[number - 1];
    if (slot !== undefined) return modes(slot.shape.capacity);
    const sites = this.facts.pointsTo.sitesOf(cell.variable) ?? this.program.channelSites;
    let all = 0;
    for (const site of sites) all |= modes(site.capacity);
    return all;
  }

  /** The numbers of the channels, where they never change; null when that is not known. */
  exactNumbers(cell: LValue): readonly number[] | null {
    const { model } = this.facts;
    const variable = this.program.variables[cell.variable]!;
    if (model.features.written.has(variable.id)) return null;
    const offset = this.offset(cell);
    const fixed = fixedChannels(model.layout, model.features, variable);
    if (offset === null) {
      if (fixed?.firstId == null) return null;
      return Array.from({ length: variable.length ?? 1 }, (_, index) => fixed.firstId! + index);
    }
    if (fixed?.firstId != null) return [fixed.firstId + offset];
    const value = this.valueAt(cell, offset);
    return value === null ? null : [value];
  }

  /** Of a cell that nothing assigns. */
  private valueAt({ variable }: LValue, offset: number): number | null {
    const { machine } = this.facts;
    const { layout } = this.facts.model;
    const start = layout.base[variable]! + offset;
    if (this.program.variables[variable]!.owner === null) return machine.cells[start]!;
    return this.instance?.constants.get(start) ?? null;
  }

  /** Which scalar of the variable the cell is, where that never changes. */
  offset(cell: LValue): number | null {
    const { program } = this;
    const variable = program.variables[cell.variable]!;
    let { type } = variable;
    let offset = 0;
    for (const step of cell.path) {
      if (step.kind === 'index') {
        const index = this.constant(step.index);
        if (index === null || index < 0 || index >= step.length) return null;
        offset += index * sizeOf(program, type);
        continue;
      }
      if (type.kind !== 'struct') return null;
      for (const field of program.structs[type.struct]!.fields) {
        if (field.name === step.name) {
          type = field.type;
          break;
        }
        offset += sizeOf(program, field.type) * (field.length ?? 1);
      }
    }
    return offset;
  }

  /** An edge that a process of this class can never take: its condition is false for good, or an `else` beside one that is true for good. */
  isDead(edge: Edge): boolean {
    const { edges, locations } = this.proctype;
    const { statement } = edge;
    if (statement.kind === 'end') return this.facts.model.options.immortal === true;
    if (statement.kind === 'condition') return this.constant(statement.expression) === 0;
    if (statement.kind !== 'else') return false;
    const out = locations[edge.from]!.edges;
    return out.slice(0, out.indexOf(edge.id)).some((id) => {
      const beside = edges[id]!;
      if (beside.statement.kind !== 'condition' || beside.blockedBy.length > 0) return false;
      const value = this.constant(beside.statement.expression);
      return value !== null && value !== 0;
    });
  }

  /** The value of an expression that never changes in this process, else null. */
  constant(expression: Expression): number | null {
    switch (expression.kind) {
      case 'constant':
        return expression.value;
      case '_pid':
        return this.instance?.pid ?? null;
      case 'read': {
        if (this.facts.model.features.written.has(expression.cell.variable)) return null;
        const offset = this.offset(expression.cell);
        return offset === null ? null : this.valueAt(expression.cell, offset);
      }
      case 'binary': {
        const left = this.constant(expression.left);
        const right = this.constant(expression.right);
        return left === null || right === null ? null : arithmetic(expression.operator, left, right);
      }
      default:
        return null;
    }
  }
}

/** C leaves shifts by large counts open: those are not computed beforehand. */
const arithmetic = (operator: BinaryOperator, left: number, right: number): number | null =>
  operator === '<<' || operator === '>>' ? null : computeBinary(operator, left, right);

const receiveModes = (copy: boolean, capacity: number, inside: boolean): number => {
  if (capacity === 0) return CHANNEL.rendezvous;
  return (copy ? CHANNEL.copy : CHANNEL.receive) | (inside ? CHANNEL.test : 0);
};

/** The receives with which the statement can be the second half of a handshake. */
export function handshakeReceives(statement: Statement): (Statement & { kind: 'receive' })[] {
  if (statement.kind === 'receive') return statement.copy ? [] : [statement];
  if (statement.kind !== 'dstep') return [];
  const { body } = statement;
  return body.locations[body.initial]!.edges.flatMap((id) => handshakeReceives(body.edges[id]!.statement));
}

/** `timeout`, or a conjunction with it: true only when nothing else can move. */
export function waitsForTimeout(expression: Expression): boolean {
  if (expression.kind === 'timeout') return true;
  return (
    expression.kind === 'binary' &&
    expression.operator === '&&' &&
    (waitsForTimeout(expression.left) || waitsForTimeout(expression.right))
  );
}

function startsProcess(statement: Statement): boolean {
  let found = false;
  walkStatement(statement, { expression: ({ kind }) => void (found ||= kind === 'run') });
  return found;
}

/** Cells that tell processes of one proctype apart and never change. */
export function constantCells(model: Model, proctype: Proctype): number[] {
  const { layout, features, program } = model;
  return [...proctype.parameters, ...proctype.locals].flatMap((id) => {
    if (features.written.has(id)) return [];
    const variable = program.variables[id]!;
    const size = sizeOf(program, variable.type) * (variable.length ?? 1);
    return Array.from({ length: size }, (_, index) => layout.base[id]! + index);
  });
}
