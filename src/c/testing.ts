// Helpers for the tests of this room.

import { SourceFile } from '../source/source.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { lower } from './lower/lower.ts';
import { type Execution, execute } from './program/execute.ts';
import { Interpreter, outgoingEdges } from './program/interpreter.ts';
import type { Edge, Program } from './program/program.ts';
import { parseC, type Unit } from './syntax/parse.ts';

export async function unitOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  systemHeader: (name: string) => string | null = () => null,
  dataModel: 'ILP32' | 'LP64' = 'LP64',
): Promise<Unit> {
  const parsed = await parseC(new SourceFile('test.c', text), {
    files: { read: (path) => files[path] ?? null, systemHeader },
    defines: [],
    includes: [],
    dataModel,
  });
  if (!parsed.ok) throw new Error(parsed.error.map((d) => `${d.code} ${d.message}`).join('\n'));
  return parsed.value;
}

export async function programOf(
  text: string,
  files: Readonly<Record<string, string>> = {},
  systemHeader: (name: string) => string | null = () => null,
  dataModel: 'ILP32' | 'LP64' = 'LP64',
): Promise<Program> {
  const program = lower(
    [await unitOf(text, files, systemHeader, dataModel)],
    { function: 'main', arguments: [], span: null },
    PLAIN_C,
  );
  if (!program.ok) throw new Error(program.error.map((d) => `${d.code} ${d.message}`).join('\n'));
  return program.value;
}

/** Runs a program with the given inputs; everything else that is open is 0. */
export function runWith(program: Program, inputs: readonly bigint[], maxSteps = 100_000): Execution {
  let next = 0;
  return execute(
    program,
    (cell, operation) =>
      BigInt.asUintN(cell.width, operation?.kind === 'input' ? (inputs[next++] ?? 0n) : 0n),
    (location) => isErrorLocation(program, location),
    maxSteps,
  );
}

export const isErrorLocation = (program: Program, location: number): boolean =>
  program.locations[location]!.kind === 'error' || program.locations[location]!.labels.includes('ERROR');

/** Every step of the run with these inputs: called before an edge is taken, and told whether it was. */
export function watchRun(
  program: Program,
  inputs: readonly bigint[],
  watch: (machine: Interpreter, edge: Edge) => (() => void) | null,
  arrive: (machine: Interpreter) => void,
): void {
  let next = 0;
  const machine = new Interpreter(program, (cell, operation) =>
    BigInt.asUintN(cell.width, operation?.kind === 'input' ? (inputs[next++] ?? 0n) : 0n),
  );
  const outgoing = outgoingEdges(program);
  arrive(machine);
  for (let steps = 0; steps < 20_000; steps++) {
    let taken = false;
    for (const edge of outgoing[machine.location]!) {
      const after = watch(machine, edge);
      const result = machine.take(edge);
      if (result === 'undefined' || result === 'unmodelled') return;
      if (result !== 'ok') continue;
      after?.();
      taken = true;
      break;
    }
    if (!taken) return;
    arrive(machine);
  }
}
