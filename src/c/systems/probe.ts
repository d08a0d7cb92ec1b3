// A violation in a system by trying inputs. Threads share no memory, so each is probed by itself, with every event allowed; the graphs are
// structures that have no run too many. Their composition is asked the same question as the abstraction's.
//
// What was not tried is an edge to a state beyond, from which anything goes on: for deadlocks it must not look stuck. Formulas are
// asked without it: paths that leave the graph are nobody's runs.

import type { Budget, Observer } from '../../base/budget.ts';
import { modelCheck } from '../../kripke/model-check.ts';
import type { LocalPath, Path } from '../../kripke/path.ts';
import { project } from '../../kripke/path.ts';
import { Product } from '../../kripke/product.ts';
import { isPath } from '../../kripke/replay.ts';
import { breadthFirst } from '../../kripke/search.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { KripkeBuilder } from '../../kripke/structure.ts';
import type { System } from '../../kripke/system.ts';
import { compose, isDeadlock } from '../../kripke/system.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import { startOf } from '../../source/source.ts';
import type { Label, ProbeEdge } from '../probe/graph.ts';
import { ProbeGraph } from '../probe/graph.ts';
import { replay, returns } from '../probe/replay.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { ALL_ENDED, ownStep } from '../spec/names.ts';
import { walk } from './walk.ts';

export interface ProbedThread {
  readonly name: string;
  readonly program: Program;
  readonly events: readonly string[];
  readonly labels: readonly Label[];
  /** By location. */
  readonly live: readonly CellSet[];
  readonly isSink: (location: number) => boolean;
}

export interface ProbedPart {
  readonly kind: 'real';
  readonly confirmed: Confirmed;
  readonly segments: readonly (readonly Edge[])[];
}

export type ProbeQuestion =
  | { readonly kind: 'deadlock' }
  | { readonly kind: 'never'; readonly names: readonly string[] }
  | { readonly kind: 'ltl'; readonly formula: Syntax; readonly events: readonly string[] };

export interface Probed {
  readonly system: System;
  readonly path: Path;
  readonly parts: readonly ProbedPart[];
}

/** Machine steps for each thread, nodes of all threads together. */
const FIRST_STEPS = 40_000;
const MOST_NODES = 16_000;
const FEW_CONFIGURATIONS = 20_000;
const FIRST_WALK = 60_000;
/** How many other choices of inputs are tried beside. */
const OTHERS = 3;

export class SystemProber {
  private readonly threads: readonly ProbedThread[];
  private readonly graphs: readonly ProbeGraph[];
  private readonly processes: readonly Kripke[];
  private steps = FIRST_STEPS;
  private walks = FIRST_WALK;
  private nextRound = 3;
  private chances = 0;

  constructor(threads: readonly ProbedThread[], processes: readonly Kripke[]) {
    this.threads = threads;
    this.processes = processes;
    this.graphs = this.fresh(0);
  }

  /** With inputs of their own. */
  private fresh(chance: number): readonly ProbeGraph[] {
    return this.threads.map(
      ({ program, live, labels, isSink }, i) =>
        new ProbeGraph(program, { live, labels, isSink, seed: 1 + i + chance * this.threads.length }),
    );
  }

  /** Asked every round, it works now and then, each time a little longer. */
  try(round: number, question: ProbeQuestion, budget: Budget, observer: Observer): Probed | null {
    if (round < this.nextRound) return null;
    this.nextRound = round * 2;
    const grown = this.explored(this.graphs, question, budget, observer);
    if (grown !== null) return grown;
    // What one choice of inputs does not meet for a long time another may meet at once.
    for (let i = 0; i < OTHERS && budget.timeLeft(); i++) {
      const found = this.explored(this.fresh(++this.chances), question, budget, observer);
      if (found !== null) return found;
    }
    this.steps *= 2;
    return question.kind === 'ltl' ? null : this.walk(question, round, budget);
  }

