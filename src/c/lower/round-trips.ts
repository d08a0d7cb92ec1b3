// Numbers that were made from a pointer and become a pointer again. A number made by a cast is any number, and a pointer made from a number is any pointer
// (pointer-numbers.ts). But where a number is on every way the one that a certain cast made, with a constant added, it means what that cast was given, with the constant
// added: `(int *)((uintptr_t)p + 4)`, also by way of variables, parameters and members.
//
// For each location: the cells that hold the number of a cast plus a constant, on every way to it. Where a cast is given another pointer, numbers that it made before are
// forgotten. Something is concluded only where the result stays within the objects that the pointer can mean, elsewhere another object may lie; and where these objects are
// still there, or another may have come to lie at the same place.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Block, Cell, MemoryObject, Operation, Program } from '../program/program.ts';
import { cellAt } from '../program/program.ts';
import { forwards, sweep } from '../program/sweep.ts';
import type { WordSizes } from '../program/types.ts';
import { Blocks } from './blocks.ts';
import { ANY_POINTER } from './pointer-numbers.ts';

type Assign = Extract<Operation, { kind: 'assign' }>;

/** A cast of a pointer to a number: the pointer as it was given, and the number. */
export interface ToNumber {
  readonly pointer: Cell;
  readonly number: Cell;
}

/** A cast of a number to a pointer: the number as it was given; whether it may be an address; what it is then, and else. */
export interface ToPointer {
  readonly number: Cell;
  readonly tests: readonly Extract<Operation, { kind: 'assume' }>[];
  readonly results: readonly Assign[];
  /** Gives the one that is any pointer. */
  readonly anything: Operation;
  readonly span: Span;
}

export interface Casts {
  readonly toNumbers: readonly ToNumber[];
  readonly toPointers: readonly ToPointer[];
  readonly sizes: WordSizes;
  /** Those about pointers that are known again are struck off. */
  readonly notes: { readonly message: string; readonly span: Span }[];
}

/** The number of a cast, with something added. */
interface Origin {
  readonly cast: ToNumber;
  readonly plus: bigint;
}

/** What a number that becomes a pointer is, and in which blocks it does. */
interface Found {
  readonly origin: Origin;
  readonly blocks: (Block | undefined)[];
}

type Origins = ReadonlyMap<number, Origin>;

/** How often an edge may be looked at. */
const PATIENCE = 30;

/** Pointers that are known again are put in. True where there are any: then the points-to analysis finds out more. */
export function findAgain(program: Program, casts: Casts, facts: AddressFacts): boolean {
  if (casts.toNumbers.length === 0 || casts.toPointers.length === 0) return false;
  const founds = new RoundTrips(program, casts, facts).solve();
  if (founds === null) return false;
  const { pool } = program;
  const lives = new Lives(program, facts);
  const [open, settled] = [new Set<number>(), new Set<number>()];
  for (const { number, tests, results, anything, span } of casts.toPointers) {
    const found = founds.get(number.id);
    if (found === undefined || !staysInside(program, found, facts, lives)) {
      open.add(span.start);
      continue;
    }
    const { origin } = found;
    const { pointer } = origin.cast;
    const value = pool.binary('add', pool.symbol(pointer.id, 64), pool.const(origin.plus, 64));
    const [isAddress, isNone] = tests as readonly { test: Expr }[];
    isAddress!.test = pool.true;
    isNone!.test = pool.false;
    for (const result of results) (result as { value: Expr }).value = value;
    (anything as { cells: readonly Cell[] }).cells = [];
    settled.add(span.start);
  }
  for (let i = casts.notes.length - 1; i >= 0; i--) {
    const { message, span } = casts.notes[i]!;
    if (message === ANY_POINTER && settled.has(span.start) && !open.has(span.start)) casts.notes.splice(i, 1);
  }
  return settled.size > 0;
}

/** The objects that the pointer can mean are still there, and with something added it means the same ones. */
function staysInside(
  { objects, pool }: Program,
  { origin: { cast, plus }, blocks }: Found,
  facts: AddressFacts,
  lives: Lives,
): boolean {
  const meant = facts.pointed(pool.symbol(cast.pointer.id, 64));
  if (meant === null) return false;
  const by = Number(BigInt.asIntN(64, plus));
  return [...meant].every(([id, patterns]) => {
    const object = objects[id]!;
    if (!blocks.every((block) => lives.isAlive(object, block))) return false;
    if (plus === 0n) return true;
    const { size, extent } = object;
    return extent === undefined && [...patterns].every(({ r, m }) => m === 0 && r + by >= 0 && r + by < size);
  });
}

/** Where an object has ended another one may have come to lie at its place, so that its number means that one. */
class Lives {
  private readonly blocks: Blocks;
  /** Null: any object may be freed. */
  private readonly freed: ReadonlySet<number> | null;

  constructor(program: Program, facts: AddressFacts) {
    this.blocks = new Blocks(program);
    const freed = new Set<number>();
    let isAny = false;
    for (const { operation } of program.edges) {
      if (operation.kind !== 'release') continue;
      const meant = facts.meant(operation.site);
      if (meant === null) isAny = true;
      else for (const id of meant.keys()) freed.add(id);
    }
    this.freed = isAny ? null : freed;
  }

  isAlive(object: MemoryObject, block: Block | undefined): boolean {
    if (object.kind === 'heap' && (this.freed === null || this.freed.has(object.id))) return false;
    return this.blocks.standing(object, block) === 'alive';
  }
}

