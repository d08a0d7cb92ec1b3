// A run in a document that a user hands over: a trace, or a whole report.

import type { Run } from './run.ts';
import { isRun } from './shape.ts';

/** The first run anywhere inside a document: a run itself, or a report that carries one as evidence. */
export function findRun(document: unknown): Run | null {
  if (document === null || typeof document !== 'object') return null;
  if (isRun(document)) return document;
  for (const value of Object.values(document)) {
    const found = findRun(value);
    if (found !== null) return found;
  }
  return null;
}
