// What a refutation is worth where its run uses something after its life: nothing, for undefined behaviour ends a run. Flags for what is freed cost time, so the
// program is asked about without them; a run to an error is repeated with them, and where it does not get through, the program with them is asked.

import type { Budget, Observer } from '../base/budget.ts';
import { type Span, startOf } from '../source/source.ts';
import { type Answer, unknown } from '../verdict/answer.ts';
import { inTime } from './in-time.ts';
import { lived } from './lower/lifetimes.ts';
import { repeated } from './probe/repeat.ts';
import type { Program } from './program/program.ts';
import { type ReachResult, reach } from './reach/cegar.ts';
import { notesOf } from './report/notes.ts';

type Reached = Extract<ReachResult, { kind: 'reachable' }>;
type Errors = (program: Program) => (location: number) => boolean;

/** With the program whose run it is; or why it is not known whether there is one. */
export type LivedRun = { readonly program: Program; readonly result: Reached } | { readonly unknown: Answer };

export async function amongTheLiving(
  program: Program,
  isError: Errors,
  result: Reached,
  budget: Budget,
  observer: Observer,
): Promise<LivedRun> {
  const tested = inTime(program, budget, () => lived(program));
  if (tested === program) return { program, result };
  if (tested === null) return { unknown: afterUndefined(program, null) };
  const again = repeated(tested, isError(tested), result.run, budget);
  if (again.kind === 'reached') return { program, result };
  const other = await reach(tested, isError(tested), budget, observer);
  if (other.kind === 'reachable') return { program: tested, result: other };
  return { unknown: afterUndefined(program, again.kind === 'undefined' ? again : null) };
}

/** A refutation rests on what is dead, as far as anybody sees. */
export function afterUndefined(
  program: Program,
  found: { readonly why: string; readonly span: Span } | null,
): Answer {
  const where = found === null ? '' : `: line ${startOf(found.span).line}: ${found.why}`;
  return unknown('undefined-behaviour', `the only runs that were found do what is undefined before${where}`, {
    notes: notesOf(program),
    stats: { locations: program.locations.length, edges: program.edges.length },
  });
}
