// The suspicious loops: for a queue that the classification could not exclude, the shortest ray that adds a message to it.

import type { Budget } from '../base/budget.ts';
import { decomposeRay, describeParts, rayOf } from '../counterexample/ray.ts';
import type { Solver } from '../lp/solver.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { encodeFlow, gainOf } from '../net/encode-flow.ts';
import type { Counterexample } from './model.ts';

/** More would help nobody. */
const MAX_RAYS = 10;

export function findRays(
  solver: Solver,
  index: NetIndex,
  queues: readonly number[],
  budget: Budget,
): Counterexample[] {
  if (queues.length === 0) return [];
  const { net } = index;
  const builder = encodeFlow(index, 'rays');
  const wanted = queues.slice(0, MAX_RAYS);
  const rows = wanted.map((queue) =>
    builder.row(gainOf(net, new Set(net.queues[queue]!.places)), null, null),
  );
  const everything = net.transitions.map((_, column) => ({ column, coefficient: 1 }));
  const session = solver.open(builder.build('minimise', everything), { budget });
  const found: Counterexample[] = [];
  wanted.forEach((queue, number) => {
    session.setRowBounds(rows[number]!, 1, null);
    const outcome = session.solve();
    session.setRowBounds(rows[number]!, null, null);
    if (outcome.kind !== 'optimal') return;
    const ray = rayOf(outcome.primal);
    found.push({ queue, ray, cycles: describeParts(net, decomposeRay(net, ray)) });
  });
  session.close();
  return found;
}
