// Large arrays that nobody writes, such as tables of a program's text: their contents are known. A read becomes a choice among the values by where it reads: comparisons
// in a balanced tree, one for each place where the next element differs. That it stays inside is tested before, as for any other read.
//
// Soundness: an address that a defined run computes is one of those that the points-to analysis tells (`facts.meant`). Tables that hold addresses are left alone.

import type { Expr, Pool } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import { holdsNothing } from '../program/padding.ts';
import type { AddressFacts } from '../program/points-to.ts';
import type { Edge, Location, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { LARGE } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';

/** Elements that are looked at, and values next to each other that differ. */
const MOST_ELEMENTS = 8192;
const MOST_RUNS = 1024;

/** `isAlone`: nothing from elsewhere can write variables of the program. */
export function readTables(program: Program, facts: AddressFacts, isAlone: boolean): Program {
  const tables = tablesOf(program, facts, isAlone);
  return tables.size === 0 ? program : new Tables(program, facts, tables).run();
}

function tablesOf(program: Program, facts: AddressFacts, isAlone: boolean): ReadonlySet<MemoryObject> {
  const tables = new Set(
    program.objects.filter(
      (object) =>
        (object.wide || object.cells.size > LARGE) &&
        object.kind !== 'heap' &&
        (object.constant || isAlone) &&
        program.initialBytes.has(object.id) &&
        !facts.wideWithAddresses.has(object) &&
        ![...object.cells.values()].some((cell) => facts.mayHold(cell)),
    ),
  );
  for (const { operation } of program.edges) {
    if (operation.kind === 'assign' || operation.kind === 'input') tables.delete(operation.cell.object);
    if (operation.kind === 'havoc') {
      for (const { object } of operation.cells) tables.delete(object);
      for (const object of operation.objects ?? []) tables.delete(object);
    }
    if (operation.kind !== 'store') continue;
    const { site } = operation;
    for (const object of site.foreign ? [...tables] : site.objects)
      if (!object.constant) tables.delete(object);
  }
  return tables;
}

interface Read {
  readonly value: Expr;
  readonly isInside: Expr;
  readonly why: string;
}

class Tables {
  private readonly program: Program;
  private readonly facts: AddressFacts;
  private readonly tables: ReadonlySet<MemoryObject>;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];

  constructor(program: Program, facts: AddressFacts, tables: ReadonlySet<MemoryObject>) {
    this.program = program;
    this.facts = facts;
    this.tables = tables;
    this.locations = [...program.locations];
  }

  run(): Program {
    const { program } = this;
    const outgoing = outgoingEdges(program);
    for (const { id } of program.locations) {
      const reads = new Map<Expr, Read>();
      const operations = outgoing[id]!.map(({ operation }) => this.withoutReads(operation, reads));
      let from = id;
      // Ways that part here look at the same values, so that the tests belong before the parting.
      for (const { isInside, why } of new Set(reads.values()))
        if (isInside !== program.pool.true) {
          const { span } = outgoing[id]![0]!;
          const to = this.after(id);
          this.add({ from, to, span, operation: { kind: 'defined', test: isInside, why } });
          from = to;
        }
      outgoing[id]!.forEach((edge, i) => void this.add({ ...edge, from, operation: operations[i]! }));
    }
    return { ...program, locations: this.locations, edges: this.edges };
  }

  private add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  private after(location: number): number {
    const id = this.locations.length;
    const { contract: _, ...like } = this.locations[location]!;
    this.locations.push({ ...like, id, kind: 'inner', why: '', labels: [] });
    return id;
  }

  private withoutReads(operation: Operation, reads: Map<Expr, Read>): Operation {
    const put = (expr: Expr) => this.rewritten(expr, reads, new Map());
    switch (operation.kind) {
      case 'assign':
        return { ...operation, value: put(operation.value) };
      case 'store':
        return { ...operation, address: put(operation.address), value: put(operation.value) };
      case 'assume':
      case 'defined':
        return { ...operation, test: put(operation.test) };
      default:
        return operation;
    }
  }

  /** Reads that are made whatever the rest of the expression is. */
  private rewritten(expr: Expr, reads: Map<Expr, Read>, memo: Map<Expr, Expr>): Expr {
    if (!expr.hasLoad) return expr;
    const known = memo.get(expr);
    if (known !== undefined) return known;
    const lazy = expr.op === 'ite' || expr.op === 'conj' || expr.op === 'disj';
    const args = expr.args.map((arg, i) => (lazy && i > 0 ? arg : this.rewritten(arg, reads, memo)));
    const made = this.program.pool.rebuild(expr, args);
    const read = expr.op === 'load' ? (reads.get(made) ?? this.readAt(made)) : null;
    if (read !== null) reads.set(made, read);
    const result = read?.value ?? made;
    memo.set(expr, result);
    return result;
  }

  /** Null where it may be something else than a table that is read. */
  private readAt(load: Expr): Read | null {
    const { program, facts, tables } = this;
    const { pool } = program;
    const [address] = load.args as [Expr];
    const site = program.sites[Number(load.value) - 1]!;
    const meant = load.width <= 64 ? facts.meant(site) : null;
    const [only, more] = meant === null ? [] : [...meant];
    const object = only === undefined || more !== undefined ? null : program.objects[only[0]]!;
    if (object === null || !tables.has(object)) return null;
    const offsets = offsetsIn(object, only![1], site);
    if (offsets === null) return null;
    const bytes = program.initialBytes.get(object.id)!;
    const runs = runsOf(offsets, (offset) => numberAt(bytes, offset, load.width));
    if (runs.length === 0 || runs.length > MOST_RUNS) return null;
    const offset = pool.binary('sub', address, pool.const(object.address, 64));
    return {
      value: choice(pool, offset, runs, load.width),
      isInside: pool.compare('ule', offset, pool.const(object.size - bytesIn(load.width), 64)),
      why: `a read outside of '${object.name}' is undefined`,
    };
  }
}

