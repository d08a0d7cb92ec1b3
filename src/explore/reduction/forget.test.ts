// Dead values: the states of a search that forgets them are those of the full search with zeros in their place, no more and no fewer.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Budget, SILENT, UNLIMITED } from '../../base/budget.ts';
import { countedBudget } from '../../testing/counted-budget.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomIdleValuesModel } from '../../testing/random-idle-values.ts';
import { randomLivesModel } from '../../testing/random-lives.ts';
import { randomModels } from '../../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import { withTwins } from '../../testing/twins.ts';
import type { Model } from '../compile.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { replays } from '../replays.fuzz.ts';
import { searchSafety } from '../safety.ts';
import { type SearchOutcome, search } from '../search.ts';
import { trailOf } from '../trail.ts';
import { deadVariables, forgetfulModel } from './forget.ts';
import { immortalModel } from './immortal.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const COUNT = Math.max(20, MORE);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
/** Choices inside an atomic sequence multiply without a state in between: these models end early, whatever the machine. */
const budget = (): Budget => countedBudget(QUESTIONS, 20_000);
const QUESTIONS = 3000;

/** The names of the dead variables where the label is. */
function deadAt(text: string, label: string): string[] {
  const { program } = modelOf(text);
  const proctype = program.proctypes[0]!;
  const dead = deadVariables(program, null)[proctype.id]![proctype.labels.get(label)!]!;
  return dead.map((id) => program.variables[id]!.name).sort();
}

describe('which values nobody will read', () => {
  test.each([
    ['written before it is read', 'byte x; here: x = 1; g = x', ['x']],
    ['read on one of two ways', 'byte x; here: if :: g = x :: x = 0; g = x fi', []],
    ['read in a later round', 'byte x; here: do :: x = x + 1 :: g = x od', []],
    ['received', 'byte x; here: c?x; g = x', ['x']],
    ['a pattern is read', 'byte x; here: c?eval(x); x = 0', []],
    ['polled is neither', 'byte x; here: c?[x]; x = 1; g = x', ['x']],
    ['a pattern of a poll is read', 'byte x; here: c?[eval(x)]; x = 1; g = x', []],
    ['an index of what a poll looks at', 'byte x, y[2]; here: c?[y[x]]; x = 1; g = x', ['y']],
    ['an argument of a process', 'byte x; here: run R(x); x = 1; g = x', []],
    ['an index of what is received', 'byte x, y[2]; here: c?y[x]; x = 1; g = x', ['y']],
    ['an index of a channel', 'byte x; here: e[x]!1; x = 1; g = x', []],
    ['stored in vain, but it may fail', 'byte x, y; here: y = 1 / x; x = 1; g = x', ['y']],
    ['an escape from any place', 'byte x, y; { y = 1; here: g = 1 } unless { x == 1 }', ['y']],
    ['escapes end with what they guard', 'byte x; { g = 1 } unless { x == 1 }; here: g = 2', ['x']],
    ['printed', 'byte x; here: printf("%d", x); x = 1; g = x', ['x']],
    ['printed, where it may fail', 'byte x, y[2]; here: printf("%d", y[x]); x = 1; g = x', ['y']],
    ['copied and then read', 'byte x, y; here: y = x; g = y', ['y']],
    ['copied in vain', 'byte x, y; here: y = x; x = 1; g = x', ['x', 'y']],
    ['added up for nobody', 'byte x, y; here: do :: y = y + x; x++ od', ['x', 'y']],
    ['added to what nobody reads', 'byte x; here: n = n + x; x = 1; g = x', ['x']],
    ['decides which index is looked at', 'byte x, y, z[2]; here: y = (x -> z[g] : 0)', ['y']],
    ['its own process number', 'pid x; here: enabled(x); x = 1; g = x', []],
    ['an element does not write the array', 'byte x[2]; here: x[0] = 1; g = x[1]', []],
    ['an array that nobody reads', 'byte x[2], y; here: y = 1; x[y] = 1', ['x', 'y']],
    ['an index is read', 'byte x, y[2]; here: y[x] = 1; g = y[0]', []],
    ['inside d_step nothing is surely written', 'byte x; here: d_step { x = 1; g = x }', []],
    ['a channel stays', 'chan d; here: g = 1', []],
    ['its own argument', 'byte x; here: x = x + 1', ['x']],
    ['at the end everything', 'byte x, y; x = y; here: skip', ['x', 'y']],
  ])('%s', (_, body, expected) => {
    const around = 'byte g, n; chan c = [1] of { byte }; chan e[2] = [1] of { byte };';
    const text = `${around} active proctype P() { ${body} } proctype R(byte x) { g = x } active proctype Q() { g == 7 }`;
    expect(deadAt(text, 'here')).toEqual(expected);
  });

  test('not what others look at', () => {
    const looked = 'active proctype P() { byte x, y; x = y; here: skip } active proctype Q() { P[0]:x == 1 }';
    expect(deadAt(looked, 'here')).toEqual(['y']);
    const handed =
      'active proctype P() { byte x, y; x = y; here: skip } proctype R(byte i) { i } active proctype Q() { run R(P[0]:x) }';
    expect(deadAt(handed, 'here')).toEqual(['y']);
    const stated = 'active proctype P() { byte x, y; x = y; here: skip } ltl f { [] (P[0]:x == 0) }';
    expect(deadAt(stated, 'here')).toEqual(['y']);
  });
});

