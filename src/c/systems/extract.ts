// The labelled Kripke structure of a component: [MAGIC] section 10, extraction by predicate abstraction. States are control
// locations with known values and predicates; a call that is an event is an edge with that event, everything else is a
// step of the component's own. A thread that has ended waits for the others: when all have ended they repeat one common event, so
// that a system which ends is no deadlock, and one thread's end does not hide that the others are stuck (section 3 has a sink for each
// thread). Errors are sinks of the thread's own, which stay visible whatever the others do.
//
// Soundness: every run of the component is a path of the structure. Refusals are exact where the component waits for events: event
// edges carry no conditions, so a state refuses exactly what its location refuses; at other locations the program itself moves on.
// Where every continuation is ruled out (assumptions, undefined behaviour) the thread is lost. What that means depends on the question: no
// infinite run counts on which a thread is lost; nobody waits for a lost thread in a deadlock (such a state gets a step back to itself);
// an error that others reach meanwhile is an error. A thread that waits for an event is never lost, whatever would follow.

import type { Budget } from '../../base/budget.ts';
import type { Kripke } from '../../kripke/structure.ts';
import { KripkeBuilder } from '../../kripke/structure.ts';
import { startOf } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { replaceSymbols } from '../program/substitute.ts';
import type { Abstraction, AbstractState } from '../reach/abstraction.ts';
import type { Block, BlockGraph } from '../reach/blocks.ts';
import type { AbstractGraph } from '../reach/write.ts';
import type { Proposition } from '../spec/names.ts';
import { ALL_ENDED, ownStep } from '../spec/names.ts';

export interface Extracted {
  readonly kripke: Kripke;
  /** The blocks behind an edge of the structure: key `from event to`, local ids. */
  readonly blocks: ReadonlyMap<string, readonly Block[]>;
  /** A path to each way out of the model (cuts), as blocks from the entry. */
  readonly cuts: readonly { readonly location: number; readonly path: readonly Block[] }[];
  readonly abstractStates: number;
  /** For the proof: the abstract states with their labels, and which of them are the states of the structure. */
  readonly graph: AbstractGraph;
  readonly labels: readonly (readonly string[])[];
  readonly order: readonly number[];
}

interface Draft {
  readonly state: AbstractState;
  readonly labels: readonly string[];
  readonly out: { to: number; event: string; blocks: readonly Block[] }[];
  parent: number;
  via: Block | null;
}

/** How the structure will be looked at. */
export interface View {
  /** Steps of the thread's own that change nothing visible may be left out: the property cannot tell (`ltl/hidden-steps`). */
  readonly silent: boolean;
  /** For what lost threads mean. `errors`: is something reached? `runs`: do all infinite runs satisfy something? */
  readonly question: 'errors' | 'deadlock' | 'runs';
}

export interface TooManyValues {
  readonly tooManyValues: number;
  readonly path: readonly Block[];
  readonly states: number;
}

/** Null when the budget ran out; the cell when one takes more values than following it is worth. */
export async function extract(
  name: string,
  graph: BlockGraph,
  abstraction: Abstraction,
  propositions: readonly Proposition[],
  alphabet: readonly string[],
  isSink: (location: number) => boolean,
  valueLimit: (cell: number) => number,
  view: View,
  budget: Budget,
): Promise<Extracted | TooManyValues | null> {
  const drafts: Draft[] = [];
  const ids = new Map<string, number>();
  const add = (state: AbstractState, parent: number, via: Block | null): number => {
    let id = ids.get(state.key);
    if (id !== undefined) return id;
    id = drafts.length;
    ids.set(state.key, id);
    drafts.push({ state, labels: labelsOf(graph, propositions, state), out: [], parent, via });
    return id;
  };
  const own = ownStep(name);
  const valuesSeen = new Map<number, Set<bigint>>();
  const steps: { from: number; edge: number; to: number[] }[] = [];
  const initial = (await abstraction.initial()).map((state) => add(state, -1, null));
  for (let i = 0; i < drafts.length; i++) {
    if (!budget.timeLeft() || drafts.length > budget.maxStates) return null;
    const draft = drafts[i]!;
    const { location } = draft.state;
    for (const [cell, value] of draft.state.values) {
      let values = valuesSeen.get(cell);
      if (values === undefined) valuesSeen.set(cell, (values = new Set()));
      values.add(value.value);
      if (values.size > valueLimit(cell))
        return { tooManyValues: cell, path: pathTo(drafts, draft), states: drafts.length };
    }
    if (isSink(location)) {
      const ended = graph.program.locations[location]!.kind === 'end';
      draft.out.push({ to: i, event: ended ? ALL_ENDED : own, blocks: [] });
      continue;
    }
    for (const block of graph.outgoing[location]!) {
      const step = { from: i, edge: block.edges.at(-1)!.id, to: [] as number[] };
      for (const next of await abstraction.post(draft.state, block)) step.to.push(add(next, i, block));
      for (const to of step.to) draft.out.push({ to, event: block.event ?? own, blocks: [block] });
      if (step.to.length > 0) steps.push(step);
    }
    if (draft.out.length === 0 && view.question === 'deadlock' && !waitsAt(graph, location))
      draft.out.push({ to: i, event: own, blocks: [] });
  }
  const found = { states: drafts.map(({ state }) => state), initial: [...initial], steps };
  const lost = view.question === 'runs' ? lostStates(graph, drafts) : drafts.map(() => false);
  dropLost(drafts, lost);
  // A thread that is lost from the start has no run; it is left there, standing still.
  const starts = initial.filter((state) => !lost[state]);
  const built = build(
    name,
    graph,
    drafts,
    starts.length > 0 ? starts : initial,
    alphabet,
    propositions,
    view,
  );
  return built === null ? null : { ...built, graph: found, labels: drafts.map(({ labels }) => labels) };
}

