// One run of a program, from its entry until something ends it.

import { Interpreter, outgoingEdges, type Provider } from './interpreter.ts';
import type { Edge, Program } from './program.ts';

export interface Execution {
  readonly outcome: 'error' | 'end' | 'cut' | 'blocked' | 'undefined' | 'limit';
  readonly edges: readonly Edge[];
  readonly why: string;
  /** Something on the way was not modelled exactly. */
  readonly guessed: string | null;
  readonly machine: Interpreter;
}

/** Runs from the entry until something ends the run. Branches must be deterministic, as in sequential code they are. */
export function execute(
  program: Program,
  provide: Provider,
  isError: (location: number) => boolean,
  maxSteps: number,
): Execution {
  const machine = new Interpreter(program, provide);
  const outgoing = outgoingEdges(program);
  const edges: Edge[] = [];
  let guessed: string | null = null;
  const done = (outcome: Execution['outcome'], why: string): Execution => ({
    outcome,
    edges,
    why,
    guessed,
    machine,
  });
  while (edges.length < maxSteps) {
    const location = program.locations[machine.location]!;
    if (isError(location.id)) return done('error', location.why);
    if (location.kind === 'end' || location.kind === 'cut') return done(location.kind, location.why);
    let taken: Edge | null = null;
    for (const edge of outgoing[location.id]!) {
      const result = machine.take(edge);
      if (result === 'undefined') return done('undefined', machine.trouble);
      if (result === 'unmodelled') guessed ??= machine.trouble;
      if (result !== 'blocked') {
        taken = edge;
        break;
      }
    }
    if (taken === null) return done('blocked', 'an assumption does not hold');
    edges.push(taken);
  }
  return done('limit', `more than ${maxSteps} steps`);
}
