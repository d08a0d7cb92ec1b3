// A feasible path, executed by the concrete machine with the inputs the solver found: only then is it a refutation.

import type { Confirmed, Input } from '../program/confirmed.ts';
import { Interpreter } from '../program/interpreter.ts';
import type { Cell, Operation, Program } from '../program/program.ts';
import type { PathResult } from './path.ts';

export function confirm(
  program: Program,
  path: Extract<PathResult, { kind: 'feasible' }>,
  isError: (location: number) => boolean,
): Confirmed | { readonly kind: 'rejected'; readonly reason: string } {
  const [vague] = path.vague;
  if (vague !== undefined) {
    const why =
      vague.operation?.kind === 'havoc' ? vague.operation.why : 'memory that is not followed exactly';
    return { kind: 'rejected', reason: `a path to the error depends on what is not modelled: ${why}` };
  }
  const values = new Map<string, bigint>();
  for (const { fresh, value } of path.inputs)
    if (fresh.cell !== null) values.set(`${fresh.step}:${fresh.cell.id}`, value);
  const inputs: Input[] = [];
  const initial = new Map<number, bigint>();
  let step = -1;
  const machine = new Interpreter(program, (cell, operation) => {
    const value = BigInt.asUintN(cell.width, values.get(`${step}:${cell.id}`) ?? 0n);
    if (operation === null) initial.set(cell.id, value);
    else
      inputs.push({
        source: sourceOf(operation),
        cell,
        value,
        step,
        kind: operation.kind === 'input' ? 'input' : 'uninitialised',
      });
    return value;
  });
  const changes: { cell: Cell; value: bigint }[][] = [];
  const calls: { name: string; value: bigint }[] = [];
  for (const edge of path.edges) {
    step++;
    if (edge.from !== machine.location)
      return { kind: 'rejected', reason: 'the path is not one from the start of the program' };
    const before = watched(edge.operation).map((cell) => machine.value(cell));
    const result = machine.take(edge);
    if (result === 'blocked' || result === 'undefined')
      return { kind: 'rejected', reason: `the concrete run leaves the path (${machine.trouble || result})` };
    if (edge.call !== undefined) {
      const { name, result: cell } = edge.call;
      calls.push({ name, value: cell === null ? 0n : BigInt.asIntN(cell.width, machine.value(cell)) });
    }
    changes.push(
      watched(edge.operation)
        .map((cell, i) => ({ cell, value: machine.value(cell), old: before[i] }))
        // An assignment is shown even when it changes nothing: before it the value may have been anybody's guess.
        .filter(({ value, old }) => value !== old || edge.operation.kind !== 'store')
        .map(({ cell, value }) => ({ cell, value })),
    );
  }
  if (!isError(machine.location)) return { kind: 'rejected', reason: 'the concrete run ends elsewhere' };
  return { kind: 'confirmed', edges: path.edges, inputs, initial, calls, changes };
}

function sourceOf(operation: Operation): string {
  if (operation.kind === 'input') return operation.source;
  return operation.kind === 'havoc' ? operation.why : '';
}

function watched(operation: Operation): readonly Cell[] {
  if (operation.kind === 'assign' || operation.kind === 'input') return [operation.cell];
  return operation.kind === 'store' ? operation.site.cells : [];
}
