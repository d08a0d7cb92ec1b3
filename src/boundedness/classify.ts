// Which queues can grow without limit, as far as counts go: one linear program for all of them.
//
// Rays can be added and scaled. So the program max Σ w_q with 0 ≤ w_q ≤ 1 and w_q ≤ gain of q, over the homogeneous system, has w_q = 1
// for every queue that some ray floods and w_q = 0 for every other. Its multipliers are a potential with positive weight on every
// message of the queues that no ray floods: one certificate for all of them. ([Ciclo] Theorem 1, (3)–(5), for each queue at once.)

import type { Budget } from '../base/budget.ts';
import { potentialFromCycles, potentialFromFlow } from '../certificate/find.ts';
import type { Potential } from '../certificate/proof.ts';
import type { ExactVector, ProblemBuilder, Term, UnknownReason } from '../lp/problem.ts';
import type { Solver } from '../lp/solver.ts';
import type { CycleEncoding } from '../net/encode-cycles.ts';
import { cycleGain } from '../net/encode-cycles.ts';
import type { NetIndex } from '../net/encode-flow.ts';
import { encodeFlow, queueGains } from '../net/encode-flow.ts';

export interface Classification {
  readonly flooded: ReadonlySet<number>;
  /** Weighs every message of the queues that are not flooded; unchecked as yet. Null when there is none to be found. */
  readonly potential: Potential | null;
}

export function classifyByFlow(
  solver: Solver,
  index: NetIndex,
  budget: Budget,
): Classification | UnknownReason {
  return classify(solver, index, budget, encodeFlow(index, 'rays'), queueGains(index.net), (dual, added) =>
    potentialFromFlow(index, dual, added),
  );
}

export function classifyByCycles(
  solver: Solver,
  index: NetIndex,
  budget: Budget,
  encoding: CycleEncoding,
): Classification | UnknownReason {
  const { net } = index;
  const gains = net.queues.map((queue) => cycleGain(net, encoding.columns, new Set(queue.places)));
  return classify(solver, index, budget, encoding.builder.copy(), gains, (dual, added) =>
    potentialFromCycles(index, encoding, dual, added),
  );
}

/** With any system of rays: its columns may be more than transitions, the gains are over them. */
export function classify<P>(
  solver: Solver,
  { net }: NetIndex,
  budget: Budget,
  builder: ProblemBuilder,
  gains: readonly (readonly Term[])[],
  toPotential: (dual: ExactVector, added: ReadonlyMap<number, bigint>) => P,
): { readonly flooded: ReadonlySet<number>; readonly potential: P } | UnknownReason {
  const columns = new Map<number, { readonly column: number; readonly row: number }>();
  gains.forEach((terms, queue) => {
    // A queue that nothing ever grows into cannot be flooded, but its messages still need a weight.
    if (net.queues[queue]!.places.length === 0) return;
    const column = builder.column(0, 1);
    columns.set(queue, { column, row: builder.row([...terms, { column, coefficient: -1 }], 0, null) });
  });
  const objective = [...columns.values()].map(({ column }) => ({ column, coefficient: 1 }));
  const outcome = solver.solve(builder.build('maximise', objective), { budget });
  if (outcome.kind !== 'optimal') return outcome.kind === 'unknown' ? outcome.reason : 'numerics';
  const flooded = new Set<number>();
  const added = new Map<number, bigint>();
  for (const [queue, { column, row }] of columns) {
    if (outcome.primal.values[column]! > 0n) flooded.add(queue);
    else for (const place of net.queues[queue]!.places) added.set(place, outcome.dual.values[row]!);
  }
  return { flooded, potential: toPotential(outcome.dual, added) };
}
