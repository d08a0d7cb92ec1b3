// The dependencies between the model's loops in the user's words, for reports that people look at.

import { loadSolver } from '../../lp/solver.ts';
import { buildNet } from '../../net/build.ts';
import { settled } from '../../refinement/contents-smt.ts';
import { codeContext } from '../../refinement/context.ts';
import { dependenciesOf } from '../../refinement/dependencies.ts';
import { describeCycle, describeDependency, nameCycles } from '../../refinement/describe.ts';
import { Facts } from '../../refinement/rows.ts';
import type { LoopDependency } from '../../verdict/verdict.ts';
import type { ProgramContext } from './context.ts';

/** A report with more loops than this is no longer read; `spillway deps` has them all. */
const MOST_LOOPS = 100;

export async function loopDependencies({ program, budget }: ProgramContext): Promise<LoopDependency[]> {
  const { net, unknowns } = buildNet(program, { budget });
  const code = unknowns.length > 0 ? null : codeContext(program, net);
  if (code === null) return [];
  const facts = new Facts(code);
  const solver = await loadSolver();
  const named = nameCycles(facts, MOST_LOOPS, budget.timeLeft);
  const found: LoopDependency[] = [];
  const texts = new Map<string, string>();
  for (const cycle of named.cycles) {
    const { name, process, steps } = describeCycle(facts, named, cycle);
    texts.set(name, `${process}: ${steps.map((step) => step.text).join('; ')}`);
  }
  for (const cycle of named.cycles) {
    if (!budget.timeLeft()) break;
    for (const dependency of await settled(
      facts,
      () => dependenciesOf(facts, solver, cycle, ['PC', 'FC']),
      budget,
    )) {
      const { cycle: loop, on, iterations, reason, at } = describeDependency(facts, named, dependency);
      const text = (name: string): string => texts.get(name) ?? name;
      found.push({ loop: text(loop), needs: on.map(text), rounds: iterations, reason, at });
    }
  }
  return found;
}
