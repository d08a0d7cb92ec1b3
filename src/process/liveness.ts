// Live variables: which variables may still be read, before they are overwritten, from a location on. A value that is dead is
// forgotten, so that unfolding does not multiply locations for nothing. Backward data flow, per proctype; arrays as a whole.
// Only reads by the process itself count: other processes see a shared variable through its value set, not through this location.

import type { Proctype, VariableId } from './program.ts';
import { type Uses, usesOf } from './uses.ts';

export interface Liveness {
  /** Indexed by LocationId. */
  readonly at: readonly ReadonlySet<VariableId>[];
  /** Indexed by EdgeId. */
  readonly uses: readonly Uses[];
}

export function liveness(proctype: Proctype): Liveness {
  const uses = proctype.edges.map((edge) => usesOf(edge.statement));
  const at = proctype.locations.map(() => new Set<VariableId>());
  const into: number[][] = proctype.locations.map(() => []);
  for (const edge of proctype.edges) into[edge.to]!.push(edge.id);
  const work = proctype.locations.map((location) => location.id as number);
  const waiting = new Set(work);
  for (let location = work.pop(); location !== undefined; location = work.pop()) {
    waiting.delete(location);
    if (!grow(proctype, location, at, uses)) continue;
    for (const edge of into[location]!) {
      const { from } = proctype.edges[edge]!;
      if (!waiting.has(from)) {
        waiting.add(from);
        work.push(from);
      }
    }
  }
  return { at, uses };
}

/** True when the location's set grew, or holds anything on its first visit. */
function grow(
  proctype: Proctype,
  location: number,
  at: readonly Set<VariableId>[],
  uses: readonly Uses[],
): boolean {
  const live = at[location]!;
  const before = live.size;
  for (const id of proctype.locations[location]!.edges) {
    const { reads, kills } = uses[id]!;
    for (const variable of reads) live.add(variable);
    for (const variable of at[proctype.edges[id]!.to]!) if (!kills.has(variable)) live.add(variable);
  }
  return live.size > before;
}
