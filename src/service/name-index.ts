// The names of a model, found by place.

import type { NamedSymbol, Names, Occurrence } from '../source/names.ts';
import type { Span } from '../source/source.ts';

export interface Found {
  /** The symbol itself, not the group it belongs to. */
  readonly id: number;
  readonly symbol: NamedSymbol;
  readonly span: Span;
}

export class NameIndex {
  readonly names: Names;
  private readonly byFile = new Map<string, Occurrence[]>();

  constructor(names: Names) {
    this.names = names;
    for (const occurrence of names.occurrences) {
      const { path } = occurrence.span.file;
      const list = this.byFile.get(path) ?? [];
      if (list.length === 0) this.byFile.set(path, list);
      list.push(occurrence);
    }
    for (const list of this.byFile.values()) list.sort((a, b) => a.span.start - b.span.start);
  }

  /** The name at or just before the offset. */
  at(path: string, offset: number): Found | null {
    const list = this.byFile.get(path) ?? [];
    let low = 0;
    let high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (list[middle]!.span.start <= offset) low = middle + 1;
      else high = middle;
    }
    const last = list[low - 1];
    if (last === undefined || last.span.end < offset) return null;
    const declared = list.find(({ span, role }) => span.start === last.span.start && role === 'declaration');
    const { symbol: id, span } = declared ?? last;
    return { id, symbol: this.names.symbols[id]!, span };
  }

  /** Every place of the symbol and of those that cannot be told from it, each once, declarations first. */
  places(id: number): Occurrence[] {
    const group = this.names.groupOf(id);
    const found = new Map<string, Occurrence>();
    for (const occurrence of this.names.occurrences) {
      if (this.names.groupOf(occurrence.symbol) !== group) continue;
      const { span, role } = occurrence;
      const key = `${span.file.path}|${span.start}`;
      if (!found.has(key) || role === 'declaration') found.set(key, occurrence);
    }
    return [...found.values()].sort(
      (a, b) => Number(b.role === 'declaration') - Number(a.role === 'declaration'),
    );
  }

  /** All of the symbol's occurrences, with who they belong to. */
  uses(id: number): Occurrence[] {
    const group = this.names.groupOf(id);
    return this.names.occurrences.filter(({ symbol }) => this.names.groupOf(symbol) === group);
  }

  inFile(path: string): readonly Occurrence[] {
    return this.byFile.get(path) ?? [];
  }

  declaredIn(path: string): Found[] {
    return this.names.symbols.flatMap((symbol, id) =>
      symbol.at !== null && symbol.at.file.path === path ? [{ id, symbol, span: symbol.at }] : [],
    );
  }

  /** The innermost process, function or type around the offset. */
  around(path: string, offset: number): number | null {
    let best: number | null = null;
    let size = Number.POSITIVE_INFINITY;
    for (const [id, { extent, kind }] of this.names.symbols.entries()) {
      if (extent === null || extent.file.path !== path || !HOLDS_NAMES.has(kind)) continue;
      if (extent.start > offset || extent.end < offset || extent.end - extent.start >= size) continue;
      best = id;
      size = extent.end - extent.start;
    }
    return best;
  }

  /** What can be named at the offset: global names, and those of what stands around it. */
  visibleAt(path: string, offset: number): Found[] {
    const around = this.around(path, offset);
    return this.names.symbols.flatMap((symbol, id) => {
      const here = symbol.container === null || symbol.container === around;
      return here && symbol.at !== null ? [{ id, symbol, span: symbol.at }] : [];
    });
  }

  find(name: string, test: (symbol: NamedSymbol) => boolean): Found | null {
    const id = this.names.symbols.findIndex((symbol) => symbol.name === name && test(symbol));
    const symbol = this.names.symbols[id];
    return symbol === undefined || symbol.at === null ? null : { id, symbol, span: symbol.at };
  }
}

const HOLDS_NAMES: ReadonlySet<string> = new Set(['process', 'function', 'type']);
