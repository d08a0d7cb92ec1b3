// Bounds as the papers compute them ([Ciclo] (14)–(16), [IBOC] section 2): the component-wise largest effect of acyclic paths,
// plus the best combination of cycles that keeps every count from becoming negative.
//
// The multipliers of that program weigh the places so that no cycle gains; with the most that paths can gain as weights of
// locations they are a potential, whose bound is never worse than the papers' number. So the certified bound may be the smaller one.

import type { Budget } from '../base/budget.ts';
import { floor } from '../base/rational.ts';
import type { Checker } from '../certificate/check.ts';
import { plainProof, potentialFromCycles } from '../certificate/find.ts';
import type { BoundProof, Potential } from '../certificate/proof.ts';
import type { Solver } from '../lp/solver.ts';
import type { CycleEncoding } from '../net/encode-cycles.ts';
import { cycleGain, encodeCycleBounds } from '../net/encode-cycles.ts';
import type { NetIndex } from '../net/encode-flow.ts';

export interface CycleBound {
  /** The papers' number, or the certified one where the papers have none (processes started in loops). */
  readonly bound: bigint;
  readonly certified: bigint;
  readonly proof: BoundProof;
}

export function proveByCycles(
  solver: Solver,
  index: NetIndex,
  check: Checker,
  encoding: CycleEncoding,
  queues: readonly number[],
  first: Potential | null,
  budget: Budget,
): ReadonlyMap<number, CycleBound> {
  const { net } = index;
  const result = new Map<number, CycleBound>();
  const offer = (queue: number, proof: BoundProof | null, paper: bigint | null): void => {
    const checked = proof && check.bound(queue, proof);
    if (!proof || !checked?.ok) return;
    const known = result.get(queue);
    if (known !== undefined && known.certified < checked.value) {
      if (paper !== null) result.set(queue, { ...known, bound: paper });
    } else result.set(queue, { bound: paper ?? checked.value, certified: checked.value, proof });
  };
  const bounds = encodeCycleBounds(index, encoding);
  const session = bounds && solver.open(bounds.builder.build('maximise', []), { budget });
  for (const queue of queues) {
    const places = new Set(net.queues[queue]!.places);
    if (places.size === 0) {
      offer(
        queue,
        { kind: 'potential', potential: { places: [], locations: [] }, counts: [], divisor: 1n },
        null,
      );
      continue;
    }
    if (first !== null) offer(queue, plainProof(first, places), null);
    if (session === null || !budget.timeLeft()) continue;
    session.setObjective('maximise', cycleGain(net, encoding.columns, places));
    const outcome = session.solve();
    if (outcome.kind !== 'optimal') continue;
    const acyclic = [...places].reduce((sum, place) => sum + bounds!.acyclic[place]!, 0);
    const added = new Map([...places].map((place) => [place, outcome.dual.denominator]));
    const potential = potentialFromCycles(index, encoding, outcome.dual, added);
    offer(queue, potential && plainProof(potential, places), floor(outcome.objective) + BigInt(acyclic));
  }
  session?.close();
  return result;
}
