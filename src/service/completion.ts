// What can be written at a place: names that are visible there, words of the language, and the beginnings of usual constructs.

import { KEYWORDS } from '../promela/token.ts';
import type { NamedSymbol, SymbolKind } from '../source/names.ts';
import type { NameIndex } from './name-index.ts';
import type { Understanding } from './service.ts';
import { WORDS } from './words.ts';

export interface Completion {
  readonly label: string;
  readonly kind: SymbolKind | 'keyword' | 'snippet';
  readonly detail: string;
  /** With `$1`, `$0` as the editors' snippets have them. */
  readonly insert?: string;
  readonly documentation?: string;
}

const holes = (text: string): string => text.replaceAll('‹', '$' + '{').replaceAll('›', '}');

/** ‹1:name› is a place to be filled in. */
const SNIPPETS: readonly Completion[] = [
  ['proctype', 'a kind of process', 'proctype ‹1:name›(‹2›) {\n\t$0\n}'],
  ['active proctype', 'a process that runs from the start', 'active proctype ‹1:name›() {\n\t$0\n}'],
  ['init', 'the first process', 'init {\n\t$0\n}'],
  ['do', 'a loop', 'do\n:: ‹1:guard› -> $0\n:: else -> break\nod'],
  ['if', 'a choice', 'if\n:: ‹1:guard› -> $0\n:: else -> skip\nfi'],
  ['for', 'a loop over a range', 'for (‹1:i› : ‹2:0› .. ‹3:n›) {\n\t$0\n}'],
  ['atomic', 'a sequence without interruption', 'atomic {\n\t$0\n}'],
  ['d_step', 'a sequence that is one step', 'd_step {\n\t$0\n}'],
  ['chan', 'a channel', 'chan ‹1:name› = [‹2:1›] of { ‹3:byte› }$0'],
  ['mtype', 'names for messages', 'mtype = { ‹1:names› }$0'],
  ['typedef', 'a structure', 'typedef ‹1:Name› {\n\t$0\n}'],
  ['inline', 'text that replaces its calls', 'inline ‹1:name›(‹2›) {\n\t$0\n}'],
  ['ltl', 'a formula', 'ltl ‹1:name› { [] (‹2:condition›) }$0'],
].map(([label, detail, insert]) => ({
  label: label!,
  kind: 'snippet',
  detail: detail!,
  insert: holes(insert!),
}));

export function completions(
  { index, language, sources }: Understanding,
  path: string,
  offset: number,
): Completion[] {
  const text = sources.get(path);
  if (text === undefined) return [];
  const before = text.slice(Math.max(0, offset - 400), offset).replace(/\w*$/, '');
  if (isInComment(before)) return [];
  const names = (test: (symbol: NamedSymbol) => boolean): Completion[] => unique(index, path, offset, test);
  if (language !== 'promela') return names(() => true);
  if (/\brun\s+$/.test(before)) return names(({ kind }) => kind === 'process');
  if (/\bgoto\s+$/.test(before)) return names(({ kind }) => kind === 'label');
  const remote = /(\w+)\s*(?:\[[^\]]*\])?\s*@\s*$/.exec(before);
  if (remote !== null) return labelsOf(index, remote[1]!);
  const owner = /([\w.[\]]+)\.\s*$/.exec(before);
  if (owner !== null) return fieldsOf(index, path, offset, owner[1]!);
  if (/^[ \t]*#\s*$/.test(before.slice(before.lastIndexOf('\n') + 1)))
    return ['define', 'include', 'if', 'ifdef', 'ifndef', 'else', 'endif', 'undef'].map((label) => ({
      label,
      kind: 'keyword',
      detail: 'preprocessor',
    }));
  const visible = names(({ kind }) => kind !== 'label' && kind !== 'field');
  return [...visible, ...keywords(), ...SNIPPETS];
}

const isInComment = (before: string): boolean =>
  before.lastIndexOf('/*') > before.lastIndexOf('*/') ||
  /\/\/[^\n]*$/.test(before.slice(before.lastIndexOf('\n') + 1));

const keywords = (): Completion[] =>
  [...KEYWORDS].map((label) => ({
    label,
    kind: 'keyword',
    detail: '',
    ...(WORDS[label] === undefined ? {} : { documentation: WORDS[label] }),
  }));

function asCompletion({ name, kind, detail, parameters }: NamedSymbol): Completion {
  const takes = (kind === 'function' || kind === 'macro') && parameters !== undefined;
  const filled = takes ? parameters.map((parameter, i) => holes(`‹${i + 1}:${parameter}›`)).join(', ') : '';
  return { label: name, kind, detail, ...(takes ? { insert: `${name}(${filled})$0` } : {}) };
}

function unique(
  index: NameIndex,
  path: string,
  offset: number,
  test: (symbol: NamedSymbol) => boolean,
): Completion[] {
  const found = index.visibleAt(path, offset).filter(({ symbol }) => test(symbol));
  return [...new Map(found.map(({ symbol }) => [symbol.name, asCompletion(symbol)])).values()];
}

function labelsOf(index: NameIndex, proctype: string): Completion[] {
  const { symbols } = index.names;
  return symbols
    .filter(
      ({ kind, container }) =>
        kind === 'label' && container !== null && symbols[container]!.name === proctype,
    )
    .map(asCompletion);
}

/** `a.b[i].` : from the declaration of `a` along the fields; each says its type first. */
function fieldsOf(index: NameIndex, path: string, offset: number, reference: string): Completion[] {
  const [first, ...rest] = reference.replace(/\[[^\]]*\]/g, '').split('.');
  const { symbols } = index.names;
  let at = index.visibleAt(path, offset).find(({ symbol }) => symbol.name === first)?.symbol;
  for (const name of rest) {
    const type = at === undefined ? -1 : typeOf(symbols, at);
    at = symbols.find((symbol) => symbol.name === name && symbol.container === type && type >= 0);
  }
  const type = at === undefined ? -1 : typeOf(symbols, at);
  return type < 0 ? [] : symbols.filter(({ container }) => container === type).map(asCompletion);
}

function typeOf(symbols: readonly NamedSymbol[], { detail }: NamedSymbol): number {
  const name = /^(?:hidden |show |local )?(\w+)/.exec(detail)?.[1];
  return symbols.findIndex((symbol) => symbol.kind === 'type' && symbol.name === name);
}
