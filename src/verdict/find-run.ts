// A run in a document that a user hands over: a trace, or a whole report.

import type { Run } from './run.ts';

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

function isRun(value: object): value is Run {
  const candidate = value as Partial<Run>;
  return (
    Array.isArray(candidate.steps) &&
    Array.isArray(candidate.actors) &&
    typeof candidate.title === 'string' &&
    candidate.steps.every(
      (step) =>
        typeof step === 'object' && step !== null && Array.isArray(step.choice) && Array.isArray(step.events),
    )
  );
}