  private explored(
    graphs: readonly ProbeGraph[],
    question: ProbeQuestion,
    budget: Budget,
    observer: Observer,
  ): Probed | null {
    const nodes = Math.max(300, Math.floor(MOST_NODES / this.threads.length));
    for (const graph of graphs) graph.explore(this.steps, nodes, () => false, budget.timeLeft);
    const searched = this.compose(graphs, question);
    const path = search(searched.system, question, { ...budget, maxStates: FEW_CONFIGURATIONS }, observer);
    return path === null ? null : this.confirmed(graphs, searched, path);
  }

  private compose(graphs: readonly ProbeGraph[], question: ProbeQuestion): ComposedProbes {
    const structures = graphs.map((graph, i) =>
      structureOf(this.threads[i]!, graph, question.kind === 'deadlock'),
    );
    const system = compose([...structures.map(({ kripke }) => kripke), ...this.processes]);
    return { structures, system };
  }

  private confirmed(
    graphs: readonly ProbeGraph[],
    { structures, system }: ComposedProbes,
    path: Path,
  ): Probed | null {
    const parts: ProbedPart[] = [];
    for (const [i, thread] of this.threads.entries()) {
      const local = project(system, path, i);
      if (path.loopStart !== null && local.loopStart === null && !canRest(graphs[i]!, local.states.at(-1)!))
        return null;
      const part = partOf(thread, structures[i]!, local);
      if (part === null) return null;
      parts.push(part);
    }
    return { system, path, parts };
  }

  private walk(
    question: Exclude<ProbeQuestion, { kind: 'ltl' }>,
    seed: number,
    budget: Budget,
  ): Probed | null {
    const isBad = (configuration: Int32Array): boolean =>
      question.kind === 'never' && this.holdsOneOf(configuration, question.names);
    const found = walk({
      names: this.threads.map(({ name }) => name),
      graphs: this.graphs,
      alphabets: this.threads.map(({ events }) => events),
      processes: this.processes,
      isGoal: question.kind === 'deadlock' ? null : isBad,
      steps: this.walks,
      seed,
      timeLeft: budget.timeLeft,
    });
    this.walks *= 2;
    if (found === null) return null;
    const composed = this.compose(this.graphs, question);
    const { events: names } = composed.system;
    const events = found.events.map((event) => names.indexOf(event));
    const path = { states: found.states, events, loopStart: null };
    if (!isPath(composed.system, path)) return null;
    if (question.kind === 'deadlock' && !isDeadlock(composed.system, path.states.at(-1)!)) return null;
    return this.confirmed(this.graphs, composed, path);
  }

  private holdsOneOf(configuration: Int32Array, names: readonly string[]): boolean {
    return (
      this.graphs.some(({ nodes }, i) =>
        nodes[configuration[i]!]!.labels.some((label) => names.includes(label)),
      ) ||
      this.processes.some(({ propositions, labels }, i) =>
        labels[configuration[this.graphs.length + i]!]!.some((label) => names.includes(propositions[label]!)),
      )
    );
  }
}

interface ComposedProbes {
  readonly structures: readonly ProbeStructure[];
  readonly system: System;
}

function search(system: System, question: ProbeQuestion, budget: Budget, observer: Observer): Path | null {
  if (question.kind === 'ltl') {
    // The formula's atoms are numbered by the events of the system it was made for.
    if (question.events.some((name, id) => system.events[id] !== name)) return null;
    const result = modelCheck(system, question.formula, { monolithic: true }, budget, observer);
    return result.kind === 'violated' ? result.path : null;
  }
  const product = new Product(system);
  const found = breadthFirst(product, budget, (state, steps) =>
    question.kind === 'deadlock'
      ? steps === 0
      : holdsOneOf(system, (component) => product.stateOf(state, component), question.names),
  );
  return found.kind === 'found' ? found.path : null;
}

function holdsOneOf(
  system: System,
  stateOf: (component: number) => number,
  names: readonly string[],
): boolean {
  return system.components.some(({ propositions, labels }, component) =>
    labels[stateOf(component)]!.some((label) => names.includes(propositions[label]!)),
  );
}

