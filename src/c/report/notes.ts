// What is said beside a verdict.

import { startOf } from '../../source/source.ts';
import type { Note, Suspicion } from '../../verdict/verdict.ts';
import type { Edge, Program } from '../program/program.ts';
import { runOfPath } from './run.ts';

/** What the verdict rests on. */
export function notesOf(program: Program): Note[] {
  return program.notes.map(({ message, span }) => ({ severity: 'hint', message, at: startOf(span) }));
}

/** The path on which an analysis gave up. */
export const pathEvidence = (path: readonly Edge[], actor: string): Suspicion | undefined =>
  path.length === 0 ? undefined : { kind: 'path', path: runOfPath(path, actor) };
