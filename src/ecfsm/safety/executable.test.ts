// (S3): "some parameter can be sent" as a formula over the registers, against trying every parameter. [QLive] Lemmas 4 and 5.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { choicesOf } from '../concrete/choices.ts';
import { explore } from '../concrete/explore.ts';
import { allows } from '../concrete/step.ts';
import type { Action } from '../model.ts';
import { modelOf } from '../testing/testing.ts';
import { executabilityOf } from './executable.ts';

const LIMIT = 30;

/** An action with these conditions and updates over registers x, y and the parameter n. */
function actionOf(conditions: readonly string[], update: string): Action {
  const { protocol } = modelOf(`
    machine A { states s; registers x, y; init s; a: s send M(n) when ${conditions.join(', ')} do x := ${update}; }
    machine B { states t; init t; b: t receive M(n); }`);
  return protocol.machines[0]!.actions[0]!;
}

const sides = fc.constantFrom('n', 'x', 'y', '0', '2', 'x + 1', 'y + 2', 'n + 1', 'n + 3');
const unit = fc
  .tuple(sides, fc.constantFrom('<=', '<', '=', '>=', '>'), sides)
  .filter(([a, , b]) => a !== b)
  .map((parts) => parts.join(' '));
const general = fc
  .tuple(
    fc.integer({ min: -3, max: 3 }),
    fc.constantFrom('<=', '='),
    fc.integer({ min: -3, max: 3 }),
    fc.integer({ min: -4, max: 4 }),
  )
  .map(([a, relation, b, c]) => `${a} * n ${relation} ${b} * x + ${c}`);
const updates = fc.constantFrom('x', 'n + 1', 'n - 1', 'x - 1', 'y - n');

function formula(action: Action, registers: readonly number[]): boolean {
  return executabilityOf(action).every(
    ({ terms, constant }) =>
      terms.reduce((sum, [index, factor]) => sum + factor * registers[index]!, constant) <= 0,
  );
}

function* points(): Generator<number[]> {
  for (let x = 0; x < 6; x++) for (let y = 0; y < 6; y++) yield [x, y];
}

const possible = (action: Action, registers: readonly number[]): boolean =>
  Array.from({ length: LIMIT }, (_, n) => n).some((n) => allows(action, registers, [n]));

describe('executability', () => {
  test('is exact where the parameter has factor one', () => {
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 4 }), updates, (conditions, update) => {
        const action = actionOf(conditions, update);
        for (const registers of points())
          expect(formula(action, registers)).toBe(possible(action, registers));
      }),
      { seed: 1, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });

  test('never claims too much otherwise', () => {
    fc.assert(
      fc.property(fc.array(general, { minLength: 1, maxLength: 3 }), updates, (conditions, update) => {
        const action = actionOf(conditions, update);
        for (const registers of points())
          if (formula(action, registers)) {
            const [least] = choicesOf(action, registers, 1).found;
            expect(allows(action, registers, least!)).toBe(true);
          }
      }),
      { seed: 2, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });

  test('the interval of parameters is exact', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(unit, general), { minLength: 1, maxLength: 3 }),
        updates,
        (conditions, update) => {
          const action = actionOf(conditions, update);
          for (const registers of points()) {
            const { found } = choicesOf(action, registers, LIMIT);
            const chosen = new Set(found.map(([n]) => n));
            const wrong = Array.from({ length: LIMIT }, (_, n) => n).filter(
              (n) => allows(action, registers, [n]) !== chosen.has(n),
            );
            expect(wrong).toEqual([]);
          }
        },
      ),
      { seed: 3, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 40) },
    );
  });
});

describe('two fields', () => {
  const both = fc.constantFrom(
    'n',
    'm',
    'x',
    'y',
    '0',
    '1',
    'x + 1',
    'n + m',
    'm + 2',
    'y + n',
    '2 * m',
    '3',
  );
  const condition = fc
    .tuple(both, fc.constantFrom('<=', '<', '=', '>='), both)
    .filter(([a, , b]) => a !== b)
    .map((parts) => parts.join(' '));
  const updated = fc.constantFrom('x', 'n + 1', 'm - 1', 'n - m', 'y - n');
  const MOST = 14;

  test('the choices are those that a search finds; the formula never claims too much', () => {
    let finite = 0;
    let claimed = 0;
    fc.assert(
      fc.property(fc.array(condition, { minLength: 1, maxLength: 4 }), updated, (conditions, update) => {
        const { protocol } = modelOf(`
          machine A { states s; registers x, y; init s; a: s send M(n, m) when ${conditions.join(', ')} do x := ${update}; }
          machine B { states t; init t; b: t receive M(n, m); }`);
        const action = protocol.machines[0]!.actions[0]!;
        for (const registers of points()) {
          const { found, complete } = choicesOf(action, registers, MOST);
          expect(found.every((one) => allows(action, registers, one))).toBe(true);
          const known = new Set(found.map((one) => one.join()));
          expect(known.size).toBe(found.length);
          if (complete) finite++;
          for (let n = 0; complete && n < MOST; n++)
            for (let m = 0; m < MOST; m++)
              if (allows(action, registers, [n, m]) && !known.has([n, m].join()))
                expect.fail(`${conditions.join(', ')} allow (${n}, ${m})`);
          if (!formula(action, registers)) continue;
          claimed++;
          expect(found.length, conditions.join(', ')).toBeGreaterThan(0);
        }
      }),
      { seed: 5, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
    expect(finite).toBeGreaterThan(500);
    expect(claimed).toBeGreaterThan(500);
  });
});

describe('large numbers', () => {
  test('runs stop before they lose precision', () => {
    const { protocol } = modelOf(`
      machine A { states s; registers x; init s where x = 1; a: s send M(n) when n = x do x := 1000000 * x; }
      machine B { states t; init t; b: t receive M(n); }`);
    const { states, complete } = explore(protocol, 500, () => null);
    expect(complete).toBe(false);
    for (const { registers } of states) expect(registers[0]![0]!).toBeLessThanOrEqual(2 ** 47 / 1000000);
  });
});
