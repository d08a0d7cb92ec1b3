// Decision diagrams against the whole product; proofs pass the audit, and only of what is true.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { sealed } from '../../base/digest.ts';
import { parseText } from '../../ltl/parser.ts';
import { auditSymbolicDeadlock, auditSymbolicFormula } from '../audit/symbolic.ts';
import { readSymbolic, symbolicDocument } from '../audit/symbolic-document.ts';
import { loadCorpus } from '../corpus.fuzz.ts';
import { resolveFormula } from '../formulas.ts';
import { modelCheck } from '../model-check.ts';
import { build, formulaTexts, naiveProduct, recipes } from '../random.fuzz.ts';
import { isPath } from '../replay.ts';
import type { System } from '../system.ts';
import { compose, isDeadlock } from '../system.ts';
import { violatesFormula } from '../violation.ts';
import { vocabularyOf } from '../vocabulary.ts';
import { symbolicDeadlock } from './deadlock.ts';
import { symbolicFormula } from './formula.ts';
import type { SetsRecord, SymbolicRecord } from './proof.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 30);
/** Twenty of them take seconds. */
const LEADERS = process.env['SPILLWAY_FUZZ'] === undefined ? 12 : 20;
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20331);
const always = (): boolean => true;

/** Through JSON and back, as a certificate goes. */
function throughFile(system: System, record: SymbolicRecord): SymbolicRecord {
  const read = readSymbolic(system, JSON.parse(JSON.stringify(symbolicDocument(system, 'p', record))));
  if (typeof read === 'string') throw new Error(read);
  return read;
}

/** The same sets without some members: one branch of one node is gone. */
function smaller<Sets extends SetsRecord>(sets: Sets, pick: number): Sets {
  const index = pick % sets.nodes.length;
  const [level, ...pairs] = sets.nodes[index]!;
  return { ...sets, nodes: sets.nodes.with(index, [level!, ...pairs.slice(2)]) };
}

