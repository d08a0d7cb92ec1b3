// What is known about a name, in a few lines of Markdown: its declaration, the comment above it, the values it can have, who uses it, and
// what was found out about it.

import type { NamedSymbol, Role } from '../source/names.ts';
import { SourceFile, type Span } from '../source/source.ts';
import { boundText, type Findings, verdictText } from './findings.ts';
import type { Understanding } from './service.ts';
import { WORDS } from './words.ts';

export interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

const RANGES: Readonly<Record<string, string>> = {
  bit: '0 or 1',
  bool: 'false (0) or true (1)',
  byte: '0 to 255',
  pid: '0 to 255',
  short: '-32768 to 32767',
  int: '-2147483648 to 2147483647',
  mtype: 'one of its names, or 0',
};

export function hover(
  understanding: Understanding,
  path: string,
  offset: number,
  findings: Findings | null,
): Hover | null {
  const found = understanding.index.at(path, offset);
  if (found === null) return wordAt(understanding, path, offset);
  const { symbol, id, span } = found;
  const parts = [
    fenced(symbol.detail, understanding.language),
    commentAbove(symbol),
    rangeText(symbol),
    users(understanding, id, symbol),
    foundOut(symbol, findings),
  ];
  return { span, markdown: parts.filter((part) => part !== '').join('\n\n') };
}

const fenced = (text: string, language: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** The comment that ends on the line before the declaration, or in it. */
function commentAbove({ at, extent }: NamedSymbol): string {
  const place = extent ?? at;
  if (place === null) return '';
  const { file } = place;
  const lineStart = file.lineStart(file.position(place.start).line) ?? 0;
  const before = file.text.slice(0, lineStart).trimEnd();
  const block = /\/\*((?:(?!\*\/)[\s\S])*)\*\/$/.exec(before.slice(-2000));
  const isNext = file.text.slice(before.length, lineStart).split('\n').length <= 2;
  if (block !== null && isNext) return tidy(block[1]!);
  const lines = before.split('\n');
  const comment: string[] = [];
  for (let i = lines.length - 1; isNext && i >= 0 && /^\s*\/\//.test(lines[i]!); i--)
    comment.unshift(lines[i]!.replace(/^\s*\/\/+\s?/, ''));
  return tidy(comment.join('\n'));
}

const tidy = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, '').trimEnd())
    .join('\n')
    .trim()
    .slice(0, 800);

function rangeText({ kind, detail }: NamedSymbol): string {
  if (kind !== 'variable' && kind !== 'parameter' && kind !== 'field') return '';
  const bits = /^unsigned \w+ : (\d+)/.exec(detail)?.[1];
  if (bits !== undefined) return `values: 0 to ${2 ** Number(bits) - 1}`;
  const type = /^(?:hidden |show |local )?(\w+)/.exec(detail)?.[1] ?? '';
  const range = RANGES[type];
  return range === undefined ? '' : `values: ${range}`;
}

const WHO: readonly (readonly [Role, string])[] = [
  ['send', 'sent to by'],
  ['receive', 'received from by'],
  ['write', 'written by'],
  ['read', 'read by'],
  ['start', 'started by'],
];

/** Which processes do what with it. */
function users({ index }: Understanding, id: number, { kind }: NamedSymbol): string {
  if (!['channel', 'variable', 'process'].includes(kind)) return '';
  const uses = index.uses(id);
  const lines = WHO.flatMap(([role, words]) => {
    const names = uses
      .filter((use) => use.role === role && use.within !== null)
      .map((use) => index.names.symbols[use.within!]!.name);
    const unique = [...new Set(names)];
    return unique.length === 0 ? [] : [`${words} ${unique.map((name) => `\`${name}\``).join(', ')}`];
  });
  return lines.join('  \n');
}

function foundOut(symbol: NamedSymbol, findings: Findings | null): string {
  if (findings === null) return '';
  if (symbol.kind === 'channel')
    return findings
      .queuesOf(symbol)
      .map((queue) => `**${queue.name}**: ${boundText(queue)}`)
      .join('  \n');
  if (symbol.kind !== 'formula' && symbol.kind !== 'state') return '';
  const result = findings.formula(symbol.name);
  return result === null ? '' : verdictText(result);
}

/** Words of Promela that are easily misunderstood. */
function wordAt({ language, sources }: Understanding, path: string, offset: number): Hover | null {
  const text = sources.get(path);
  if (text === undefined || language !== 'promela') return null;
  const start = offset - (/\w*$/.exec(text.slice(0, offset))?.[0].length ?? 0);
  const word = /^\w+/.exec(text.slice(start))?.[0];
  const meaning = word === undefined ? undefined : WORDS[word];
  if (word === undefined || meaning === undefined) return null;
  return { span: { file: new SourceFile(path, text), start, end: start + word.length }, markdown: meaning };
}
