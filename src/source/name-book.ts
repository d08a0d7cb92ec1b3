// Names with the places they are written at, as front ends tell of them: declared and used by key, a use wherever the key is declared, before or
// after it. A name whose letters do not stand at its place (it came out of a macro, or was pasted together) has no place, and its symbol cannot
// be renamed.

import { type NamedSymbol, type Names, NameTable, type Role, type SymbolKind } from './names.ts';
import type { Span } from './source.ts';

export interface PlacedName {
  readonly text: string;
  /** Begins with the name; may be longer (`take[i]`). */
  readonly span: Span;
}

export interface DeclarationDetails {
  readonly detail: string;
  readonly container?: number | null;
  readonly extent?: Span | null;
  readonly parameters?: readonly string[];
  readonly fixed?: string;
}

export class NameBook<Name extends PlacedName = PlacedName> {
  private readonly table = new NameTable();
  private readonly writtenAt: (name: Name) => Span | null;
  private readonly hiddenKeys = new Set<string>();
  private readonly hidden = new Set<number>();
  private readonly guesses: { readonly name: Name; readonly keys: readonly string[] }[] = [];

  /** `writtenAt`: where the user wrote a name; null where its letters stand nowhere. */
  constructor(writtenAt: (name: Name) => Span | null = atItsSpan) {
    this.writtenAt = writtenAt;
  }

  declare(kind: SymbolKind, name: Name, key: string | undefined, more: DeclarationDetails): number {
    const at = this.writtenAt(name);
    const { detail, container = null, extent = null, parameters, fixed } = more;
    const symbol: NamedSymbol = {
      kind,
      name: name.text,
      at,
      detail,
      container,
      extent,
      ...(parameters === undefined ? {} : { parameters }),
      ...(fixed === undefined ? {} : { fixed }),
    };
    return this.table.declare(symbol, key);
  }

  /** Declared where it is first met: for what a language needs no declaration for. */
  meet(kind: SymbolKind, name: Name, key: string, more: DeclarationDetails, role: Role = 'read'): void {
    if (this.table.find(key) === null) this.declare(kind, name, key, more);
    else this.use(key, name, role);
  }

  knows(key: string): boolean {
    return this.table.find(key) !== null;
  }

  /** Another key for a symbol. */
  bind(key: string, symbol: number): void {
    this.table.bind(key, symbol);
  }

  use(key: string, name: Name, role: Role = 'read', within: number | null = null): void {
    const at = this.writtenAt(name);
    if (at === null) this.hiddenKeys.add(key);
    else this.table.useLater(key, at, role, within);
  }

  useSymbol(symbol: number, name: Name, role: Role, within: number | null): void {
    const at = this.writtenAt(name);
    if (at === null) this.hidden.add(symbol);
    else this.table.use(symbol, at, role, within);
  }

  /** A word in text that nobody read: it stands for what the first of these keys is declared as, if it is not known by then. */
  guess(name: Name, keys: readonly string[]): void {
    this.guesses.push({ name, keys });
  }

  finish(): Names {
    this.table.finish();
    for (const { name, keys } of this.guesses) {
      const at = this.writtenAt(name);
      if (at === null || this.table.knows(at)) continue;
      const known = keys.map((key) => this.table.find(key)).find((id) => id !== null);
      if (known !== undefined && known !== null) this.table.use(known, at, 'read', null);
    }
    const names = this.table.finish();
    const fixed = new Set([...this.hidden, ...[...this.hiddenKeys].map((key) => this.table.find(key))]);
    return {
      ...names,
      symbols: names.symbols.map((symbol, id) =>
        fixed.has(id) ? { ...symbol, fixed: 'some of its uses are put together by a macro' } : symbol,
      ),
    };
  }
}

function atItsSpan({ text, span }: PlacedName): Span | null {
  const { file, start } = span;
  return file.text.startsWith(text, start) ? { file, start, end: start + text.length } : null;
}
