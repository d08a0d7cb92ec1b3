// What cells hold at the moment, where the text alone does not tell: the members of a union with a tag are numbers at one time and addresses at another. Beside every such
// cell there is a variable of the program that says which of its bytes are parts of an address, whether they are a whole one as it was, and whether it is no address for
// sure. Every write to the cell sets it. So what is read is known where it is a number that is no part of an address, or an address that is whole (address-numbers.ts).
//
// Where an access may mean one of several cells, members of a union beside these change with them: what they become is worked out before the access, in variables of its own.

import { spliced } from '../program/bytes.ts';
import { mask } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { bitsType, bytesIn, isLongDouble, USHORT } from '../program/types.ts';
import { type AddressBytes, isNumber, type Known } from './address-bytes.ts';
import type { Memory } from './memory.ts';
import { canLieAt } from './pointer-numbers.ts';

type Store = Extract<Operation, { kind: 'store' }>;

/** A state: one bit for each byte that is a part of an address … */
const PARTS = 0xffn;
/** … whether they are the bytes of one address, in their places … */
const WHOLE = 0x100n;
/** … and whether it is no address, not even to whoever takes it for a pointer. */
const NOWHERE = 0x200n;
const STATE_BITS = 16;

/** An object with more open cells is too much, and so is a site that can mean more. */
const MOST_CELLS = 64;
/** In bits: of wider numbers it is only known whether parts of addresses are among them at all. */
const WIDEST = 64;

/** It means one of its cells, or the run is undefined. */
const isExact = ({ vague, foreign, many }: Site): boolean => !vague && !foreign && many.length === 0;

const partsOf = (width: number): bigint => mask(Math.min(8, bytesIn(width)));

/** What is done before an operation and behind it, to keep the states. */
export interface Around {
  readonly before: readonly Operation[];
  readonly after: readonly Operation[];
}

const NOTHING: Around = { before: [], after: [] };

/** Of symbols and loads: what they are on the way that is looked at. */
export type Settled = ReadonlyMap<Expr, 'number' | 'pointer'>;

export class AddressStates {
  private readonly program: Program;
  private readonly memory: Memory;
  private readonly bytes: AddressBytes;
  private readonly sizes: Known['sizes'];
  private readonly facts: AddressFacts;
  /** By cell. */
  private readonly states = new Map<number, Cell>();
  /** What stands for pointers that are not known. */
  private readonly pointers = new Set<number>();
  private readonly isOn: boolean;

  constructor(program: Program, memory: Memory, bytes: AddressBytes, known: Known, facts: AddressFacts) {
    this.program = program;
    this.memory = memory;
    this.bytes = bytes;
    this.sizes = known.sizes;
    this.facts = facts;
    // Threads share memory that they change at any time, and contracts say nothing of states.
    this.isOn = program.threads === undefined && program.contracts === undefined;
    if (!this.isOn) return;
    const open = new Map<MemoryObject, Cell[]>();
    const numbers = bytes.readAsNumbers();
    for (const cell of program.cells)
      if (this.isOpen(cell) || (numbers.has(cell) && this.canHave(cell)))
        open.set(cell.object, [...(open.get(cell.object) ?? []), cell]);
    for (const cells of open.values()) {
      const some = cells.length > MOST_CELLS ? cells.filter((cell) => this.isOpen(cell)) : cells;
      if (some.length <= MOST_CELLS)
        for (const { id, name } of some)
          this.states.set(id, memory.scalar(`(state of ${name})`, 'temporary', USHORT));
    }
  }

  private canHave({ array, width }: Cell): boolean {
    return array === undefined && width <= WIDEST && width % 8 === 0;
  }

  /** What it holds is not known from all that is ever written there. (Of other pointers that share their cells with numbers this counts where they are read as such.) */
  private isOpen(cell: Cell): boolean {
    if (!this.canHave(cell)) return false;
    return isNumber(cell) ? this.bytes.isInCell(cell) : this.bytes.isMixed(cell);
  }

