import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { SourceFile } from '../source/source.ts';
import { findAcceptedPath } from './check.ts';
import { degeneralise } from './degeneralise.ts';
import { FormulaFactory } from './formula.ts';
import { asWord, EVENTS, PROPOSITIONS, pathStructure, recipes, words } from './random.fuzz.ts';
import { readHoa } from './read-hoa.ts';
import type { EventStructure } from './structure.ts';
import { translate } from './translate.ts';
import { satisfies } from './words.ts';
import { writeHoa } from './write.ts';

test('what is written is read back with the same language', () => {
  fc.assert(
    fc.property(
      recipes({ events: true, next: true }),
      fc.array(words, { minLength: 2, maxLength: 4 }),
      (recipe, sample) => {
        const factory = new FormulaFactory();
        const formula = recipe.build(factory);
        const automaton = translate(factory, formula)!;
        for (const text of [writeHoa(automaton, 'general'), writeHoa(degeneralise(automaton), 'states')]) {
          const { automaton: read, diagnostics } = readHoa(new SourceFile('a.hoa', text));
          expect(diagnostics).toEqual([]);
          // Atoms of the text are numbered in the order of the header: back to the numbers of the words by name.
          const atoms = read!.atoms.map((atom) => {
            const names = atom.kind === 'event' ? EVENTS : PROPOSITIONS;
            return { ...atom, id: names.indexOf(atom.name) };
          });
          for (const letters of sample) {
            const structure: EventStructure = pathStructure(letters);
            const found = findAcceptedPath(structure, { ...read!, atoms }, UNLIMITED, SILENT);
            expect(found.kind === 'violated').toBe(satisfies(formula, asWord(letters, factory)));
          }
        }
      },
    ),
    { numRuns: 200, seed: 31 },
  );
});

const SPOT = `HOA: v1 /* as Spot prints it */
name: "G(a -> Fb)"
States: 2
Start: 1
AP: 2 "a" "b"
acc-name: Buchi
Acceptance: 1 Inf(0)
properties: trans-labels explicit-labels state-acc complete deterministic
Alias: @x !0 | 1
--BODY--
State: 0 "waiting"
[!1] 0
[1] 1
State: 1 {0}
[0&!1] 0
[@x] 1
--END--
`;

test('aliases, names of states and comments', () => {
  const { automaton } = readHoa(new SourceFile('a.hoa', SPOT));
  expect(automaton).toMatchObject({ initial: 1, marks: 1 });
  expect(automaton!.edges.map((edges) => edges.length)).toEqual([2, 2]);
});

describe('errors', () => {
  test.each([
    ['', 'ends too early'],
    ['HOA: v2', 'begins with HOA: v1'],
    [SPOT.replace('Start: 1', ''), 'one initial state'],
    [SPOT.replace('Start: 1', 'Start: 7'), 'one initial state'],
    [SPOT.replace('Inf(0)', 'Fin(0)'), 'Büchi acceptance'],
    [SPOT.replace('[0&!1] 0', '0'), 'implicit labels'],
    [SPOT.replace('[!1] 0', '[!9] 0'), 'a number up to 1'],
    [SPOT.replace('--END--', ''), '--END--'],
    [SPOT.replace('[!1] 0', `[${'('.repeat(100_000)}`), 'too deeply'],
    [SPOT.replace('[!1]', '[§]'), 'no part of the HOA format'],
  ])('%#: %s', (text, message) => {
    const { automaton, diagnostics } = readHoa(new SourceFile('a.hoa', text));
    expect(automaton).toBeNull();
    expect(diagnostics[0]?.message).toContain(message);
  });
});
