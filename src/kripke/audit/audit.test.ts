// The second look at temporal proofs against the engine, and against proofs that are none.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { sealed } from '../../base/digest.ts';
import { parseText } from '../../ltl/parser.ts';
import { modelCheck } from '../model-check.ts';
import { build, formulaTexts, recipes } from '../random.fuzz.ts';
import { compose } from '../system.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { auditLtl, toDocument } from './document.ts';
import { auditFormula } from './formula.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 50);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20271);

const formula = formulaTexts('p0_0', 'p0_1', 'p1_0', 'a', 'b', 'c', 'true', 'false');

const always = (): boolean => true;

test('the audit accepts every proof of the engine, and refutes what the engine refutes', {
  timeout: 0,
}, () => {
  const counts = { holds: 0, violated: 0, lumped: 0, worse: 0, refused: 0 };
  fc.assert(
    fc.property(recipes(3, 4, 4), formula, (all, text) => {
      const system = compose(build(all));
      const syntax = parseText(text, vocabularyOf(system)).formula;
      fc.pre(syntax !== null);
      const result = modelCheck(system, syntax!, {}, UNLIMITED, SILENT);
      const whole = auditFormula(system.components, syntax!, null, always);
      expect(whole.result).toBe(result.kind);
      if (result.kind !== 'holds') return void counts.violated++;
      counts.holds++;
      const document = JSON.parse(JSON.stringify(toDocument(system, 'ltl:f', result.classes)));
      const audit = auditLtl(system, syntax!, document, always);
      expect(typeof audit === 'string' ? audit : audit.result).toBe('holds');
      // Two classes made one: it may still be a proof, but never without a look at all paths.
      const classes = result.classes;
      const [first] = classes ?? [];
      if (classes === null || first === undefined || new Set(first).size < 2) return;
      counts.lumped++;
      const [one, other] = [...new Set(first)];
      const worse = classes.with(
        0,
        first.map((id) => (id === other ? one! : id)),
      );
      counts.worse++;
      if (auditFormula(system.components, syntax!, worse, always).result !== 'holds') counts.refused++;
    }),
    { numRuns: RUNS, seed: SEED },
  );
  console.log(`temporal proofs looked at twice: ${JSON.stringify(counts)}`);
  expect(Math.min(counts.holds, counts.violated)).toBeGreaterThan(RUNS / 10);
  if (RUNS >= 400) expect(counts.refused).toBeGreaterThan(0);
});

test('certificates of other models and nonsense are refused', () => {
  const one = compose(
    build([
      {
        alphabet: ['a'],
        states: 2,
        initial: [0],
        edges: [
          [0, 'a', 1],
          [1, 'a', 0],
        ],
        holds: [[0], []],
      },
    ]),
  );
  const syntax = parseText('G (p0_0 -> F !p0_0)', vocabularyOf(one)).formula!;
  const document = toDocument(one, 'ltl:f', [[0, 1]]);
  const outcome = (changes: object) => {
    const audit = auditLtl(one, syntax, sealed({ ...document, ...changes }), always);
    return typeof audit === 'string' ? 'refused' : audit.result;
  };
  expect(outcome({})).toBe('holds');
  expect(outcome({ classes: [[0, 0]] })).toBe('bad classes');
  expect(outcome({ classes: [[0]] })).toBe('bad classes');
  expect(outcome({ classes: [] })).toBe('bad classes');
  for (const changes of [
    { classes: 'x' },
    { classes: [['a']] },
    { states: [3] },
    { events: [] },
    { kind: 'other' },
  ])
    expect(outcome(changes)).toBe('refused');
});
