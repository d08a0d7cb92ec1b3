// Which locations count as progress.
//
// SPIN's np_ is true in a state where no process stands at a `progress*` label, and it looks at states between atomic steps only: a
// label that is merely passed inside `atomic` is never seen. So a label counts unless the process can arrive there with control
// kept, or is started there inside `atomic` and can shake hands at once. A *progress transition* leaves such a location. Then: a run
// with only finitely many progress transitions is what [Ciclo] Definition 2 calls livelocked, and every non-progress cycle of SPIN is
// such a run (no process ever stands at the location, so none leaves it). Freedom from the first proves freedom from the second.

import type { LocationId, Proctype, Program } from './program.ts';
import { mentions } from './walk.ts';

export function progressLocations(program: Program, proctype: Proctype): ReadonlySet<LocationId> {
  const labelled = proctype.locations.filter((location) => location.isProgress).map(({ id }) => id);
  if (labelled.length === 0) return new Set();
  const passed = new Set(proctype.edges.filter((edge) => edge.keepsControl).map((edge) => edge.to));
  const beginsByReceiving = proctype.locations[proctype.initial]!.edges.some((id) =>
    ['receive', 'dstep'].includes(proctype.edges[id]!.statement.kind),
  );
  if (beginsByReceiving && startsInsideAtomic(program, proctype)) passed.add(proctype.initial);
  return new Set(labelled.filter((location) => !passed.has(location)));
}

function startsInsideAtomic(program: Program, { id }: Proctype): boolean {
  return program.proctypes.some(({ edges }) =>
    edges.some(
      ({ keepsControl, statement }) =>
        keepsControl && mentions(statement, (part) => part.kind === 'run' && part.proctype === id),
    ),
  );
}
