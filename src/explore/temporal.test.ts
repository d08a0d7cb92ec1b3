import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Budget } from '../base/budget.ts';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { degeneralise } from '../ltl/degeneralise.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import { spinNeverClaim } from '../ltl/peers.fuzz.ts';
import { recipes } from '../ltl/random.fuzz.ts';
import { translate } from '../ltl/translate.ts';
import { writeNever } from '../ltl/write.ts';
import type { Program } from '../process/program.ts';
import { loadPromela } from '../promela/load.ts';
import type { Answer } from '../verdict/answer.ts';
import { randomModels, spinVerdicts, toolsAvailable } from './temporal.fuzz.ts';
import type { TemporalProperty } from './temporal.ts';
import { checkPromelaFormula, checkTemporal } from './temporal.ts';

const FUZZ = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const available = toolsAvailable();
if (!available) console.log('spin or gcc is not installed: the comparison with SPIN is skipped');

const budget: Budget = { ...UNLIMITED, maxStates: 300_000 };

function load(text: string): Program {
  const { program, diagnostics } = loadPromela('model.pml', {
    read: (path) => (path === 'model.pml' ? text : null),
  });
  if (program === null) throw new Error(`${diagnostics.map((each) => each.message).join('\n')}\n${text}`);
  return program;
}

function formula(text: string, name: string, fair = false): Answer {
  return checkPromelaFormula(load(text), name, { fair }, budget, SILENT)!;
}

function property(text: string, wanted: TemporalProperty): Answer {
  return checkTemporal(load(text), wanted, {}, budget, SILENT);
}

describe('formulas', () => {
  const toggle = `bool on;
active proctype A() { do :: on = !on od }
active proctype B() { byte n; do :: n = (n + 1) % 3 od }
ltl often { []<> on }
ltl never_on { [] !on }
ltl stays { <>[] on }
ltl reachable { ![] !on }
`;
  test.each([
    ['often', false, 'refuted'],
    ['often', true, 'proved'],
    ['never_on', true, 'refuted'],
    ['stays', true, 'refuted'],
    ['reachable', true, 'proved'],
  ])('%s, fair: %s: %s', (name, fair, verdict) => {
    expect(formula(toggle, name, fair).verdict).toBe(verdict);
  });

  test('a violated invariant is a finite run, a violated response a lasso', () => {
    const safety = formula(toggle, 'never_on');
    expect(safety.evidence).toMatchObject({ kind: 'run', run: { loopStart: null } });
    const liveness = formula(toggle, 'stays', true);
    expect(liveness.evidence?.kind === 'run' && liveness.evidence.run.loopStart).not.toBeNull();
  });

  test('a system that stops stands still for ever', () => {
    const text =
      'byte x;\nactive proctype P() { x = 1; x = 2 }\nltl p { <>[] (x == 2) }\nltl r { <> (x == 3) }\n';
    expect(formula(text, 'p').verdict).toBe('proved');
    const refuted = formula(text, 'r');
    expect(refuted.verdict).toBe('refuted');
    expect(refuted.evidence).toMatchObject({ run: { loopStart: null } });
  });

  test('what happens inside an atomic sequence is not seen', () => {
    const text = (word: string) =>
      `byte x;\nactive proctype P() { ${word} { x = 1; x = 2 } }\nltl p { [] (x != 1) }\n`;
    expect(formula(text('atomic'), 'p').verdict).toBe('proved');
    expect(formula(text(''), 'p').verdict).toBe('refuted');
  });

  test('a guarded index is not evaluated', () => {
    const text =
      'byte i; bool a[2];\nactive proctype P() { do :: i < 2 -> i++ :: else -> break od }\nltl p { [] (i < 2 -> !a[i]) }\n';
    expect(formula(text, 'p').verdict).toBe('proved');
  });

  test('limits are unknown with a reason', () => {
    const text =
      'int n;\nactive proctype P() { do :: n++ od }\nltl p { [] (n >= 0 || n < 0) && []<> (n == 5) }\n';
    const small = { ...budget, maxStates: 100 };
    const result = checkPromelaFormula(load(text), 'p', {}, small, SILENT)!;
    expect(result).toMatchObject({ verdict: 'unknown', reasonCode: 'state-limit' });
  });

  test('a runtime error is no proof', () => {
    const text = 'byte x;\nactive proctype P() { x = 1 / x }\nltl p { [] (x == 0) }\n';
    expect(formula(text, 'p')).toMatchObject({ verdict: 'unknown', reasonCode: 'runtime-error' });
  });
});