  /** What the program begins with. */
  initial(): ReadonlyMap<number, Expr> {
    const { initial, cells } = this.program;
    const result = new Map(initial);
    const holdsAddress = ({ id }: Cell) => initial.has(id) && this.bytes.isAddress(initial.get(id)!);
    for (const [id, state] of this.states) {
      const cell = cells[id]!;
      const value = initial.get(id);
      if (!holdsAddress(cell) && cell.overlaps.some(holdsAddress))
        result.set(state.id, this.constant(partsOf(cell.width)));
      else if (value !== undefined) result.set(state.id, this.of(value));
      else result.set(state.id, this.anything(cell, cell.object.kind === 'global'));
    }
    return result;
  }

  /** `isFromOutside`: others put there what they like. */
  private anything(cell: Cell, isFromOutside: boolean): Expr {
    if (!isNumber(cell)) return this.whole;
    return this.constant(isFromOutside ? partsOf(cell.width) : 0n);
  }

  private constant(value: bigint): Expr {
    return this.program.pool.const(value, STATE_BITS);
  }

  private get whole(): Expr {
    return this.constant(WHOLE | partsOf(this.sizes.ulong.width));
  }

  /** Stands for a pointer that is not known. */
  addPointer(cell: Cell): void {
    this.pointers.add(cell.id);
  }

  /** Where what is read is not known: a number that has parts of an address, a pointer that is not a whole one. */
  isGuessed(leaf: Expr): Expr {
    const { pool } = this.program;
    if (!this.isOn) return pool.true;
    const state = this.of(leaf);
    return this.readsNumber(leaf)
      ? this.has(state, partsOf(leaf.width))
      : pool.not(this.has(state, WHOLE | NOWHERE));
  }

  readsNumber(leaf: Expr): boolean {
    if (leaf.op === 'load') return this.bytes.siteOf(leaf).isNumber;
    return isNumber(this.program.cells[symbolNumber(leaf)]!);
  }

  private has(state: Expr, bits: bigint): Expr {
    const { pool } = this.program;
    return pool.not(pool.eq(pool.binary('and', state, this.constant(bits)), this.constant(0n)));
  }

  private isNumber(state: Expr): Expr {
    return this.program.pool.not(this.has(state, PARTS));
  }

  private only(state: Expr, bits: bigint): Expr {
    return this.program.pool.binary('and', state, this.constant(bits));
  }

  /** No part of an address where none of these has one; else parts anywhere. */
  private mixed(states: readonly Expr[], width: number): Expr {
    const { pool } = this.program;
    const areNumbers = states.reduce((all, state) => pool.and(all, this.isNumber(state)), pool.true);
    return pool.ite(areNumbers, this.constant(0n), this.constant(partsOf(width)));
  }

  /** The state of a value. */
  private of(expr: Expr, settled?: Settled, memo = new Map<Expr, Expr>()): Expr {
    const known = settled?.get(expr);
    if (known !== undefined) return known === 'number' ? this.constant(0n) : this.whole;
    let result = memo.get(expr);
    if (result === undefined)
      memo.set(expr, (result = this.found(expr, (part) => this.of(part, settled, memo))));
    return result;
  }

  private found(expr: Expr, of: (part: Expr) => Expr): Expr {
    const { pool } = this.program;
    const { op, width, args } = expr;
    if (width <= 0) return this.constant(0n);
    const isWide = width > WIDEST || args.some((arg) => arg.width > WIDEST);
    switch (op) {
      case 'const':
        return this.ofConstant(expr);
      case 'symbol':
        return this.ofCell(symbolNumber(expr));
      case 'load':
        return this.ofLoad(this.bytes.siteOf(expr), args[0]!);
      case 'ite':
        return pool.ite(args[0]!, of(args[1]!), of(args[2]!));
      case 'zext':
      case 'trunc':
        return this.resized(expr, of(args[0]!));
      case 'add':
      case 'sub':
        return this.ofSum(expr, of);
      case 'or':
      case 'xor':
      case 'and':
        if (isWide) break;
        return this.only(
          pool.binary('or', of(args[0]!), of(args[1]!)),
          op === 'and' ? this.keptBy(args) : PARTS,
        );
      case 'shl':
      case 'lshr': {
        const by = args[1]!;
        if (isWide || by.op !== 'const' || by.value % 8n !== 0n) break;
        const moved = pool.binary(op, this.only(of(args[0]!), PARTS), this.constant(by.value / 8n));
        return by.value >= WIDEST ? this.constant(0n) : this.only(moved, partsOf(width));
      }
      default:
    }
    return this.mixed(
      args.map((arg) => of(arg)),
      width,
    );
  }

