// The session protocol in the manner of [QLive] section 5.2: of its size, with formulas of more than a hundred disjuncts for safety and
// more than two hundred for liveness; P_i-live for every disjunct, as section 5.3 reports of its own.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { explore, objection } from './concrete/explore.ts';
import { inferInvariant } from './infer/infer.ts';
import { buildGraph } from './liveness/graph.ts';
import { findWays, stronglyConnected } from './liveness/live.ts';
import type { Model } from './model.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import { splitModel } from './split.ts';
import { induct, modelOf } from './testing.ts';

const session = modelOf(readFileSync(new URL('../../corpus/ecfsm/session.ecfsm', import.meta.url), 'utf8'));

async function liveness(model: Model) {
  const decider = new Decider();
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  const graph = (await buildGraph(induction, decider, UNLIMITED, () => {}))!;
  const dead = model.invariant.filter((_, i) => findWays(graph, [i]).moves.includes(null));
  return { graph, dead: dead.map(({ name }) => name), counts: decider.counts };
}

describe('the session protocol', () => {
  test('has the size of the one in the paper', () => {
    const { machines, alphabets } = session.protocol;
    for (const { states, registers, actions } of machines)
      expect([states.length, registers.length, actions.length]).toEqual([10, 2, 22]);
    expect(alphabets[0].length + alphabets[1].length).toBe(12);
    expect(session.invariant).toHaveLength(234);
  });

  test('its formula is an invariant without unsafe states, and describes what runs reach', async () => {
    expect((await induct(session)).failures).toEqual([]);
    const formula = prepare(session.protocol, session.invariant);
    expect(
      explore(session.protocol, 500, (state) => objection(session.protocol, formula, state)).found,
    ).toBeNull();
  });

  test('is P_i-live for each of the 234 disjuncts, and nothing is left to split', async () => {
    const divided = await splitModel(session, new Decider(), 'everything');
    expect(divided.invariant).toHaveLength(234);
    const { graph, dead, counts } = await liveness(divided);
    expect(dead).toEqual([]);
    expect(graph.sends.length).toBeGreaterThan(200);
    expect(graph.receives.length).toBeGreaterThan(600);
    expect(counts.smt).toBe(0);
    for (const goal of divided.goals) expect(findWays(graph, goal.disjuncts).moves).not.toContain(null);
  });

  test('a coarser formula is proved too, and becomes live everywhere when it is split', async () => {
    const coarse = { ...session, goals: [], invariant: inferInvariant(session.protocol, UNLIMITED) };
    expect(coarse.invariant).toHaveLength(90);
    const divided = await splitModel(coarse, new Decider(), 'everything');
    expect(divided.invariant).toHaveLength(116);
    expect((await induct(divided)).failures).toEqual([]);
    const { graph, dead } = await liveness(divided);
    expect(dead).toEqual([]);
    expect(stronglyConnected(graph)).toBe(true);
    const counted = await splitModel(coarse, new Decider(), 'counts');
    expect(counted.invariant).toHaveLength(146);
    expect((await induct(counted)).failures).toEqual([]);
  });

  test('one disjunct less is refused', async () => {
    const invariant = session.invariant.filter(({ name }) => name !== 'ownS_notS_5');
    const { failures } = await induct({ ...session, invariant });
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure.kind === 'step' && failure.example !== null).toBe(true);
  });
});
