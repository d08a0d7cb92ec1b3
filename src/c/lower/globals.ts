// Which variables that last as long as the program it reads and writes: those outside of functions, and `static` ones inside.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { MemoryObject, Program } from '../program/program.ts';

/** Taken before constants are put in: a variable that is never written here may well be written elsewhere. */
export function globalsOf(
  program: Omit<Program, 'globals'>,
  tests: readonly Expr[],
  statics: ReadonlyMap<unknown, MemoryObject>,
): Program['globals'] {
  const inside = new Set(statics.values());
  const reads = new Set<string>();
  const writes = new Set<string>();
  const touch = (into: Set<string>, { object }: { readonly object: Program['objects'][0] }) => {
    if (object.constant) return;
    if (object.kind === 'global') into.add(object.name);
    else if (inside.has(object)) into.add(`${object.name} (static)`);
  };
  const seen = new Set<Expr>();
  const look = (expr: Expr): void => {
    if (seen.has(expr)) return;
    seen.add(expr);
    if (expr.op === 'symbol') touch(reads, program.cells[symbolNumber(expr)]!);
    if (expr.op === 'load')
      for (const object of program.sites[Number(expr.value) - 1]!.objects) touch(reads, { object });
    for (const arg of expr.args) look(arg);
  };
  for (const { operation } of program.edges) {
    if (operation.kind === 'assign') look(operation.value);
    if (operation.kind === 'assume' || operation.kind === 'defined') look(operation.test);
    if (operation.kind === 'assign' || operation.kind === 'input') touch(writes, operation.cell);
    if (operation.kind === 'havoc') for (const cell of operation.cells) touch(writes, cell);
    if (operation.kind !== 'store') continue;
    look(operation.address);
    look(operation.value);
    for (const object of operation.site.objects) touch(writes, { object });
  }
  for (const predicate of tests) look(predicate);
  return { reads, writes };
}
