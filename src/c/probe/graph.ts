// Concrete states of a program, met by executing it with chosen inputs: an under-approximation, as against the abstraction. Every path of this
// graph that starts at its root is a run of the program. The same moment met twice (same location, same values of everything that
// still matters) is one node, so that runs that repeat for ever close to loops.
//
// Nodes are where something is chosen (an input, one of several events), where a proposition changes, where the program stops, and now and then on long stretches
// without any of these.

import { Random } from '../../base/random.ts';
import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Expr } from '../program/expr.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import { InputValues } from './values.ts';

export interface ProbeNode {
  readonly id: number;
  readonly location: number;
  readonly labels: readonly string[];
  readonly out: ProbeEdge[];
  readonly memory: Uint8Array;
  /** What has not been tried here: edges that may be taken, or how many more input values, and the next one of the list. */
  untried: readonly Edge[];
  values: number;
  nextValue: number;
}

export interface ProbeEdge {
  readonly to: number;
  readonly event: string | null;
  readonly edges: readonly Edge[];
  /** The inputs read on the way, in order. */
  readonly inputs: readonly bigint[];
}

export interface Label {
  readonly name: string;
  readonly holds: { readonly test: Expr } | { readonly locations: ReadonlySet<number> };
}

export interface ProbeOptions {
  readonly live: readonly CellSet[];
  readonly labels: readonly Label[];
  /** The program stops here: an error, an end. */
  readonly isSink: (location: number) => boolean;
  readonly seed: number;
}

/** The labels that hold where a machine stands; null where one of them is undefined. */
export function labelsAt(machine: Interpreter, labels: readonly Label[]): string[] | null {
  const names: string[] = [];
  for (const { name, holds } of labels) {
    const isTrue = 'locations' in holds ? holds.locations.has(machine.location) : machine.holds(holds.test);
    if (isTrue === null) return null;
    if (isTrue) names.push(name);
  }
  return names;
}

const STRETCH = 64;
const VALUES_AT_ONE_NODE = 24;
const MEMORY = 64 << 20;

/** Each node keeps the memory: of a program with more of it nothing is gained. */
export const isTooLarge = ({ objects }: Program): boolean =>
  objects.reduce((sum, { size, extent }) => sum + (extent === undefined ? size : 0), 0) > MEMORY / 2;

export class ProbeGraph {
  readonly program: Program;
  readonly nodes: ProbeNode[] = [];
  private readonly options: ProbeOptions;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly ids = new Map<string, number>();
  private readonly open: number[] = [];
  private readonly visits: Int32Array;
  private readonly random: Random;
  private readonly inputs: InputValues;
  private readonly machine: Interpreter;
  private readonly tests: readonly Expr[];
  private readonly places: ReadonlyMap<number, readonly (readonly [number, number])[]> = new Map();
  private readonly wholeMemory: boolean;
  private given: bigint[] = [];
  private from: ProbeNode | null = null;
  private steps = 0;

  constructor(program: Program, options: ProbeOptions) {
    this.program = program;
    this.options = options;
    this.outgoing = outgoingEdges(program);
    this.visits = new Int32Array(program.locations.length);
    this.random = new Random(options.seed);
    this.inputs = new InputValues(program);
    this.machine = new Interpreter(program, (cell, operation) =>
      operation?.kind === 'input' ? this.chooseInput(cell) : 0n,
    );
    this.tests = options.labels.flatMap(({ holds }) => ('test' in holds ? [holds.test] : []));
    // Where bytes are read that are no cells, every byte may matter.
    this.wholeMemory = program.sites.some(({ vague }) => vague);
    this.add(this.labels() ?? []);
  }

