// Explains the state that a run ends in: for every process that cannot move and may not stop, what it waits for, who else ever could have
// done it (by the footprints of what they may still do), and whether the waiting goes round in a circle.

import { components } from '../graph/components.ts';
import { digraph } from '../graph/digraph.ts';
import type { Expression, ReceiveArgument } from '../process/expression.ts';
import type { Edge, Receive, Send } from '../process/program.ts';
import { showExpression } from '../process/show.ts';
import { startOf } from '../source/source.ts';
import type { Blockage, BlockedProcess, Helper, Wait } from '../verdict/blocked.ts';
import type { Model } from './compile.ts';
import { FRAME, HEADER } from './layout.ts';
import { showValue, stepText } from './names.ts';
import { factsOf } from './reduction/applies.ts';
import { Classes, type InstanceClass } from './reduction/classes.ts';
import { CHANNEL, LIFE } from './reduction/resources.ts';

export interface Names {
  process(pid: number): string;
  channel(id: number): string;
}

/** The machine holds the state. `only`: of these processes; all that are blocked otherwise. */
export function blockageOf(model: Model, names: Names, only?: readonly number[]): Blockage {
  return new Explanation(model, names).explain(only);
}

class Explanation {
  private readonly model: Model;
  private readonly names: Names;
  private readonly classes: Classes;
  private readonly processes: number;
  /** Pairs: who waits for whom. */
  private readonly waits: { from: number; to: number }[] = [];

  constructor(model: Model, names: Names) {
    this.model = model;
    this.names = names;
    this.classes = new Classes(factsOf(model));
    this.processes = model.machine.cells[HEADER.processes]!;
  }

  explain(only?: readonly number[]): Blockage {
    const blocked: BlockedProcess[] = [];
    for (let pid = 0; pid < this.processes; pid++) {
      const found = this.blocked(pid);
      if (found !== null && (only === undefined || only.includes(pid))) blocked.push(found);
    }
    return { processes: blocked, circularWait: this.circle() };
  }

  private blocked(pid: number): BlockedProcess | null {
    const { proctype } = this.classes.of(pid);
    const location = proctype.locations[this.locationOf(pid)]!;
    const holder = this.holder();
    if (location.isEnd || location.isFinal || holder === pid) return null;
    if (holder < 0 && this.model.machine.couldBegin(pid)) return null;
    const edges = location.edges
      .map((id) => proctype.edges[id]!)
      .filter(({ statement }) => statement.kind !== 'else');
    const waitsFor = edges.map((edge) => this.wait(pid, edge));
    const [first] = waitsFor;
    return {
      process: this.names.process(pid),
      at: first?.at ?? startOf(location.span),
      statement: first?.statement ?? 'the end of its program',
      waitsFor,
    };
  }

  /** Who keeps the others from moving. One that is blocked in the middle of an atomic sequence does not: it loses control. */
  private holder(): number {
    const { machine } = this.model;
    const holder = machine.cells[HEADER.exclusive]!;
    return holder >= 0 && !machine.couldBegin(holder) ? -1 : holder;
  }

  private locationOf(pid: number): number {
    const { cells, frames } = this.model.machine;
    return cells[frames[pid]! + FRAME.location]!;
  }

  private wait(pid: number, edge: Edge): Wait {
    const { statement } = edge;
    const base = { statement: stepText(this.model.program, edge), at: startOf(edge.span) };
    const holder = this.holder();
    if (holder >= 0) {
      const name = this.names.process(holder);
      const helpers = [{ process: name, text: 'keeps it' }];
      return { ...base, kind: 'control', text: `${name} to give up control`, helpers };
    }
    const channel =
      statement.kind === 'send' || statement.kind === 'receive' ? this.channelOf(pid, statement) : null;
    if (channel === null || (statement.kind !== 'send' && statement.kind !== 'receive')) {
      const condition = conditionOf(statement);
      const text =
        condition === null ? 'its first statement to become executable' : this.conditionText(pid, condition);
      if (condition?.kind === 'constant') return { ...base, kind: 'never', text, helpers: [] };
      return { ...base, kind: 'condition', text, helpers: this.changers(pid, edge) };
    }
    const queue = this.names.channel(channel);
    const { capacity, length } = this.stateOf(channel);
    if (capacity === 0) {
      const text = `someone to ${statement.kind === 'send' ? `receive from ${queue}` : `send to ${queue}`} at the same time`;
      return { ...base, kind: 'partner', queue, text, helpers: this.users(pid, channel, CHANNEL.rendezvous) };
    }
    if (statement.kind === 'send')
      return {
        ...base,
        kind: 'room',
        queue,
        text: `room in ${queue}, which is full (${length} of ${capacity})`,
        helpers: this.users(pid, channel, CHANNEL.receive),
      };
    if (length === 0)
      return {
        ...base,
        kind: 'message',
        queue,
        text: `a message in ${queue}, which is empty`,
        helpers: this.users(pid, channel, SENDS),
      };
    return { ...base, queue, ...this.mismatch(pid, channel, statement, length) };
  }

  /** Messages are there, but not the wanted one in front. */
  private mismatch(pid: number, channel: number, statement: Receive, length: number) {
    const queue = this.names.channel(channel);
    if (statement.random)
      return {
        kind: 'other-message' as const,
        text: `a message in ${queue} that fits; none of the ${length} there does`,
        helpers: this.users(pid, channel, SENDS),
      };
    for (let position = 1; position < length; position++) {
      if (!this.fits(pid, channel, statement.args, position)) continue;
      return {
        kind: 'head-of-line' as const,
        text: `a message that is in ${queue}, but behind another that nobody takes (head-of-line blocking)`,
        helpers: this.users(pid, channel, CHANNEL.receive),
      };
    }
    return {
      kind: 'other-message' as const,
      text: `another message than the one in front of ${queue}`,
      helpers: this.users(pid, channel, CHANNEL.receive | CHANNEL.sortedSend),
    };
  }

