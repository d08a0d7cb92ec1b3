// One remembered answer as a file: its question, its limits, and a seal (HMAC-SHA256) over all of it. A file that is cut short, changed or
// of another question has another seal, and is as good as none.

import type { Limits } from '../base/budget.ts';
import { DEFAULT_LIMITS } from '../base/budget.ts';
import { isNumber, isText, list, optional, orNull, record } from '../base/shape.ts';
import type { RememberedAnswer } from '../check/remembered.ts';
import { isPictures } from '../verdict/picture-shape.ts';
import type { ReasonCode } from '../verdict/reasons.ts';
import { isPlacedDiagnostic, isResult } from '../verdict/shape.ts';
import { isSealed, sealOf } from './seal.ts';

export interface Entry extends RememberedAnswer {
  readonly key: string;
  /** What was given for it. */
  readonly limits: Required<Limits>;
}

/** What is without limit is null in JSON. */
const isLimit = orNull(isNumber);
const isEntry = record<Entry>({
  key: isText,
  limits: record<Required<Limits>>({ timeout: isLimit, maxStates: isLimit, maxMemory: isLimit }),
  result: isResult,
  diagnostics: list(isPlacedDiagnostic),
  pictures: optional(isPictures),
}) as (value: unknown) => value is Entry;

/** Nothing that a second attempt could change may be remembered. */
const PASSING: readonly ReasonCode[] = [
  'cancelled',
  'engine-failed',
  'solver-missing',
  'queue-lost',
  'worker-lost',
];

export function isWorthKeeping({ result }: RememberedAnswer): boolean {
  return result.verdict !== 'unknown' || !PASSING.includes(result.reasonCode);
}

/** An open question is asked again as soon as there is more time or room for it. */
export function answersFor({ result, limits }: Entry, given: Limits): boolean {
  if (result.verdict !== 'unknown') return true;
  const wanted = { ...DEFAULT_LIMITS, ...given };
  return (['timeout', 'maxStates', 'maxMemory'] as const).every((limit) => wanted[limit] <= limits[limit]);
}

/** The seal stands on a line of its own, before the text. */
export function writeSealed(value: object, secret: string): string {
  const text = JSON.stringify(value);
  return `${sealOf(text, secret)}\n${text}\n`;
}

export const writeEntry = (entry: Entry, secret: string): string => writeSealed(entry, secret);

/** Null for everything that was not written by who knows the secret. */
export function readSealed<T>(content: string, secret: string): T | null {
  const end = content.indexOf('\n');
  const text = content.slice(end + 1, -1);
  return end >= 0 && isSealed(text, content.slice(0, end), secret) ? (JSON.parse(text) as T) : null;
}

/** Null for what is no entry; `isSealed` says whether who wrote it knew the secret. */
export function readEntry(
  content: string,
  key: string,
  secret: string,
): { readonly entry: Entry; readonly isSealed: boolean } | null {
  const end = content.indexOf('\n');
  if (end < 0 || !content.endsWith('\n')) return null;
  const text = content.slice(end + 1, -1);
  try {
    const entry: unknown = JSON.parse(text);
    if (!isEntry(entry) || entry.key !== key) return null;
    return { entry, isSealed: isSealed(text, content.slice(0, end), secret) };
  } catch {
    return null;
  }
}
