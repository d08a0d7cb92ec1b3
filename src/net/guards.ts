// For refinement: the variables whose values decide whether given transitions can be taken. Unfolding them is the next thing to try
// when a counterexample uses these transitions (theory, section 5).

import type { Edge, VariableId } from '../process/program.ts';
import { addGuards, closure } from '../system/deciders.ts';
import type { System } from '../system/instantiate.ts';

export function guardVariables(system: System, transitions: Iterable<number>): Set<VariableId> {
  const { program, graphs, world } = system;
  const all = graphs.flatMap(({ process, steps }) => steps.map((step) => ({ process, step })));
  const found = new Set<VariableId>();
  for (const number of transitions) {
    const { process, step } = all[number]!;
    const { edges, locations } = process.proctype;
    for (const id of step.segment.edges) {
      const edge: Edge = edges[id]!;
      addGuards(edge.statement, found);
      // An `else` tests what its siblings test.
      if (edge.statement.kind === 'else')
        for (const sibling of locations[edge.from]!.edges) addGuards(edges[sibling]!.statement, found);
    }
  }
  const { unfolded, tooLarge } = world.plan;
  return new Set(
    [...closure(program, found)].filter((variable) => !unfolded.has(variable) && !tooLarge.has(variable)),
  );
}
