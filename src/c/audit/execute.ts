// The meaning of the operations of a control flow graph, as a plain relation between the values of cells before and after: executed
// forward, with formulas for what is not known. Assumes of the graph what `program.ts` says of it; of the points-to analysis only where an address is
// not a constant.

import type { Expr } from '../program/expr.ts';
import type { Cell, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { cellAt, objectAt } from '../program/program.ts';
import { bytesIn, isLongDouble } from '../program/types.ts';
import { isWithin, numberIn, withNumber } from './arrays.ts';
import type { Formula, Formulas } from './formula.ts';
import { FIRST_UNKNOWN } from './formula.ts';

/** The values of cells at the start, as far as they are known. */
export function startOf(program: Program, formulas: Formulas): Map<number, Formula> {
  const nothing = new Execution(program, formulas, new Map());
  return new Map([...program.initial].map(([cell, value]) => [cell, nothing.evaluate(value, true)]));
}

export class Execution {
  private readonly program: Program;
  private readonly formulas: Formulas;
  private readonly known: ReadonlyMap<number, Formula>;
  /** What was written since. */
  private readonly values = new Map<number, Formula>();
  private unknowns: bigint;
  /** What must be true for the operations so far to have been executed without undefined behaviour. */
  readonly conditions: Formula[] = [];

  /** From any state in which these cells have these values; `unknowns`: how many unknown values there are already. */
  constructor(program: Program, formulas: Formulas, known: ReadonlyMap<number, Formula>, unknowns = 0n) {
    this.unknowns = unknowns;
    this.program = program;
    this.formulas = formulas;
    this.known = known;
  }

  /** What the cells hold that were known before or were written. */
  get after(): Map<number, Formula> {
    return new Map([...this.known, ...this.values]);
  }

  get unknownsMade(): bigint {
    return this.unknowns;
  }

  value(cell: number): Formula {
    const known = this.values.get(cell) ?? this.known.get(cell);
    return known ?? this.formulas.variable(BigInt(cell), this.program.cells[cell]!.width);
  }

  take(operation: Operation): void {
    switch (operation.kind) {
      case 'assign':
        this.values.set(operation.cell.id, this.evaluate(operation.value, true));
        return;
      case 'store':
        this.store(
          operation.site,
          this.evaluate(operation.address, true),
          this.evaluate(operation.value, true),
        );
        return;
      case 'assume':
      case 'defined':
        this.conditions.push(this.evaluate(operation.test, true));
        return;
      case 'input':
        this.forget(operation.cell);
        return;
      case 'havoc':
        for (const cell of operation.cells) this.forget(cell);
        for (const cell of operation.arrays ?? []) this.forget(cell);
        return;
      case 'event':
      case 'skip':
        return;
    }
  }

  private forget(cell: Cell): void {
    this.values.set(cell.id, this.unknown(cell.width));
  }

  private unknown(width: number): Formula {
    return this.formulas.variable(FIRST_UNKNOWN + this.unknowns++, width);
  }

  /** `always`: it is evaluated on every run, so an invalid load in it ends the run. Elsewhere such a load is just any value. */
  evaluate(expr: Expr, always: boolean): Formula {
    const { formulas } = this;
    switch (expr.op) {
      case 'const':
        return formulas.constant(expr.value, expr.width);
      case 'symbol':
        return this.value(Number(expr.value) - 1);
      case 'load':
        return this.load(
          this.program.sites[Number(expr.value) - 1]!,
          this.evaluate(expr.args[0]!, always),
          expr.width,
          always,
        );
      default: {
        const lazy = expr.op === 'ite' || expr.op === 'conj' || expr.op === 'disj';
        const args = expr.args.map((arg, i) => this.evaluate(arg, always && (!lazy || i === 0)));
        return formulas.apply(expr.op, expr.width, args);
      }
    }
  }

  private load(site: Site, address: Formula, width: number, always: boolean): Formula {
    const { formulas } = this;
    if (address.op === 'const') {
      const exact = cellAt(this.program.objects, address.value, width);
      if (exact !== null) return this.value(exact.id);
      if (always && this.objectOf(address.value, width) === null) this.conditions.push(formulas.false);
      if (site.arrays === undefined) return this.bytesAt(address.value, width) ?? this.unknown(width);
    }
    const choices: { readonly here: Formula; readonly value: Formula }[] = [];
    for (const part of site.arrays?.parts ?? [])
      choices.push({
        here: isWithin(formulas, part.object, address, width),
        value: numberIn(formulas, this.value(part.id), address, width),
      });
    for (const cell of site.cells)
      choices.push({
        here: formulas.equal(address, formulas.constant(cell.address, 64)),
        value: this.value(cell.id),
      });
    const somewhere = always && !(site.arrays?.vague ?? site.vague);
    if (somewhere)
      this.conditions.push(
        choices.reduce((among, { here }) => formulas.apply('disj', 0, [among, here]), formulas.false),
      );
    // Where it is none of the others, it is the first: with pointers that are all the same the result is that one, not any.
    const first = somewhere ? choices.shift()?.value : undefined;
    return choices.reduce(
      (result, { here, value }) => formulas.apply('ite', width, [here, value, result]),
      first ?? this.unknown(width),
    );
  }

  private store(site: Site, address: Formula, value: Formula): void {
    const { formulas } = this;
    if (address.op === 'const') {
      const object = this.objectOf(address.value, value.width);
      if (object === null || object.constant) this.conditions.push(formulas.false);
      const end = address.value + BigInt(bytesIn(value.width));
      for (const cell of object?.cells.values() ?? [])
        if (cell.address === address.value && cell.width === value.width) this.values.set(cell.id, value);
        else if (cell.address < end && address.value < cell.address + BigInt(bytesIn(cell.width)))
          this.splice(cell, address.value, value);
      if (site.arrays === undefined) return;
    }
    let among = formulas.false;
    for (const part of site.arrays?.parts ?? []) {
      const before = this.value(part.id);
      const here = isWithin(formulas, part.object, address, value.width);
      const after = withNumber(formulas, before, address, value);
      among = formulas.apply('disj', 0, [among, here]);
      this.values.set(part.id, formulas.apply('ite', before.width, [here, after, before]));
    }
    for (const part of site.arrays?.blurred ?? []) this.forget(part);
    for (const cell of site.cells) {
      const here = formulas.equal(address, formulas.constant(cell.address, 64));
      among = formulas.apply('disj', 0, [among, here]);
      this.values.set(cell.id, formulas.apply('ite', cell.width, [here, value, this.value(cell.id)]));
    }
    const apart = among === formulas.false ? NONE : apartOf(site);
    for (const cell of site.blurred) {
      const before = this.value(cell.id);
      this.forget(cell);
      if (apart.has(cell))
        this.values.set(cell.id, formulas.apply('ite', cell.width, [among, before, this.value(cell.id)]));
    }
    if (!(site.arrays?.vague ?? site.vague)) this.conditions.push(among);
  }

  /** A number of which each byte is looked for by itself; null where one lies in no cell. */
  private bytesAt(address: bigint, width: number): Formula | null {
    const { formulas } = this;
    const cells = [...(this.objectOf(address, width)?.cells.values() ?? [])];
    let result = formulas.constant(0n, width);
    for (let i = 0; i < bytesIn(width); i++) {
      const at = address + BigInt(i);
      const cell = cells.find((one) => one.address <= at && at < one.address + BigInt(bytesIn(one.width)));
      if (cell === undefined || isLongDouble(cell.type)) return null;
      const value = this.value(cell.id);
      const moved = this.moved('lshr', value, Number(at - cell.address) * 8);
      const byte = resized(formulas, resized(formulas, moved, 8), width);
      result = formulas.apply('or', width, [result, this.moved('shl', byte, 8 * i)]);
    }
    return result;
  }

  /** A part of the cell is written, or the cell is part of what is. */
  private splice(cell: Cell, address: bigint, value: Formula): void {
    const { formulas } = this;
    const { width } = cell;
    if (isLongDouble(cell.type)) {
      this.forget(cell);
      return;
    }
    const from = Number(address - cell.address) * 8;
    const first = Math.max(0, from);
    const last = Math.min(width, from + value.width);
    const written = ((1n << BigInt(last - first)) - 1n) << BigInt(first);
    const placed =
      from < 0
        ? resized(formulas, this.moved('lshr', value, -from), width)
        : this.moved('shl', resized(formulas, value, width), from);
    const both = (one: Formula, bits: bigint) =>
      formulas.apply('and', width, [one, formulas.constant(bits, width)]);
    this.values.set(
      cell.id,
      formulas.apply('or', width, [both(this.value(cell.id), ~written), both(placed, written)]),
    );
  }

  private moved(op: 'shl' | 'lshr', value: Formula, by: number): Formula {
    return this.formulas.apply(op, value.width, [value, this.formulas.constant(BigInt(by), value.width)]);
  }

  /** The object that holds all of these bytes. */
  private objectOf(address: bigint, width: number): MemoryObject | null {
    const object = objectAt(this.program.objects, address);
    if (object === null || object.kind === 'function') return null;
    return address + BigInt(bytesIn(width)) <= object.address + BigInt(object.size) ? object : null;
  }
}

function resized(formulas: Formulas, value: Formula, width: number): Formula {
  if (value.width === width) return value;
  return formulas.apply(value.width < width ? 'zext' : 'trunc', width, [value]);
}

const NONE: ReadonlySet<Cell> = new Set();
const found = new WeakMap<Site, ReadonlySet<Cell>>();

/** Whatever else the site can mean: where its address is one of its cells, these, which lie apart from them all, are as they were. */
function apartOf(site: Site): ReadonlySet<Cell> {
  let apart = found.get(site);
  if (apart === undefined) {
    const touched = new Set(site.cells.flatMap(({ address, width }) => bytesFrom(address, width)));
    const isApart = ({ address, width }: Cell) =>
      width > 0 && !bytesFrom(address, width).some((byte) => touched.has(byte));
    found.set(site, (apart = new Set(site.blurred.filter(isApart))));
  }
  return apart;
}

const bytesFrom = (address: bigint, width: number): readonly bigint[] =>
  Array.from({ length: bytesIn(width) }, (_, i) => address + BigInt(i));
