// Where rounds of a cycle begin. A process may leave a cycle and come back to it at another location; then a test or an assignment
// that matters is passed over, and rounds are shifted. What that can cost a ranking argument is computed here.

import type { NetCycle } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import type { CodeContext } from './context.ts';
import { linearForm } from './linear.ts';
import type { Operation } from './operations.ts';
import type { RankingFunction } from './ranking.ts';
import type { LoopView } from './termination.ts';

/**
 * Where the process can leave the cycle and enter it again elsewhere over passable transitions, so that a test or an assignment
 * that matters is passed over. The cycle is cut into stretches after each transition that matters; a jump leads from one to another.
 */
export function jumpsOf(
  context: CodeContext,
  cycle: NetCycle,
  variables: ReadonlySet<VariableId>,
  testStep: number,
  passable: (transition: number) => boolean,
): { readonly from: number; readonly to: number }[] {
  const { graph, transitions } = context.graphs[cycle.class]!;
  const relevant = relevantSteps(context, cycle, variables, testStep);
  const stretchAt = new Map<number, number>();
  cycle.transitions.forEach((transition, step) => {
    const before = relevant.filter((other) => other < step).length;
    stretchAt.set(context.net.transitions[transition]!.from, before % relevant.length);
  });
  const own = new Set(cycle.transitions);
  const jumps = new Map<string, { from: number; to: number }>();
  for (const [start, from] of stretchAt) {
    const seen = new Set<number>();
    const work = [start];
    for (let node = work.pop(); node !== undefined; node = work.pop()) {
      for (const arc of graph.out[node]!) {
        const transition = transitions[arc]!;
        if (own.has(transition) || !passable(transition)) continue;
        const to = stretchAt.get(graph.arcs[arc]!.to);
        if (to !== undefined) {
          if (to !== from) jumps.set(`${from} ${to}`, { from, to });
        } else if (!seen.has(graph.arcs[arc]!.to)) {
          seen.add(graph.arcs[arc]!.to);
          work.push(graph.arcs[arc]!.to);
        }
      }
    }
  }
  return [...jumps.values()];
}

export const changes = (
  context: CodeContext,
  transition: number,
  variables: ReadonlySet<VariableId>,
): boolean =>
  context.operations[transition]!.some((op) => op.kind === 'assign' && variables.has(op.variable));

/** The cycle's steps that test the condition or change its variables. */
const relevantSteps = (
  context: CodeContext,
  cycle: NetCycle,
  variables: ReadonlySet<VariableId>,
  testStep: number,
): number[] =>
  cycle.transitions.flatMap((transition, step) =>
    step === testStep || changes(context, transition, variables) ? [step] : [],
  );

/**
 * Between the first and the last of N tests lie N rounds, less what the first did before its test and the last does after it. When all
 * begin at the same place that makes N − 1 rounds; when jumps lead from where the first began to where the last begins, it can be less.
 */
export function reserveFor(context: CodeContext, view: LoopView, { form, fall }: RankingFunction): bigint {
  const { cycle, variables, test } = view;
  const relevant = relevantSteps(context, cycle, variables, test.step);
  const testing = relevant.indexOf(test.step);
  const changeIn = (operations: readonly Operation[]): bigint =>
    operations.reduce((sum, operation) => {
      if (operation.kind !== 'assign' || operation.value === null) return sum;
      return sum + (form.terms.get(operation.variable) ?? 0n) * (linearForm(operation.value)?.constant ?? 0n);
    }, 0n);
  const operationsAt = (number: number): readonly Operation[] =>
    context.operations[cycle.transitions[relevant[number]!]!]!;
  const between = (from: number, to: number): bigint => {
    let sum = 0n;
    for (let number = from; number !== to; number = (number + 1) % relevant.length)
      sum += changeIn(operationsAt(number));
    return sum;
  };
  const inTest = operationsAt(testing);
  const before = (start: number): bigint =>
    between(start, testing) + changeIn(inTest.slice(0, test.operation));
  const after = (end: number): bigint =>
    changeIn(inTest.slice(test.operation + 1)) + between((testing + 1) % relevant.length, end);
  // Changes that are harmless do not end a block, so any way around may be taken within one.
  const jumps = jumpsOf(context, cycle, variables, test.step, () => true);
  let reserve = 0n;
  for (const [first, reached] of reachableStretches(jumps, relevant.length)) {
    for (const last of reached) {
      const missing = -(before(first) + after(last)) - fall;
      if (missing > reserve) reserve = missing;
    }
  }
  return reserve;
}

/** Which stretches jumps lead to, in any number, from each. */
function reachableStretches(
  jumps: readonly { readonly from: number; readonly to: number }[],
  count: number,
): Map<number, Set<number>> {
  const reached = new Map(Array.from({ length: count }, (_, start) => [start, new Set([start])]));
  for (let changed = true; changed; ) {
    changed = false;
    for (const set of reached.values())
      for (const { from, to } of jumps)
        if (set.has(from) && !set.has(to)) {
          set.add(to);
          changed = true;
        }
  }
  return reached;
}