  /** Explores until so many more steps are done or nothing is left to try. True when a node satisfies `stop`. */
  explore(
    steps: number,
    maxNodes: number,
    stop: (node: ProbeNode) => boolean,
    timeLeft: () => boolean = () => true,
  ): boolean {
    const end = this.steps + steps;
    const most = Math.min(maxNodes, MEMORY / Math.max(1, this.nodes[0]!.memory.length));
    while (this.steps < end && this.nodes.length < most) {
      const node = this.choose();
      if (node === null || !timeLeft()) return false;
      const before = this.nodes.length;
      this.extend(node, this.firstEdge(node));
      if (this.nodes.length > before && stop(this.nodes[before]!)) return true;
    }
    return false;
  }

  get exhausted(): boolean {
    return this.open.length === 0;
  }

  /** The newest node most of the time, else the one of a few whose location was met least. */
  private choose(): ProbeNode | null {
    const { open, random } = this;
    while (open.length > 0) {
      let at = open.length - 1;
      if (random.below(8) === 0)
        for (let i = 0; i < 4; i++) {
          const other = random.below(open.length);
          if (this.visitsOf(open[other]!) <= this.visitsOf(open[at]!)) at = other;
        }
      const node = this.nodes[open[at]!]!;
      if (node.values > 0 || node.untried.length > 0) return node;
      open[at] = open[open.length - 1]!;
      open.pop();
    }
    return null;
  }

  private visitsOf(node: number): number {
    return this.visits[this.nodes[node]!.location]!;
  }

  /** What the program can do at a node: an edge for each event or way on. */
  offers(node: number): readonly Edge[] {
    const { location } = this.nodes[node]!;
    return this.stops(location) ? [] : this.outgoing[location]!;
  }

  /** Where one of them leads; null when the run ends on the way. */
  follow(node: number, edge: Edge): number | null {
    const at = this.nodes[node]!;
    const known = at.out.find(({ edges }) => edges[0] === edge);
    if (known !== undefined) return known.to;
    at.untried = at.untried.filter((other) => other !== edge);
    return this.extend(at, edge);
  }

  /** The ways on from a node without an event, after trying a few inputs. */
  ownTargets(node: number): readonly number[] {
    const at = this.nodes[node]!;
    const own = this.offers(node).filter(({ operation }) => operation.kind !== 'event');
    if (at.values > 0 && at.out.length < 4)
      for (let i = 0; i < 3 && at.values > 0; i++) this.extend(at, this.firstEdge(at));
    else if (own.length > 0)
      for (const edge of at.untried.filter((e) => own.includes(e))) this.follow(node, edge);
    return at.out.filter(({ event }) => event === null).map(({ to }) => to);
  }

  /** One choice at a node, and what follows up to the next: its number. Null when it leads nowhere. */
  private extend(node: ProbeNode, first: Edge): number | null {
    const { machine } = this;
    machine.restore(node.location, node.memory);
    this.given = [];
    this.from = node;
    const edges: Edge[] = [];
    const begun = machine.take(first);
    this.steps++;
    if (begun !== 'ok') return null;
    edges.push(first);
    if (!this.run(edges, node)) return null;
    const labels = this.labels();
    if (labels === null) return null;
    const target = this.add(labels);
    const event = first.operation.kind === 'event' ? first.operation.name : null;
    if (!node.out.some((edge) => edge.to === target && edge.event === event))
      node.out.push({ to: target, event, edges, inputs: this.given });
    else node.values--;
    return target;
  }

  private firstEdge(node: ProbeNode): Edge {
    const edges = this.outgoing[node.location]!;
    if (node.untried.length === 0) {
      node.values--;
      return edges[0]!;
    }
    const edge = this.random.pick(node.untried);
    node.untried = node.untried.filter((other) => other !== edge);
    return edge;
  }

