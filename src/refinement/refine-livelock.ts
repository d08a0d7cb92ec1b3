// Livelock freedom by counterexample-guided refinement ([Ciclo] VII-B): the loop, and for dependencies without a number two cases, each with a loop
// of its own.

import { decomposeRay, describeParts } from '../counterexample/ray.ts';
import type { LivelockAnalysis } from '../livelock/model.ts';
import type { NetCycle } from '../net/cycles.ts';
import type { Net } from '../net/net.ts';
import type { Program } from '../process/program.ts';
import { checkLivelockProof } from './check.ts';
import { cycleKey } from './components.ts';
import { supplementaryCycles } from './dependencies.ts';
import { refinedRankingDocument } from './document.ts';
import { type Finding, type Limit, Refinement, type RefineOptions } from './loop.ts';
import type { LivelockProof } from './proof.ts';
import { type RefinedSystem, refinedPotential, solveFor } from './refined-system.ts';

/** `limit` null: nothing rules the suspicion out. */
interface Stuck {
  readonly kind: 'stuck';
  readonly limit: Limit | null;
  readonly ray: ReadonlyMap<number, bigint>;
}

/** Goes on where an analysis of the net was left with a suspicion; gives the analysis back when there is nothing to add. */
export async function refineLivelock(
  program: Program,
  net: Net,
  analysis: LivelockAnalysis,
  options: RefineOptions = {},
): Promise<LivelockAnalysis> {
  if (analysis.verdict === 'proved' || analysis.counterexample === null) return analysis;
  const refinement = await Refinement.open(program, net, options);
  if (refinement === null) return analysis;
  const proof = await prove(refinement, [], [], 0);
  const stats = refinement.statsAfter(analysis.stats);
  if (proof.kind === 'stuck') {
    const cycles = describeParts(net, decomposeRay(net, proof.ray));
    const counterexample = proof.ray.size === 0 ? analysis.counterexample : { ray: proof.ray, cycles };
    const why = proof.limit === null ? {} : refinement.reasonFor(proof.limit);
    return { ...analysis, counterexample, stats, ...why };
  }
  const checked = checkLivelockProof(refinement.refiner.facts, proof);
  if (!checked.ok)
    return {
      ...analysis,
      stats,
      reasonCode: 'no-certificate',
      reason: `a proof was found and rejected: ${checked.error}`,
    };
  const { reason: _, reasonCode: __, ...rest } = analysis;
  const certificate = refinedRankingDocument(net, proof, options.abstraction);
  return { ...rest, verdict: 'proved', method: 'refined', certificate, counterexample: null, stats };
}

/** Cycles that are not repeated for ever. */
type Never = readonly NetCycle[];
/** Of the n-th split above: the cycles of which one repeats; NOTHING in the other branch. */
type Required = readonly (readonly NetCycle[])[];

const NOTHING: readonly NetCycle[] = [];

async function prove(
  refinement: Refinement,
  never: Never,
  required: Required,
  depth: number,
): Promise<LivelockProof | Stuck> {
  const finding = await refinement.run([...never, ...required.flat()], (system) =>
    ask(refinement, system, never, required),
  );
  if (finding.kind === 'answer') return finding.value;
  if (finding.kind === 'stuck') return { kind: 'stuck', limit: finding.limit, ray: new Map() };
  const { cycles, ray } = finding.suspicion;
  return (await split(refinement, cycles, never, required, depth)) ?? { kind: 'stuck', limit: null, ray };
}

/** Is one of the goals out of reach of every ray? That proves the case; else the ray with the most steps is the suspicion. */
function ask(
  refinement: Refinement,
  system: RefinedSystem,
  never: Never,
  required: Required,
): Finding<LivelockProof> {
  const { index, solver, budget } = refinement.refiner;
  const excluded = new Set(never.map((cycle) => system.columnOf.get(cycleKey(cycle.transitions))!));
  let suspicion: Finding<LivelockProof> = { kind: 'stuck', limit: 'solver' };
  for (const goal of ['steps' as const, ...required.keys()]) {
    const columns = goalColumns(refinement, goal, required, system.columnOf);
    if (columns === null) continue;
    const outcome = solveFor(solver, index, system, columns, excluded, budget);
    if (outcome.kind !== 'optimal') {
      const isTime = outcome.kind === 'unknown' && outcome.reason === 'time';
      return { kind: 'stuck', limit: isTime ? 'time' : 'solver' };
    }
    if (outcome.objective.num === 0n) {
      const proof = refinedPotential(index, system, outcome.dual, new Map());
      return { kind: 'answer', value: { kind: 'leaf', proof, goal } };
    }
    if (goal === 'steps')
      suspicion = { kind: 'suspicion', suspicion: refinement.suspicionAt(system, outcome.primal) };
  }
  return suspicion;
}

/** Columns whose sum must be positive; null for a branch that requires nothing. */
function goalColumns(
  { refiner }: Refinement,
  goal: 'steps' | number,
  required: Required,
  columnOf: ReadonlyMap<string, number>,
): number[] | null {
  if (goal === 'steps')
    return refiner.index.net.transitions.flatMap(({ progress }, number) => (progress ? [] : [number]));
  // In the branch where the cycle is never repeated nothing is required; where S is empty the branch is impossible.
  const cycles = required[goal]!;
  return cycles === NOTHING ? null : cycles.map((cycle) => columnOf.get(cycleKey(cycle.transitions))!);
}

/** Two cases: a cycle of the counterexample is not repeated for ever; or it is, and one of those it depends on is. Null: no cycle to split on. */
async function split(
  refinement: Refinement,
  cycles: readonly NetCycle[],
  never: Never,
  required: Required,
  depth: number,
): Promise<LivelockProof | Stuck | null> {
  const { refiner, limits } = refinement;
  if (depth >= limits.maxSplits) return null;
  const present = new Set(cycles.map((cycle) => cycleKey(cycle.transitions)));
  for (const termination of refiner.unnumbered(cycles)) {
    const others = supplementaryCycles(refiner.facts, termination);
    // A dependency that the counterexample respects does not rule it out.
    if (others === null || others.some((other) => present.has(cycleKey(other.transitions)))) continue;
    const without = await prove(refinement, [...never, termination.cycle], [...required, NOTHING], depth + 1);
    if (without.kind === 'stuck') return without;
    const both = await prove(refinement, never, [...required, others], depth + 1);
    if (both.kind === 'stuck') return both;
    return { kind: 'split', on: { claim: termination.claim }, never: without, both };
  }
  return null;
}