function labelsOf(graph: BlockGraph, propositions: readonly Proposition[], state: AbstractState): string[] {
  const { pool } = graph.program;
  return propositions
    .filter(({ holds }) => {
      if ('locations' in holds) return holds.locations.has(state.location);
      const valued = replaceSymbols(pool, holds.test, (symbol) => state.values.get(symbolNumber(symbol)));
      return decide(state, valued, pool);
    })
    .map(({ name }) => name);
}

/** The truth of a test in a state that decides all of its atoms. */
function decide(state: AbstractState, test: Expr, pool: BlockGraph['program']['pool']): boolean {
  if (test.op === 'const') return test.value !== 0n;
  for (const literal of state.literals) {
    const valued = replaceSymbols(pool, literal, (symbol) => state.values.get(symbolNumber(symbol)));
    if (literal === test || valued === test) return true;
    if (pool.not(literal) === test || pool.not(valued) === test) return false;
  }
  if (test.op === 'not') return !decide(state, test.args[0]!, pool);
  if (test.op === 'conj') return test.args.every((arg) => decide(state, arg, pool));
  if (test.op === 'disj') return test.args.some((arg) => decide(state, arg, pool));
  throw new Error('impossible: a proposition that the abstraction does not decide');
}

function cutsOf(graph: BlockGraph, drafts: readonly Draft[]): Extracted['cuts'] {
  const found = new Map<number, Block[]>();
  drafts.forEach((draft) => {
    const { location } = draft.state;
    if (graph.program.locations[location]!.kind !== 'cut' || found.has(location)) return;
    found.set(location, pathTo(drafts, draft));
  });
  return [...found].map(([location, path]) => ({ location, path }));
}

function pathTo(drafts: readonly Draft[], draft: Draft): Block[] {
  const path: Block[] = [];
  for (let at: Draft | undefined = draft; at?.via != null; at = drafts[at.parent]) path.push(at.via);
  return path.reverse();
}

const waitsAt = ({ program, outgoing }: BlockGraph, location: number): boolean =>
  program.locations[location]!.waitsForNothing === true ||
  outgoing[location]!.some(({ event }) => event !== null);

/** States from which a thread goes on by itself, and only into contradictions. */
function lostStates(graph: BlockGraph, drafts: readonly Draft[]): boolean[] {
  const incoming: number[][] = drafts.map(() => []);
  const left = drafts.map(({ out, state }, i) => {
    for (const { to } of out) incoming[to]!.push(i);
    return waitsAt(graph, state.location) ? Number.POSITIVE_INFINITY : out.length;
  });
  const lost = drafts.map(() => false);
  const queue = left.flatMap((count, i) => (count === 0 ? [i] : []));
  for (const state of queue) {
    lost[state] = true;
    for (const before of incoming[state]!) if (--left[before]! === 0) queue.push(before);
  }
  return lost;
}

function dropLost(drafts: readonly Draft[], lost: readonly boolean[]): void {
  for (const { out } of drafts) {
    const kept = out.filter(({ to }) => !lost[to]);
    out.splice(0, out.length, ...kept);
  }
}

function build(
  name: string,
  graph: BlockGraph,
  drafts: readonly Draft[],
  initial: readonly number[],
  alphabet: readonly string[],
  propositions: readonly Proposition[],
  view: View,
): Omit<Extracted, 'graph' | 'labels'> | null {
  const own = ownStep(name);
  const jump = view.silent ? straightAhead(drafts, own) : (start: number): [number, Block[]] => [start, []];
  const builder = new KripkeBuilder(name);
  for (const { name: proposition } of propositions) builder.proposition(proposition);
  // The step of its own always, whether or not there is one: a formula's events keep their numbers from round to round.
  for (const event of [...alphabet, ALL_ENDED, own]) builder.event(event);
  const ids = new Map<number, number>();
  const order: number[] = [];
  const idOf = (draft: number): number => {
    let id = ids.get(draft);
    if (id === undefined) {
      const { state, labels } = drafts[draft]!;
      const location = graph.program.locations[state.location]!;
      id = builder.state(`${location.function}:${location.id}#${draft}`, labels, startOf(location.span));
      ids.set(draft, id);
      order.push(draft);
    }
    return id;
  };
  const blocks = new Map<string, readonly Block[]>();
  for (const start of initial) {
    const [target, path] = jump(start);
    const id = idOf(target);
    builder.initial(id);
    blocks.set(`initial ${id}`, path);
  }
  for (const draft of order) {
    const from = ids.get(draft)!;
    for (const { to, event, blocks: first } of drafts[draft]!.out) {
      const [target, rest] = jump(to);
      const id = idOf(target);
      builder.edge(from, event, id);
      const key = `${from} ${event} ${id}`;
      if (!blocks.has(key)) blocks.set(key, [...first, ...rest]);
    }
  }
  const kripke = builder.build();
  return kripke === null
    ? null
    : { kripke, blocks, cuts: cutsOf(graph, drafts), abstractStates: drafts.length, order };
}

/** Follows steps of the component's own as long as there is no choice and no label changes: such states are merged with their successor. */
function straightAhead(drafts: readonly Draft[], own: string) {
  return (start: number): [number, Block[]] => {
    const path: Block[] = [];
    const seen = new Set<number>();
    for (let at = start; ; ) {
      const { out } = drafts[at]!;
      const [only] = out;
      if (out.length !== 1 || only!.event !== own || seen.has(at) || only!.to === at) return [at, path];
      if (drafts[only!.to]!.labels.join() !== drafts[at]!.labels.join()) return [at, path];
      seen.add(at);
      if (seen.has(only!.to)) return [at, path];
      path.push(...only!.blocks);
      at = only!.to;
    }
  };
}