function randomModel(i: number): string {
  const pick = seededPick(SEED + i);
  if (i % 2 === 0) return randomLivesModel(pick, { looks: i % 6 === 0 });
  if (i % 3 === 0) return fc.sample(randomModels({ wild: i % 9 === 0 }), { numRuns: 1, seed: SEED + i })[0]!;
  return i % 3 === 1
    ? randomSemanticsModel(pick)
    : withTwins(randomConcurrentModel(pick, { looks: i % 4 === 1 }));
}

function plainModel(text: string, i: number): Model | null {
  try {
    const model = modelOf(text);
    return i % 4 < 2 ? model : (immortalModel(model) ?? model);
  } catch {
    return null;
  }
}

const kindsOf = ({ violations }: SearchOutcome): string[] =>
  [...new Set(violations.map(({ kind, fault }) => `${kind} ${fault}`))].sort();

/** The states of the search as the other machine packs them: cells have the same places in both. */
function statesAs({ space }: SearchOutcome, { machine }: Model): Set<string> {
  const seen = new Set<string>();
  const own = space.model.machine;
  for (let state = 0; state < space.store.count; state++) {
    space.store.loadInto(own, state);
    if (own !== machine) {
      machine.cells.set(own.cells);
      machine.frames.set(own.frames);
      machine.queues().set(own.queues());
      machine.shapeOfChannel.set(own.shapeOfChannel);
    }
    seen.add(Array.from(machine.copy()).join());
  }
  return seen;
}

const GENERATORS: Record<string, (i: number) => string> = {
  'values that live shortly': randomModel,
  'values that go nowhere': (i) => randomIdleValuesModel(seededPick(SEED + i)),
};

test.each(Object.entries(GENERATORS))(
  '%s: the same states but for what is forgotten',
  { timeout: 3_600_000 },
  (name, generate) => {
    const tally = { compared: 0, smaller: 0, found: 0 };
    const goals = { endStates: true, assertions: true, all: true, keep: Number.POSITIVE_INFINITY };
    for (let i = 0; i < COUNT; i++) {
      const text = generate(i);
      const model = plainModel(text, i);
      const forgetful = model && forgetfulModel(model);
      if (model === null || forgetful === null) continue;
      const full = search(model, goals, budget(), SILENT);
      if (full.limit !== null) continue;
      const less = search(forgetful, goals, budget(), SILENT);
      expect(statesAs(less, forgetful), text).toEqual(statesAs(full, forgetful));
      expect(kindsOf(less), text).toEqual(kindsOf(full));
      for (const violation of [...less.violations.slice(0, 10), ...less.violations.slice(-10)])
        expect(replays(model, trailOf(less.space, violation), violation), text).toBe(true);
      tally.compared++;
      if (less.violations.length > 0) tally.found++;
      if (less.states < full.states) tally.smaller++;
    }
    if (MORE > 0) console.log(name, tally);
    expect(tally.compared).toBeGreaterThan(COUNT / 10);
    expect(tally.smaller).toBeGreaterThan(0);
  },
);

test('what was read and is done with does not count', () => {
  const model = modelOf(`chan c = [1] of { byte }; byte g;
    active proctype P() { byte x; do :: c!x; x++ od }
    active proctype Q() { byte y; do :: c?y; g = 1 - g od }`);
  const states = (reduce: boolean): number =>
    searchSafety(model, { endStates: true, reduce }, UNLIMITED, SILENT).search.states;
  expect(states(true) * 2).toBeLessThan(states(false));
});