test('deadlock: random compositions against the naive product', { timeout: 0 }, () => {
  const counts = { free: 0, deadlock: 0, refused: 0, ofOthers: 0 };
  fc.assert(
    fc.property(recipes(5, 4, 8, 4), fc.nat(), (all, pick) => {
      const { states } = naiveProduct(all);
      const system = compose(build(all));
      const answer = symbolicDeadlock(system, UNLIMITED);
      expect(answer.kind).toBe(states.some(({ next }) => next.length === 0) ? 'deadlock' : 'free');
      if (answer.kind === 'limit') return;
      expect(answer.stats.reached).toBe(states.length);
      counts[answer.kind]++;
      if (answer.kind === 'deadlock') {
        expect(isPath(system, answer.path) && isDeadlock(system, answer.path.states.at(-1)!)).toBe(true);
        return;
      }
      const record = throughFile(system, answer.record);
      expect(auditSymbolicDeadlock(system, record, always)).toBe('holds');
      // What was reached is reached exactly: no smaller set is closed.
      const less = { ...record, plain: smaller(record.plain!, pick) };
      expect(auditSymbolicDeadlock(system, less, always)).toBe('bad sets');
      counts.refused++;
      for (const [index, { edges }] of all.entries()) {
        const fewer = all.with(index, { ...all[index]!, edges: edges.slice(1) });
        if (!naiveProduct(fewer).states.some(({ next }) => next.length === 0)) continue;
        expect(auditSymbolicDeadlock(compose(build(fewer)), record, always)).not.toBe('holds');
        counts.ofOthers++;
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(RUNS / 40);
});

const formula = formulaTexts('p0_0', 'p0_1', 'p1_0', 'a', 'b', 'c', 'd', 'true', 'false');

test('formulas: random ones on random compositions against the whole product', { timeout: 0 }, () => {
  const counts = { holds: 0, violated: 0, watched: 0, invariant: 0, recurring: 0, refused: 0, negated: 0 };
  fc.assert(
    fc.property(recipes(4, 4, 6, 3), formula, fc.nat(), (all, text, pick) => {
      const system = compose(build(all));
      const syntax = parseText(text, vocabularyOf(system)).formula;
      fc.pre(syntax !== null);
      const expected = modelCheck(system, syntax!, { monolithic: true }, UNLIMITED, SILENT).kind;
      const answer = symbolicFormula(system, syntax!, UNLIMITED);
      // Some formulas have automata that are too large; then nothing is said.
      if (answer.kind === 'limit') return expect(answer.limit).toBe('formula-too-large');
      expect(answer.kind).toBe(expected);
      counts[answer.kind]++;
      if (answer.kind === 'violated') {
        expect(violatesFormula(system, answer.path, answer.factory, answer.formula)).toBe(true);
        return;
      }
      const record = throughFile(system, answer.record);
      expect(auditSymbolicFormula(system, syntax!, record, always)).toBe('holds');
      for (const [index, proof] of record.proofs.entries()) {
        if (proof === null) counts.invariant++;
        if (proof === null || proof.nodes.length === 0) continue;
        counts.watched++;
        if (proof.steps.some((step) => 'recurring' in step)) counts.recurring++;
        const other = { ...record, proofs: record.proofs.with(index, smaller(proof, pick)) };
        if (auditSymbolicFormula(system, syntax!, other, always) !== 'holds') counts.refused++;
        const cut = { ...proof, steps: proof.steps.slice(0, -1) };
        if (proof.steps.length > 0)
          expect(
            auditSymbolicFormula(
              system,
              syntax!,
              { ...record, proofs: record.proofs.with(index, cut) },
              always,
            ),
          ).toBe('bad sets');
      }
      // The proof of a formula proves nothing of one that does not hold.
      const opposite = parseText(`!(${text})`, vocabularyOf(system)).formula!;
      if (modelCheck(system, opposite, { monolithic: true }, UNLIMITED, SILENT).kind === 'holds') return;
      counts.negated++;
      expect(auditSymbolicFormula(system, opposite, record, always)).not.toBe('holds');
    }),
    { numRuns: RUNS, seed: SEED + 1 },
  );
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(RUNS / 200);
  expect(counts.holds + counts.violated).toBeGreaterThan(RUNS * 0.9);
});

test.each([
  ['parity', 100, 'never_one_alone'],
  ['leader', LEADERS, 'at_most_one'],
  ['leader', LEADERS, 'elected'],
  ['milner', 30, 'order'],
  ['token-ring', 30, 'comes'],
])('%s with n = %i: %s holds, and the audit agrees', (name, n, property) => {
  const { model, system } = loadCorpus(name, [`N=${n}`, ...(name === 'leader' ? ['K=7'] : [])]);
  const syntax = resolveFormula(model, system, property, [])!;
  const answer = symbolicFormula(system, syntax, UNLIMITED);
  expect(answer.kind).toBe('holds');
  if (answer.kind === 'holds')
    expect(auditSymbolicFormula(system, syntax, answer.record, always)).toBe('holds');
});

test('one hundred philosophers get stuck after two hundred steps', () => {
  const { system } = loadCorpus('dpd', ['N=100']);
  const answer = symbolicDeadlock(system, UNLIMITED);
  expect(answer.kind === 'deadlock' && answer.path.events.length).toBe(200);
  expect(answer.kind === 'deadlock' && isPath(system, answer.path)).toBe(true);
});

test('a certificate that is none is refused', () => {
  const { system } = loadCorpus('dpn', ['N=3']);
  const answer = symbolicDeadlock(system, UNLIMITED);
  if (answer.kind !== 'free') throw new Error('the philosophers must be proved');
  const document = symbolicDocument(system, 'deadlock-free', answer.record);
  const { plain } = answer.record;
  for (const changes of [
    { plain: 3 },
    { plain: { ...plain, nodes: [['x']] } },
    { proofs: [{ ...plain, steps: [{ set: 0 }] }] },
    { proofs: [{ ...plain, steps: [{ set: 0, fair: 0, followed: true }] }] },
    { states: [9, 9] },
    { kind: 'x' },
  ])
    expect(typeof readSymbolic(system, sealed({ ...document, ...changes }))).toBe('string');
  const audit = (other: object) =>
    auditSymbolicDeadlock(system, { plain: { ...plain!, ...other }, proofs: [] }, always);
  expect(audit({})).toBe('holds');
  const { nodes, order } = plain!;
  for (const other of [
    { reached: 0 },
    { reached: 1 },
    { reached: 999_999 },
    { order: order.slice(1) },
    { order: order.map(() => 0) },
    { order: order.with(0, 77) },
    { nodes: nodes.with(0, [0, 0, 1]) },
    { nodes: nodes.with(0, [...nodes[0]!, 77, 1]) },
    { nodes: nodes.with(0, [...nodes[0]!, ...nodes[0]!.slice(1, 3)]) },
    { nodes: nodes.with(0, nodes[0]!.slice(0, -1)) },
    { nodes: [] },
  ])
    expect(audit(other), JSON.stringify(other).slice(0, 60)).toBe('bad sets');
  expect(auditSymbolicDeadlock(loadCorpus('dpd', ['N=3']).system, answer.record, always)).not.toBe('holds');
});

test('limits end it with an honest answer', () => {
  const { system } = loadCorpus('dpn', ['N=200']);
  const answer = symbolicDeadlock(system, { ...UNLIMITED, maxMemory: 100_000 });
  expect(answer.kind === 'limit' && answer.limit).toBe('memory');
  const late = symbolicDeadlock(system, { ...UNLIMITED, timeLeft: () => false });
  expect(late.kind === 'limit' && late.limit).toBe('time');
});
