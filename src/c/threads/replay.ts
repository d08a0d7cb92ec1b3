// A violation taken again from the start, on a machine of its own and without anything that the search leaves out; and as people see it.

import { startOf } from '../../source/source.ts';
import type { Run, Step } from '../../verdict/run.ts';
import { Interpreter, restsOnPadding } from '../program/interpreter.ts';
import type { Cell, Edge, Program } from '../program/program.ts';
import { cellAt } from '../program/program.ts';
import { joinOperations } from '../report/run.ts';
import { showValue, stepText } from '../report/show.ts';
import { ThreadGraph } from './graph.ts';
import { isDeadlock, raceAt } from './moment.ts';
import type { ThreadProperty, Violation } from './search.ts';

/** Null when it does not happen again. */
export function replayed(
  program: Program,
  isError: (location: number) => boolean,
  property: ThreadProperty,
  { moves, title }: Violation,
): Run | null {
  let inputs: bigint[] = [];
  const machine = new Interpreter(program, (_, operation) =>
    operation === null ? 0n : (inputs.shift() ?? 0n),
  );
  const at = program.threads!.map(({ entry }) => entry);
  const steps: Step[] = [];
  let undefinedStep = false;
  for (const { thread, edges, inputs: given } of moves) {
    inputs = [...given];
    for (const edge of edges) {
      if (undefinedStep || at[thread] !== edge.from || !mayGoOn(program, machine, at, thread)) return null;
      machine.location = edge.from;
      const result = machine.take(edge);
      if (result === 'blocked' || restsOnPadding(edge, result)) return null;
      if (result === 'undefined') undefinedStep = true;
      else at[thread] = edge.to;
      steps.push(...stepOf(program, machine, edge, thread));
    }
  }
  const happened: Record<ThreadProperty, () => boolean> = {
    assertions: () => at.some(isError),
    'no-undefined': () => undefinedStep,
    'deadlock-free': () => isDeadlock(machine, new ThreadGraph(program), at),
    'race-free': () => raceAt(machine, new ThreadGraph(program), at) !== null,
  };
  if (!happened[property]()) return null;
  const actors = program.threads!.map(({ name }) => name);
  return { title, actors, queues: [], initial: [], steps: joinOperations(steps), loopStart: null };
}

/** No other thread stands where it must not be interrupted. */
function mayGoOn(
  { locations, atomicHolder, threads }: Program,
  machine: Interpreter,
  at: readonly number[],
  thread: number,
): boolean {
  if (at.some((location, other) => other !== thread && locations[location]!.atomic === true)) return false;
  const holder = atomicHolder === undefined ? 0 : Number(machine.value(atomicHolder));
  return holder === 0 || threads![thread]!.number === holder;
}

function stepOf(program: Program, machine: Interpreter, edge: Edge, thread: number): Step[] {
  const { operation } = edge;
  // What the library does is told by its call, once.
  const text = edge.atomic === true && operation.kind !== 'store' ? null : stepText(edge);
  const cell = writtenBy(program, machine, edge);
  const changes =
    cell === null || !(cell.object.visible || cell.object.kind === 'heap' || operation.kind === 'input')
      ? []
      : [
          {
            name: operation.kind === 'input' ? 'input' : cell.name,
            value: showValue(program, cell, machine.value(cell)),
          },
        ];
  if (text === null && changes.length === 0) return [];
  return [
    { actors: [thread], text: text ?? '', at: startOf(edge.span), events: [], changes, choice: [edge.id] },
  ];
}

function writtenBy(program: Program, machine: Interpreter, { operation }: Edge): Cell | null {
  if (operation.kind === 'assign' || operation.kind === 'input') return operation.cell;
  if (operation.kind !== 'store') return null;
  const address = machine.definedValue(operation.address);
  return address === null ? null : cellAt(program.objects, address, operation.value.width);
}