describe('claims and cycles', () => {
  test.each([
    ['byte x;\nactive proctype P() { x = 1; x = 2 }\n', 'proved'],
    ['byte x;\nactive proctype P() { x = 1; progress: x = 2 }\n', 'proved'],
    ['byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 2 -> break od }\n', 'proved'],
    ['byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 od }\n', 'refuted'],
    ['byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 2 -> progress: x = 0 od }\n', 'proved'],
  ])('a run that ends lacks no progress: %s', (text, verdict) => {
    expect(property(text, { kind: 'progress' }).verdict).toBe(verdict);
    if (available) expect(spinVerdicts(text, [null], { np: true })).toEqual([verdict === 'refuted']);
  });

  test('a never claim', () => {
    const text = (bound: number) => `byte x;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }
never { do :: x <= ${bound} :: x > ${bound} -> break od }
`;
    const check = (bound: number) => {
      const source = text(bound);
      return property(source, { kind: 'claim', claim: load(source).claims[0]! }).verdict;
    };
    expect(check(2)).toBe('refuted');
    expect(check(3)).toBe('proved');
  });

  test('acceptance and progress labels', () => {
    const text = (label: string) => `byte x;
active proctype P() { do :: x = 1; ${label}: x = 0 :: x = 2 od }
`;
    expect(property(text('accept'), { kind: 'acceptance' }).verdict).toBe('refuted');
    expect(property(text('here'), { kind: 'acceptance' }).verdict).toBe('proved');
    expect(property(text('progress'), { kind: 'progress' }).verdict).toBe('refuted');
    const always = 'byte x;\nactive proctype P() { do :: x = 1; progress: x = 0 od }\n';
    expect(property(always, { kind: 'progress' }).verdict).toBe('proved');
  });

  test('an accept label inside atomic is passed; a run that ends at one stays there', () => {
    const acceptance = (text: string) => property(text, { kind: 'acceptance' }).verdict;
    expect(acceptance('byte g; active proctype P() { do :: atomic { g = 1; accept: g = 0 } od }')).toBe(
      'refuted',
    );
    expect(acceptance('byte g; active proctype P() { do :: d_step { g = 1; accept: g = 0 } od }')).toBe(
      'proved',
    );
    expect(
      acceptance('byte g; active proctype P() { atomic { g = 1; accept: g = 0 }; do :: g = 1 - g od }'),
    ).toBe('proved');
    expect(acceptance('byte g; active proctype P() { g = 1; accept: g == 7 }')).toBe('refuted');
    expect(acceptance('byte g; active proctype P() { g = 1; accept: g == 1; g = 2 }')).toBe('proved');
  });

  test('accept labels of processes do not matter to formulas', () => {
    const text = 'byte g; active proctype P() { accept: do :: g = 1 - g od } ltl p { [] (g < 5) }';
    expect(property(text, { kind: 'formula', formula: load(text).formulas[0]! }).verdict).toBe('proved');
  });
});

test(
  'leaving out interleavings of local steps changes no answer',
  () => {
    let smaller = 0;
    const small = { ...budget, maxStates: 20_000 };
    fc.assert(
      fc.property(randomModels, ({ text, formulas }) => {
        const program = load(text);
        for (const index of formulas.keys()) {
          const [reduced, full] = [true, false].map(
            (reduce) => checkPromelaFormula(program, `f${index}`, { reduce }, small, SILENT)!,
          );
          if (full!.verdict === 'unknown') continue;
          expect(reduced!.verdict, `${formulas[index]}\n${text}`).toBe(full!.verdict);
          if (full!.verdict === 'proved' && Number(reduced!.stats['states']) < Number(full!.stats['states']))
            smaller++;
        }
      }),
      { numRuns: Math.max(10, FUZZ * 10), seed: SEED + 23 },
    );
    expect(smaller).toBeGreaterThan(0);
  },
  Math.max(3_600_000, FUZZ * 60_000),
);

const standsStill = ({ evidence }: Answer): boolean =>
  evidence?.kind === 'run' && evidence.run.loopStart === null;

