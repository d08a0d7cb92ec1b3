// A run that a probe has met, executed again from the start: only then is it reported.

import type { CellSet } from '../program/cell-set.ts';
import { has } from '../program/cell-set.ts';
import type { Confirmed, Input } from '../program/confirmed.ts';
import { Interpreter } from '../program/interpreter.ts';
import type { Cell, Edge, Operation, Program } from '../program/program.ts';
import type { Label, ProbeEdge } from './graph.ts';
import { labelsAt } from './graph.ts';

/** Null when the run cannot be repeated, or `ends` does not hold where it ends. `expected`: the labels after each stretch. */
export function replay(
  program: Program,
  stretches: readonly ProbeEdge[],
  labels: readonly Label[],
  expected: readonly (readonly string[])[],
): Confirmed | null {
  const inputs: Input[] = [];
  const initial = new Map<number, bigint>();
  let given: readonly bigint[] = [];
  let next = 0;
  let step = 0;
  const machine = new Interpreter(program, (cell, operation) => {
    if (operation === null) {
      initial.set(cell.id, 0n);
      return 0n;
    }
    const isInput = operation.kind === 'input';
    const value = isInput ? given[next++]! : 0n;
    inputs.push({
      source: sourceOf(operation),
      cell,
      value,
      step,
      kind: isInput ? 'input' : 'uninitialised',
    });
    return value;
  });
  const edges: Edge[] = [];
  const changes: { cell: Cell; value: bigint }[][] = [];
  const calls: { name: string; value: bigint }[] = [];
  for (const [i, stretch] of stretches.entries()) {
    given = stretch.inputs;
    next = 0;
    for (const edge of stretch.edges) {
      if (edge.from !== machine.location) return null;
      const changed = changesOf(machine, edge);
      if (machine.take(edge) !== 'ok') return null;
      step++;
      edges.push(edge);
      const { call } = edge;
      if (call !== undefined) calls.push({ name: call.name, value: givenBy(machine, call.result) });
      changes.push(changed());
    }
    if (labelsAt(machine, labels)?.join() !== expected[i]!.join()) return null;
  }
  return { kind: 'confirmed', edges, inputs, initial, calls, changes };
}

/** After the loop everything that matters is as it was before it. */
export function returns(
  program: Program,
  { edges, inputs, initial }: Confirmed,
  loopAt: number,
  live: readonly CellSet[],
): boolean {
  let next = 0;
  const machine = new Interpreter(program, (cell, operation) =>
    operation === null ? initial.get(cell.id)! : inputs[next++]!.value,
  );
  let start: readonly bigint[] = [];
  let startMemory: Uint8Array | null = null;
  let at = -1;
  let matters: readonly Cell[] = [];
  for (const [i, edge] of edges.entries()) {
    if (i === loopAt) {
      at = machine.location;
      matters = program.cells.filter(({ id, array }) => array === undefined && has(live[at]!, id));
      start = matters.map((cell) => machine.value(cell));
      startMemory = machine.snapshot();
    }
    if (machine.take(edge) !== 'ok') return false;
  }
  if (startMemory === null || machine.location !== at) return false;
  if (program.sites.some(({ vague }) => vague)) {
    const memory = machine.snapshot();
    return startMemory.every((byte, i) => memory[i] === byte);
  }
  return matters.every((cell, i) => machine.value(cell) === start[i]);
}

/** What a call gave; 0 where that is nothing. */
export const givenBy = (machine: Interpreter, result: Cell | null): bigint =>
  result === null ? 0n : BigInt.asIntN(result.width, machine.value(result));

/** To be called before the step, and what it gives behind it: what the step changes. */
export function changesOf(machine: Interpreter, { operation }: Edge): () => { cell: Cell; value: bigint }[] {
  const before = written(operation).map((cell) => ({ cell, old: machine.value(cell) }));
  return () =>
    before
      .map(({ cell, old }) => ({ cell, value: machine.value(cell), old }))
      .filter(({ value, old }) => value !== old)
      .map(({ cell, value }) => ({ cell, value }));
}

export function sourceOf(operation: Operation): string {
  if (operation.kind === 'input') return operation.source;
  return operation.kind === 'havoc' ? operation.why : '';
}

function written(operation: Operation): readonly Cell[] {
  if (operation.kind === 'assign' || operation.kind === 'input') return [operation.cell];
  return operation.kind === 'store' ? operation.site.cells : [];
}