/** In order; null where they are too many, or some are not the table's to tell. */
function offsetsIn(
  object: MemoryObject,
  patterns: Iterable<{ readonly r: number; readonly m: number }>,
  { width }: Site,
): readonly number[] | null {
  const offsets = new Set<number>();
  for (const { r, m } of patterns)
    for (let offset = r; offset + bytesIn(width) <= object.size; offset += m) {
      if (offset >= 0) offsets.add(offset);
      if (offsets.size > MOST_ELEMENTS) return null;
      if (m === 0) break;
    }
  const sorted = [...offsets].sort((a, b) => a - b);
  return sorted.some((offset) => holdsNothing(object, offset, width)) ? null : sorted;
}

function numberAt(bytes: Uint8Array, offset: number, width: number): bigint {
  let result = 0n;
  for (let i = bytesIn(width) - 1; i >= 0; i--) result = (result << 8n) | BigInt(bytes[offset + i] ?? 0);
  return BigInt.asUintN(width, result);
}

/** A value from an offset on, up to the next one. */
interface Stretch {
  readonly from: number;
  readonly value: bigint;
}

function runsOf(offsets: readonly number[], valueAt: (offset: number) => bigint): Stretch[] {
  const runs: Stretch[] = [];
  for (const from of offsets) {
    const value = valueAt(from);
    if (runs.at(-1)?.value !== value) runs.push({ from, value });
  }
  return runs;
}

function choice(pool: Pool, offset: Expr, runs: readonly Stretch[], width: number): Expr {
  if (runs.length === 1) return pool.const(runs[0]!.value, width);
  const middle = runs.length >> 1;
  return pool.ite(
    pool.compare('ult', offset, pool.const(runs[middle]!.from, 64)),
    choice(pool, offset, runs.slice(0, middle), width),
    choice(pool, offset, runs.slice(middle), width),
  );
}
