// Where objects lie is nobody's business: a number made of the bytes of an address (through a union, a pointer to characters, memcpy) is any number, as one made by
// a cast is. Copying such numbers is exact, so that pointers survive it; whatever else is done with one (arithmetic, comparison, an index) sees any value.
//
// The other way round a pointer that was put together from parts, or got a number that was no address, is any pointer to whoever uses it: what it is depends on
// where things lie. Copied whole, in however many steps, it stays what it was.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, Edge, Location, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { ownerAt } from '../program/program.ts';
import { bitsType } from '../program/types.ts';
import type { Memory } from './memory.ts';

const WHY = 'a number made of the bytes of an address is taken as any number';

/** Is it read as a number only? Where members of a union share a cell, `read` makes a copy for those who read a number. */
const isNumber = ({ type, mayBePointer }: Cell): boolean => type.kind !== 'pointer' && !mayBePointer;

export interface Hidden {
  readonly program: Program;
  /** Objects that are not taken apart into cells and can hold bytes of addresses. */
  readonly holders: ReadonlySet<MemoryObject>;
}

export function hideAddresses(
  program: Program,
  { memory, ...known }: Known & { readonly memory: Memory },
  facts: AddressFacts,
): Hidden {
  const bytes = new AddressBytes(program, facts, known);
  const hidden = bytes.isNowhere ? program : new Hiding(program, memory, bytes).run();
  return { program: hidden, holders: bytes.holders };
}

/** Cells by their numbers, as the lowering knows them (context.ts). */
interface Known {
  readonly plainNumbers: ReadonlySet<number>;
  readonly noAddresses: ReadonlySet<number>;
  readonly lookedAt: ReadonlySet<number>;
}

/** Cells, and objects that are not taken apart into cells, that can hold bytes of addresses as numbers. */
class AddressBytes {
  private readonly program: Program;
  private readonly facts: AddressFacts;
  private readonly known: Known;
  private readonly cells = new Set<number>();
  private readonly objects = new Set<MemoryObject>();
  readonly holders: ReadonlySet<MemoryObject> = this.objects;
  /** Pointers that may be put together from parts, or be numbers. */
  private readonly mixed = new Set<number>();
  private readonly touched = new Map<Site, readonly Cell[]>();
  /** What was found about expressions in this round: they share parts. */
  private readonly found = new Map<Expr, boolean>();

  constructor(program: Program, facts: AddressFacts, known: Known) {
    this.program = program;
    this.facts = facts;
    this.known = known;
    for (const [id, value] of program.initial) if (this.isAddress(value)) this.addCell(program.cells[id]!);
    for (const object of facts.wideWithAddresses) this.objects.add(object);
    for (let before = -1; before !== this.count; ) {
      before = this.count;
      this.found.clear();
      for (const { operation } of program.edges) {
        program.pool.watch();
        this.transfer(operation);
      }
    }
  }

  private get count(): number {
    return this.cells.size + this.objects.size + this.mixed.size;
  }

  /** Nobody can read one as a number. */
  get isNowhere(): boolean {
    const { sites } = this.program;
    return this.count === 0 && !sites.some((site) => site.isNumber && this.isIn(site));
  }

  private addCell(cell: Cell): void {
    if (isNumber(cell)) this.cells.add(cell.id);
  }

  private transfer(operation: Operation): void {
    if (operation.kind === 'assign' && !this.isLookedAt(operation.cell)) {
      if (this.isMadeOf(operation.value)) this.addCell(operation.cell);
      if (this.isMixing(operation.value)) this.mix(operation.cell);
    }
    if (operation.kind !== 'store') return;
    const { site, value } = operation;
    for (const cell of this.touchedBy(site))
      if (cell.width !== value.width || this.isMixing(value)) this.mix(cell);
    if (!this.isMadeOf(value)) return;
    for (const cell of this.touchedBy(site)) this.addCell(cell);
    for (const object of operation.site.objects) if (object.wide) this.objects.add(object);
  }

  private mix(cell: Cell): void {
    if (!isNumber(cell)) this.mixed.add(cell.id);
  }

