// The only run of a program that nothing from outside decides: executed once, it answers every question. Values that are open (inputs, variables that are not
// initialised) are taken as 0; whether one of them decides anything is for the audit to find out.

import type { Budget } from '../../base/budget.ts';
import type { Confirmed } from '../program/confirmed.ts';
import { Interpreter, outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { Recurrence } from '../program/recurrence.ts';
import { replay } from './replay.ts';

export type SingleRun =
  | { readonly kind: 'over'; readonly steps: number; readonly repeats: boolean }
  | { readonly kind: 'error'; readonly run: Confirmed };

const MOST_STEPS = 20_000_000;
/** Where there are inputs, one of them likely decides something. */
const MOST_WITH_INPUTS = 100_000;
/** A run to an error is kept and reported up to this length. */
const MOST_REPORTED = 50_000;
/** Bytes of memory that are compared again and again. */
const MOST_COMPARED = 1 << 14;
const BETWEEN_LOOKS = 1024;

/** Null when it is not over in time, or something is met that is not modelled. */
export function singleRun(
  program: Program,
  isError: (location: number) => boolean,
  { timeLeft }: Pick<Budget, 'timeLeft'>,
): SingleRun | null {
  if (program.threads !== undefined) return null;
  const machine = new Interpreter(program, () => 0n);
  const outgoing = outgoingEdges(program);
  const most = program.edges.some(({ operation }) => operation.kind === 'input')
    ? MOST_WITH_INPUTS
    : MOST_STEPS;
  const isSmall = machine.size <= MOST_COMPARED;
  const recurrence = isSmall ? new Recurrence(() => machine.snapshot()) : null;
  const edges: Edge[] = [];
  for (let steps = 0; steps <= most; steps++) {
    if (steps % BETWEEN_LOOKS === 0 && !timeLeft()) return null;
    const at = machine.location;
    if (isError(at)) return steps === edges.length ? failure(program, edges) : null;
    const { kind } = program.locations[at]!;
    if (kind === 'cut') return null;
    const way = kind === 'end' ? null : wayTaken(machine, outgoing[at]!);
    if (way === null) return { kind: 'over', steps, repeats: false };
    if (way === 'lost') return null;
    if (edges.length < MOST_REPORTED) edges.push(way);
    if (recurrence?.isBackAt(machine.location)) return { kind: 'over', steps: steps + 1, repeats: true };
  }
  return null;
}

/** Null when the run is over: no edge can be taken. */
export function wayTaken(machine: Interpreter, ways: readonly Edge[]): Edge | 'lost' | null {
  if (ways.length > 1 && ways.some(({ operation }) => operation.kind !== 'assume')) return 'lost';
  for (const way of ways) {
    const result = machine.take(way);
    if (result === 'ok') return way;
    if (result === 'unmodelled') return 'lost';
    // What C leaves undefined ends the run where a test says so; the audit does not follow other ways into it.
    if (result === 'undefined') return way.operation.kind === 'defined' ? null : 'lost';
  }
  return null;
}

function failure(program: Program, edges: readonly Edge[]): SingleRun | null {
  const inputs = edges.filter(({ operation }) => operation.kind === 'input').map(() => 0n);
  const run = replay(program, [{ to: 0, event: null, edges, inputs }], [], [[]]);
  return run === null ? null : { kind: 'error', run };
}
