// Constants where they hold: for each location the cells that have one value there on every way to it (conditional constant propagation).
// Pointers with one target become that target, branches that cannot be taken are dropped. Which events a thread takes part in is read off
// the graph afterwards: a participant's number that is kept in a struct still counts as a constant.
//
// Soundness: a location's constants hold in every run that comes by; an edge is dropped only when its test is false under them.

import { bytesAt, spliced, touchedCells } from '../program/bytes.ts';
import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf, partsOf } from '../program/expressions.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Cell, Edge, Operation, Program, Site } from '../program/program.ts';
import { cellAt } from '../program/program.ts';
import { forwards, sweep } from '../program/sweep.ts';
import { prune } from './prune.ts';

/** Cells times locations beyond which it is not worth the memory, and how often an edge may be looked at. */
const MOST = 40_000_000;
const PATIENCE = 60;
/** Not one value. */
const ANY = -1;

/** What the addresses of a site are where it is used, with the pointers put in that are constants there. */
export type Narrowed = Map<Site, Set<Expr>>;

/** `narrowed`: filled in, or left empty where nothing was found out. */
export function propagateConstants(program: Program, narrowed: Narrowed = new Map()): Program {
  if (program.cells.length * program.locations.length > MOST) return program;
  const states = new Propagation(program).solve();
  if (states === null) return program;
  const locations = [...program.locations];
  const edges = program.edges.flatMap((edge): Edge[] => {
    const state = states[edge.from];
    if (state == null) return [];
    const operation = simplified(program, edge.operation, state);
    if (operation === null) return [];
    for (const site of sitesOf(program, edge.operation)) {
      const addresses = narrowed.get(site) ?? new Set();
      narrowed.set(
        site,
        addresses.add(rewrite(program, site.address, state, ({ mayBePointer }) => mayBePointer)),
      );
    }
    const pieces = operation.kind === 'store' ? inPieces(program, operation) : [operation];
    const between = pieces.slice(1).map(() => {
      const id = locations.length;
      const { span, function: name } = program.locations[edge.to]!;
      locations.push({ id, kind: 'inner', why: '', labels: [], function: name, span });
      return id;
    });
    return pieces.map((piece, i) => ({
      ...edge,
      operation: piece,
      from: i === 0 ? edge.from : between[i - 1]!,
      to: between[i] ?? edge.to,
    }));
  });
  return prune({ ...program, edges, locations });
}

export function sitesOf(program: Program, operation: Operation): Site[] {
  const loads = partsOf(expressionsOf(operation)).filter(({ op }) => op === 'load');
  const sites = loads.map(({ value }) => program.sites[Number(value) - 1]!);
  return operation.kind === 'store' || operation.kind === 'touch' ? [...sites, operation.site] : sites;
}

/** A store to a known place that is no single cell, as assignments to the cells that it touches. */
function inPieces(program: Program, store: Extract<Operation, { kind: 'store' }>): Operation[] {
  const { address, value } = store;
  const { pool, objects } = program;
  const touched = address.op === 'const' ? touchedCells(objects, address.value, value.width) : null;
  if (touched === null || touched.length === 0 || touched[0]!.object.constant) return [store];
  const over = new Set(touched.map(({ id }) => id));
  // What the value is made of must not be written over before all pieces are there.
  if (value.hasLoad || value.symbols.some((symbol) => over.has(symbolNumber(symbol)))) return [store];
  return touched.map((cell) => ({
    kind: 'assign',
    cell,
    value: spliced(pool, cell, pool.symbol(cell.id, cell.width), address.value, value),
  }));
}

/** Of each cell the id of the constant it holds, or ANY. */
interface State {
  readonly ids: Int32Array;
  readonly constants: ReadonlyMap<number, Expr>;
}

class Propagation {
  private readonly program: Program;
  private readonly outgoing: readonly (readonly Edge[])[];
  private readonly constants = new Map<number, Expr>();
  private readonly states: (State | null)[];

  constructor(program: Program) {
    this.program = program;
    this.outgoing = outgoingEdges(program);
    this.states = program.locations.map(() => null);
  }

  /** Null when it takes too long. */
  solve(): readonly (State | null)[] | null {
    const { program, states } = this;
    const ids = new Int32Array(program.cells.length).fill(ANY);
    for (const [cell, value] of program.initial) ids[cell] = this.idOf(value);
    states[program.entry] = { ids, constants: this.constants };
    let left = program.edges.length * PATIENCE;
    const inTime = sweep(forwards(program.entry, this.outgoing), [program.entry], (location, wake) => {
      for (const edge of this.outgoing[location]!) {
        if (--left < 0) return false;
        const after = this.after(edge.operation, states[location]!);
        if (after !== null && this.join(edge.to, after)) wake(edge.to);
      }
      return true;
    });
    return inTime ? states : null;
  }

