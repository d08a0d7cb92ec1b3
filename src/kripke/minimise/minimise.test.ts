// Minimised and unminimised answers agree; proofs pass the audit, and only of what is true.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { sealed } from '../../base/digest.ts';
import { parseText } from '../../ltl/parser.ts';
import {
  auditComposedDeadlock,
  auditComposedFormula,
  compositionDocument,
  readComposition,
} from '../audit/composition-document.ts';
import { modelCheck } from '../model-check.ts';
import { build, formulaTexts, naiveProduct, recipes } from '../random.fuzz.ts';
import { isPath } from '../replay.ts';
import type { System } from '../system.ts';
import { compose, isDeadlock } from '../system.ts';
import { violatesFormula } from '../violation.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { minimisedDeadlock } from './deadlock.ts';
import { minimisedFormula } from './formula.ts';
import type { CompositionRecord } from './proof.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 30);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20321);
const always = (): boolean => true;

/** Through JSON and back, as a certificate goes. */
function throughFile(system: System, record: CompositionRecord): CompositionRecord {
  const document = JSON.parse(JSON.stringify(compositionDocument(system, 'p', record)));
  const read = readComposition(system, document);
  if (typeof read === 'string') throw new Error(read);
  return read;
}

/** The same proof with two classes of one part made one. */
function spoilt({ records, proofs }: CompositionRecord, pick: number): CompositionRecord | null {
  const lists = records.flatMap(({ classes }, index) => (new Set(classes).size > 1 ? [index] : []));
  const index = lists[pick % Math.max(1, lists.length)];
  if (index === undefined) return null;
  const record = records[index]!;
  const classes = record.classes.map((id) => (id === 0 ? 0 : id - 1));
  return { records: records.with(index, { ...record, classes }), proofs };
}

test('deadlock: random compositions against the naive product', () => {
  const counts = { free: 0, deadlock: 0, spoilt: 0, refused: 0 };
  fc.assert(
    fc.property(recipes(5, 4, 8, 4), fc.nat(), (all, pick) => {
      const stuck = naiveProduct(all).states.some(({ next }) => next.length === 0);
      const system = compose(build(all));
      const answer = minimisedDeadlock(system, UNLIMITED);
      expect(answer.kind).toBe(stuck ? 'deadlock' : 'free');
      if (answer.kind === 'limit') return;
      counts[answer.kind]++;
      if (answer.kind === 'deadlock') {
        expect(isPath(system, answer.path)).toBe(true);
        expect(isDeadlock(system, answer.path.states.at(-1)!)).toBe(true);
        return;
      }
      const record = throughFile(system, answer.record);
      expect(auditComposedDeadlock(system.components, record, always)).toBe('holds');
      const other = spoilt(record, pick);
      if (other === null) return;
      counts.spoilt++;
      if (auditComposedDeadlock(system.components, other, always) !== 'holds') counts.refused++;
      // A proof of one system proves nothing of another that gets stuck.
      for (const [index, { edges }] of all.entries()) {
        const fewer = all.with(index, { ...all[index]!, edges: edges.slice(1) });
        if (!naiveProduct(fewer).states.some(({ next }) => next.length === 0)) continue;
        expect(auditComposedDeadlock(build(fewer), record, always)).not.toBe('holds');
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(RUNS / 40);
});

const formula = formulaTexts('p0_0', 'p0_1', 'p1_0', 'a', 'b', '!a', '!b', 'true');

test('formulas: random ones on random compositions against the whole product', { timeout: 0 }, () => {
  const counts = { holds: 0, violated: 0, branching: 0, strong: 0, refused: 0 };
  fc.assert(
    fc.property(recipes(4, 4, 6, 3), formula, fc.nat(), (all, text, pick) => {
      const system = compose(build(all));
      const syntax = parseText(text, vocabularyOf(system)).formula;
      fc.pre(syntax !== null);
      const expected = modelCheck(system, syntax!, { monolithic: true }, UNLIMITED, SILENT).kind;
      const answer = minimisedFormula(system, syntax!, UNLIMITED, SILENT);
      expect(answer.kind).toBe(expected);
      if (answer.kind === 'limit') return;
      counts[answer.kind]++;
      counts.branching += answer.stats.branching;
      counts.strong += answer.stats.strong;
      if (answer.kind === 'violated') {
        expect(violatesFormula(system, answer.path, answer.factory, answer.formula)).toBe(true);
        return;
      }
      const record = throughFile(system, answer.record);
      expect(auditComposedFormula(system, syntax!, record, always)).toBe('holds');
      const other = spoilt(record, pick);
      if (other !== null && auditComposedFormula(system, syntax!, other, always) !== 'holds')
        counts.refused++;
    }),
    { numRuns: RUNS, seed: SEED + 1 },
  );
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(RUNS / 40);
});

test('a certificate that is none is refused', () => {
  const system = compose(
    build([
      { alphabet: ['a'], states: 2, initial: [0], edges: [[0, 'a', 1]], holds: [[], []] },
      { alphabet: ['a', 'b'], states: 1, initial: [0], edges: [[0, 'b', 0]], holds: [[], []] },
    ]),
  );
  const components = [
    { component: 0, classes: [0, 1] },
    { component: 1, classes: [0] },
  ];
  const audit = (records: CompositionRecord['records'], parts: readonly number[]) =>
    auditComposedDeadlock(
      system.components,
      { records, proofs: [{ equivalence: 'branching', parts }] },
      always,
    );
  expect(audit(components, [0, 1])).toBe('holds');
  for (const parts of [[], [0], [0, 0], [0, 1, 1], [7]]) expect(audit(components, parts)).toBe('bad classes');
  const loop = { of: [2, 1] as const, pairs: [0, 0], classes: [0] };
  expect(audit([...components, loop], [2])).toBe('bad classes');
  const missing = { of: [0, 1] as const, pairs: [], classes: [] };
  expect(audit([...components, missing], [2])).toBe('bad classes');
  expect(audit([{ component: 0, classes: [0, 5] }, components[1]!], [0, 1])).toBe('bad classes');
  expect(audit([{ component: 0, classes: [0, 0] }, components[1]!], [0, 1])).toBe('bad classes');
  const document = compositionDocument(system, 'deadlock-free', { records: components, proofs: [] });
  for (const changes of [
    { records: 3 },
    { records: [{}] },
    { proofs: [{ equivalence: 'weak', parts: [] }] },
    { states: [9, 9] },
    { kind: 'x' },
  ])
    expect(typeof readComposition(system, sealed({ ...document, ...changes }))).toBe('string');
});