  private ofConstant(expr: Expr): Expr {
    if (this.bytes.isAddress(expr)) return this.whole;
    const isNarrow = expr.value <= mask(this.sizes.ulong.width);
    return this.constant(isNarrow && !canLieAt(this.sizes, expr.value) ? NOWHERE : 0n);
  }

  private ofCell(id: number): Expr {
    const state = this.states.get(id);
    if (state !== undefined) return this.program.pool.symbol(state.id, STATE_BITS);
    const cell = this.memory.cells[id]!;
    if (this.pointers.has(id)) return this.whole;
    if (isNumber(cell)) return this.constant(this.bytes.isInCell(cell) ? partsOf(cell.width) : 0n);
    return this.bytes.isMixed(cell) ? this.constant(partsOf(cell.width)) : this.whole;
  }

  private ofLoad(site: Site, address: Expr): Expr {
    const { pool } = this.program;
    const hasParts = site.isNumber ? this.bytes.isIn(site) : this.bytes.isMixedAt(site);
    const isNumber = site.isNumber || this.bytes.readsTable(site);
    const other = isNumber ? this.constant(0n) : this.whole;
    let state = hasParts ? this.constant(partsOf(site.width)) : other;
    const isOpen = hasParts || site.cells.some(({ id }) => this.states.has(id));
    if (!isOpen || site.cells.length > MOST_CELLS) return state;
    const isOneOfThem = isExact(site);
    site.cells.forEach(({ id, address: at }, i) => {
      const here = pool.eq(address, pool.const(at, 64));
      state = i === 0 && isOneOfThem ? this.ofCell(id) : pool.ite(here, this.ofCell(id), state);
    });
    return state;
  }

  private resized({ width, args: [of] }: Expr, state: Expr): Expr {
    const { pool } = this.program;
    const narrower = Math.min(width, of!.width);
    if (narrower >= this.sizes.ulong.width && Math.max(width, of!.width) <= WIDEST) return state;
    if (Math.max(width, of!.width) <= WIDEST) return this.only(state, partsOf(narrower));
    // What is wider than an address holds a whole one in its lower bytes, or parts anywhere.
    const other = this.mixed([state], width);
    if (narrower < this.sizes.ulong.width) return other;
    return pool.ite(this.has(state, WHOLE), this.whole, other);
  }

  /** An address with a number added to it is an address; the distance of two is a number. */
  private ofSum({ op, width, args }: Expr, of: (part: Expr) => Expr): Expr {
    const { pool } = this.program;
    const [first, second] = args as [Expr, Expr];
    const isTaken = (by: Expr) =>
      op === 'add' && by.op === 'const' && this.bytes.isAddress(pool.const(-by.value, width));
    const [a, b] = isTaken(first)
      ? [of(second), this.whole]
      : [of(first), isTaken(second) ? this.whole : of(second)];
    const isDistance = op === 'sub' || isTaken(first) || isTaken(second);
    const mixed = this.mixed([a, b], width);
    if (width < this.sizes.ulong.width || width > WIDEST) return mixed;
    const [wholeA, wholeB] = [this.has(a, WHOLE), this.has(b, WHOLE)];
    const moved = pool.ite(pool.and(wholeA, this.isNumber(b)), this.whole, mixed);
    if (isDistance) return pool.ite(pool.and(wholeA, wholeB), this.constant(0n), moved);
    return pool.ite(pool.and(this.isNumber(a), wholeB), this.whole, moved);
  }

  /** The bytes that a constant among the two leaves. */
  private keptBy(args: readonly Expr[]): bigint {
    const by = args.find(({ op }) => op === 'const');
    if (by === undefined) return PARTS;
    let kept = 0n;
    for (let i = 0n; i < 8n; i++) if (((by.value >> (8n * i)) & 0xffn) !== 0n) kept |= 1n << i;
    return kept;
  }

  /** What keeps the states when the operation is executed. */
  around(operation: Operation, settled?: Settled): Around {
    if (this.states.size === 0) return NOTHING;
    switch (operation.kind) {
      case 'assign':
        return this.set(operation.cell, () => this.of(operation.value, settled));
      case 'input':
        return this.set(operation.cell, () => this.constant(0n));
      case 'havoc': {
        const before = operation.cells.flatMap(
          (cell) => this.set(cell, () => this.anything(cell, !operation.exact)).before,
        );
        return { before, after: [] };
      }
      case 'store':
        return this.aroundStore(operation, settled);
      default:
        return NOTHING;
    }
  }

