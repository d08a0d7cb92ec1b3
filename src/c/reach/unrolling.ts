// Programs whose loops end after a few turns whatever the inputs are: all their runs at once, in large blocks. From a head of a loop everything that has arrived there
// goes on together, the values chosen between by the conditions of the ways; inner loops come first, then what lies behind, so that counters mostly stay
// constants. When nothing waits any more and no target can be reached, that is a proof (audit/unrolling.ts goes through it again).

import type { Budget } from '../../base/budget.ts';
import type { UnrollingProof } from '../audit/unrolling.ts';
import type { Expr } from '../program/expr.ts';
import type { Program } from '../program/program.ts';
import type { Oracle } from './oracle.ts';
import { type Passage, type Regions, walkerOf } from './regions.ts';

interface Waiting {
  readonly when: Expr;
  readonly env: Map<number, Expr>;
}

/** Null when it does not end in time, or a target may be reached. `mostTurns`: so many turns in all. */
export async function proofByUnrolling(
  regions: Regions,
  isTarget: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
  mostTurns: number,
): Promise<UnrollingProof | null> {
  const { program } = regions;
  const { pool } = program;
  const goOn = walkerOf(program, isTarget, budget);
  const inOrder = turnOrder(regions);
  const waiting = new Map<number, Waiting>();
  const turns: [number, 0 | 1][] = [];
  const errors = new Map<number, Expr>();
  const arrive = (passages: readonly Passage[], before: Expr): void => {
    for (const { to, guard, env } of passages) {
      const when = pool.and(before, guard);
      if (when === pool.false) continue;
      if (isTarget(to)) errors.set(to, pool.or(errors.get(to) ?? pool.false, when));
      else waiting.set(to, joined(program, waiting.get(to), { when, env: new Map(env) }));
    }
  };
  const initial = { when: pool.true, env: new Map(program.initial) };
  if (regions.heads.includes(program.entry)) waiting.set(program.entry, initial);
  else {
    const passages = isTarget(program.entry) ? null : goOn(program.entry, initial.env);
    if (passages === null) return null;
    arrive(passages, pool.true);
  }
  while (waiting.size > 0) {
    if (turns.length >= mostTurns || [...errors.values()].includes(pool.true)) return null;
    const head = inOrder.find((one) => waiting.has(one))!;
    const { when, env } = waiting.get(head)!;
    waiting.delete(head);
    if (!budget.timeLeft()) return null;
    const isPossible = when === pool.true || (await oracle.satisfiable([when])) !== 'unsat';
    turns.push([head, isPossible ? 0 : 1]);
    if (!isPossible) continue;
    const passages = goOn(head, env);
    if (passages === null) return null;
    arrive(passages, when);
  }
  for (const when of errors.values())
    if (!budget.timeLeft() || (await oracle.satisfiable([when])) !== 'unsat') return null;
  return { turns };
}

/** What is there already, and what comes. */
function joined({ pool, cells }: Program, there: Waiting | undefined, comes: Waiting): Waiting {
  if (there === undefined) return comes;
  const env = new Map<number, Expr>();
  for (const cell of new Set([...there.env.keys(), ...comes.env.keys()])) {
    const own = (one: Waiting) => one.env.get(cell) ?? pool.symbol(cell, cells[cell]!.width);
    const [a, b] = [own(comes), own(there)];
    env.set(cell, a === b ? a : pool.ite(comes.when, a, b));
  }
  return { when: pool.or(there.when, comes.when), env };
}

/** Heads, each loop behind everything inside of it; of loops beside each other the first one first. */
function turnOrder({ heads, passages }: Regions): number[] {
  const next = new Map(heads.map((head) => [head, new Set<number>()]));
  for (const { from, to } of passages) if (next.has(to)) next.get(from)?.add(to);
  const place = new Map(heads.map((head, i) => [head, i]));
  /** Heads that are reached from one, and lead back to it, without passing one that comes earlier. */
  const loopOf = (head: number): Set<number> => {
    const inside = (at: number) => place.get(at)! > place.get(head)!;
    const reached = closure([...next.get(head)!].filter(inside), (at) => [...next.get(at)!].filter(inside));
    return new Set(
      [...reached].filter((at) =>
        closure([at], (one) => [...next.get(one)!].filter((to) => inside(to) || to === head)).has(head),
      ),
    );
  };
  const ordered: number[] = [];
  const emit = (some: readonly number[]): void => {
    const left = new Set(some);
    for (const head of some) {
      if (!left.delete(head)) continue;
      const inside = [...loopOf(head)]
        .filter((one) => left.has(one))
        .sort((a, b) => place.get(a)! - place.get(b)!);
      for (const one of inside) left.delete(one);
      emit(inside);
      ordered.push(head);
    }
  };
  emit(heads);
  return ordered;
}

function closure(starts: readonly number[], next: (at: number) => readonly number[]): Set<number> {
  const found = new Set(starts);
  for (const at of found) for (const to of next(at)) found.add(to);
  return found;
}
