// Renaming: every place of the name at once, or a sentence that says why not. The new name must mean nothing yet, wherever it would stand:
// Promela has no shadowing, macros reach everywhere, and SPIN makes C of the names. So a name that occurs anywhere in the model is refused.

import { KEYWORDS } from '../promela/token.ts';
import type { Span } from '../source/source.ts';
import type { Found } from './name-index.ts';
import type { Understanding } from './service.ts';

export type Renaming =
  | { readonly kind: 'edits'; readonly spans: readonly Span[]; readonly text: string }
  | { readonly kind: 'refused'; readonly reason: string };

const C_WORDS = new Set(
  `auto break case char const continue default do double else enum extern float for goto if inline int long main register
   restrict return short signed sizeof static struct switch typedef union unsigned void volatile while uchar now trans`
    .trim()
    .split(/\s+/),
);
const PREDEFINED = /^_(pid|nr_pr|last|priority|p|nr_qs)?$/;
/** Labels that SPIN understands by how they begin. */
const SPECIAL_LABEL = /^(end|progress|accept)/;

/** The name to be renamed, or why it cannot be. */
export function renameable(
  { index, language, sources }: Understanding,
  path: string,
  offset: number,
): Found | { readonly reason: string } {
  const found = index.at(path, offset);
  if (found === null) return { reason: 'there is no name here that could be renamed' };
  const group = index.names.groupOf(found.id);
  const fixed = index.names.symbols.find(
    (symbol, id) => symbol.fixed !== undefined && index.names.groupOf(id) === group,
  );
  if (fixed !== undefined) return { reason: `'${found.symbol.name}' cannot be renamed: ${fixed.fixed}` };
  // Old models define `true` and `false` themselves.
  if (language === 'promela' && KEYWORDS.has(found.symbol.name) && found.symbol.kind !== 'macro')
    return { reason: `'${found.symbol.name}' is a word of the language` };
  if (
    language === 'promela' &&
    [...sources.values()].some((source) => inEmbeddedC(source, found.symbol.name))
  )
    return { reason: `'${found.symbol.name}' stands in embedded C, whose names are not followed` };
  return found;
}

const EMBEDDED_C = /\bc_(?:code|expr|decl|state|track)\b/g;

/** Does the word occur in a `c_code { … }`, or in the strings of a `c_state` or `c_track`? A comment there counts, too: better refused than broken. */
function inEmbeddedC(source: string, name: string): boolean {
  const word = new RegExp(`(?<!\\w)${name}(?!\\w)`);
  return [...source.matchAll(EMBEDDED_C)].some(({ index, 0: keyword }) =>
    word.test(source.slice(index + keyword.length, endOfC(source, index + keyword.length))),
  );
}

function endOfC(source: string, from: number): number {
  const open = /^\s*(?:\[[^\]]*\]\s*)?\{/.exec(source.slice(from));
  if (open === null) {
    const line = source.indexOf('\n', from);
    return line < 0 ? source.length : line;
  }
  let depth = 1;
  for (let at = from + open[0].length; at < source.length; at++) {
    if (source[at] === '{') depth++;
    if (source[at] === '}' && --depth === 0) return at;
  }
  return source.length;
}

export function rename(understanding: Understanding, path: string, offset: number, wanted: string): Renaming {
  const found = renameable(understanding, path, offset);
  if ('reason' in found) return { kind: 'refused', reason: found.reason };
  const text = wanted.trim();
  const { name } = found.symbol;
  if (text === name) return { kind: 'edits', spans: [], text };
  const reason = whyNot(understanding, found, text);
  if (reason !== null) return { kind: 'refused', reason };
  return { kind: 'edits', spans: understanding.index.places(found.id).map(({ span }) => span), text };
}

function whyNot({ index, language, sources }: Understanding, found: Found, text: string): string | null {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return `'${text}' is no name`;
  if (language === 'promela') {
    if (KEYWORDS.has(text) || PREDEFINED.test(text)) return `'${text}' is a word of the language`;
    if (C_WORDS.has(text)) return `'${text}' is a word of C, which SPIN makes of the model`;
  }
  const isLabel = index.places(found.id).some(({ symbol }) => index.names.symbols[symbol]!.kind === 'label');
  const prefix = (name: string): string => SPECIAL_LABEL.exec(name)?.[0] ?? '';
  if (isLabel && prefix(found.symbol.name) !== prefix(text))
    return prefix(text) === ''
      ? `the label must go on beginning with '${prefix(found.symbol.name)}': that is what it means`
      : `a label that begins with '${prefix(text)}' means something`;
  const word = new RegExp(`(?<![\\w])${text}(?![\\w])`);
  const taken = [...sources].find(([, source]) => word.test(source));
  return taken === undefined ? null : `'${text}' stands in ${taken[0]} already`;
}