  /** On from where the machine stands to the next node; false when the run ends without one (undefined behaviour, an assumption). */
  private run(edges: Edge[], from: ProbeNode): boolean {
    const { machine } = this;
    const labels = from.labels.join();
    for (let length = 1; ; length++) {
      const at = machine.location;
      if (this.isNode(at) || length % STRETCH === 0) return true;
      // A stretch without choices that is back where it began goes on for ever.
      if (at === from.location && this.ids.get(this.keyOf(at, machine.snapshot())) === from.id) return true;
      if (this.tests.length > 0 && this.labels()?.join() !== labels) return true;
      let taken: Edge | null = null;
      for (const edge of this.outgoing[at]!) {
        const result = machine.take(edge);
        this.steps++;
        if (result === 'ok') {
          taken = edge;
          break;
        }
        if (result !== 'blocked') return false;
      }
      if (taken === null) return false;
      edges.push(taken);
    }
  }

  private stops(location: number): boolean {
    return this.options.isSink(location) || this.program.locations[location]!.kind !== 'inner';
  }

  private isNode(location: number): boolean {
    const edges = this.outgoing[location]!;
    if (this.options.isSink(location) || edges.length === 0) return true;
    if (edges.length === 1) {
      const { kind } = edges[0]!.operation;
      return kind === 'input' || kind === 'event';
    }
    return edges.some(({ operation }) => operation.kind === 'event' || operation.kind === 'skip');
  }

  /** Each value of the list once at a node, and now and then any other. */
  private chooseInput(cell: Cell): bigint {
    const { random, from } = this;
    const values = this.inputs.of(cell.id, cell.width);
    const any = random.below(10) === 0;
    const value = any
      ? BigInt.asUintN(cell.width, BigInt(random.below(1 << 30)))
      : values[from!.nextValue++ % values.length]!;
    this.given.push(value);
    return value;
  }

  private labels(): string[] | null {
    return labelsAt(this.machine, this.options.labels);
  }

  private add(labels: readonly string[]): number {
    const { machine } = this;
    const { location } = machine;
    const memory = machine.snapshot();
    const key = this.keyOf(location, memory);
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.nodes.length;
    this.ids.set(key, id);
    this.visits[location]!++;
    const edges = this.stops(location) ? [] : this.outgoing[location]!;
    const isInput = edges.length === 1 && edges[0]!.operation.kind === 'input';
    this.nodes.push({
      id,
      location,
      labels,
      out: [],
      memory,
      untried: isInput ? [] : edges,
      values: isInput ? this.valuesAt(edges[0]!) : 0,
      nextValue: this.random.below(1 << 16),
    });
    this.open.push(id);
    return id;
  }

  /** An input that nobody looks at needs one value. */
  private valuesAt({ operation, to }: Edge): number {
    const matters = operation.kind === 'input' && has(this.options.live[to]!, operation.cell.id);
    return matters ? VALUES_AT_ONE_NODE : 1;
  }

  /** A hash is enough: what is found is executed again from the start. */
  private keyOf(location: number, memory: Uint8Array): string {
    // Of so much memory one node is kept: there is nothing to find again.
    if (memory.length > MEMORY) return `${location}`;
    let a = 0x811c9dc5;
    let b = 0x1b873593;
    const mix = (byte: number) => {
      a = Math.imul(a ^ byte, 0x01000193);
      b = Math.imul(b ^ byte, 0x85ebca6b);
      b ^= b >>> 13;
    };
    if (this.wholeMemory) for (const byte of memory) mix(byte);
    else for (const [from, to] of this.livePlaces(location)) for (let i = from; i < to; i++) mix(memory[i]!);
    return `${location} ${a >>> 0} ${b >>> 0}`;
  }

  private livePlaces(location: number): readonly (readonly [number, number])[] {
    let places = this.places.get(location);
    if (places === undefined) {
      const live = this.options.live[location]!;
      places = this.program.cells
        .filter(({ id, array }) => array === undefined && has(live, id))
        .map((cell) => {
          const from = this.machine.placeOf(cell);
          return [from, from + bytesIn(cell.width)] as const;
        });
      (this.places as Map<number, typeof places>).set(location, places);
    }
    return places;
  }
}