class RoundTrips {
  private readonly program: Program;
  private readonly facts: AddressFacts;
  private readonly castOf: ReadonlyMap<number, ToNumber>;
  private readonly pointers: ReadonlySet<number>;
  private readonly asked: ReadonlySet<number>;
  /** By location; null where no way leads to so far. */
  private readonly states: (Origins | null)[];
  private readonly isNarrow: boolean;

  constructor(program: Program, { toNumbers, toPointers, sizes }: Casts, facts: AddressFacts) {
    this.program = program;
    this.facts = facts;
    this.castOf = new Map(toNumbers.map((cast) => [cast.number.id, cast]));
    this.pointers = new Set(toNumbers.map(({ pointer }) => pointer.id));
    this.asked = new Set(toPointers.map(({ number }) => number.id));
    this.states = program.locations.map(() => null);
    this.isNarrow = sizes.name === 'ILP32';
  }

  /** Of the numbers that became pointers; null when it takes too long. */
  solve(): ReadonlyMap<number, Found> | null {
    const { program, states } = this;
    const outgoing = outgoingEdges(program);
    states[program.entry] = new Map();
    let left = program.edges.length * PATIENCE;
    const inTime = sweep(forwards(program.entry, outgoing), [program.entry], (location, wake) => {
      for (const edge of outgoing[location]!) {
        if (--left < 0) return false;
        program.pool.watch();
        if (this.join(edge.to, this.after(edge.operation, states[location]!))) wake(edge.to);
      }
      return true;
    });
    return inTime ? this.found() : null;
  }

  /** Copies of a function may share the cell: then they must agree. */
  private found(): ReadonlyMap<number, Found> {
    const found = new Map<number, Found | null>();
    for (const { from, operation, block } of this.program.edges) {
      const state = this.states[from];
      if (operation.kind !== 'assign' || !this.asked.has(operation.cell.id) || state == null) continue;
      const { id } = operation.cell;
      const origin = this.originOf(operation.value, state);
      const known = found.get(id);
      if (known === undefined) found.set(id, origin === undefined ? null : { origin, blocks: [block] });
      else if (known !== null && isSame(known.origin, origin)) known.blocks.push(block);
      else found.set(id, null);
    }
    return new Map([...found].flatMap(([id, one]) => (one === null ? [] : [[id, one]])));
  }

  private join(location: number, state: Origins): boolean {
    const known = this.states[location]!;
    if (known === null) {
      this.states[location] = state;
      return true;
    }
    const both = [...known].filter(([cell, origin]) => isSame(origin, state.get(cell)));
    if (both.length === known.size) return false;
    this.states[location] = new Map(both);
    return true;
  }

  private after(operation: Operation, state: Origins): Origins {
    switch (operation.kind) {
      case 'assign':
        return this.assigned(operation.cell, operation.value, state);
      case 'store': {
        const { site, address, value } = operation;
        const exact = address.op === 'const' ? cellAt(this.program.objects, address.value, site.width) : null;
        if (exact !== null) return this.assigned(exact, value, state);
        return without(state, [...this.facts.touched(site), ...site.blurred]);
      }
      case 'input':
        return without(state, [operation.cell]);
      case 'havoc':
        return without(state, operation.cells);
      default:
        return state;
    }
  }

  private assigned(cell: Cell, value: Expr, state: Origins): Origins {
    const cast = this.castOf.get(cell.id);
    const origin = cast === undefined ? this.originOf(value, state) : { cast, plus: 0n };
    const after = new Map(without(state, [cell, ...cell.overlaps]));
    if (this.pointers.has(cell.id))
      for (const [id, { cast: made }] of after) if (made.pointer === cell) after.delete(id);
    if (origin !== undefined) after.set(cell.id, origin);
    return after;
  }

  private originOf(expr: Expr, state: Origins): Origin | undefined {
    switch (expr.op) {
      case 'symbol':
        return state.get(symbolNumber(expr));
      case 'load': {
        const [address] = expr.args as [Expr];
        const cell = address.op === 'const' ? cellAt(this.program.objects, address.value, expr.width) : null;
        return cell === null ? undefined : state.get(cell.id);
      }
      // Where it becomes a pointer only as many bits as a pointer has count.
      case 'zext':
      case 'sext':
      case 'trunc':
        return this.holdsAddress(expr) && this.holdsAddress(expr.args[0]!)
          ? this.originOf(expr.args[0]!, state)
          : undefined;
      case 'add': {
        const [left, right] = expr.args as [Expr, Expr];
        const origin = right.op === 'const' ? this.originOf(left, state) : undefined;
        const by = BigInt.asIntN(expr.width, right.value);
        return origin && { cast: origin.cast, plus: BigInt.asUintN(64, origin.plus + by) };
      }
      default:
        return undefined;
    }
  }

  private holdsAddress({ width }: Expr): boolean {
    return width === 64 || (this.isNarrow && width === 32);
  }
}

const isSame = (one: Origin, other: Origin | undefined): boolean =>
  other !== undefined && one.cast === other.cast && one.plus === other.plus;

function without(state: Origins, cells: readonly Cell[]): Origins {
  if (!cells.some(({ id }) => state.has(id))) return state;
  const left = new Map(state);
  for (const { id } of cells) left.delete(id);
  return left;
}
