// Where objects lie is nobody's business: a number made of the bytes of an address (through a union, a pointer to characters, memcpy) is any number, as one made by
// a cast is. Copying such numbers is exact, so that pointers survive it; whatever else is done with one (arithmetic, comparison, an index) sees any value.
//
// The other way round a pointer that was put together from parts, or got a number that was no address, is any pointer to whoever uses it: what it is depends on
// where things lie. Copied whole, in however many steps, it stays what it was.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, Edge, Location, MemoryObject, Operation, Program } from '../program/program.ts';
import { bitsType } from '../program/types.ts';
import { AddressBytes, isNumber, isShuffle, type Known } from './address-bytes.ts';
import type { Memory } from './memory.ts';

const WHY = 'a number made of the bytes of an address is taken as any number';

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