test.skipIf(!available)(
  'never claims of spin -f, and ours as printed, give the answers of the formula',
  () => {
    const small = { ...budget, maxStates: 20_000 };
    const answer = (program: Program, wanted: TemporalProperty) =>
      checkTemporal(program, wanted, {}, small, SILENT).verdict;
    let refuted = 0;
    fc.assert(
      fc.property(
        randomModels,
        recipes({ events: false, next: false, weak: false, depth: 2 }),
        ({ text }, recipe) => {
          const defines = '#define p (x == 0)\n#define q1 (x < y)\n#define r1 (len(q) > 0)\n';
          const formulaText = recipe.toString().replaceAll(/\bq\b/g, 'q1').replaceAll(/\br\b/g, 'r1');
          const model = `${defines}${text.replaceAll(/^ltl.*$/gm, '')}`;
          const stated = load(`${model}ltl f { ${formulaText} }\n`);
          const expected = answer(stated, { kind: 'formula', formula: stated.formulas[0]! });
          const factory = new FormulaFactory();
          const negated = factory.not(recipe.build(factory));
          const ours = writeNever(degeneralise(translate(factory, negated)!), 'ours')
            .replaceAll(/\bq\b/g, 'q1')
            .replaceAll(/\br\b/g, 'r1');
          for (const claim of [spinNeverClaim(`!(${formulaText})`), ours]) {
            if (claim === null || expected === 'unknown') continue;
            const program = load(`${model}${claim}`);
            const found = answer(program, { kind: 'claim', claim: program.claims[0]! });
            if (found === 'unknown') continue;
            if (found === 'refuted') refuted++;
            expect(found, `${formulaText}\n${model}${claim}`).toBe(expected);
          }
        },
      ),
      { numRuns: Math.max(8, FUZZ * 5), seed: SEED + 25, endOnFailure: true },
    );
    expect(refuted).toBeGreaterThan(4);
  },
  Math.max(3_600_000, FUZZ * 60_000),
);

describe.skipIf(!available)('random models against SPIN', () => {
  const compare = (seed: number, runs: number, fair: boolean): void => {
    let compared = 0;
    let violated = 0;
    fc.assert(
      fc.property(randomModels, ({ text, formulas }) => {
        const names = formulas.map((_, index) => `f${index}`);
        const theirs = spinVerdicts(text, names, { fair });
        const program = load(text);
        for (const [index, name] of names.entries()) {
          const ours = checkPromelaFormula(program, name, { fair }, budget, SILENT)!;
          // Behind a deadlock every run is fair, but pan -f overlooks some of these violations; without -f it finds them.
          const expected = fair && standsStill(ours) ? spinVerdicts(text, [name])[0]! : theirs[index]!;
          if (expected === null || ours.verdict === 'unknown') continue;
          compared++;
          if (expected) violated++;
          expect(ours.verdict, `${formulas[index]}\n${text}`).toBe(expected ? 'refuted' : 'proved');
        }
      }),
      { numRuns: runs, seed: SEED + seed, endOnFailure: true },
    );
    if (FUZZ > 0) console.log({ fair, compared, violated });
    expect(compared).toBeGreaterThan(runs * 2);
    expect(violated).toBeGreaterThan(0);
  };
  const patience = Math.max(3_600_000, FUZZ * 60_000);
  test('formulas', () => compare(21, Math.max(6, FUZZ), false), patience);
  const compareLabels = (kind: 'progress' | 'acceptance', label: string): void => {
    let compared = 0;
    let violated = 0;
    const np = kind === 'progress';
    fc.assert(
      fc.property(randomModels, fc.boolean(), ({ text }, fair) => {
        const labelled = text.replaceAll(/^ltl.*$/gm, '').replace('L:', `${label}:`);
        const ours = checkTemporal(load(labelled), { kind }, { fair }, budget, SILENT);
        // As for formulas: behind a deadlock pan -f overlooks violations.
        const alone = kind === 'acceptance' && standsStill(ours);
        const [expected] = spinVerdicts(labelled, [null], { np, fair: fair && !alone });
        if (expected == null || ours.verdict === 'unknown') return;
        compared++;
        if (expected) violated++;
        expect(ours.verdict, `fair: ${fair}\n${labelled}`).toBe(expected ? 'refuted' : 'proved');
      }),
      { numRuns: Math.max(6, FUZZ), seed: SEED + (np ? 24 : 31), endOnFailure: true },
    );
    if (FUZZ > 0) console.log({ kind, compared, violated });
    expect(violated).toBeGreaterThan(0);
  };
  test('cycles without progress', () => compareLabels('progress', 'progress'), patience);
  test('acceptance cycles', () => compareLabels('acceptance', 'accept'), patience);
  test('formulas under weak fairness', () => compare(22, Math.max(4, FUZZ), true), patience);
});
