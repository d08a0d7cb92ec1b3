// Local variables that will not be read again are set to 0: two states that differ only there behave alike. Not for channels (their
// numbers stand for something), and not for variables that other processes look at.

import { liveness } from '../../process/liveness.ts';
import type { VariableId } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';
import type { Model } from '../compile.ts';
import { FRAME, HEADER, sizeOf } from '../layout.ts';

/** A function that forgets what is dead in the loaded state. */
export function forgetter({ program, layout, machine, claim }: Model): () => void {
  const watched = new Set<VariableId>();
  walkProgram(program, claim, {
    expression: (expression) => {
      if (expression.kind === 'remote-read') watched.add(expression.cell.variable);
    },
  });
  /** By proctype and location: pairs of the first cell in the frame and the number of cells. */
  const dead = program.proctypes.map((proctype) => {
    const alive = liveness(proctype).at;
    const own = [...proctype.parameters, ...proctype.locals].filter((id) => {
      const { type } = program.variables[id]!;
      return type.kind !== 'chan' && type.kind !== 'struct' && !watched.has(id);
    });
    return proctype.locations.map(({ id }) =>
      proctype.provided !== null
        ? []
        : own
            .filter((variable) => !alive[id]!.has(variable))
            .flatMap((variable) => {
              const { type, length } = program.variables[variable]!;
              return [layout.base[variable]!, sizeOf(program, type) * (length ?? 1)];
            }),
    );
  });
  return () => {
    const { cells, frames } = machine;
    for (let pid = 0; pid < cells[HEADER.processes]!; pid++) {
      const start = frames[pid]!;
      const ranges = dead[cells[start + FRAME.type]!]![cells[start + FRAME.location]!]!;
      for (let i = 0; i < ranges.length; i += 2)
        cells.fill(0, start + ranges[i]!, start + ranges[i]! + ranges[i + 1]!);
    }
  };
}
