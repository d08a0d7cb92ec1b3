// Where objects lie is nobody's business: a number made of the bytes of an address (through a union, a pointer to characters, memcpy) is any number, as one made by
// a cast is. Copying such numbers is exact, so that pointers survive it; whatever else is done with one (arithmetic, comparison, an index) sees any value.
//
// Where a cell holds the one at one time and the other at another, states beside it tell what it is (address-states.ts): only where it is such a number it is any.
//
// The other way round a pointer that was put together from parts, or got a number that was no address, is any pointer to whoever uses it: what it is depends on
// where things lie. Copied whole, in however many steps, it stays what it was.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf, partsOf } from '../program/expressions.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Cell, Edge, Location, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { bitsType } from '../program/types.ts';
import { AddressBytes, isNumber, isShuffle, type Known } from './address-bytes.ts';
import { AddressStates, type Settled } from './address-states.ts';
import type { Memory } from './memory.ts';

const WHY = 'a number made of the bytes of an address is taken as any number';
const WHY_USED = 'a pointer that was put together, or is a number, is used';

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
  if (bytes.isNowhere) return { program, holders: bytes.holders };
  const states = new AddressStates(program, memory, bytes, known, facts);
  return { program: new Hiding(program, memory, bytes, states).run(), holders: bytes.holders };
}

class Hiding {
  private readonly program: Program;
  private readonly memory: Memory;
  private readonly bytes: AddressBytes;
  private readonly states: AddressStates;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];

  constructor(program: Program, memory: Memory, bytes: AddressBytes, states: AddressStates) {
    this.program = program;
    this.memory = memory;
    this.bytes = bytes;
    this.states = states;
    this.locations = [...program.locations];
  }

  run(): Program {
    const { program } = this;
    const outgoing = new Map<number, Edge[]>();
    for (const edge of program.edges) outgoing.set(edge.from, [...(outgoing.get(edge.from) ?? []), edge]);
    let first: Edge | null = null;
    for (const [location, edges] of outgoing) {
      const leaves = this.seenAt(edges);
      if (leaves.size === 0) this.addAll(edges, location);
      else this.after(location, edges, leaves);
      if (leaves.size > 0) first ??= edges[0]!;
    }
    if (first === null) return program;
    const notes = [...program.notes, { message: WHY, span: first.span }];
    return {
      ...program,
      ...{ locations: this.locations, edges: this.edges, notes },
      initial: this.states.initial(),
    };
  }

  private add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  /** The edges, from this location, with what keeps the states. */
  private addAll(edges: readonly Edge[], start: number, settled?: Settled): void {
    for (const edge of edges) {
      const { operation, span, block } = edge;
      const { before, after } = this.states.around(operation, settled);
      let from = start;
      const step = (done: Operation, to: number) => {
        this.add({ from, to, span, operation: done, ...(block === undefined ? {} : { block }) });
        from = to;
      };
      for (const done of before) step(done, this.locationLike(start));
      if (after.length === 0) this.add({ ...edge, from });
      else {
        const behind = this.locationLike(start);
        this.add({ ...edge, from, to: behind });
        from = behind;
        for (const done of after) step(done, done === after.at(-1) ? edge.to : this.locationLike(start));
      }
    }
  }

  private locationLike(location: number): number {
    const id = this.locations.length;
    const { contract: _, ...like } = this.locations[location]!;
    this.locations.push({ ...like, id, labels: [] });
    return id;
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

  /** The ways on from a location: as they are where what they see is known, else with other values for what they must not see. */
  private after(location: number, edges: readonly Edge[], leaves: ReadonlySet<Expr>): void {
    const { pool } = this.program;
    const span = edges[0]!.span;
    const isGuessed = [...leaves].reduce(
      (any, leaf) => pool.or(any, this.states.isGuessed(leaf)),
      pool.false,
    );
    let start = location;
    if (isGuessed !== pool.true) {
      const known = isGuessed === pool.false ? location : this.locationLike(location);
      const kinds = [...leaves].map(
        (leaf) => [leaf, this.states.readsNumber(leaf) ? 'number' : 'pointer'] as const,
      );
      this.addAll(edges, known, new Map(kinds));
      if (known === location) return;
      start = this.locationLike(location);
      const way = (test: Expr, to: number) =>
        this.add({ from: location, to, span, operation: { kind: 'assume', test, branch: null } });
      way(isGuessed, start);
      way(pool.not(isGuessed), known);
    }
    this.hide(start, edges, leaves);
  }

  /**
   * Is memory used at a place that one of these pointers tells? What lies there is known of addresses that were copied whole, or of any; not of one that is made
   * of numbers, whatever the points-to analysis says.
   */
  private isUsed(edges: readonly Edge[], leaves: ReadonlySet<Expr>): boolean {
    const pointers = [...leaves].filter((leaf) => !this.states.readsNumber(leaf));
    if (pointers.length === 0 || this.program.threads !== undefined) return false;
    const isAt = (site: Site, address: Expr): boolean =>
      !site.foreign && partsOf([address]).some((part) => pointers.includes(part));
    return edges.some(({ operation }) => {
      const { kind } = operation;
      const isPlace = kind === 'store' || kind === 'release' || kind === 'touch';
      if (isPlace && isAt(operation.site, operation.address)) return true;
      const loads = partsOf(expressionsOf(operation)).filter(({ op }) => op === 'load');
      return loads.some((load) => isAt(this.bytes.siteOf(load), load.args[0]!));
    });
  }

  private hide(location: number, edges: readonly Edge[], leaves: ReadonlySet<Expr>): void {
    const { pool } = this.program;
    const span = edges[0]!.span;
    if (this.isUsed(edges, leaves)) {
      const end = this.locationLike(location);
      this.locations[end] = { ...this.locations[end]!, kind: 'cut', why: WHY_USED };
      this.add({ from: location, to: end, span, operation: { kind: 'skip' } });
      return;
    }
    const others = new Map<Expr, Cell>();
    for (const leaf of leaves) {
      const other = this.memory.scalar('(number)', 'temporary', bitsType(leaf.width));
      others.set(leaf, other);
      if (!this.states.readsNumber(leaf)) this.states.addPointer(other);
    }
    const from = this.locationLike(location);
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
    const blind = edges.map((edge) => ({ ...edge, operation: this.withParts(edge.operation, hidden) }));
    this.addAll(blind, from);
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
