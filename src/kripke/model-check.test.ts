import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { FormulaFactory } from '../ltl/formula.ts';
import { parseText } from '../ltl/parser.ts';
import { toFormula } from '../ltl/syntax.ts';
import { satisfies } from '../ltl/words.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { loadCorpus } from './corpus.fuzz.ts';
import { resolveFormula } from './formulas.ts';
import { modelCheck } from './model-check.ts';
import type { NaiveState, Recipe } from './random.fuzz.ts';
import { build, naiveProduct, propositionName, recipes } from './random.fuzz.ts';
import { isPath } from './replay.ts';
import { compose } from './system.ts';
import { vocabularyOf } from './vocabulary.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 40);

function answer(name: string, formula: string, defines: readonly string[] = [], monolithic = false) {
  const { model, system } = loadCorpus(name, defines);
  const diagnostics: Diagnostic[] = [];
  const syntax = resolveFormula(model, system, formula, diagnostics);
  expect(diagnostics).toEqual([]);
  return modelCheck(system, syntax!, { monolithic }, UNLIMITED, SILENT);
}

test.each([
  ['c_leads_to_r', 'holds'],
  ['b_leads_to_r', 'violated'],
  ['d_with_r', 'holds'],
  ['d_then_r', 'violated'],
])('[MAGIC] section 4: %s %s', (formula, expected) => {
  expect(answer('section4', formula).kind).toBe(expected);
  expect(answer('section4', formula, [], true).kind).toBe(expected);
});

test.each([
  ['surge-se', 2, 8],
  ['surge-state', 2, 8],
  ['surge-event', 2, 6],
])('[MAGIC] section 5: %s holds for R = %i…%i, and a wrong threshold is found', (name, from, to) => {
  for (let r = from; r <= to; r += 2) expect(answer(name, 'safe', [`R=${r}`]).kind).toBe('holds');
  const wrong = {
    'surge-se': 'G (c[1] -> m[1])',
    'surge-state': 'G (X c[1] -> m[1])',
    'surge-event': 'G !c[2]',
  };
  expect(answer(name, wrong[name as keyof typeof wrong], ['R=3']).kind).toBe('violated');
});

test('quotients decide a property of two philosophers among thirty without the product', () => {
  const result = answer('dpn', 'neighbours', ['N=30']);
  expect(result.kind).toBe('holds');
  expect(result.stats.largestProduct).toBeLessThan(1000);
  expect(answer('dpn', 'G !eating[0]', ['N=12']).kind).toBe('violated');
  expect(answer('rw', 'exclusion', ['N=2']).kind).toBe('holds');
  expect(answer('rw', 'G F reading[1]', ['N=3']).kind).toBe('violated');
});

test('limits are answers', () => {
  const { model, system } = loadCorpus('rw', ['N=4']);
  const syntax = resolveFormula(model, system, 'exclusion', [])!;
  const result = modelCheck(system, syntax, { monolithic: true }, { ...UNLIMITED, maxStates: 50 }, SILENT);
  expect(result.kind === 'limit' && result.limit).toBe('state-limit');
});

/** Formulas over the atoms of a composition of two or three components. */
function formulas(components: number): fc.Arbitrary<string> {
  const atoms = ['event:a', 'event:b', 'event:c'];
  for (let index = 0; index < components; index++)
    atoms.push(propositionName(index, 0), propositionName(index, 1));
  return fc.letrec<{ formula: string }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom(...atoms),
      fc.tuple(fc.constantFrom('!', 'G ', 'F ', 'X '), tie('formula')).map(([op, f]) => `${op}(${f})`),
      fc
        .tuple(tie('formula'), fc.constantFrom('&&', '||', '->', 'U', 'W', 'R'), tie('formula'))
        .map(([f, op, g]) => `((${f}) ${op} (${g}))`),
    ),
  })).formula;
}

test('random compositions and formulas: refinement, the whole product and the definition agree', {
  timeout: 3_600_000,
}, () => {
  let violated = 0;
  let holds = 0;
  fc.assert(
    fc.property(
      recipes(3, 4, 4).chain((all) => fc.tuple(fc.constant(all), formulas(all.length))),
      ([all, text]) => {
        // A formula may name an event that no component has here; that is an error for users, and no case for us.
        const system = compose(build(all));
        const parsed = parseText(text, vocabularyOf(system));
        fc.pre(parsed.formula !== null);
        const results = [false, true].map((monolithic) =>
          modelCheck(system, parsed.formula!, { monolithic }, UNLIMITED, SILENT),
        );
        expect(results[0]!.kind).toBe(results[1]!.kind);
        if (results[0]!.kind === 'violated') {
          violated++;
          for (const result of results)
            expect(result.kind === 'violated' && isPath(system, result.path)).toBe(true);
        } else {
          holds++;
          expect(violatingLasso(all, text)).toBeNull();
        }
      },
    ),
    { numRuns: RUNS, seed: 20263 },
  );
  expect(Math.min(violated, holds)).toBeGreaterThan(RUNS / 10);
});

/** Looks through short lassos of the naive product, judging each by the definition of the logic. */
function violatingLasso(all: readonly Recipe[], text: string): string | null {
  const structures = build(all);
  const system = compose(structures);
  const factory = new FormulaFactory();
  const formula = toFormula(factory, parseText(text, vocabularyOf(system)).formula!);
  const { states, initial } = naiveProduct(all);
  const places = structures.flatMap(({ propositions }, component) =>
    propositions.map((_, local) => ({ component, local })),
  );
  const holdsAt = (state: NaiveState, id: number): boolean => {
    const { component, local } = places[id]!;
    return structures[component]!.labels[state.states[component]!]!.includes(local);
  };
  let effort = 1500;
  const walk = (path: number[], events: string[]): string | null => {
    if (effort-- <= 0 || path.length > 6) return null;
    for (const { event, target } of states[path.at(-1)!]!.next) {
      const word = (loopStart: number) => ({
        length: path.length,
        loopStart,
        holds: (position: number, index: number) => {
          const atom = factory.atoms[index]!;
          if (atom.kind === 'event') return system.events[atom.id] === [...events, event][position];
          return holdsAt(states[path[position]!]!, atom.id);
        },
      });
      for (const [index, state] of path.entries())
        if (state === target && !satisfies(formula, word(index))) return `${path} ${[...events, event]}`;
      const deeper = walk([...path, target], [...events, event]);
      if (deeper !== null) return deeper;
    }
    return null;
  };
  for (let state = 0; state < initial; state++) {
    const found = walk([state], []);
    if (found !== null) return found;
  }
  return null;
}
