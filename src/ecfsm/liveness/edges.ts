// What each action can do from each disjunct: where it may lead, where it must lead, and whether it can always be sent.
//
// [QLive] 4.3.1: a sending action gives an edge of E_S from P_i to P_j when it is executable in every state of P_i (ES1-ES3) and every
// result is in P_j (*5). 4.3.2: a receiving action gives a possible edge when some state of P_i may be led into P_j (ER1-ER3, *6').
// "Must" is claimed only when proved; "may" is denied only when refuted. That is the direction each of them needs.

import type { Action } from '../model.ts';
import { controlAfter, eventOf, lookUp } from '../model.ts';
import { executable } from '../safety/executable.ts';
import type { Induction } from '../safety/induction.ts';
import { takes } from '../safety/induction.ts';
import { atomsOf, enabledOf } from '../safety/reading.ts';
import type { Decider } from '../solver/decider.ts';
import { and, not, TRUE } from '../solver/linear.ts';
import { cannotGoOn } from './finite.ts';

export interface ActionEffect {
  readonly action: Action;
  /** Sending only: executable, with some parameter, in every state of the disjunct. */
  readonly always: boolean;
  /** Sending only: the states of the disjunct occur only finitely often when it is executed again and again. */
  readonly finite: boolean;
  /** Disjuncts that contain every result. */
  readonly must: readonly number[];
  /** Disjuncts that may contain a result; every result is in one of them, if the formula is an invariant. */
  readonly may: readonly number[];
}

/**
 * The ways to receive a message of one type: for each action, what can happen when it is taken wherever it is executable. A machine may choose between
 * actions that are executable at once, and Q-liveness asks only that it can; so one good way is enough.
 */
export async function receptionsOf(
  induction: Induction,
  decider: Decider,
  index: number,
  actions: readonly Action[],
  effects: readonly ActionEffect[],
): Promise<readonly (readonly number[])[]> {
  if (actions.length < 2) return effects.map(({ may }) => may);
  const ways: number[][] = [];
  for (const [i, preferred] of actions.entries()) {
    const targets = new Set(effects[i]!.may);
    for (const other of actions) {
      if (other === preferred) continue;
      const { may } = await effectOf(induction, decider, index, other, preferred);
      for (const target of may) targets.add(target);
    }
    ways.push([...targets]);
  }
  return ways;
}

export async function effectOf(
  induction: Induction,
  decider: Decider,
  index: number,
  action: Action,
  /** Of receiving: only where this other action is not executable. */
  unless: Action | null = null,
): Promise<ActionEffect> {
  const { protocol, disjuncts, at } = induction.formula;
  const source = disjuncts[index]!;
  const targets = at(controlAfter(source.control, action));
  const candidates = targets.map((j) => disjuncts[j]!);
  const registers = protocol.machines[action.side]!.registers.length;
  const event = eventOf(action);
  let always = action.kind === 'send';
  const must = targets.map(() => true);
  const may = targets.map(() => false);
  const situations = induction.situations(source, event, candidates, 1);
  const finite = action.kind === 'send' && cannotGoOn(action, source);
  if (situations === null) return { action, always: false, finite, must: [], may: targets };
  for (const { situation, members } of situations) {
    const { context, before } = situation;
    const own = Array.from({ length: registers }, (_, i) => before.register(action.side, i));
    const holds = atomsOf(source, before);
    const preferred = unless === null ? TRUE : not(enabledOf(unless, lookUp(own, situation.parameters)));
    const taken = and([takes(source, action, situation, registers), preferred]);
    const after = situation.after(action);
    const claims = candidates.map((target, j) => (members[j] ? atomsOf(target, after) : null));
    if (always) {
      const stuck = and([holds, not(executable(action, own))]);
      const decision = await decider.problem(context.facts, context.variables).solve(stuck);
      always = decision.kind === 'unsatisfiable';
    }
    const problem = decider.problem([...context.facts, taken], context.variables);
    if ((await problem.solve(and([]))).kind === 'unsatisfiable') continue;
    for (const [j, claim] of claims.entries()) {
      if (claim === null) must[j] = false;
      else {
        if (!may[j]) may[j] = (await problem.solve(claim)).kind !== 'unsatisfiable';
        if (must[j]) must[j] = (await problem.solve(not(claim))).kind === 'unsatisfiable';
      }
    }
  }
  return {
    action,
    always,
    finite,
    must: targets.filter((_, j) => must[j]),
    may: targets.filter((_, j) => may[j]),
  };
}
