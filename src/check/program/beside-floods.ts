// Queues beside one that floods: the flooding ones as their first messages and a set (explore/images/heads.ts), kinds of messages that nobody
// tells apart as one, what only carries data left out. The abstraction has at least the model's runs: where its states come to an end, the
// greatest lengths of the other queues are bounds of the model's.

import { shareOf, withStates } from '../../base/budget.ts';
import type { QueuesFact } from '../../engine/fact.ts';
import { compileModel } from '../../explore/compile.ts';
import { abstractable, type HeadsOutcome, searchByHeads } from '../../explore/images/heads.ts';
import { mergeMessages } from '../../explore/images/merge.ts';
import { sliceForQueues } from '../../explore/slice.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';
import type { ProgramContext } from './context.ts';

/** A queue longer than this seems to grow: it is worth looking for a loop that floods it, and it is abstracted from then on. */
const TOO_LONG = 3;
const MOST_STATES = 3_000_000;
/** … where no queue is known to grow: the long search is still to come. */
const FIRST_STATES = 200_000;

/**
 * Null when no queue is settled that way. `flooding`: the names of those that are known to grow; `floods` looks for a loop that floods
 * another one. `enough`: is one loop all that is asked for?
 */
export function settleBesideFloods(
  { program, budget, observer }: ProgramContext,
  queues: readonly QueueResult[],
  flooding: ReadonlySet<string>,
  floods: (queue: string) => boolean,
  enough: 'one' | 'all',
): QueuesFact | null {
  const open = queues.filter((queue) => queue.verdict === 'unknown' && !flooding.has(queue.name));
  if (open.length === 0 || program.opaque.length > 0) return null;
  const merged = mergeMessages(program);
  const slice = sliceForQueues(merged?.program ?? program);
  const model = compileModel(slice?.program ?? merged?.program ?? program, {
    capacity: 'unlimited',
    processes: 'unlimited',
  });
  if (!model.ok) return null;
  const able = abstractable(model.value);
  const abstracted = new Set(flooding);
  const part = withStates(shareOf(budget, 2), flooding.size === 0 ? FIRST_STATES : MOST_STATES);
  // Each round abstracts one more queue.
  while ([...abstracted].every((name) => able.has(name)) && open.some(({ name }) => !abstracted.has(name))) {
    observer.stage('search with flooding queues as sets');
    const kept = Math.max(1, ...[...abstracted].map((name) => able.get(name)!));
    const outcome = searchByHeads(model.value, { queues: abstracted, kept, tooLong: TOO_LONG }, part);
    if (outcome.grew === null) return outcome.complete ? factOf(open, abstracted, outcome) : null;
    abstracted.add(outcome.grew);
    if (floods(outcome.grew) && enough === 'one') return null;
  }
  return null;
}

function factOf(
  open: readonly QueueResult[],
  abstracted: ReadonlySet<string>,
  outcome: HeadsOutcome,
): QueuesFact {
  const { states, transitions, maxima } = outcome;
  const rows = open
    .filter(({ name }) => !abstracted.has(name))
    .map((queue): QueueResult => {
      const bound = maxima.get(queue.name) ?? 0;
      return { ...queue, verdict: 'proved', bound, fits: bound <= queue.declared };
    });
  const sets: Note = {
    severity: 'hint',
    message: `the search had ${[...abstracted].join(', ')} as first messages and a set: the bounds of the other queues hold, but may not be reached`,
  };
  return {
    kind: 'queues',
    engine: 'beside floods',
    rows,
    method: 'exhaustive',
    backing: { evidence: { kind: 'exhaustion', states, transitions }, checkedBy: 'search' },
    notes: [sets],
  };
}
