// Names of languages whose trees say where each one stands: declared and used by key, a use wherever the key is declared, before or after it.
// A name whose letters do not stand at its place (it came out of a macro) is left out, and its symbol cannot be renamed.

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

export class NameBook {
  private readonly table = new NameTable();
  private readonly hidden = new Set<string>();

  declare(kind: SymbolKind, name: PlacedName, key: string, more: DeclarationDetails): number {
    const at = writtenAt(name);
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
  meet(kind: SymbolKind, name: PlacedName, key: string, more: DeclarationDetails, role: Role = 'read'): void {
    if (this.table.find(key) === null) this.declare(kind, name, key, more);
    else this.use(key, name, role);
  }

  knows(key: string): boolean {
    return this.table.find(key) !== null;
  }

  use(key: string, name: PlacedName, role: Role = 'read', within: number | null = null): void {
    const at = writtenAt(name);
    if (at === null) this.hidden.add(key);
    else this.table.useLater(key, at, role, within);
  }

  finish(): Names {
    const names = this.table.finish();
    const fixed = new Set([...this.hidden].map((key) => this.table.find(key)));
    return {
      ...names,
      symbols: names.symbols.map((symbol, id) =>
        fixed.has(id) ? { ...symbol, fixed: 'some of its uses are put together by a macro' } : symbol,
      ),
    };
  }
}

function writtenAt({ text, span }: PlacedName): Span | null {
  const { file, start } = span;
  return file.text.startsWith(text, start) ? { file, start, end: start + text.length } : null;
}
