import type { Position, Span } from './source.ts';
import { startOf } from './source.ts';

export type Severity = 'error' | 'warning' | 'hint';

/**
 * What is wrong with the user's text, where, and what to do. Codes are stable: `spillway explain SPW1003`.
 * Ranges: 1000 Promela syntax, 1100 Promela names and types, 1200 preprocessor, 1300 runtime of models, 2000 analyses,
 * 3000 .lks/.aut, 3200 LTL, 4000 .ecfsm, 5000 C and .spec, 6000 SCXML, 7000 XState, 8000 nets, 8100 communicating machines, 9000 command line and configuration.
 */
export interface Diagnostic {
  readonly code: `SPW${number}`;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span | null;
  /** What the user can do about it. */
  readonly help?: string;
  /** Further places that explain it: 'declared here', 'expanded from this macro'. */
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  /** A change of the text that puts it right, where there is one to offer. */
  readonly fix?: { readonly title: string; readonly span: Span; readonly text: string };
}

export const hasErrors = (diagnostics: readonly { readonly severity: Severity }[]): boolean =>
  diagnostics.some((diagnostic) => diagnostic.severity === 'error');

/** A stretch of a source as plain data, with the line it starts in. */
export interface Extent extends Position {
  readonly endLine: number;
  readonly endColumn: number;
  /** The source line it starts in. */
  readonly excerpt: string;
}

/** A diagnostic as plain data: it leaves its thread, and needs no source to be shown. */
export interface PlacedDiagnostic {
  readonly code: `SPW${number}`;
  readonly severity: Severity;
  readonly message: string;
  readonly at: Extent | null;
  readonly help?: string;
  readonly related?: readonly { readonly at: Extent; readonly message: string }[];
}

function extentOf(span: Span): Extent {
  const start = startOf(span);
  const end = span.file.position(Math.max(span.start + 1, span.end));
  return { ...start, endLine: end.line, endColumn: end.column, excerpt: span.file.line(start.line) };
}

export function placed({ span, related, fix: _, ...rest }: Diagnostic): PlacedDiagnostic {
  return {
    ...rest,
    at: span === null ? null : extentOf(span),
    ...(related === undefined
      ? {}
      : { related: related.map((one) => ({ at: extentOf(one.span), message: one.message })) }),
  };
}

/** The diagnostic as a person reads it: message, place, the source line with the stretch underlined, help. */
export const render = (diagnostic: Diagnostic): string => renderPlaced(placed(diagnostic));

export function renderPlaced(diagnostic: PlacedDiagnostic): string {
  const lines = [
    `${diagnostic.severity}[${diagnostic.code}]: ${diagnostic.message.split('\n').map(clipped).join('\n')}`,
  ];
  if (diagnostic.at !== null) lines.push(...excerpt(diagnostic.at));
  for (const related of diagnostic.related ?? []) {
    lines.push(`  note: ${related.message}`, ...excerpt(related.at));
  }
  if (diagnostic.help !== undefined) lines.push(`  help: ${diagnostic.help}`);
  return lines.join('\n');
}

/** What controls a terminal is not sent to it: a binary file by mistake, or a malicious one. */
const harmless = (text: string): string => text.replace(/\p{Cc}/gu, '\uFFFD').replace(BYTES, '\uFFFD\uFFFD');

/** What stands for a byte that is no UTF-8 (decode.ts) has no picture; it takes two columns. */
const BYTES = /[\u{10ff80}-\u{10ffff}]/gu;

/** A message may quote the user's text, and that may be anything. */
const LONGEST_MESSAGE = 600;

const clipped = (line: string): string =>
  harmless(line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE)}…`);

/** Longer source lines are shown in part. */
const LONGEST_LINE = 160;

function excerpt(at: Extent): string[] {
  const { file, line, column: place } = at;
  const whole = harmless(at.excerpt.replaceAll('\t', ' '));
  const from = whole.length <= LONGEST_LINE ? 0 : Math.max(0, place - 1 - LONGEST_LINE / 2);
  const text = whole.slice(from, from + LONGEST_LINE);
  const column = place - from;
  const gutter = String(line).length;
  const length = at.endLine === line ? at.endColumn - place : Number.POSITIVE_INFINITY;
  const width = Math.max(1, Math.min(length, text.length - column + 1));
  return [
    `${' '.repeat(gutter + 1)}--> ${file}:${line}:${place}`,
    `${' '.repeat(gutter + 2)}|`,
    `${' '.repeat(1)}${line} | ${text}`,
    `${' '.repeat(gutter + 2)}| ${' '.repeat(column - 1)}${'^'.repeat(width)}`,
  ];
}

/** The nearest of the known names, if it is near enough to be what the user meant. */
export function suggest(wrong: string, known: Iterable<string>): string | null {
  // Every letter is one step from every other: only the same one in another case is worth a word.
  if (wrong.length === 1)
    return [...known].find((name) => name !== wrong && name.toLowerCase() === wrong.toLowerCase()) ?? null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wrong.length / 3)) + 1;
  for (const name of known) {
    const distance = editDistance(wrong, name, bestDistance);
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours; `limit` when it is at least that. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? before[j - 2]! + 1 : replace;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, replace, swap));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