  /** Is a pointer with this value one that was put together, or a number? Arithmetic on pointers makes pointers. */
  private isMixing(expr: Expr): boolean {
    switch (expr.op) {
      case 'const':
        return false;
      case 'symbol': {
        const cell = this.program.cells[symbolNumber(expr)]!;
        // Threads are given numbers as pointers.
        const isPlain = isNumber(cell) && !this.cells.has(cell.id) && this.program.threads === undefined;
        return this.isMixed(cell) || (isPlain && !this.known.noAddresses.has(cell.id));
      }
      case 'load':
        return this.isMixedAt(this.siteOf(expr));
      case 'ite':
        return this.isMixing(expr.args[1]!) || this.isMixing(expr.args[2]!);
      case 'zext':
      case 'trunc':
        return this.isMixing(expr.args[0]!);
      case 'add':
      case 'sub':
        return false;
      default:
        return this.program.threads === undefined || this.isMadeOf(expr);
    }
  }

  /** What is written there is not copied but looked at. */
  isLookedAt(cell: Cell): boolean {
    return this.known.lookedAt.has(cell.id);
  }

  isMixed(cell: Cell): boolean {
    return this.mixed.has(cell.id);
  }

  isMixedAt(site: Site): boolean {
    return !site.isNumber && this.touchedBy(site).some((cell) => this.isMixed(cell));
  }

  private isAddress(expr: Expr): boolean {
    return expr.op === 'const' && ownerAt(this.program.objects, expr.value) !== null;
  }

  /** Can the value be made of bytes of addresses? What comparisons say is looked at where they are made. */
  private isMadeOf(expr: Expr): boolean {
    if (expr.width === 0) return false;
    switch (expr.op) {
      case 'const':
        return this.isAddress(expr);
      case 'symbol':
        return this.isInCell(this.program.cells[symbolNumber(expr)]!);
      case 'load':
        return this.isIn(this.siteOf(expr));
      default: {
        let found = this.found.get(expr);
        if (found === undefined)
          this.found.set(
            expr,
            (found = !this.isDistance(expr) && expr.args.some((arg) => this.isMadeOf(arg))),
          );
        return found;
      }
    }
  }

  /** How far two addresses in one object are apart does not tell where it lies. */
  private isDistance({ op, width, args: [a, b] }: Expr): boolean {
    if (op === 'sub') return this.isMadeOf(a!) && this.isMadeOf(b!);
    const { pool } = this.program;
    const isTaken = (by: Expr) => by.op === 'const' && this.isAddress(pool.const(-by.value, width));
    return op === 'add' && ((isTaken(a!) && this.isMadeOf(b!)) || (isTaken(b!) && this.isMadeOf(a!)));
  }

  private touchedBy(site: Site): readonly Cell[] {
    let cells = this.touched.get(site);
    if (cells === undefined) this.touched.set(site, (cells = this.facts.touched(site)));
    return cells;
  }

  siteOf({ value }: Expr): Site {
    return this.program.sites[Number(value) - 1]!;
  }

  isInCell(cell: Cell): boolean {
    if (this.known.plainNumbers.has(cell.id)) return false;
    return isNumber(cell) ? this.cells.has(cell.id) : this.facts.mayHold(cell);
  }

  isIn(site: Site): boolean {
    return (
      this.touchedBy(site).some((cell) => this.isInCell(cell)) ||
      site.objects.some((object) => this.objects.has(object))
    );
  }
}

