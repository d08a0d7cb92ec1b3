// Flow-insensitive value sets: every value a cell may ever hold. Shared cells have one set; a local cell has one per class.
// Sets only grow while a system is explored, and whoever read a set is looked at again when it does.

import type { VariableId } from '../process/program.ts';
import type { ProcessClass } from './classes.ts';
import type { Layout } from './layout.ts';
import type { Limits } from './limits.ts';
import { ANY, isChannel, type Value, ValueSet } from './value.ts';

interface Entry {
  readonly values: ValueSet;
  readonly readers: Set<number>;
}

export class Store {
  private readonly cells = new Map<number, Entry>();
  /** Values written through an index that is not known: any element may have them. */
  private readonly weak = new Map<number, Value[]>();
  private readonly layout: Layout;
  private readonly limits: Limits;
  private readonly initial: (cell: number, owner: ProcessClass | null) => Value;
  private readonly wake: (reader: number) => void;

  constructor(
    layout: Layout,
    limits: Limits,
    initial: (cell: number, owner: ProcessClass | null) => Value,
    wake: (reader: number) => void,
  ) {
    this.layout = layout;
    this.limits = limits;
    this.initial = initial;
    this.wake = wake;
  }

  /** The class has looked at the cell: it is woken when the values become more. */
  noteReader(cell: number, reader: ProcessClass): void {
    this.entry(cell, reader).readers.add(reader.id);
  }

  /** What the cell can hold, as seen by the class; null for anything. */
  peek(cell: number, owner: ProcessClass): ReadonlySet<number> | null {
    return this.entry(cell, owner).values.known;
  }

  add(cell: number, value: Value, writer: ProcessClass): void {
    this.grow(this.entry(cell, writer), value, cell);
  }

  addAnywhere(variable: VariableId, value: Value, writer: ProcessClass): void {
    const key = this.key(this.layout.base[variable]!, writer);
    const values = this.weak.get(key) ?? [];
    if (values.includes(value) || values.includes(ANY)) return;
    this.weak.set(key, [
      ...values,
      values.length < this.limitOf(this.layout.base[variable]!) || isChannel(value) ? value : ANY,
    ]);
    const first = this.layout.base[variable]!;
    for (let cell = first; cell < first + this.layout.size[variable]!; cell++) {
      const entry = this.cells.get(this.key(cell, writer));
      if (entry !== undefined) this.grow(entry, value, cell);
    }
  }

  private grow(entry: Entry, value: Value, cell: number): void {
    if (entry.values.add(value, this.limitOf(cell))) for (const reader of entry.readers) this.wake(reader);
  }

  private entry(cell: number, owner: ProcessClass): Entry {
    const key = this.key(cell, owner);
    let entry = this.cells.get(key);
    if (entry === undefined) {
      entry = { values: new ValueSet(), readers: new Set() };
      this.cells.set(key, entry);
      const shared = this.layout.isGlobal(cell);
      entry.values.add(this.initial(cell, shared ? null : owner), this.limitOf(cell));
      const variable = this.layout.variableOf(cell);
      for (const value of this.weak.get(this.key(this.layout.base[variable]!, owner)) ?? [])
        entry.values.add(value, this.limitOf(cell));
    }
    return entry;
  }

  private limitOf(cell: number): number {
    return this.layout.isGlobal(cell) ? this.limits.valuesPerShared : this.limits.valuesPerLocal;
  }

  private key(cell: number, owner: ProcessClass): number {
    return this.layout.isGlobal(cell) ? cell : (owner.id + 1) * this.layout.cellCount + cell;
  }
}
