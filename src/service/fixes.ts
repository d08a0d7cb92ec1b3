// Changes that an editor can offer: what a diagnostic suggests, declarations for names that have none, capacities as they were proved.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import type { Findings } from './findings.ts';
import type { Understanding } from './service.ts';

export interface Fix {
  readonly title: string;
  readonly span: Span;
  readonly text: string;
  /** What it puts right; null for an improvement. */
  readonly diagnostic: Diagnostic | null;
  readonly isPreferred: boolean;
}

export function fixes(
  understanding: Understanding,
  path: string,
  start: number,
  end: number,
  findings: Findings | null,
): Fix[] {
  const here = ({ span }: { span: Span | null }): boolean =>
    span !== null && span.file.path === path && span.start <= end && span.end >= start;
  const mended = understanding.diagnostics.filter(here).flatMap((problem) => fixesOf(problem, understanding));
  return [...mended, ...capacities(understanding, path, start, end, findings)];
}

function fixesOf(problem: Diagnostic, understanding: Understanding): Fix[] {
  const { span, help = '', code, message } = problem;
  if (span === null) return [];
  const found: Fix[] = [];
  const add = (title: string, place: Span, text: string, isPreferred = true): void => {
    found.push({ title, span: place, text, diagnostic: problem, isPreferred });
  };
  if (problem.fix !== undefined) add(problem.fix.title, problem.fix.span, problem.fix.text);
  const near = /did you mean '([^']+)'\?/.exec(help)?.[1];
  if (near !== undefined && isWord(span)) add(`change it to '${near}'`, span, near);
  if (/^expected ';' before/.test(message)) add("insert ';'", { ...span, end: span.start }, '; ');
  if (code === 'SPW1007') add('write skip', emptyInside(span), ' skip ');
  if (
    code === 'SPW1101' &&
    understanding.language === 'promela' &&
    / is not declared$/.test(message) &&
    isWord(span)
  )
    add(
      `declare '${wordOf(span)}' as a byte`,
      unitStart(span),
      `byte ${wordOf(span)};\n`,
      near === undefined,
    );
  return found;
}

const wordOf = ({ file, start, end }: Span): string => file.text.slice(start, end);
const isWord = (span: Span): boolean => /^[\w:-]+$/.test(wordOf(span));

/** Between the braces of an empty block, or where the span ends. */
function emptyInside(span: Span): Span {
  const text = wordOf(span);
  const inside = /^\{(\s*)\}$/.exec(text);
  if (inside === null) return { ...span, start: span.end };
  return { ...span, start: span.start + 1, end: span.end - 1 };
}

/** Before the process that the place is in: a line that begins a proctype or init. */
function unitStart(span: Span): Span {
  const before = span.file.text.slice(0, span.start);
  const units = [...before.matchAll(/^[ \t]*(?:active\b|proctype\b|D_proctype\b|init\b|never\b|inline\b)/gm)];
  const at = units.at(-1)?.index ?? 0;
  return { file: span.file, start: at, end: at };
}

/** The declared capacity of a channel whose bound is proved and different. */
function capacities(
  { index }: Understanding,
  path: string,
  start: number,
  end: number,
  findings: Findings | null,
): Fix[] {
  if (findings === null) return [];
  return index.declaredIn(path).flatMap(({ symbol, span }) => {
    if (symbol.kind !== 'channel' || symbol.extent === null) return [];
    if (symbol.extent.start > end || symbol.extent.end < start) return [];
    const bounds = findings.queuesOf(symbol).map(({ bound, declared }) => ({ bound, declared }));
    const bound = Math.max(...bounds.map((one) => one.bound ?? Number.POSITIVE_INFINITY));
    if (bounds.length === 0 || !Number.isFinite(bound) || bounds.every(({ declared }) => declared === bound))
      return [];
    const { file } = span;
    const capacity = /^\s*(?:\[[^\]]*\]\s*)?=\s*\[\s*(\d+)\s*\]/d.exec(
      file.text.slice(span.end, symbol.extent.end),
    );
    const place = capacity?.indices?.[1];
    if (place === undefined || bound === 0) return [];
    const at = { file, start: span.end + place[0], end: span.end + place[1] };
    const title = `set the capacity of '${symbol.name}' to the proven bound ${bound}`;
    return [{ title, span: at, text: String(bound), diagnostic: null, isPreferred: false }];
  });
}
