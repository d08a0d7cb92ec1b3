// Calls of a function that is already running. Inlining each of them would double the graph with every level of a function that calls itself twice;
// so all calls at one depth share one copy of the body: the call writes down where to go on and jumps there, the end of the copy goes on where that
// says. A copy never calls itself (what it calls is deeper), so each has one activation at a time, and its variables are those of its depth.
//
// What else is running counts, too: a copy that was made while g was not running uses g's first variables, and may not be used where g is running.

import type { Span } from '../../source/source.ts';
import type { Cell, Program } from '../program/program.ts';
import { INT } from '../program/types.ts';
import type { Context } from './context.ts';
import type { OpenBlock } from './frames.ts';
import type { FunctionEntity } from './scope.ts';

/** Recursion is followed this deep whatever it costs, and deeper as long as the graph stays small; deeper calls are cut off. */
const MAX_RECURSION = 4;
const SMALL_GRAPH = 6000;

interface Copy {
  readonly start: number;
  readonly end: number;
  /** The number of the call that the copy works for. */
  readonly caller: Cell;
  callers: number;
  /** Lies in the blocks of all who call it. */
  readonly block: OpenBlock;
}

/** How deep recursion is followed: whatever it costs up to `MAX_RECURSION`, then as long as the graph has no more than `edges`. How many small objects one place allocates. */
export interface Depth {
  readonly deepest: number;
  readonly edges: number;
  readonly objects: number;
}

/** Tried one after the other, as long as some run is cut off and the next one helps. */
export const DEPTHS: readonly Depth[] = [
  { deepest: 40, edges: SMALL_GRAPH, objects: 8 },
  // Functions that call each other in every order: many copies for each depth.
  { deepest: 16, edges: 60_000, objects: 24 },
  { deepest: 100, edges: 30_000, objects: 64 },
  { deepest: 320, edges: 60_000, objects: 64 },
];

export const recursionCut = (name: string, depth: number): string =>
  `the recursion of '${name}' goes deeper than ${depth}`;
export const isRecursionCut = (why: string): boolean => why.startsWith('the recursion of ');

const CALLER = '(caller of ';

/** Some function calls itself, and was followed. */
export const hasRecursion = ({ cells, locations }: Pick<Program, 'cells' | 'locations'>): boolean =>
  cells.some(({ name }) => name.startsWith(CALLER)) ||
  locations.some(({ kind, why }) => kind === 'cut' && isRecursionCut(why));

export class Copies {
  private readonly copies = new Map<string, Copy>();
  /** Names and numbers of the activations, outermost first. */
  private active: { readonly name: string; readonly instance: number }[] = [];
  private instances = 0;
  private readonly depth: Depth;

  constructor(depth: Depth) {
    this.depth = depth;
  }

  depthOf(name: string): number {
    let count = 0;
    for (const frame of this.active) if (frame.name === name) count++;
    return count;
  }

  isTooDeep(depth: number, edges: number): boolean {
    return depth > this.depth.deepest || (depth > MAX_RECURSION && edges > this.depth.edges);
  }

  /** What is lowered meanwhile is the function's body. */
  within(name: string, work: () => void): void {
    this.active.push({ name, instance: this.instances++ });
    try {
      work();
    } finally {
      this.active.pop();
    }
  }

  /** A thread starts with nothing running. */
  startThread(): void {
    this.active = [];
  }

  /**
   * Goes through the copy for this depth, which `body` makes when it is the first call (it is given where the copy ends); afterwards we stand behind
   * the call. The parameters are bound already.
   */
  call(context: Context, entity: FunctionEntity, span: Span, body: (end: number) => void): void {
    const { pool } = context;
    const key = this.keyOf(context.ownName(entity), context.edges.length);
    const known = this.copies.get(key);
    const copy = known ?? {
      start: context.location(span),
      end: context.location(span),
      caller: context.memory.scalar(`${CALLER}${entity.name})`, 'temporary', INT),
      callers: 0,
      block: context.block,
    };
    if (known !== undefined) known.block.outer.push(...context.block.outer);
    this.copies.set(key, copy);
    const number = pool.const(copy.callers++, 32);
    context.emit({ kind: 'assign', cell: copy.caller, value: number }, span);
    context.jump(copy.start, span);
    if (known === undefined) {
      context.here = copy.start;
      body(copy.end);
    }
    context.here = copy.end;
    const isOurs = pool.eq(pool.symbol(copy.caller.id, 32), number);
    context.emit({ kind: 'assume', test: isOurs, branch: null }, span);
  }

  /** While the graph is small each first call has copies of its own: constants then stay constants. */
  private keyOf(own: string, edges: number): string {
    const counts = new Map<string, number>();
    for (const { name } of this.active) counts.set(name, (counts.get(name) ?? 0) + 1);
    const running = [...counts].sort().join(' ');
    const first = this.active.find(({ name }) => name === own);
    const root = edges < SMALL_GRAPH ? (first?.instance ?? 0) : 'shared';
    return `${own} in ${running} from ${root}`;
  }
}
