// Where a name is declared, where it is used, and which names a file declares.

import type { NamedSymbol, SymbolKind } from '../source/names.ts';
import type { Span } from '../source/source.ts';
import type { Found } from './name-index.ts';
import type { Understanding } from './service.ts';

/** Where the name at the offset is declared; at a declaration, that place itself. */
export function definitions({ index }: Understanding, path: string, offset: number): Span[] {
  const found = index.at(path, offset);
  if (found === null) return [];
  const declared = index.places(found.id).filter(({ role }) => role === 'declaration');
  // What a macro ties together has several declarations: the one that was asked for comes first.
  const own = found.symbol.at;
  const others = declared.map(({ span }) => span).filter((span) => !isSame(span, own));
  return [...(own === null ? [] : [own]), ...others];
}

const isSame = (a: Span, b: Span | null): boolean =>
  b !== null && a.file.path === b.file.path && a.start === b.start;

export function references(
  { index }: Understanding,
  path: string,
  offset: number,
  withDeclaration: boolean,
): Span[] {
  const found = index.at(path, offset);
  if (found === null) return [];
  return index
    .places(found.id)
    .filter(({ role }) => withDeclaration || role !== 'declaration')
    .map(({ span }) => span);
}

export interface Highlight {
  readonly span: Span;
  readonly writes: boolean;
}

export function highlights({ index }: Understanding, path: string, offset: number): Highlight[] {
  const found = index.at(path, offset);
  if (found === null) return [];
  return index
    .places(found.id)
    .filter(({ span }) => span.file.path === path)
    .map(({ span, role }) => ({ span, writes: role === 'write' || role === 'declaration' }));
}

export interface OutlineEntry {
  readonly name: string;
  readonly detail: string;
  readonly kind: SymbolKind;
  readonly span: Span;
  readonly extent: Span;
  readonly children: readonly OutlineEntry[];
}

/** The names that a file declares, what belongs to a process or a type below it. */
export function outline({ index }: Understanding, path: string): OutlineEntry[] {
  const declared = index.declaredIn(path).sort((a, b) => a.span.start - b.span.start);
  const below = new Map<number, Found[]>();
  for (const found of declared) {
    const { container } = found.symbol;
    if (container !== null) below.set(container, [...(below.get(container) ?? []), found]);
  }
  const entry = ({ id, symbol, span }: Found): OutlineEntry => ({
    name: symbol.name,
    detail: symbol.detail,
    kind: symbol.kind,
    span,
    extent: around(symbol, span),
    children: (below.get(id) ?? []).map(entry),
  });
  const isHere = (container: number | null): boolean =>
    container !== null && declared.some(({ id }) => id === container);
  return declared.filter(({ symbol }) => !isHere(symbol.container)).map(entry);
}

/** Editors want the name inside the extent. */
function around({ extent }: NamedSymbol, span: Span): Span {
  const fits =
    extent !== null &&
    extent.file.path === span.file.path &&
    extent.start <= span.start &&
    extent.end >= span.end;
  return fits ? extent : span;
}
