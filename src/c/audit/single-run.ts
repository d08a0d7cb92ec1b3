// The second look at the only run of a program: where nothing from outside decides how it goes on, there is one, and going through it is the proof. Either it
// ends, or it comes back to where it was with the same memory, and repeats itself from there on. Up to the order of evaluation that C leaves open, which
// the graph fixes for every analysis.

import { type Budget, watchOf } from '../../base/budget.ts';
import { BROKEN_SEAL, isIntact } from '../../base/digest.ts';
import type { Edge, Program } from '../program/program.ts';
import { Recurrence } from '../program/recurrence.ts';
import type { AuditResult, AuditStats } from './audit.ts';
import { Machine, Stuck } from './machine.ts';
import { isIndex } from './proof.ts';

export const RUN_KIND = 'c-run';

/** What is written: after how many steps it is over, or has been where it was before. */
export interface RunProof {
  readonly steps: number;
  readonly repeats: boolean;
}

/** More is not gone through. */
const MOST_STEPS = 1e9;

/** `ends`: it is to be shown that the run ends, too. */
export function lookAtRun(
  program: Program,
  isError: (location: number) => boolean,
  document: unknown,
  budget: Budget,
  stats: AuditStats,
  ends = false,
): AuditResult {
  const { steps, repeats } = document as Record<string, unknown>;
  const wrong = !isIntact(document as object)
    ? BROKEN_SEAL
    : !isIndex(steps, MOST_STEPS) || typeof repeats !== 'boolean'
      ? 'it is a certificate of something else'
      : program.threads !== undefined
        ? 'a program with threads has many runs'
        : repeats && ends
          ? 'the run does not end'
          : troubleWith(program, isError, document as RunProof, budget, stats);
  return wrong === null ? { kind: 'accepted', stats } : { kind: 'rejected', reason: wrong, stats };
}

function troubleWith(
  program: Program,
  isError: (location: number) => boolean,
  { steps, repeats }: RunProof,
  budget: Budget,
  stats: AuditStats,
): string | null {
  try {
    const end = goThrough(program, isError, repeats, steps, watchOf(budget));
    stats.obligations = end.steps;
    if (end.how === 'error') return `the run reaches an error (location ${end.at})`;
    if (end.how === 'cut') return 'the run leaves what is modelled';
    if (end.how === 'goes on') return repeats ? 'the run does not repeat itself' : 'the run does not end';
    return end.steps === steps || repeats ? null : 'the run ends earlier';
  } catch (error) {
    if (!(error instanceof Stuck)) throw error;
    return `the run cannot be followed: ${error.message}`;
  }
}

interface End {
  readonly how: 'over' | 'repeats' | 'error' | 'cut' | 'goes on';
  readonly steps: number;
  readonly at: number;
}

function goThrough(
  program: Program,
  isError: (location: number) => boolean,
  repeats: boolean,
  steps: number,
  watch: () => void,
): End {
  const ways: Edge[][] = program.locations.map(() => []);
  for (const edge of program.edges) ways[edge.from]!.push(edge);
  const machine = new Machine(program, watch);
  const recurrence = repeats ? new Recurrence(() => machine.contents()) : null;
  // What is open can hide for a while that the run repeats itself.
  const most = repeats ? 4 * steps + 4 : steps;
  let at = program.entry;
  for (let taken = 0; ; taken++) {
    watch();
    if (isError(at)) return { how: 'error', steps: taken, at };
    const { kind } = program.locations[at]!;
    if (kind === 'cut') return { how: 'cut', steps: taken, at };
    const way = kind === 'end' ? null : wayOn(machine, ways[at]!);
    if (way === null || !machine.take(way.operation)) return { how: 'over', steps: taken, at };
    if (taken === most) return { how: 'goes on', steps: taken, at };
    at = way.to;
    if (recurrence?.isBackAt(at)) return { how: 'repeats', steps: taken + 1, at };
  }
}

/** The only edge that can be taken; null when there is none. */
function wayOn(machine: Machine, ways: readonly Edge[]): Edge | null {
  if (ways.length <= 1) return ways[0] ?? null;
  let found: Edge | null = null;
  for (const way of ways) {
    if (way.operation.kind !== 'assume') throw new Stuck('there are several ways on');
    if (!machine.holds(way.operation.test)) continue;
    if (found !== null) throw new Stuck('there are several ways on');
    found = way;
  }
  return found;
}
