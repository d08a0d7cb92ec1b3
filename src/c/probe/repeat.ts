// A run's inputs given to another program that should do the same, such as the one with tests of lives: does it get to the error, too? Inputs are given in their
// order, what is not initialised by the variable that it is about: programs may differ in what they still ask for.

import type { Budget } from '../../base/budget.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { Interpreter, outgoingEdges, type Provider } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { wayTaken } from './single-run.ts';

export type Repeated =
  | { readonly kind: 'reached' }
  /** A test of what C leaves undefined fails before. */
  | { readonly kind: 'undefined'; readonly why: string; readonly span: Edge['span'] }
  /** It goes another way. */
  | { readonly kind: 'lost' };

/** Steps for each step of the run. */
const MOST_TIMES = 16;
const BETWEEN_LOOKS = 1024;
const LOST: Repeated = { kind: 'lost' };

export function repeated(
  program: Program,
  isError: (location: number) => boolean,
  run: Confirmed,
  { timeLeft }: Pick<Budget, 'timeLeft'>,
): Repeated {
  const machine = new Interpreter(program, providerOf(run));
  const outgoing = outgoingEdges(program);
  const most = (run.edges.length + BETWEEN_LOOKS) * MOST_TIMES;
  for (let steps = 0; steps <= most; steps++) {
    if (steps % BETWEEN_LOOKS === 0 && !timeLeft()) return LOST;
    const at = machine.location;
    if (isError(at)) return { kind: 'reached' };
    const { kind } = program.locations[at]!;
    const way = kind === 'end' || kind === 'cut' ? null : wayTaken(machine, outgoing[at]!);
    if (way === 'lost') return LOST;
    if (way !== null) continue;
    const test = outgoing[at]!.find(({ operation }) => operation.kind === 'defined');
    if (test?.operation.kind !== 'defined') return LOST;
    return { kind: 'undefined', why: test.operation.why, span: test.span };
  }
  return LOST;
}

function providerOf({ inputs, initial }: Confirmed): Provider {
  const given = inputs.filter(({ kind }) => kind === 'input');
  const open = new Map<number, bigint[]>();
  for (const { kind, cell, value } of inputs)
    if (kind === 'uninitialised') open.set(cell.id, [...(open.get(cell.id) ?? []), value]);
  let next = 0;
  return (cell, operation) => {
    if (operation === null) return initial.get(cell.id) ?? 0n;
    return (operation.kind === 'input' ? given[next++]?.value : open.get(cell.id)?.shift()) ?? 0n;
  };
}
