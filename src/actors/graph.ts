// The state graph of a system under one scheduler, built as it is asked for: for exhaustive searches and for formulas.

import type { EventStructure } from '../ltl/structure.ts';
import { type Advance, advance, type Choose, initialState } from './semantics.ts';
import { type Stimulus, type SystemState, stateKey, stimuli } from './state.ts';
import type { ActorSystem, Scheduler } from './system.ts';

/** One way to go on: a stimulus, and what was chosen on the way. */
export interface Move {
  readonly stimulus: Stimulus | null;
  readonly choices: readonly number[];
}

export interface Successor extends Move {
  readonly to: number;
  readonly result: Advance;
}

export class StateGraph {
  readonly system: ActorSystem;
  readonly scheduler: Scheduler;
  readonly states: SystemState[] = [];
  /** How each state was reached first; -1 for initial ones. */
  readonly cameFrom: { readonly from: number; readonly move: Move }[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(system: ActorSystem, scheduler: Scheduler) {
    this.system = system;
    this.scheduler = scheduler;
  }

  /** The ways to begin. */
  initial(): Successor[] {
    return this.alternatives(null, -1, (choose) => initialState(this.system, this.scheduler, choose));
  }

  successors(from: number): Successor[] {
    const state = this.states[from]!;
    return stimuli(this.system, this.scheduler, state).flatMap((stimulus) =>
      this.alternatives(stimulus, from, (choose) =>
        advance(this.system, this.scheduler, state, stimulus, choose),
      ),
    );
  }

  /** Takes a move again. */
  redo(from: number, { stimulus, choices }: Move): Advance {
    const choose = replayed(choices);
    return stimulus === null
      ? initialState(this.system, this.scheduler, choose)
      : advance(this.system, this.scheduler, this.states[from]!, stimulus, choose);
  }

  private alternatives(
    stimulus: Stimulus | null,
    from: number,
    run: (choose: Choose) => Advance,
  ): Successor[] {
    const found: Successor[] = [];
    let prefix: number[] = [];
    for (;;) {
      const taken: number[] = [];
      const counts: number[] = [];
      const result = run((count) => {
        const choice = prefix[taken.length] ?? 0;
        taken.push(choice);
        counts.push(count);
        return choice;
      });
      const move = { stimulus, choices: taken };
      found.push({ ...move, to: this.number(result, from, move), result });
      let last = taken.length - 1;
      while (last >= 0 && taken[last]! + 1 >= counts[last]!) last--;
      if (last < 0 || found.length > 4096) return found;
      prefix = [...taken.slice(0, last), taken[last]! + 1];
    }
  }

  private number({ state, end }: Advance, from: number, move: Move): number {
    const key = `${stateKey(state)}${end === 'quiet' ? '' : end}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const id = this.states.length;
    this.numbers.set(key, id);
    // A computation that never ends has no state to go on from.
    this.states.push(end === 'quiet' ? state : { slots: [], mail: [] });
    this.cameFrom.push({ from, move });
    return id;
  }

  /** The moves from the beginning to a state. */
  pathTo(state: number): Move[] {
    const path: Move[] = [];
    for (let at = state; at >= 0; at = this.cameFrom[at]!.from) path.push(this.cameFrom[at]!.move);
    return path.reverse();
  }
}

function replayed(choices: readonly number[]): Choose {
  let next = 0;
  return () => choices[next++] ?? 0;
}

/** What a formula may ask: about a state, and about the event types of the step that led to it. */
export type Proposition = (state: SystemState, taken: ReadonlySet<string>) => boolean;

/** The event types that a step's actors took or emitted. */
function typesTaken(system: ActorSystem, { facts }: Advance): Set<string> {
  return new Set(
    facts.flatMap((fact) =>
      (fact.kind === 'react' || fact.kind === 'emit') && fact.message !== null
        ? [system.messages[fact.message]!.type]
        : [],
    ),
  );
}

/** The graph for formulas. Where nothing can happen any more the last state stays for ever. */
export class GraphStructure implements EventStructure {
  private readonly graph: StateGraph;
  private readonly propositions: readonly Proposition[];
  private readonly nodes: { readonly state: number; readonly taken: ReadonlySet<string> }[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly known = new Map<number, readonly { readonly to: number; readonly move: Move | null }[]>();

  constructor(graph: StateGraph, propositions: readonly Proposition[]) {
    this.graph = graph;
    this.propositions = propositions;
  }

  initialStates(): readonly number[] {
    return [...new Set(this.graph.initial().map((one) => this.node(one)))];
  }

  eachSuccessor(node: number, visit: (event: number, target: number) => void): void {
    for (const { to } of this.steps(node)) visit(0, to);
  }

  /** A null move: nothing happens. */
  steps(node: number): readonly { readonly to: number; readonly move: Move | null }[] {
    const known = this.known.get(node);
    if (known !== undefined) return known;
    const { state } = this.nodes[node]!;
    const found = this.graph
      .successors(state)
      .map((one) => ({ to: this.node(one), move: one as Move | null }));
    if (found.length === 0) {
      const to = this.numbered(state, new Set());
      found.push({ to, move: null });
    }
    this.known.set(node, found);
    return found;
  }

  private node({ to, result }: Successor): number {
    return this.numbered(to, typesTaken(this.graph.system, result));
  }

  private numbered(state: number, taken: ReadonlySet<string>): number {
    const key = `${state} ${[...taken].sort().join(' ')}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.nodes.push({ state, taken });
    this.numbers.set(key, this.nodes.length - 1);
    return this.nodes.length - 1;
  }

  stateOf(node: number): number {
    return this.nodes[node]!.state;
  }

  holds(node: number, proposition: number): boolean {
    const { state, taken } = this.nodes[node]!;
    return this.propositions[proposition]!(this.graph.states[state]!, taken);
  }
}
