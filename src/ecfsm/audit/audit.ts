// The second look at a proof: the formula of the certificate is read as a user's would be, the induction is done again from the beginning, and for a goal every
// rank is justified on the graph of that formula. Nothing of what the analysis found is used but the formula and the ranks; the induction, the
// case splits and the solvers are the same (they are tested against concrete states and against each other).

import type { Budget } from '../../base/budget.ts';
import { SourceFile } from '../../source/source.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { buildGraph } from '../liveness/graph.ts';
import { unjustified } from '../liveness/ranks.ts';
import type { Disjunct, Goal, Model } from '../model.ts';
import { readModel } from '../resolve/read.ts';
import { prepare } from '../safety/formula.ts';
import { Induction } from '../safety/induction.ts';
import { atomsOf } from '../safety/reading.ts';
import { Decider } from '../solver/decider.ts';
import { and, not } from '../solver/linear.ts';
import { readProof } from './document.ts';

export type ProofAudit =
  | { readonly kind: 'accepted'; readonly steps: number; readonly disjuncts: number }
  | { readonly kind: 'rejected' | 'unsettled'; readonly reason: string };

const rejected = (reason: string): ProofAudit => ({ kind: 'rejected', reason });
const OUT_OF_TIME: ProofAudit = { kind: 'unsettled', reason: 'the time limit was reached' };

export async function auditProof(
  model: Model,
  document: CertificateDocument,
  budget: Budget,
): Promise<ProofAudit> {
  const proof = readProof(model, document);
  if (typeof proof === 'string') return rejected(proof);
  const goal = model.goals.find(({ name }) => proof.property === `live:${name}`) ?? null;
  if (goal === null && proof.property !== 'safe') return rejected('the model has no such property');
  const invariant = formulaOf(model, proof.formula);
  if (invariant === null) return rejected('the formula cannot be read');
  const decider = new Decider(budget);
  try {
    const induction = new Induction(prepare(model.protocol, invariant), decider);
    const { failures, outOfTime, obligations } = await induction.run(budget, 1, () => {});
    if (failures.length > 0) return rejected('the formula is not inductive, or contains an unsafe state');
    if (outOfTime) return OUT_OF_TIME;
    const accepted = { kind: 'accepted', steps: obligations, disjuncts: invariant.length } as const;
    if (goal === null) return accepted;
    return (await auditRanks(model, goal, induction, proof.ranks!, decider, budget)) ?? accepted;
  } finally {
    decider.dispose();
  }
}

/** Only the disjuncts are taken from what is read; the machines stay the model's. */
function formulaOf({ frame }: Model, lines: readonly string[]): readonly Disjunct[] | null {
  const text = [frame, 'invariant {', ...lines.map((line, i) => `  d${i} = ${line};`), '}', ''].join('\n');
  const { model } = readModel(new SourceFile('certificate', text), []);
  return model === null || model.invariant.length !== lines.length ? null : model.invariant;
}

async function auditRanks(
  model: Model,
  goal: Goal,
  induction: Induction,
  ranks: readonly number[],
  decider: Decider,
  budget: Budget,
): Promise<ProofAudit | null> {
  const { disjuncts } = induction.formula;
  for (const [node, disjunct] of disjuncts.entries())
    if (ranks[node] === 0 && !(await isInGoal(model, goal, disjunct, decider)))
      return rejected(`disjunct ${node + 1} is not within the goal`);
  const graph = await buildGraph(induction, decider, budget, () => {});
  if (graph === null || !budget.timeLeft()) return OUT_OF_TIME;
  const open = unjustified(graph, ranks);
  return open === null ? null : rejected(`no way from disjunct ${open + 1} to a lower rank`);
}

/** By control states; or every state of it satisfies a disjunct of the goal. */
async function isInGoal(model: Model, goal: Goal, disjunct: Disjunct, decider: Decider): Promise<boolean> {
  if (goal.control !== null)
    return goal.control.every((states, side) => states.includes(disjunct.control[side]!));
  const wanted = goal.disjuncts
    .map((index) => model.invariant[index]!)
    .filter(({ control }) => control.join() === disjunct.control.join());
  const whole = new Induction(prepare(model.protocol, [disjunct, ...wanted]), decider);
  const situations = whole.situations(disjunct, null, wanted, 1);
  if (situations === null) return false;
  for (const { situation, members } of situations) {
    const { context, before } = situation;
    const outside = wanted.flatMap((one, j) => (members[j] ? [not(atomsOf(one, before))] : []));
    const asked = and([atomsOf(disjunct, before), ...outside]);
    const { kind } = await decider.problem(context.facts, context.variables).solve(asked);
    if (kind !== 'unsatisfiable') return false;
  }
  return true;
}
