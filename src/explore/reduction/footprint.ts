// What a step of a process uses. A footprint belongs to an edge of an *instance class*: a proctype together with the values that never change
// in a process of it (its number, parameters and locals that nothing assigns), so that `chan[id]` is one channel and not the array.
//
// An atomic sequence is one step: the footprint of its first edge holds everything up to where control may be given up, and each
// statement after the first counts as a test, too, because it decides whether the step goes on. So does d_step. A handshake is
// two edges; each has its own half, and stubborn.ts puts them together; where a sequence comes to a handshake in its middle, the other half is
// that of any receiver.

import { impossible } from '../../base/result.ts';
import type { Expression, LValue, ReceiveArgument } from '../../process/expression.ts';
import type { DStepBody, Edge, Proctype, Program, Statement } from '../../process/program.ts';
import { isMoreThanText } from '../../process/uses.ts';
import { walkExpression } from '../../process/walk.ts';
import { Constants, type Facts, type Instance } from './constants.ts';
import { handshakeReceives, waitsForTimeout } from './forms.ts';
import { partOf } from './parts.ts';
import { CELL, CHANNEL, LIFE } from './resources.ts';
import { type Footprint, Uses } from './uses.ts';

export class Writer {
  private readonly facts: Facts;
  private readonly program: Program;
  private readonly proctype: Proctype;
  private readonly constants: Constants;
  private readonly uses: Uses;
  /** Receivers of handshakes that are being looked at: sequences may hand control to each other in circles. */
  private readonly receivers: Set<Edge>;

  constructor(facts: Facts, proctype: Proctype, instance: Instance | null, receivers: Set<Edge> = new Set()) {
    this.facts = facts;
    this.program = facts.model.program;
    this.proctype = proctype;
    this.constants = new Constants(facts, proctype, instance);
    this.uses = new Uses(facts, this.constants);
    this.receivers = receivers;
  }

  get footprint(): Footprint {
    return this.uses.footprint;
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
        this.uses.channel(receive.channel, (capacity) => (capacity === 0 ? CHANNEL.readiness : 0));
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
        this.uses.channel(statement.channel, (capacity) => receiveModes(statement.copy, capacity, inside));
        break;
      case 'print':
        for (const argument of statement.args) if (isMoreThanText(argument)) this.reads(argument);
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
    this.uses.channel(statement.channel, (capacity) => {
      if (capacity > 0)
        return (statement.sorted ? CHANNEL.sortedSend : CHANNEL.send) | (inside ? CHANNEL.test : 0);
      handshake = true;
      return CHANNEL.rendezvous | (inside ? CHANNEL.looksForReceiver : 0);
    });
    if (inside && handshake) this.anyReceiver(statement.channel);
  }

  /** The other half of a handshake in the middle of an atomic sequence. */
  private anyReceiver(channel: LValue): void {
    const mine = this.uses.sitesOf(channel);
    for (const proctype of this.program.proctypes) {
      for (const edge of proctype.edges) {
        const meets = handshakeReceives(edge.statement).some((receive) => {
          const theirs = this.uses.sitesOf(receive.channel);
          return mine === null || theirs === null || [...mine].some((site) => theirs.has(site));
        });
        if (!meets || this.receivers.has(edge)) continue;
        this.receivers.add(edge);
        const other = new Writer(this.facts, proctype, null, this.receivers);
        other.step(edge);
        this.footprint.include(other.footprint);
      }
    }
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
    if (model.layout.localChannels[this.proctype.id]!.length > 0) this.uses.localChannels(CHANNEL.dies);
    if (resources.locationsOf(this.proctype.id) !== null)
      this.footprint.add(resources.locationsOf(this.proctype.id)!, CELL.write);
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
        this.uses.channel(statement.channel, (capacity) =>
          capacity > 0 ? CHANNEL.test : CHANNEL.looksForReceiver,
        );
        // Whether a receiver is ready depends on what it compares with.
        if (this.uses.handshakes(statement.channel)) this.anyReceiver(statement.channel);
        break;
      case 'receive':
        this.reading(statement.channel);
        for (const argument of statement.args) this.argument(argument, false);
        this.uses.channel(statement.channel, (capacity) =>
          capacity > 0 ? CHANNEL.test : CHANNEL.rendezvous,
        );
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
        this.uses.channel(expression.channel, () => CHANNEL.test);
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
        this.uses.cells(expression.cell, null, CELL.read);
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
    if (model.layout.localChannels[target.id]!.length > 0) this.uses.localChannels(CHANNEL.created);
    const started = new Writer(this.facts, target, null);
    for (const id of target.locals) {
      const { initial } = this.program.variables[id]!;
      const values =
        initial?.kind === 'each' ? [initial.value] : initial?.kind === 'list' ? initial.values : [];
      for (const value of values) started.reads(value);
    }
    if (looksForReceivers) started.ready(target.initial);
    this.footprint.include(started.footprint);
  }

  /** The cell that an expression reads, or the variable that says which channel. (Indices are visited by themselves.) */
  reading(cell: LValue): void {
    const { owner } = this.program.variables[cell.variable]!;
    if (owner !== null) {
      if (this.facts.written.has(partOf(cell))) this.footprint.readsOwn = true;
    } else this.uses.cells(cell, this.constants.offset(cell), CELL.read);
    for (const step of cell.path) if (step.kind === 'index') this.reads(step.index);
  }

  private write(cell: LValue): void {
    const global = this.program.variables[cell.variable]!.owner === null;
    this.uses.cells(cell, global ? this.constants.offset(cell) : null, CELL.write);
    for (const step of cell.path) if (step.kind === 'index') this.reads(step.index);
  }
}

const receiveModes = (copy: boolean, capacity: number, inside: boolean): number => {
  if (capacity === 0) return CHANNEL.rendezvous;
  return (copy ? CHANNEL.copy : CHANNEL.receive) | (inside ? CHANNEL.test : 0);
};
