// What the report says about a proof is true of concrete states: an action leads where the explanation says, and nowhere else.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { explore } from '../concrete/explore.ts';
import { Judge } from '../concrete/state.ts';
import { enabledSteps } from '../concrete/step.ts';
import { Decider } from '../solver/decider.ts';
import { splitModel } from '../split/split.ts';
import { modelOf } from '../testing/testing.ts';
import { explainFormula } from './explain.ts';

const read = (name: string) =>
  modelOf(readFileSync(new URL(`../../../corpus/ecfsm/${name}.ecfsm`, import.meta.url), 'utf8'));

describe('the explanation of a formula', () => {
  test.each(['minor-sync', 'credit', 'session'])('%s: every step of a search is in it', async (name) => {
    const model = read(name);
    const { protocol, invariant } = model;
    const decider = new Decider();
    const told = (await explainFormula(model, invariant, decider))!;
    decider.dispose();
    expect(told.disjuncts.map((disjunct) => disjunct.name)).toEqual(
      invariant.map((disjunct) => disjunct.name),
    );
    expect(told.initial.length).toBeGreaterThan(0);
    for (const { disjuncts } of told.initial) expect(disjuncts).not.toEqual([]);
    const byName = new Map(invariant.map((disjunct) => [disjunct.name, disjunct]));
    let steps = 0;
    for (const state of explore(protocol, 400, () => null).states) {
      const before = new Judge(protocol.definitions, state);
      const enabled = enabledSteps(protocol, state).steps;
      for (const [index, disjunct] of invariant.entries()) {
        if (!before.satisfies(disjunct)) continue;
        for (const { action, next } of enabled) {
          const actionName = `${protocol.machines[action.side]!.name}.${action.name}`;
          const about = told.disjuncts[index]!.actions.find((one) => one.name === actionName);
          expect(about, `${disjunct.name} ${actionName}`).toBeDefined();
          const after = new Judge(protocol.definitions, next);
          const targets = about!.cases.flatMap(({ to }) => to);
          expect(
            targets.some((target) => after.satisfies(byName.get(target)!)),
            `${disjunct.name} ${actionName} ${targets.join()}`,
          ).toBe(true);
          steps++;
        }
      }
    }
    expect(steps).toBeGreaterThan(100);
  });

  test('names the case, the decision and the reason for safety', async () => {
    const model = read('minor-sync');
    const told = (await explainFormula(model, model.invariant, new Decider()))!;
    const p4 = told.disjuncts.find(({ name }) => name === 'P4')!;
    expect(p4.atoms).toContain('A->B: MIP+');
    expect(p4.safe).toEqual([
      'No deadlock: a message is always under way.',
      'Whatever is at the head of A->B, B receives it: MIP by tb2.',
    ]);
    expect(p4.actions.find(({ name }) => name === 'B.tb2')!.cases).toEqual([
      { when: 'A->B then empty', to: ['P2'], decided: 'by differences' },
      { when: 'A->B then like MIP', to: ['P4'], decided: 'by differences' },
    ]);
    const p1 = told.disjuncts.find(({ name }) => name === 'P1')!;
    expect(p1.safe[0]).toBe('No deadlock: A.ta1 can always be sent.');
    expect(p1.actions.find(({ name }) => name === 'B.tb1')!.cases).toMatchObject([{ when: '', to: [] }]);
  });

  test('says what the parts of a divided formula add, and where sums were needed', async () => {
    const session = read('session');
    const divided = await splitModel(session, new Decider(), 'everything');
    const told = (await explainFormula(session, divided.invariant, new Decider()))!;
    expect(told.parts).toHaveLength(287);
    expect(told.parts!.find(({ name }) => name === 'data.none.none.1')!.atoms.length).toBeGreaterThan(0);
    const credit = read('credit');
    const decider = new Decider();
    const other = (await explainFormula(credit, credit.invariant, decider))!;
    decider.dispose();
    const decided = other.disjuncts.flatMap(({ actions }) =>
      actions.flatMap(({ cases }) => cases.map((one) => one.decided)),
    );
    expect(decided).toContain('by sums');
  });
});
