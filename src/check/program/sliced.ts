// Boundedness by the end of a smaller state space: the model without what only carries data (explore/slice.ts) has at least the model's runs, so
// when its states come to an end the queues' greatest lengths there are bounds of the model. They need not be reached.

import { shareOf, withStates } from '../../base/budget.ts';
import type { QueuesFact } from '../../engine/fact.ts';
import { compileModel } from '../../explore/compile.ts';
import { confirm } from '../../explore/confirm.ts';
import { queueMaxima } from '../../explore/maxima.ts';
import { search, whyIncomplete } from '../../explore/search.ts';
import { sliceForQueues } from '../../explore/slice.ts';
import type { QueueResult } from '../../verdict/verdict.ts';
import { processNotes } from './concrete.ts';
import type { ProgramContext } from './context.ts';

const SHORT_LOOK = 20_000;

/** Null when nothing can be left out, or the slice's states have no end within the budget. */
export function searchSlice(
  { program, budget, observer }: ProgramContext,
  queues: readonly QueueResult[],
): QueuesFact | null {
  const slice = sliceForQueues(program);
  const model = slice && compileModel(slice.program, { capacity: 'unlimited', processes: 'unlimited' });
  if (slice === null || !model?.ok) return null;
  observer.stage('search without what only carries data');
  const open = queues.filter((queue) => queue.verdict === 'unknown').map((queue) => queue.name);
  // Half of the time: the whole model still wants to be searched. A short look for loops first: where queues grow, there is no end.
  const part = shareOf(budget, 2);
  const look = confirm(model.value, { queues: open }, withStates(part, SHORT_LOOK), observer);
  if (look.loops.length > 0 || look.limit === 'process-limit') return null;
  const outcome = look.exhausted ? look.search : search(model.value, { all: true }, part, observer);
  if (whyIncomplete(outcome) !== null) return null;
  const maxima = queueMaxima(model.value);
  const rows = queues
    .filter((queue) => queue.verdict === 'unknown')
    .map((queue): QueueResult => {
      const bound = maxima.get(queue.name) ?? 0;
      return { ...queue, verdict: 'proved', bound, fits: bound <= queue.declared };
    });
  const { states, transitions } = outcome;
  const names = slice.dropped.length > 5 ? `${slice.dropped.length} variables` : slice.dropped.join(', ');
  const message = `the search left out what only carries data (${names}): the bounds hold, but may not be reached`;
  return {
    kind: 'queues',
    engine: 'sliced search',
    rows,
    method: 'exhaustive',
    backing: { evidence: { kind: 'exhaustion', states, transitions }, checkedBy: 'search' },
    notes: [{ severity: 'hint', message }, ...processNotes(model.value)],
  };
}
