// What kind of thing each name is, for colours that no grammar of words can give.

import type { SymbolKind } from '../source/names.ts';
import type { Understanding } from './service.ts';

export const TOKEN_TYPES = [
  'variable',
  'parameter',
  'property',
  'enumMember',
  'macro',
  'function',
  'class',
  'type',
  'event',
] as const;
export const TOKEN_MODIFIERS = ['declaration', 'modification', 'readonly'] as const;

const TYPE_OF: Readonly<Record<SymbolKind, (typeof TOKEN_TYPES)[number]>> = {
  channel: 'variable',
  constant: 'enumMember',
  event: 'event',
  field: 'property',
  formula: 'function',
  function: 'function',
  label: 'event',
  macro: 'macro',
  parameter: 'parameter',
  process: 'class',
  state: 'enumMember',
  type: 'type',
  variable: 'variable',
};

/** As the protocol wants it: five numbers a name, places relative to the name before. */
export function semanticTokens({ index }: Understanding, path: string): number[] {
  const data: number[] = [];
  let [line, character, last] = [0, 0, -1];
  for (const { span, symbol, role } of index.inFile(path)) {
    if (span.start <= last) continue;
    const { kind, name } = index.names.symbols[symbol]!;
    if (span.end - span.start !== name.length) continue;
    last = span.start;
    const place = span.file.position(span.start);
    const at = { line: place.line - 1, character: place.column - 1 };
    const modifiers =
      (role === 'declaration' ? 1 : 0) | (role === 'write' ? 2 : 0) | (kind === 'constant' ? 4 : 0);
    const type = TOKEN_TYPES.indexOf(TYPE_OF[kind]);
    data.push(
      at.line - line,
      at.line === line ? at.character - character : at.character,
      name.length,
      type,
      modifiers,
    );
    ({ line, character } = at);
  }
  return data;
}