  private idOf(value: Expr): number {
    this.constants.set(value.id, value);
    return value.id;
  }

  /** True when something changed at the location. */
  private join(location: number, ids: Int32Array): boolean {
    const known = this.states[location]!;
    if (known === null) {
      this.states[location] = { ids, constants: this.constants };
      return true;
    }
    let changed = false;
    for (let i = 0; i < ids.length; i++) {
      if (known.ids[i] === ANY || known.ids[i] === ids[i]) continue;
      known.ids[i] = ANY;
      changed = true;
    }
    return changed;
  }

  /** The constants after an operation; null when it cannot be executed. */
  private after(operation: Operation, state: State): Int32Array | null {
    const { program } = this;
    const ids = state.ids.slice();
    const set = (cell: Cell, id: number) => {
      ids[cell.id] = id;
      for (const other of cell.overlaps) ids[other.id] = ANY;
    };
    switch (operation.kind) {
      case 'assign': {
        const value = rewrite(program, operation.value, state);
        set(operation.cell, value.op === 'const' ? this.idOf(value) : ANY);
        return ids;
      }
      case 'store': {
        const value = rewrite(program, operation.value, state);
        const id = value.op === 'const' ? this.idOf(value) : ANY;
        const exact = exactCell(program, rewrite(program, operation.address, state), operation.site.width);
        if (exact !== null) {
          set(exact, id);
          return ids;
        }
        for (const cell of operation.site.cells) if (ids[cell.id] !== id) set(cell, ANY);
        for (const cell of operation.site.blurred) set(cell, ANY);
        return ids;
      }
      case 'input':
        set(operation.cell, ANY);
        return ids;
      case 'havoc':
        for (const cell of operation.cells) set(cell, ANY);
        return ids;
      case 'assume':
      case 'defined': {
        // What a test tells about its variables is not used: which events a thread has should not hang on reasoning.
        return rewrite(program, operation.test, state) === program.pool.false ? null : ids;
      }
      default:
        return ids;
    }
  }
}

const exactCell = (program: Program, address: Expr, width: number): Cell | null =>
  address.op === 'const' ? cellAt(program.objects, address.value, width) : null;

/**
 * The expression with constants put in and loads from one known place as that cell. `counts`: the constants of these only. (Numbers that are put into addresses
 * could be added up to something that lies at another object.)
 */
function rewrite(
  program: Program,
  expr: Expr,
  { ids, constants }: State,
  counts: (cell: Cell) => boolean = () => true,
): Expr {
  const { pool } = program;
  const memo = new Map<Expr, Expr>();
  const contents = (cell: number, width: number): Expr => {
    const id = counts(program.cells[cell]!) ? ids[cell]! : ANY;
    return id === ANY ? pool.symbol(cell, width) : constants.get(id)!;
  };
  const loaded = (address: Expr, width: number): Expr | null => {
    const cell = exactCell(program, address, width);
    if (cell !== null) return contents(cell.id, width);
    if (address.op !== 'const') return null;
    return bytesAt(pool, program.objects, address.value, width, ({ id, width }) => contents(id, width));
  };
  const walk = (node: Expr): Expr => {
    if (node.symbols.length === 0 && !node.hasLoad) return node;
    if (node.op === 'symbol') return contents(symbolNumber(node), node.width);
    const known = memo.get(node);
    if (known !== undefined) return known;
    const args = node.args.map(walk);
    const result = (node.op === 'load' ? loaded(args[0]!, node.width) : null) ?? pool.rebuild(node, args);
    memo.set(node, result);
    return result;
  };
  return walk(expr);
}

/** Null when it can never be executed. */
function simplified(program: Program, operation: Operation, state: State): Operation | null {
  const put = (expr: Expr) => rewrite(program, expr, state);
  switch (operation.kind) {
    case 'assign':
      return { ...operation, value: put(operation.value) };
    case 'store': {
      const address = put(operation.address);
      const value = put(operation.value);
      const cell = exactCell(program, address, operation.site.width);
      return cell !== null && cell.overlaps.length === 0 && !cell.object.constant
        ? { kind: 'assign', cell, value }
        : { ...operation, address, value };
    }
    case 'assume': {
      const test = put(operation.test);
      return test === program.pool.false ? null : { ...operation, test };
    }
    case 'defined':
      // Stays, so that a run is seen to end here.
      return { ...operation, test: put(operation.test) };
    default:
      return operation;
  }
}
