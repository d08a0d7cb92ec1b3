// Small words in the text: the proven bound behind a channel, the names of parameters before the arguments of `run`.

import type { Span } from '../source/source.ts';
import type { Findings } from './findings.ts';
import { scan } from './scan.ts';
import type { Understanding } from './service.ts';

export interface Hint {
  readonly span: Span;
  readonly text: string;
  readonly isParameter: boolean;
}

export function hints(
  understanding: Understanding,
  path: string,
  start: number,
  end: number,
  findings: Findings | null,
): Hint[] {
  const all = [...bounds(understanding, path, findings), ...argumentNames(understanding, path)];
  return all.filter(({ span }) => span.start >= start && span.start <= end);
}

function bounds({ index }: Understanding, path: string, findings: Findings | null): Hint[] {
  if (findings === null) return [];
  return index.declaredIn(path).flatMap(({ symbol, span }) => {
    if (symbol.kind !== 'channel') return [];
    const queues = findings.queuesOf(symbol);
    if (queues.length === 0) return [];
    const known = queues.every(({ bound }) => bound !== null);
    const most = Math.max(...queues.map(({ bound }) => bound ?? 0));
    const unbounded = queues.some(({ verdict }) => verdict === 'refuted');
    const text = unbounded ? ' unbounded' : known ? ` ≤ ${most}` : '';
    return text === '' ? [] : [{ span: { ...span, start: span.end }, text, isParameter: false }];
  });
}

/** `run p(1, c)` → n: 1, link: c */
function argumentNames({ index }: Understanding, path: string): Hint[] {
  const found: Hint[] = [];
  for (const { span, role, symbol } of index.inFile(path)) {
    if (role !== 'start') continue;
    const { kind, parameters } = index.names.symbols[symbol]!;
    if (kind !== 'process' || parameters === undefined) continue;
    const names = parameters.map(
      (parameter) => /(\w+)(?:\[[^\]]*\])?(?: :.*| =.*)?$/.exec(parameter)?.[1] ?? '',
    );
    const places = argumentsAt(span.file.text, span.end);
    for (const [i, at] of places.entries()) {
      const name = names[i];
      const argument = /^\w+/.exec(span.file.text.slice(at))?.[0];
      if (name === undefined || name === '' || name === argument) continue;
      found.push({ span: { file: span.file, start: at, end: at }, text: `${name}:`, isParameter: true });
    }
  }
  return found;
}

/** Where the arguments begin in the parentheses that follow. */
function argumentsAt(text: string, from: number): number[] {
  const places: number[] = [];
  let depth = 0;
  let isNext = false;
  for (const { text: piece, start } of scan(text.slice(from, from + 1000))) {
    if (piece === ')' || piece === ']') depth--;
    if (depth === 0 && piece !== '(') return places;
    if (isNext && depth > 0) places.push(from + start);
    isNext = depth === 1 && piece === ',';
    if (piece === '(' || piece === '[') {
      if (depth === 0) isNext = true;
      depth++;
    }
  }
  return places;
}
