// `bounded` by cases: each queue is a question of its own.

import type { Budget } from '../../base/budget.ts';
import { openQueues } from '../../boundedness/analyse.ts';
import { boundDocument } from '../../certificate/document.ts';
import type { Cases } from '../../engine/language.ts';
import type { CheckOptions } from '../../engine/options.ts';
import { buildNet } from '../../net/build.ts';
import { firstRecipe, recipeOptions } from './abstract.ts';
import type { ProgramModel } from './context.ts';
import { queuesOfNet } from './queues.ts';

/** Null where the property has none, or nobody knows which queues there are. */
export function programCases(
  property: string,
  { program }: ProgramModel,
  options: CheckOptions,
  budget: Budget,
): Cases | null {
  if (property !== 'bounded') return null;
  const abstraction = buildNet(program, { ...recipeOptions(firstRecipe(options)), budget });
  if (abstraction.unknowns.length > 0) return null;
  const { net } = abstraction;
  const rows = queuesOfNet(program, { analysis: { queues: openQueues(net) }, abstraction });
  const open = rows.filter(({ verdict }) => verdict === 'unknown');
  const certificate = boundDocument(net, []);
  const said = { kind: 'queues', engine: 'queues', method: 'flow' } as const;
  return {
    names: open.map(({ name }) => name),
    facts: [
      { ...said, rows: open, backing: null },
      // Those of processes that are never started.
      {
        ...said,
        rows: rows.filter(({ verdict }) => verdict === 'proved'),
        backing: { evidence: { kind: 'certificate', certificate }, checkedBy: 'integers' },
      },
    ],
  };
}
