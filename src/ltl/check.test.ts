import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { LtlResult } from './check.ts';
import { checkCore, checkFormula } from './check.ts';
import { FormulaFactory } from './formula.ts';
import { parseText } from './parser.ts';
import { recipes } from './random.fuzz.ts';
import type { EventStructure } from './structure.ts';
import type { Vocabulary } from './syntax.ts';
import { satisfies, wordOf } from './words.ts';

type Edges = readonly (readonly (readonly [event: number, target: number])[])[];

function structure(edges: Edges, labels: readonly (readonly number[])[]): EventStructure {
  return {
    initialStates: () => [0],
    eachSuccessor: (state, visit) => {
      for (const [event, target] of edges[state]!) visit(event, target);
    },
    holds: (state, proposition) => labels[state]!.includes(proposition),
  };
}

describe('the two-state structure of [MAGIC] section 4', () => {
  const propositions = ['p', 'q', 'r'];
  const events = ['a', 'b', 'c', 'd'];
  const vocabulary: Vocabulary = {
    find: (kind, name) => {
      const index = (kind === 'event' ? events : propositions).indexOf(name);
      return index < 0 ? null : index;
    },
    names: () => [...propositions, ...events],
  };
  const system = structure(
    [
      [
        [0, 0],
        [1, 0],
        [2, 1],
      ],
      [[3, 0]],
    ],
    [
      [0, 1],
      [1, 2],
    ],
  );
  const check = (text: string): LtlResult => {
    const { formula, diagnostics } = parseText(text, vocabulary);
    expect(diagnostics).toEqual([]);
    return checkFormula(system, formula!, UNLIMITED, SILENT);
  };

  test.each([
    ['G(c -> F r)', 'holds'],
    ['G(b -> F r)', 'violated'],
    ['G(d -> F r)', 'holds'],
    ['G(d -> X F r)', 'violated'],
    ['G q', 'holds'],
    ['(a || b) W c', 'holds'],
    ['(a || b) U c', 'violated'],
    ['G !(a && b)', 'holds'],
    ['G(c -> X d)', 'holds'],
  ])('%s: %s', (text, expected) => {
    expect(check(text).kind).toBe(expected);
  });

  test('the counterexample stays in the first state with b', () => {
    const result = check('G(b -> F r)');
    if (result.kind !== 'violated') throw new Error('it is violated');
    expect(result.lasso.steps[0]).toEqual({ state: 0, event: 1 });
    expect(result.lasso.steps.every((step) => step.state === 0 && step.event < 2)).toBe(true);
  });

  test('a structure without infinite paths satisfies everything', () => {
    const { formula } = parseText('false', vocabulary);
    const dead = structure([[[0, 1]], []], [[], []]);
    expect(checkFormula(dead, formula!, UNLIMITED, SILENT).kind).toBe('holds');
  });

  test('limits end the search with a value', () => {
    const { formula } = parseText('G F r', vocabulary);
    const endless: EventStructure = {
      initialStates: () => [0],
      eachSuccessor: (state, visit) => visit(0, state + 1),
      holds: () => false,
    };
    const states = checkFormula(endless, formula!, { ...UNLIMITED, maxStates: 1000 }, SILENT);
    expect(states).toMatchObject({ kind: 'limit', limit: 'state-limit' });
    const time = checkFormula(endless, formula!, { ...UNLIMITED, timeLeft: () => false }, SILENT);
    expect(time).toMatchObject({ kind: 'limit', limit: 'time-limit' });
  });
});

test('on random structures a counterexample exists for the formula or for its negation, and each is right', () => {
  const systems = fc.integer({ min: 1, max: 5 }).chain((size) =>
    fc.record({
      edges: fc.array(fc.array(fc.tuple(fc.nat(2), fc.nat(size - 1)), { minLength: 1, maxLength: 3 }), {
        minLength: size,
        maxLength: size,
      }),
      labels: fc.array(fc.subarray([0, 1, 2]), { minLength: size, maxLength: size }),
    }),
  );
  fc.assert(
    fc.property(systems, recipes({ events: true, next: true, depth: 3 }), ({ edges, labels }, recipe) => {
      const factory = new FormulaFactory();
      const formula = recipe.build(factory);
      const system = structure(edges, labels);
      const results = [formula, factory.not(formula)].map((each) =>
        checkCore(system, factory, each, UNLIMITED, SILENT),
      );
      expect(results.some((result) => result.kind === 'violated')).toBe(true);
      for (const [index, result] of results.entries()) {
        if (result.kind !== 'violated') continue;
        const { steps, loopStart } = result.lasso;
        for (const [i, step] of steps.entries()) {
          const target = (steps[i + 1] ?? steps[loopStart]!).state;
          expect(edges[step.state]).toContainEqual([step.event, target]);
        }
        expect(steps[0]!.state).toBe(0);
        expect(satisfies(formula, wordOf(system, result.lasso, factory.atoms))).toBe(index === 1);
      }
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 150), seed: 3 },
  );
});

test('memory ends the search with a value', () => {
  const endless: EventStructure = {
    initialStates: () => [0],
    eachSuccessor: (state, visit) => visit(0, state + 1),
    holds: () => false,
  };
  const factory = new FormulaFactory();
  const formula = factory.always(factory.eventually(factory.atom({ kind: 'proposition', id: 0, name: 'p' })));
  const budget = { ...UNLIMITED, maxMemory: 1_000_000 };
  expect(checkCore(endless, factory, formula, budget, SILENT)).toMatchObject({ limit: 'memory-limit' });
});