interface ProbeStructure {
  readonly kripke: Kripke;
  /** The stretch behind an edge of the structure: key `from event to`. */
  readonly stretches: ReadonlyMap<string, ProbeEdge>;
  /** Of each node. */
  readonly labels: readonly (readonly string[])[];
  readonly locations: readonly number[];
}

function structureOf(
  thread: ProbedThread,
  { nodes, program }: ProbeGraph,
  beyondCounts: boolean,
): ProbeStructure {
  const builder = new KripkeBuilder(thread.name);
  for (const { name } of thread.labels) builder.proposition(name);
  const own = ownStep(thread.name);
  for (const event of [...thread.events, ALL_ENDED]) builder.event(event);
  builder.event(own);
  const stretches = new Map<string, ProbeEdge>();
  const outgoing = outgoingEdges(program);
  for (const { id, location, labels } of nodes) {
    const at = program.locations[location]!;
    builder.state(`${at.function}:${location}#${id}`, labels, startOf(at.span));
  }
  builder.initial(0);
  const beyond = beyondCounts ? builder.state('beyond') : -1;
  if (beyondCounts) builder.edge(beyond, own, beyond);
  for (const { id, location, out } of nodes) {
    const { kind } = program.locations[location]!;
    if (kind === 'end') builder.edge(id, ALL_ENDED, id);
    else if (kind !== 'cut' && thread.isSink(location)) builder.edge(id, own, id);
    for (const stretch of out) {
      const event = stretch.event ?? own;
      const key = `${id} ${event} ${stretch.to}`;
      if (stretches.has(key)) continue;
      stretches.set(key, stretch);
      builder.edge(id, event, stretch.to);
    }
    if (!beyondCounts || kind === 'end') continue;
    const edges = outgoing[location]!;
    if (edges.length === 0) builder.edge(id, own, beyond);
    for (const { operation } of edges)
      builder.edge(id, operation.kind === 'event' ? operation.name : own, beyond);
  }
  return {
    kripke: builder.build()!,
    stretches,
    labels: nodes.map(({ labels }) => labels),
    locations: nodes.map(({ location }) => location),
  };
}

/** Can the thread go on to where it waits, or has it stopped? On an infinite run no thread gets lost, not even one that takes no more part. */
function canRest(graph: ProbeGraph, node: number): boolean {
  const seen = new Set([node]);
  for (const at of seen) {
    const edges = graph.offers(at);
    const { kind, waitsForNothing } = graph.program.locations[graph.nodes[at]!.location]!;
    if (edges.length === 0) {
      if (kind === 'end' || kind === 'error' || waitsForNothing === true) return true;
    } else if (edges.every(({ operation }) => operation.kind === 'event')) return true;
    for (const { to, event } of graph.nodes[at]!.out) if (event === null) seen.add(to);
  }
  return false;
}

/** A thread's part of the path, executed again; null when it cannot be repeated. */
function partOf(thread: ProbedThread, structure: ProbeStructure, local: LocalPath): ProbedPart | null {
  const { kripke, stretches, labels, locations } = structure;
  const taken: ProbeEdge[] = [];
  const expected: (readonly string[])[] = [];
  let loopAt: number | null = null;
  let steps = 0;
  for (const [i, event] of local.events.entries()) {
    if (i === local.loopStart) loopAt = steps;
    const from = local.states[i]!;
    const to = local.states[i + 1] ?? local.states[local.loopStart!]!;
    const stretch = stretches.get(`${from} ${kripke.events[event]} ${to}`);
    if (stretch === undefined) {
      // A thread that has stopped repeats its last state.
      if (from !== to || !thread.isSink(locations[from] ?? -1)) return null;
      taken.push({ to, event: null, edges: [], inputs: [] });
    } else taken.push(stretch);
    expected.push(labels[to]!);
    steps += taken.at(-1)!.edges.length;
  }
  const confirmed = replay(thread.program, taken, thread.labels, expected);
  if (confirmed === null) return null;
  const stays = loopAt === null || loopAt === steps;
  if (!stays && !returns(thread.program, confirmed, loopAt!, thread.live)) return null;
  return { kind: 'real', confirmed, segments: [[], ...taken.map(({ edges }) => edges)] };
}
