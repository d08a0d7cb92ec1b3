// Is a thread's part of a counterexample real? [MAGIC] section 6: one component at a time. A finite part is a path of the program; a
// lasso must repeat: the program must be able to come back to the same values of everything that still matters.

import type { LocalPath } from '../../kripke/path.ts';
import { eachEdge } from '../../kripke/structure.ts';
import { has } from '../program/cell-set.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Expr } from '../program/expr.ts';
import { Interpreter } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import type { Block } from '../reach/blocks.ts';
import { confirm } from '../reach/confirm.ts';
import type { Oracle } from '../reach/oracle.ts';
import type { PathResult } from '../reach/path.ts';
import { checkPath } from '../reach/path.ts';
import { FRESH, Symbolic } from '../reach/symbolic.ts';
import { ownStep } from '../spec/names.ts';
import type { Thread } from './thread.ts';

export type Validation =
  | { readonly kind: 'real'; readonly confirmed: Confirmed; readonly segments: readonly (readonly Edge[])[] }
  | { readonly kind: 'spurious'; readonly path: Extract<PathResult, { kind: 'infeasible' }> }
  | { readonly kind: 'undecided'; readonly reason: string; readonly edges: readonly Edge[] };

/** How often a loop is unrolled in search of a contradiction, and up to how many turns a repetition is looked for. */
const TURNS = [1, 2, 3, 8, 17, 40];
const REPETITION = 3;

/** `infinite`: the path is part of an infinite run, on which no thread may get lost (`extract.ts`). */
export async function validate(
  thread: Thread,
  local: LocalPath,
  infinite: boolean,
  oracle: Oracle,
): Promise<Validation> {
  const { program } = thread.loaded;
  const segments = segmentsOf(thread, local);
  const cut = local.loopStart === null ? segments.length : local.loopStart + 1;
  const prefix = segments.slice(0, cut).flat();
  const loop = segments.slice(cut).flat();
  if (loop.length === 0)
    return finite(program, segments, prefix, infinite ? onwards(thread, local) : [], oracle);
  const ending = await endingLoop(program, prefix, loop, oracle);
  if (ending !== null) return { kind: 'spurious', path: ending };
  for (const turns of TURNS) {
    if (loop.length * turns > 20_000) break;
    const path = await checkPath(program, repeat(prefix, loop, turns), oracle);
    if (path.kind === 'infeasible') return { kind: 'spurious', path };
    if (path.kind === 'undecided')
      return {
        kind: 'undecided',
        reason: 'the solver could not decide whether a path can be taken',
        edges: path.kind === 'undecided' ? prefix : [],
      };
    for (let first = turns - 1; first >= 0 && turns <= REPETITION; first--) {
      const lasso = await repeating(thread, prefix, loop, first, turns, oracle);
      if (lasso !== null) return { kind: 'real', confirmed: lasso, segments };
    }
  }
  return {
    kind: 'undecided',
    reason: 'it is not known whether a loop can repeat for ever',
    edges: repeat(prefix, loop, 1),
  };
}

/** A loop that ends whatever happened before it (it counts): shown by its own turns and the few steps that lead into it. */
async function endingLoop(
  program: Program,
  prefix: readonly Edge[],
  loop: readonly Edge[],
  oracle: Oracle,
): Promise<Extract<PathResult, { kind: 'infeasible' }> | null> {
  for (const steps of [6, 24]) {
    for (const turns of [1, 9, 20]) {
      if (loop.length * turns > 4000) continue;
      const path = await checkPath(program, repeat(prefix.slice(-steps), loop, turns), oracle, true);
      if (path.kind === 'infeasible') return path;
    }
  }
  return null;
}

const repeat = (prefix: readonly Edge[], loop: readonly Edge[], turns: number): Edge[] => [
  ...prefix,
  ...Array.from({ length: turns }, () => loop).flat(),
];

/** `further`: steps that it must be able to take, though the run does not show them. */
async function finite(
  program: Program,
  segments: readonly (readonly Edge[])[],
  edges: readonly Edge[],
  further: readonly Edge[],
  oracle: Oracle,
): Promise<Validation> {
  const path = await checkPath(program, [...edges, ...further], oracle);
  if (path.kind === 'infeasible') return { kind: 'spurious', path };
  if (path.kind === 'undecided')
    return { kind: 'undecided', reason: 'the solver could not decide whether a path can be taken', edges };
  const confirmed = confirm(program, path, () => true);
  if (confirmed.kind === 'rejected') return { kind: 'undecided', reason: confirmed.reason, edges };
  return { kind: 'real', confirmed: firstSteps(confirmed, edges.length), segments };
}

function firstSteps(confirmed: Confirmed, count: number): Confirmed {
  const edges = confirmed.edges.slice(0, count);
  return {
    ...confirmed,
    edges,
    inputs: confirmed.inputs.filter(({ step }) => step < count),
    calls: confirmed.calls.slice(0, edges.filter(({ call }) => call !== undefined).length),
    changes: confirmed.changes.slice(0, count),
  };
}