  private set({ id }: Cell, value: () => Expr): Around {
    const cell = this.states.get(id);
    return cell === undefined ? NOTHING : { before: [{ kind: 'assign', cell, value: value() }], after: [] };
  }

  private aroundStore(operation: Store, settled?: Settled): Around {
    const { site } = operation;
    const { pool } = this.program;
    const touched = new Set([...this.facts.touched(site), ...site.blurred]);
    const open = [...touched].filter(({ id }) => this.states.has(id));
    if (open.length === 0) return NOTHING;
    const before: Operation[] = [];
    const after: Operation[] = [];
    const kept = (value: Expr, width: number): Expr => {
      if (value.op === 'const') return value;
      const cell = this.memory.scalar('(kept)', 'temporary', bitsType(width));
      before.push({ kind: 'assign', cell, value });
      return pool.symbol(cell.id, width);
    };
    const written = kept(this.of(operation.value, settled), STATE_BITS);
    const isKnown = isExact(site) && site.cells.length <= MOST_CELLS;
    const isAt = ({ address }: Cell) => pool.eq(operation.address, pool.const(address, 64));
    const states = open.map((cell): Operation => {
      const state = this.states.get(cell.id)!;
      const now = pool.symbol(state.id, STATE_BITS);
      let value = now;
      // Where it can be hit in any way.
      if (!isKnown)
        value = pool.ite(this.liesApart(cell, operation), now, this.mixed([now, written], cell.width));
      for (const meant of site.cells.length > MOST_CELLS ? [] : site.cells) {
        if (meant === cell) value = pool.ite(isAt(meant), written, value);
        else if (meant.overlaps.includes(cell))
          value = pool.ite(isAt(meant), this.splicedState(cell, now, meant, written), value);
      }
      return { kind: 'assign', cell: state, value };
    });
    if (isKnown)
      for (const cell of open) {
        const value = this.splicedValue(cell, operation, isAt);
        if (value !== null) after.push({ kind: 'assign', cell, value: kept(value, cell.width) });
      }
    return { before: [...before, ...states], after };
  }

  /** Nothing of the cell is written. */
  private liesApart(cell: Cell, { site, address }: Store): Expr {
    const { pool } = this.program;
    const before = BigInt(bytesIn(site.width)) - 1n;
    const from = pool.binary('add', address, pool.const(before - cell.address, 64));
    return pool.compare('ule', pool.const(before + BigInt(bytesIn(cell.width)), 64), from);
  }

  /** Of a cell of which another one, or a part of it, is written. */
  private splicedState(cell: Cell, now: Expr, meant: Cell, written: Expr): Expr {
    const { pool } = this.program;
    const from = meant.offset - cell.offset;
    const parts = this.only(written, PARTS);
    const by = BigInt(Math.abs(from));
    // Of a wider one nobody knows which parts are where.
    const moved =
      meant.width > WIDEST
        ? this.mixed([written], cell.width)
        : pool.binary(from < 0 ? 'lshr' : 'shl', parts, this.constant(by));
    const all = mask(bytesIn(meant.width));
    const over = (from < 0 ? all >> by : all << by) & partsOf(cell.width);
    return pool.binary('or', this.only(now, PARTS & ~over), this.only(moved, over));
  }

  /** What a cell holds when one of the cells that it shares bytes with is written; null where it shares none. */
  private splicedValue(cell: Cell, { site, value }: Store, isAt: (meant: Cell) => Expr): Expr | null {
    const { pool } = this.program;
    const now = pool.symbol(cell.id, cell.width);
    const sharing = site.cells.filter(({ overlaps }) => overlaps.includes(cell));
    if (sharing.length === 0 || [cell, ...sharing].some(({ type }) => isLongDouble(type))) return null;
    return sharing.reduce(
      (result, meant) => pool.ite(isAt(meant), spliced(pool, cell, now, meant.address, value), result),
      // The cell itself may be meant, too.
      site.cells.includes(cell) ? pool.ite(isAt(cell), value, now) : now,
    );
  }
}