  private fits(pid: number, channel: number, args: readonly ReceiveArgument[], position: number): boolean {
    const memory = this.model.machine.queues();
    const { fields } = this.model.layout.shapes[this.model.machine.shapeOfChannel[channel - 1]!]!;
    const start = memory[channel - 1]! + 1 + position * fields.length;
    return args.every((argument, field) => {
      if (argument.kind !== 'match') return true;
      return this.value(pid, argument.value) === memory[start + field];
    });
  }

  /** Of simple expressions; null of others. */
  private value(pid: number, expression: Expression): number | null {
    if (expression.kind === 'constant') return expression.value;
    if (expression.kind === '_pid') return pid;
    if (expression.kind !== 'read' || expression.cell.path.length > 0) return null;
    const { machine, layout, program } = this.model;
    const { variable } = expression.cell;
    const start = program.variables[variable]!.owner === null ? 0 : machine.frames[pid]!;
    return machine.cells[start + layout.base[variable]!]!;
  }

  private channelOf(pid: number, { channel }: Send | Receive): number | null {
    const { machine, layout, program } = this.model;
    let type = program.variables[channel.variable]!.type;
    let offset = 0;
    for (const step of channel.path) {
      if (step.kind !== 'index' || type.kind === 'struct') return null;
      const index = this.classes.of(pid).constantOf(step.index) ?? this.value(pid, step.index);
      if (index === null) return null;
      offset += index;
      type = { kind: 'chan' };
    }
    const start = program.variables[channel.variable]!.owner === null ? 0 : machine.frames[pid]!;
    const id = machine.cells[start + layout.base[channel.variable]! + offset]!;
    return id > 0 && id <= machine.cells[HEADER.channels]! ? id : null;
  }

  private stateOf(channel: number): { capacity: number; length: number } {
    const { machine, layout } = this.model;
    const memory = machine.queues();
    const { capacity } = layout.shapes[machine.shapeOfChannel[channel - 1]!]!;
    return { capacity, length: memory[memory[channel - 1]!]! };
  }

  private conditionText(pid: number, expression: Expression): string {
    if (expression.kind === 'timeout') return 'everything else to stop';
    if (expression.kind === 'constant') return 'nothing: this is never executable';
    const values = this.valuesIn(pid, expression).slice(0, MOST_VALUES);
    const now = values.length === 0 ? '' : ` (now ${values.join(', ')})`;
    return `${showExpression(this.model.program, expression)} to become true${now}`;
  }

  /** `sem is 0`, for the variables of a condition whose values can be read off. */
  private valuesIn(pid: number, expression: Expression): string[] {
    const { program } = this.model;
    const found = new Map<string, string>();
    const walk = (part: unknown): void => {
      if (typeof part !== 'object' || part === null) return;
      const one = part as Expression;
      if (one.kind === 'read') {
        const value = this.value(pid, one);
        const { type } = program.variables[one.cell.variable]!;
        if (value !== null && type.kind !== 'struct')
          found.set(showExpression(program, one), showValue(program, type, value, this.names.channel));
      }
      for (const inside of Object.values(part)) walk(inside);
    };
    walk(expression);
    return [...found].map(([name, value]) => `${name} is ${value}`);
  }

  private users(pid: number, channel: number, modes: number): Helper[] {
    return this.helpers(pid, ({ after }, location) => (after[location]![channel]! & modes) !== 0);
  }

  private changers(pid: number, edge: Edge): Helper[] {
    const { otherwise } = this.classes.of(pid).needsOf(edge.id);
    return this.helpers(pid, ({ after }, location) =>
      otherwise.resources.some((resource, i) => {
        const modes = resource === 0 ? otherwise.helpful[i]! & ~LIFE.end : otherwise.helpful[i]!;
        return (after[location]![resource]! & modes) !== 0;
      }),
    );
  }

  private helpers(pid: number, could: (known: InstanceClass, location: number) => boolean): Helper[] {
    const found: Helper[] = [];
    for (let other = 0; other < this.processes; other++) {
      const known = this.classes.of(other);
      const location = this.locationOf(other);
      if (other === pid || !could(known, location)) continue;
      this.waits.push({ from: pid, to: other });
      const moves = this.model.machine.couldBegin(other);
      const atEnd = known.proctype.locations[location]!.isEnd;
      const text = moves ? 'goes on without doing it' : atEnd ? 'rests at an end label' : 'is blocked itself';
      found.push({ process: this.names.process(other), text });
    }
    return found;
  }

  /** A circle of processes that wait for each other, the shortest that is found. */
  private circle(): string[] | null {
    const { members } = components(digraph(this.processes, this.waits));
    const inside = members.find((group) => group.length > 1);
    if (inside === undefined) return null;
    const group = new Set(inside);
    const path = [inside[0]!];
    for (;;) {
      const at = path[path.length - 1]!;
      const next = this.waits.find(({ from, to }) => from === at && group.has(to))!.to;
      const before = path.indexOf(next);
      if (before >= 0) return path.slice(before).map((pid) => this.names.process(pid));
      path.push(next);
    }
  }
}

const MOST_VALUES = 3;

/** Of a deterministic sequence the condition it begins with. */
function conditionOf(statement: Edge['statement']): Expression | null {
  if (statement.kind === 'condition') return statement.expression;
  if (statement.kind !== 'dstep') return null;
  const { locations, edges, initial } = statement.body;
  const first = locations[initial]!.edges;
  return first.length === 1 ? conditionOf(edges[first[0]!]!.statement) : null;
}

const SENDS = CHANNEL.send | CHANNEL.sortedSend;