/** From the end of the path, the thread's own steps to where it waits, ends or stays for good; none when it only ever goes on by itself. */
function onwards(thread: Thread, local: LocalPath): Edge[] {
  const { kripke, blocks } = thread.extracted!;
  const own = kripke.events.indexOf(ownStep(thread.name));
  const start = local.states.at(-1)!;
  const before = new Map<number, number>([[start, start]]);
  for (const state of before.keys()) {
    let rests = false;
    eachEdge(kripke, state, (event, to) => {
      if (event !== own || to === state) rests = true;
      else if (!before.has(to)) before.set(to, state);
    });
    if (!rests) continue;
    const edges: Edge[] = [];
    for (let at = state; at !== start; at = before.get(at)!)
      edges.unshift(
        ...(blocks.get(`${before.get(at)} ${ownStep(thread.name)} ${at}`) ?? missing('onwards')).flatMap(
          (block) => [...block.edges],
        ),
      );
    return edges;
  }
  return [];
}

/** The program edges behind each step of the thread: the way to the first state, then one stretch for each event. */
function segmentsOf(thread: Thread, local: LocalPath): Edge[][] {
  const { blocks, kripke } = thread.extracted!;
  const edgesOf = (key: string): Edge[] =>
    (blocks.get(key) ?? missing(key)).flatMap((block: Block) => [...block.edges]);
  const at = (state: number, edges: Edge[]): Edge[] => [...edges, ...labelTests(thread, state, edges)];
  const first = local.states[0]!;
  const segments = [at(first, edgesOf(`initial ${first}`))];
  local.events.forEach((event, i) => {
    const to = local.states[i + 1] ?? local.states[local.loopStart!]!;
    segments.push(at(to, edgesOf(`${local.states[i]} ${kripke.events[event]} ${to}`)));
  });
  return segments;
}

/** Edges that are not of the program: the propositions of a state are conditions of the path like its branches. */
function labelTests(thread: Thread, state: number, edges: readonly Edge[]): Edge[] {
  const { program } = thread.loaded;
  const { kripke } = thread.extracted!;
  const last = edges.at(-1);
  const location = last?.to ?? program.entry;
  const span = last?.span ?? program.locations[location]!.span;
  return thread.propositions.flatMap(({ name, holds }) => {
    if (!('test' in holds)) return [];
    const isTrue = kripke.labels[state]!.includes(kripke.propositions.indexOf(name));
    const test = isTrue ? holds.test : program.pool.not(holds.test);
    return [
      {
        id: LABEL_TEST,
        from: location,
        to: location,
        operation: { kind: 'assume', test, branch: null },
        span,
      } as const,
    ];
  });
}

/** The id of such edges. */
export const LABEL_TEST = -1;

function missing(key: string): never {
  throw new Error(`impossible: an edge of the structure without blocks (${key})`);
}

/** Inputs with which the turns after the first ones end in the values they began with; null when the solver finds none. */
async function repeating(
  thread: Thread,
  prefix: readonly Edge[],
  loop: readonly Edge[],
  first: number,
  turns: number,
  oracle: Oracle,
): Promise<Confirmed | null> {
  const { program } = thread.loaded;
  const { pool } = program;
  const symbolic = new Symbolic(program, FRESH, true);
  for (const [cell, value] of program.initial) symbolic.env.set(cell, value);
  const before = repeat(prefix, loop, first);
  const rest = repeat([], loop, turns - first);
  symbolic.run(before.map((edge) => edge.operation));
  const live = program.cells.filter((cell) => has(thread.live[loop[0]!.from]!, cell.id));
  const start = live.map((cell) => symbolic.valueOf(cell));
  symbolic.run(rest.map((edge) => edge.operation));
  if (symbolic.dead !== null) return null;
  const same: Expr[] = live.map((cell, i) => pool.eq(symbolic.valueOf(cell), start[i]!));
  const tests = [...symbolic.constraints.map(({ test }) => test), ...same];
  const solved = await oracle.solve(
    tests,
    symbolic.fresh.map(({ symbol }) => symbol),
  );
  if (solved.answer !== 'sat') return null;
  const constrained = new Set(tests.flatMap((test) => test.symbols));
  const edges = [...before, ...rest];
  const confirmed = confirm(
    program,
    {
      kind: 'feasible',
      edges,
      inputs: symbolic.fresh.map((fresh, i) => ({ fresh, value: solved.values[i]! })),
      vague: symbolic.fresh.filter((fresh) => !fresh.exact && constrained.has(fresh.symbol)),
    },
    () => true,
  );
  return confirmed.kind === 'confirmed' && repeatsConcretely(thread, confirmed, before.length)
    ? confirmed
    : null;
}

/** The concrete machine agrees: the live cells are the same before and after the last turn. */
function repeatsConcretely(thread: Thread, { edges, inputs, initial }: Confirmed, loopAt: number): boolean {
  const { program } = thread.loaded;
  let next = 0;
  const machine = new Interpreter(program, (cell, operation) =>
    operation === null ? initial.get(cell.id)! : inputs[next++]!.value,
  );
  const live = program.cells.filter((cell) => has(thread.live[edges[loopAt]!.from]!, cell.id));
  let start: bigint[] = [];
  for (const [i, edge] of edges.entries()) {
    if (i === loopAt) start = live.map((cell) => machine.value(cell));
    const result = machine.take(edge);
    if (result !== 'ok' && result !== 'unmodelled') return false;
  }
  return live.every((cell, i) => machine.value(cell) === start[i]);
}
