// Properties of infinite runs on the reduced graph, against the full one: formulas, claims, acceptance and progress.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import type { Program } from '../../process/program.ts';
import { loadText } from '../../promela/testing.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomNumbersModel } from '../../testing/random-numbers.ts';
import { type Pick, randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import type { AcceptanceOutcome } from '../acceptance.ts';
import { findAcceptance } from '../acceptance.ts';
import { compileModel, type Model } from '../compile.ts';
import { claimOf, coreOf } from '../formula-claim.ts';
import { pathViolates } from '../judge.ts';
import { decideLivelock } from '../livelock.ts';
import { immortalModel } from './immortal.ts';
import { findAcceptanceReduced, findOn } from './product.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const CASES = Math.max(5, MORE);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const LARGEST = { ...UNLIMITED, maxStates: MORE > 0 ? 8000 : 1500 };

const ATOMS = ['g == 1', 'h == 0', 'a[0] == 1', 'len(q) > 0', 's.f == 0', 'g < h', 'nempty(own[1])'];

function randomFormula(pick: Pick, atoms: readonly string[], depth = 2): string {
  const part = (): string => randomFormula(pick, atoms, depth - 1);
  const kind = depth === 0 ? 0 : pick(8);
  if (kind < 2) return `(${atoms[pick(atoms.length)]})`;
  if (kind === 2) return `!(${part()})`;
  if (kind < 5) return `${['[]', '<>', '[]<>', '<>[]'][pick(4)]}(${part()})`;
  return `(${part()}) ${['U', '&&', '||', '->', 'V'][pick(5)]} (${part()})`;
}

/** Labels of the kind before some statements. */
const labelled = (text: string, pick: Pick, kind: 'accept' | 'progress'): string => {
  let count = 0;
  return text.replace(/^((?:x|g|h|own|q|a)\b[^:]*;)$/gm, (line) =>
    pick(4) === 0 ? `${kind}_${count++}: ${line}` : line,
  );
};

const verdictOf = ({ kind, fault }: AcceptanceOutcome): string =>
  kind === 'none' && fault !== null ? 'error' : kind;

interface Tally {
  judged: number;
  cycles: number;
  full: number;
  reduced: number;
}

/** The same answer with and without, also without deaths where that is allowed. */
function compare(
  model: Model,
  tally: Tally,
  text: string,
  onCycle: (outcome: AcceptanceOutcome) => void,
): void {
  const full = findAcceptance(model, { fair: false, reduce: false }, LARGEST, SILENT);
  if (full.kind === 'limit') return;
  for (const find of [findOn, findAcceptanceReduced]) {
    const reduced = find(model, LARGEST, SILENT);
    if (reduced === null || reduced.kind === 'limit') continue;
    // The claim may keep runs from an error that the system has.
    if (verdictOf(reduced) === 'error' && full.kind === 'none') continue;
    expect(verdictOf(reduced), text).toBe(verdictOf(full));
    if (reduced.kind === 'cycle') onCycle(reduced);
    tally.judged++;
    if (full.kind === 'cycle') tally.cycles++;
    else if (find === findOn) {
      tally.full += full.states;
      tally.reduced += reduced.states;
    }
  }
}

function checkFormulas(program: Program, tally: Tally, text: string): void {
  for (const formula of program.formulas) {
    const core = coreOf(formula);
    const claim = claimOf(program, formula, core);
    const model = claim && compileModel(program, { claim, acceptLabels: 'claim' });
    if (!model?.ok) continue;
    compare(model.value, tally, `${formula.text}\n${text}`, (outcome) => {
      if (outcome.kind === 'cycle')
        expect(pathViolates(program, {}, formula, core, outcome.path), text).toBe(true);
    });
  }
}

test('after a run without deaths the claim may move on while nothing else does', () => {
  const text = `chan own[2] = [1] of { byte }; chan cc = [1] of { byte }; byte g;
    proctype P(byte i) { atomic { g = 1 - g; own[i]!1; cc!1 } }
    init { run P(0); run P(1) }
    ltl f { !([]<>(nempty(own[1]))) }`;
  const { program } = loadText(text);
  const tally: Tally = { judged: 0, cycles: 0, full: 0, reduced: 0 };
  checkFormulas(program!, tally, text);
  expect(tally.cycles).toBeGreaterThan(0);
});

/** `p` holds the number of a process that was started last: only formulas look at it. */
const NUMBER_ATOMS = ['g == 1', 'h == 2', 'n == 1', 'p == 1', 'p == 2', 'p == 3'];

const generators = {
  'processes that come and go': (pick: Pick) => randomNumbersModel(pick),
  'mostly independent': (pick: Pick) => randomConcurrentModel(pick),
  'processes that look at others': (pick: Pick) => randomConcurrentModel(pick, { looks: true }),
  'closely coupled': (pick: Pick) => randomSemanticsModel(pick),
};

describe('random models: the same answers about runs', () => {
  for (const [name, generate] of Object.entries(generators)) {
    const coupled = name === 'closely coupled';
    test(name, { timeout: 7_200_000 }, () => {
      const tally: Tally = { judged: 0, cycles: 0, full: 0, reduced: 0 };
      for (let seed = SEED; seed < SEED + CASES; seed++) {
        const pick = seededPick(seed * 7 + 1);
        const plain = generate(pick);
        const comes = name === 'processes that come and go';
        const atoms = coupled ? ['timeout || true'] : comes ? NUMBER_ATOMS : ATOMS;
        const formulas = Array.from({ length: 2 }, (_, i) => `ltl f${i} { ${randomFormula(pick, atoms)} }`);
        const text = [plain, ...formulas].join('\n');
        const { program } = loadText(text);
        if (program !== null && !coupled) checkFormulas(program, tally, `seed ${seed}\n${text}`);
        checkLabels(labelled(plain, pick, 'accept'), tally, seed);
        checkProgress(labelled(plain, pick, 'progress'), tally, seed);
      }
      expect(tally.judged).toBeGreaterThan(CASES);
      // Among a few models there may be none.
      if (CASES >= 100) expect(tally.cycles).toBeGreaterThan(CASES / 100);
      expect(tally.reduced).toBeLessThan(tally.full);
      if (MORE > 0) console.log(name, tally);
    });
  }
});

function checkLabels(text: string, tally: Tally, seed: number): void {
  const { program } = loadText(text);
  const model = program && compileModel(program);
  if (model?.ok) compare(model.value, tally, `acceptance, seed ${seed}\n${text}`, () => {});
}

function checkProgress(text: string, tally: Tally, seed: number): void {
  const { program } = loadText(text);
  const model = program && compileModel(program);
  if (!model?.ok) return;
  const progress = { kind: 'labels' } as const;
  const full = decideLivelock(model.value, { progress, reduce: false }, LARGEST, SILENT);
  if (full.kind === 'limit') return;
  for (const one of [model.value, immortalModel(model.value)]) {
    if (one === null) continue;
    const reduced = decideLivelock(one, { progress, reduce: true }, LARGEST, SILENT);
    if (reduced.kind === 'limit') continue;
    expect(reduced.kind, `progress, seed ${seed}\n${text}`).toBe(full.kind);
    tally.judged++;
  }
}
