// One structure by itself gives the same answers as the same structure beside a component that never does anything, which goes the way of all compositions.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { searchDeadlock } from '../../deadlock/explicit.ts';
import { parseText } from '../../ltl/parser.ts';
import { auditNoDeadlock } from '../audit/deadlock.ts';
import { auditFormula } from '../audit/formula.ts';
import { modelCheck } from '../model-check.ts';
import { build, formulaTexts, recipes } from '../random.fuzz.ts';
import { KripkeBuilder } from '../structure.ts';
import { compose } from '../system.ts';
import { vocabularyOf } from '../vocabulary.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 60);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20771);
const always = (): boolean => true;

function idle() {
  const builder = new KripkeBuilder('Idle');
  builder.initial(builder.state('here'));
  return builder.build()!;
}

test('formulas', () => {
  const counts = { holds: 0, violated: 0 };
  const formula = formulaTexts('p0_0', 'p0_1', 'a', 'b', 'c', 'true');
  fc.assert(
    fc.property(recipes(1, 9, 4), formula, (all, text) => {
      const alone = compose(build(all));
      const beside = compose([...alone.components, idle()]);
      const syntax = parseText(text, vocabularyOf(alone)).formula;
      fc.pre(syntax !== null);
      const [a, b] = [alone, beside].map((system) =>
        modelCheck(system, syntax!, { monolithic: true }, UNLIMITED, SILENT),
      );
      expect(a!.kind).toBe(b!.kind);
      if (a!.kind === 'limit') return;
      counts[a!.kind]++;
      for (const { components } of [alone, beside])
        expect(auditFormula(components, syntax!, null, always).result).toBe(a!.kind);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(counts.holds, counts.violated)).toBeGreaterThan(RUNS / 10);
});

test('deadlocks, with runs of the same length', () => {
  fc.assert(
    fc.property(recipes(1, 9, 4), (all) => {
      const alone = compose(build(all));
      const beside = compose([...alone.components, idle()]);
      const a = searchDeadlock(alone, UNLIMITED);
      const b = searchDeadlock(beside, UNLIMITED);
      expect(a.kind).toBe(b.kind);
      if (a.kind === 'found' && b.kind === 'found') expect(a.path.events.length).toBe(b.path.events.length);
      for (const { components } of [alone, beside])
        expect(auditNoDeadlock(components, null, always).result).toBe(
          a.kind === 'none' ? 'free' : 'deadlock',
        );
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
