// The names of a model and every place they are written at, whatever the language. A front end declares and uses names while it reads; the
// table settles, in the end, which of them are one name for the user: two symbols that share a place in the text (a macro or an inline
// that is expanded in several processes) can only be renamed together.

import type { Span } from './source.ts';

export type SymbolKind =
  | 'channel'
  | 'constant'
  | 'event'
  | 'field'
  | 'formula'
  | 'function'
  | 'label'
  | 'macro'
  | 'parameter'
  | 'process'
  | 'state'
  | 'type'
  | 'variable';

export type Role = 'declaration' | 'read' | 'write' | 'send' | 'receive' | 'start';

export interface NamedSymbol {
  readonly kind: SymbolKind;
  readonly name: string;
  /** Where it is declared; null for what the text does not declare. */
  readonly at: Span | null;
  /** Its declaration in short, as a user would write it. */
  readonly detail: string;
  /** The symbol it belongs to: a process, a type, a function. */
  readonly container: number | null;
  /** The whole of its declaration. */
  readonly extent: Span | null;
  /** What it takes, for calls: `run p(…)`, inlines, macros. */
  readonly parameters?: readonly string[];
  /** Why it cannot be renamed. */
  readonly fixed?: string;
}

export interface Occurrence {
  readonly symbol: number;
  readonly span: Span;
  readonly role: Role;
  /** The process or function whose text it belongs to, also where it stands in a macro. */
  readonly within: number | null;
}

export interface Names {
  readonly symbols: readonly NamedSymbol[];
  readonly occurrences: readonly Occurrence[];
  /** The symbol that stands for all those which share places with this one. */
  groupOf(symbol: number): number;
}

export class NameTable {
  private readonly symbols: NamedSymbol[] = [];
  private readonly occurrences: Occurrence[] = [];
  private readonly parents: number[] = [];
  private readonly keys = new Map<string, number>();
  private readonly later: { key: string; span: Span; role: Role; within: number | null }[] = [];
  /** Path and offset → what is known to stand there. */
  private readonly places = new Map<string, Map<number, number[]>>();

  /** A symbol that is declared twice at one place (in an inline that is called twice) is one. */
  declare(symbol: NamedSymbol, key?: string): number {
    const same = symbol.at === null ? undefined : this.declaredAt(symbol.at, symbol.kind);
    const id = same ?? this.symbols.length;
    if (same === undefined) {
      this.symbols.push(symbol);
      this.parents.push(id);
      if (symbol.at !== null) this.use(id, symbol.at, 'declaration', symbol.container);
    }
    if (key !== undefined) this.bind(key, id);
    return id;
  }

  /** Another name for the lookup of a symbol; two symbols under one key are one name for the user. */
  bind(key: string, symbol: number): void {
    const known = this.keys.get(key);
    if (known === undefined) this.keys.set(key, symbol);
    else this.unite(known, symbol);
  }

  find(key: string): number | null {
    return this.keys.get(key) ?? null;
  }

  symbol(id: number): NamedSymbol {
    return this.symbols[id]!;
  }

  use(symbol: number, span: Span, role: Role, within: number | null): void {
    const here = this.at(span);
    for (const index of here) {
      const other = this.occurrences[index]!;
      if (other.symbol === symbol && other.role === role && other.within === within) return;
      this.unite(other.symbol, symbol);
    }
    here.push(this.occurrences.length);
    this.occurrences.push({ symbol, span, role, within });
  }

  /** A use of what may be declared further down; forgotten when nothing is. */
  useLater(key: string, span: Span, role: Role, within: number | null): void {
    this.later.push({ key, span, role, within });
  }

  finish(): Names {
    for (const { key, span, role, within } of this.later) {
      const symbol = this.keys.get(key);
      if (symbol !== undefined) this.use(symbol, span, role, within);
    }
    this.later.length = 0;
    return {
      symbols: this.symbols,
      occurrences: this.occurrences,
      groupOf: (symbol) => this.root(symbol),
    };
  }

  /** Is a name known to stand there? */
  knows(span: Span): boolean {
    return (this.places.get(span.file.path)?.get(span.start)?.length ?? 0) > 0;
  }

  private at(span: Span): number[] {
    const file = this.places.get(span.file.path) ?? new Map<number, number[]>();
    this.places.set(span.file.path, file);
    const here = file.get(span.start) ?? [];
    file.set(span.start, here);
    return here;
  }

  private declaredAt(span: Span, kind: SymbolKind): number | undefined {
    const known = this.at(span).map((index) => this.occurrences[index]!);
    return known.find(({ symbol, role }) => role === 'declaration' && this.symbols[symbol]!.kind === kind)
      ?.symbol;
  }

  private root(symbol: number): number {
    let at = symbol;
    while (this.parents[at] !== at) at = this.parents[at]!;
    return at;
  }

  private unite(a: number, b: number): void {
    const [first, second] = [this.root(a), this.root(b)];
    if (first !== second) this.parents[Math.max(first, second)] = Math.min(first, second);
  }
}
