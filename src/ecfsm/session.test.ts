// The session protocol in the manner of [QLive] section 5.2: of its size, with a formula of more than a hundred disjuncts for safety,
// written by hand with macros, and of several hundred after `split` for liveness.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { explore, objection, walk } from './concrete/explore.ts';
import type { GlobalState } from './concrete/state.ts';
import { satisfying } from './concrete/state.ts';
import { enabledSteps } from './concrete/step.ts';
import { buildGraph } from './liveness/graph.ts';
import { findWays } from './liveness/live.ts';
import type { Model } from './model.ts';
import { showModel } from './report/print.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import { splitModel } from './split/split.ts';
import { induct, modelOf } from './testing/testing.ts';

const text = readFileSync(new URL('../../corpus/ecfsm/session.ecfsm', import.meta.url), 'utf8');
const session = modelOf(text);

async function graphOf(model: Model) {
  const decider = new Decider();
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  const graph = (await buildGraph(induction, decider, UNLIMITED, () => {}))!;
  return { graph, counts: decider.counts };
}

/** Everything that a search through some thousand states and random walks meet. */
function visit(model: Model, look: (state: GlobalState) => void): void {
  const examine = (state: GlobalState): null => {
    look(state);
    return null;
  };
  explore(model.protocol, 4000, examine);
  walk(model.protocol, { seed: 1, walks: 60, length: 120 }, examine);
}

describe('the session protocol', () => {
  test('has the size of the one in the paper', () => {
    const { machines, alphabets } = session.protocol;
    for (const { states, registers, actions } of machines)
      expect([states.length, registers.length, actions.length]).toEqual([10, 2, 22]);
    expect(alphabets[0]!.length + alphabets[1]!.length).toBe(12);
    expect(session.invariant).toHaveLength(124);
  });

  test('executes each of its actions, in each of its control states, and in almost every disjunct', () => {
    const executed = new Set<string>();
    const control = new Set<string>();
    const disjuncts = new Set<number>();
    const formula = prepare(session.protocol, session.invariant);
    let longest = 0;
    visit(session, (state) => {
      for (const [side, where] of state.control.entries()) control.add(`${side} ${where}`);
      for (const { action } of enabledSteps(session.protocol, state).steps)
        executed.add(`${action.side} ${action.name}`);
      for (const index of satisfying(formula.definitions, session.invariant, state)) disjuncts.add(index);
      longest = Math.max(longest, ...state.channels.map((messages) => messages.length));
    });
    expect(executed.size).toBe(44);
    expect(control.size).toBe(20);
    expect(disjuncts.size).toBeGreaterThan(110);
    expect(longest).toBeGreaterThan(8);
  });

  test('its formula is an invariant without unsafe states, by difference constraints alone', async () => {
    const decider = new Decider();
    const formula = prepare(session.protocol, session.invariant);
    const { failures } = await new Induction(formula, decider).run(UNLIMITED, 100, () => {});
    expect(failures).toEqual([]);
    expect(decider.counts.smt).toBe(0);
    expect(
      explore(session.protocol, 1000, (state) => objection(session.protocol, formula, state)).found,
    ).toBeNull();
  });

  test('some goals need the division: not live before, live after', async () => {
    const before = await graphOf(session);
    const open = session.goals.filter(({ disjuncts }) =>
      findWays(before.graph, disjuncts).moves.includes(null),
    );
    expect(open.map(({ name }) => name)).toEqual(['resyncA', 'resyncB', 'cutA', 'cutB', 'meeting']);

    const divided = await splitModel(session, new Decider(), 'everything');
    expect(divided.invariant).toHaveLength(287);
    expect((await induct(divided)).failures).toEqual([]);
    const { graph, counts } = await graphOf(divided);
    for (const goal of divided.goals) expect(findWays(graph, goal.disjuncts).moves).not.toContain(null);
    expect(counts.smt).toBe(0);
    expect([graph.sends.length, graph.receives.length].every((count) => count > 300)).toBe(true);
  });

  test('further division is proved again, and reads as it was printed', async () => {
    const divided = await splitModel(session, new Decider(), 'counts');
    expect(divided.invariant).toHaveLength(333);
    expect((await induct(divided)).failures).toEqual([]);
    expect(modelOf(showModel(divided, 'by disjuncts')).invariant).toHaveLength(333);
    const { definitions } = session.protocol;
    const { states } = explore(session.protocol, 400, () => null);
    for (const state of states) expect(satisfying(definitions, divided.invariant, state)).not.toEqual([]);
  });
});

describe('a wrong formula is refused with an example', () => {
  const change = (from: string, to: string): Model => {
    expect(text).toContain(from);
    return modelOf(text.replace(from, to));
  };

  test.each([
    ['data in any order', 'X->Y: busy, step1(X->Y, DT),', 'X->Y: busy,', 'step'],
    ['a number skipped', 'X.VS = lastp(X->Y, DT) + 1\n}', 'X.VS > lastp(X->Y, DT)\n}', 'step'],
    ['a case forgotten', ' or [withdrawn] aroundRS(Y, X, MAP RA)', '', 'step'],
    ['no data behind the confirmation', 'DT+ M DT* | M DT+) }', 'DT+ M) }', 'step'],
    ['a point without number', 'silent(X, Y), Y.VR > 0', 'silent(X, Y)', 'deadlock'],
    ['a request for more than was sent', '{RS, RA}) <= Y.VS', '{RS, RA}) <= Y.VS + 1', 'reception'],
    ['the old count after a confirmation', '{ Y.VR = 0, X.VS =', '{ X.VS =', 'step'],
    ['a pair of states forgotten', 'Y@{majR, majA}', 'Y@majR', 'step'],
  ])('%s', async (_, from, to, kind) => {
    const { failures } = await induct(change(from, to), 12);
    const found = failures.filter((failure) => failure.kind === kind);
    expect(found.length).toBeGreaterThan(0);
    expect(found.some((failure) => failure.kind !== 'initial' && failure.example !== null)).toBe(true);
  });

  test.each([
    ['the withdrawn point keeps its number', 'do VS := VS - 1', 'do VS := VS'],
    [
      'points that cross are confirmed like others',
      'crossed: majX -> majY send    MAX',
      'crossed: majX -> majY send    MAA',
    ],
    [
      'data are not thrown away',
      'dropDT:  rsW          receive DT(n)  when n = VR          do VR := VR + 1;',
      '',
    ],
  ])('and a wrong protocol is refuted: %s', (_, from, to) => {
    const { protocol } = change(from, to);
    const examine = (state: GlobalState) => objection(protocol, null, state);
    const found = explore(protocol, 5000, examine).found;
    expect(found?.what.kind).toBe('unsafe');
  });
});