class Hiding {
  private readonly program: Program;
  private readonly memory: Memory;
  private readonly bytes: AddressBytes;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];

  constructor(program: Program, memory: Memory, bytes: AddressBytes) {
    this.program = program;
    this.memory = memory;
    this.bytes = bytes;
    this.locations = [...program.locations];
  }

  run(): Program {
    const { program } = this;
    const outgoing = new Map<number, Edge[]>();
    for (const edge of program.edges) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
    let first: Edge | null = null;
    for (const [location, edges] of outgoing) {
      const leaves = this.seenAt(edges);
      if (leaves.size === 0) for (const edge of edges) this.add(edge);
      else this.after(location, edges, leaves);
      if (leaves.size > 0) first ??= edges[0]!;
    }
    if (first === null) return program;
    const notes = [...program.notes, { message: WHY, span: first.span }];
    return { ...program, locations: this.locations, edges: this.edges, notes };
  }

  private add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  /** The symbols and loads whose values are seen on one of these ways. */
  private seenAt(edges: readonly Edge[]): Set<Expr> {
    const found = new Set<Expr>();
    const looked = [new Set<Expr>(), new Set<Expr>()] as const;
    for (const { operation } of edges) {
      const isCopy =
        operation.kind === 'store' || (operation.kind === 'assign' && !this.bytes.isLookedAt(operation.cell));
      for (const expr of expressionsOf(operation)) {
        const isAddress = operation.kind === 'store' && expr === operation.address;
        this.look(expr, isCopy && !isAddress, found, looked);
      }
    }
    return found;
  }

  private look(expr: Expr, copied: boolean, found: Set<Expr>, looked: readonly [Set<Expr>, Set<Expr>]): void {
    const before = looked[copied ? 1 : 0];
    if ((expr.symbols.length === 0 && !expr.hasLoad) || before.has(expr)) return;
    before.add(expr);
    if (this.isSeen(expr) && !copied) found.add(expr);
    const passesOn = copied && isShuffle(expr);
    expr.args.forEach((arg, i) => {
      this.look(arg, passesOn && !(expr.op === 'ite' && i === 0), found, looked);
    });
  }

  private isSeen(expr: Expr): boolean {
    if (expr.op === 'load') {
      const site = this.bytes.siteOf(expr);
      return site.isNumber ? this.bytes.isIn(site) : this.bytes.isMixedAt(site);
    }
    if (expr.op !== 'symbol') return false;
    const cell = this.program.cells[symbolNumber(expr)]!;
    return isNumber(cell) ? this.bytes.isInCell(cell) : this.bytes.isMixed(cell);
  }

  /** The ways on from a location, with other values for what they must not see. */
  private after(location: number, edges: readonly Edge[], leaves: ReadonlySet<Expr>): void {
    const { pool } = this.program;
    const span = edges[0]!.span;
    const others = new Map<Expr, Cell>();
    for (const leaf of leaves)
      others.set(leaf, this.memory.scalar('(number)', 'temporary', bitsType(leaf.width)));
    const from = this.locations.length;
    const { contract: _, ...like } = this.locations[location]!;
    this.locations.push({ ...like, id: from, labels: [] });
    const cells = [...others.values()];
    this.add({ from: location, to: from, span, operation: { kind: 'havoc', cells, why: WHY, exact: false } });
    const memo = new Map<Expr, Expr>();
    const hidden = (expr: Expr, copied: boolean): Expr => {
      if (expr.symbols.length === 0 && !expr.hasLoad) return expr;
      const other = others.get(expr);
      if (other !== undefined && !copied) return pool.symbol(other.id, other.width);
      const known = copied ? undefined : memo.get(expr);
      if (known !== undefined) return known;
      const passesOn = copied && isShuffle(expr);
      const args = expr.args.map((arg, i) => hidden(arg, passesOn && !(expr.op === 'ite' && i === 0)));
      const made = expr.args.length === 0 ? expr : pool.rebuild(expr, args);
      if (!copied) memo.set(expr, made);
      return made;
    };
    for (const edge of edges) this.add({ ...edge, from, operation: this.withParts(edge.operation, hidden) });
  }

  private withParts(operation: Operation, hidden: (expr: Expr, copied: boolean) => Expr): Operation {
    switch (operation.kind) {
      case 'assign':
        return { ...operation, value: hidden(operation.value, !this.bytes.isLookedAt(operation.cell)) };
      case 'store':
        return {
          ...operation,
          address: hidden(operation.address, false),
          value: hidden(operation.value, true),
        };
      case 'assume':
      case 'defined':
        return { ...operation, test: hidden(operation.test, false) };
      case 'release':
        return { ...operation, address: hidden(operation.address, false) };
      default:
        return operation;
    }
  }
}

/** Takes values to other places, whole or byte by byte. */
function isShuffle({ op, args }: Expr): boolean {
  const by = args[1];
  switch (op) {
    case 'zext':
    case 'sext':
    case 'trunc':
    case 'ite':
    case 'or':
      return true;
    case 'shl':
    case 'lshr':
      return by!.op === 'const' && by!.value % 8n === 0n;
    case 'and':
      return by!.op === 'const';
    default:
      return false;
  }
}
