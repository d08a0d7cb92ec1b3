// `bounded` from the actual initial state: the coverability set of the counting abstraction. It sees what no weights can: that a loop
// never begins, or not often enough; that a credit is spent before it comes back. Each queue is settled by itself, however the others
// grow. Where the set becomes too large, what the linear program knows is all there is.

import { type Abstraction, buildNet } from '../../net/build.ts';
import { plainNet } from '../../net/petri.ts';
import { greatestSum, isInvariant } from '../../petri/cover-check.ts';
import { coverabilitySet } from '../../petri/coverability.ts';
import { coverabilityDocument, type Sum } from '../../petri/document.ts';
import { OMEGA } from '../../petri/net.ts';
import type { QueueResult } from '../../verdict/verdict.ts';
import { type AbstractionRecipe, recipeOptions } from './abstract.ts';
import { contextOf } from './context.ts';
import { KNOWLEDGE } from './knowledge.ts';
import type { ProgramWork } from './work.ts';

/** More markings than that are a state space, and there are better ways to search one. */
const MARKINGS = 2_000;
const WORK = 6_000;

export const coverableBounds: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const { program } = contextOf(task, budget, observer);
    const recipe = task.board.knowledge(KNOWLEDGE.recipe) as AbstractionRecipe | undefined;
    if (recipe === undefined) return;
    const abstraction = buildNet(program, { ...recipeOptions(recipe), budget });
    if (abstraction.unknowns.length > 0) return;
    observer.stage('coverability');
    const { petri } = plainNet(abstraction.net);
    const outcome = coverabilitySet(petri, budget, { markings: MARKINGS, work: WORK });
    const { markings, expanded, accelerations } = outcome.set;
    const stats = {
      coverability: {
        markings: markings.length,
        expanded,
        accelerations,
        complete: outcome.kind === 'complete',
      },
    };
    learn({ kind: 'stats', property: 'bounded', stats });
    if (outcome.kind !== 'complete' || !isInvariant(petri, markings)) return;
    const sums = queueSums(abstraction);
    const rows = sums.flatMap(({ name, places }): QueueResult[] => {
      const bound = greatestSum(markings, places);
      const queue = abstraction.net.queues.find((one) => one.name === name)!;
      if (bound === OMEGA || task.options.queues?.includes(name) === false) return [];
      const place = queue.at === null ? {} : { at: queue.at };
      const fits = bound <= queue.declared;
      return [
        {
          name,
          verdict: 'proved',
          bound,
          certifiedBound: bound,
          exact: null,
          declared: queue.declared,
          fits,
          ...place,
        },
      ];
    });
    if (rows.length === 0) return;
    const certificate = coverabilityDocument(
      petri,
      { property: 'bounded', abstraction: recipe },
      markings,
      sums,
    );
    learn({
      kind: 'queues',
      engine: 'coverability',
      rows,
      method: 'coverability',
      backing: { evidence: { kind: 'certificate', certificate }, checkedBy: 'integers' },
    });
  },
};

/** The buffered queues by name. A channel that is local to a proctype has one sum for all classes: it bounds each. */
export function queueSums({ net }: Abstraction): Sum[] {
  const plain = plainNet(net);
  const sums = new Map<string, number[]>();
  for (const [queue, { name, declared }] of net.queues.entries())
    if (declared > 0) sums.set(name, [...(sums.get(name) ?? []), ...plain.queue(queue)]);
  return [...sums].map(([name, places]) => ({ name, places }));
}
