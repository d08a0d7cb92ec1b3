// The reduced search against the full one: the same deadlocks, state by state, and the same failing steps.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { loadText } from '../../promela/testing.ts';
import { randomCallsModel } from '../../testing/random-calls.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomIdleValuesModel } from '../../testing/random-idle-values.ts';
import { randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import { compileModel, type Model } from '../compile.ts';
import { describe as describeRun } from '../describe.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { searchSafety } from '../safety.ts';
import { type SearchOptions, type SearchOutcome, search } from '../search.ts';
import { stuckIn } from '../stuck.ts';
import { possibleSteps } from '../trail.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const CASES = Math.max(10, MORE);
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const LARGEST = MORE > 0 ? 20_000 : 4000;

const explore = (model: Model, options: SearchOptions): SearchOutcome =>
  search(
    model,
    { endStates: true, assertions: true, graph: true, all: true, keep: Number.POSITIVE_INFINITY, ...options },
    { ...UNLIMITED, maxStates: LARGEST },
    SILENT,
  );

/** What must be the same: the states in which the system is stuck, and which step of which process fails how. */
function findings({ violations, space }: SearchOutcome): string[] {
  const found = violations.map(({ kind, fault, state, choices }) => {
    if (kind !== 'invalid-end-state') return `${kind} ${fault} ${choices.slice(-4).join()}`;
    const { machine } = space.model;
    space.store.loadInto(machine, state);
    return `stuck ${machine.copy().join()}`;
  });
  return [...new Set(found)].sort();
}

/** Which process can be stuck for ever where. */
const stuckOf = ({ space }: SearchOutcome): string[] =>
  [...new Set([...stuckIn(space)].map(({ pid, location }) => `${pid} at ${location}`))].sort();

/** Null for a text that is no model, or one too large. */
function compare(text: string, seed: number): { full: number; reduced: number } | null {
  const { program } = loadText(text);
  const model = program && compileModel(program);
  if (!model?.ok) return null;
  const full = explore(model.value, {});
  if (full.limit !== null) return null;
  const expected = findings(full);
  const stuck = stuckOf(full);
  let states = 0;
  for (const order of ['breadth', 'depth'] as const) {
    const reduced = explore(model.value, { reduce: true, order });
    expect(findings(reduced), `seed ${seed} ${order}\n${text}`).toEqual(expected);
    if (full.cutBy === null && !full.heldControl)
      expect(stuckOf(reduced), `seed ${seed} ${order}\n${text}`).toEqual(stuck);
    states = reduced.states;
  }
  checkVerdicts(model.value, full, `seed ${seed}\n${text}`);
  return { full: full.states, reduced: states };
}

/** The engine as it is used: without deaths where nobody sees them, found runs shortened. They must be runs with that end. */
function checkVerdicts(model: Model, full: SearchOutcome, text: string): void {
  const goals = { endStates: true, assertions: true, reduce: true };
  const { stuck, failure } = searchSafety(model, goals, UNLIMITED, SILENT);
  const has = (isStuck: boolean): boolean =>
    full.violations.some(({ kind }) => (kind === 'invalid-end-state') === isStuck);
  expect([stuck !== null, failure !== null], text).toEqual([has(true), has(false)]);
  if (stuck === null) return;
  expect(describeRun(model, stuck.choices, { title: '' }).ok, text).toBe(true);
  expect(possibleSteps(model), text).toEqual([]);
}

describe('random models: the same findings', () => {
  const generators = {
    'mostly independent': (seed: number) => randomConcurrentModel(seededPick(seed)),
    'processes that look at others': (seed: number) =>
      randomConcurrentModel(seededPick(seed), { looks: true }),
    'values that go nowhere': (seed: number) => randomIdleValuesModel(seededPick(seed)),
    'processes called like functions': (seed: number) => randomCallsModel(seededPick(seed)),
    'closely coupled': (seed: number) => randomSemanticsModel(seededPick(seed)),
  };
  for (const [name, generate] of Object.entries(generators)) {
    test(name, { timeout: 7_200_000 }, () => {
      let judged = 0;
      let full = 0;
      let reduced = 0;
      for (let seed = SEED; seed < SEED + CASES; seed++) {
        const sizes = compare(generate(seed), seed);
        if (sizes !== null) judged++;
        full += sizes?.full ?? 0;
        reduced += sizes?.reduced ?? 0;
      }
      expect(reduced).toBeLessThan(full);
      if (MORE > 0) console.log({ name, judged, full, reduced });
    });
  }
});

/** Models on which an earlier version went wrong, or whose dangers are worth a name; the full search is the judge. */
describe('dangerous neighbours', () => {
  const cases: Record<string, string> = {
    'a process that is started rivals one that is there': `chan c = [1] of { byte };
      proctype P(byte i) { c!i; assert(i == 0) } init { run P(0); run P(1) }`,
    'a handshake is not blocked by an escape that is possible': `chan a = [1] of { byte }; chan r = [0] of { byte };
      active proctype P() { { r?1 } unless { a!1; skip }; assert(false) } active proctype Q() { r!1 }`,
    'a handshake in the middle of atomic looks for receivers': `chan r = [0] of { byte }; byte g;
      active proctype P() { atomic { g = 1; r!1; g = 2 } assert(g != 1) }
      active proctype Q() { if :: g == 1 -> skip :: r?1 fi }`,
    'control is handed over in a handshake': `chan r = [0] of { byte }; byte g;
      active proctype P() { r!1; g = 1 } active proctype Q() { atomic { r?1; g++; assert(g == 1) } }
      active proctype R() { g = 2 }`,
    'else beside a receive': `chan c = [1] of { byte };
      active proctype P() { if :: c?1 :: else -> assert(false) fi } active proctype Q() { c!1 }`,
    'a length is looked at': `chan c = [2] of { byte };
      active proctype P() { assert(len(c) != 1) } active proctype Q() { c!1; c!2 }`,
    'a sorted send comes before the head': `chan c = [2] of { byte }; byte x;
      active proctype P() { c!2; c?x; assert(x == 2) } active proctype Q() { c!!1 }`,
    'a timeout waits for everything': `byte g;
      active proctype P() { timeout -> assert(g == 0) } active proctype Q() { g = 1; g = 2 }`,
    'the number of processes is looked at': `active proctype P() { assert(_nr_pr == 3) } active [2] proctype Q() { skip }`,
    'who is where is looked at': `byte g; active proctype Q() { g = 1; here: g = 2 } active proctype P() { assert(!Q[0]@here) }`,
    'a condition on all steps of a process': `byte g; active proctype P() provided (g == 0) { assert(g == 0); g = 2; skip }
      active proctype Q() { g = 1; g = 0 }`,
    'a loop ignores nobody': `byte g; active proctype P() { do :: g = g od } active proctype Q() { assert(false) }`,
    'a local loop ignores nobody': `active proctype P() { byte x; do :: x = 1 - x od } active proctype Q() { assert(false) }`,
    'an atomic sequence without end': `byte g; active proctype P() { byte x; atomic { do :: x = 1 - x od } }
      active proctype Q() { assert(false) }`,
    'a channel dies with its process': `chan c = [1] of { chan }; proctype P() { chan m = [1] of { byte }; c!m }
      init { chan w; run P(); c?w; w!1 }`,
    'a number is seen where processes are started without end': `byte n; proctype P() { skip } proctype Q() { n = _pid }
      init { do :: run P(); run Q(); (n > 0); assert(n == 2); n = 0; (_nr_pr == 1) od }`,
    'how many are left is seen': `byte n; proctype P() { n = 1 - n }
      active proctype Q() { do :: run P(); if :: _nr_pr == 2 -> assert(false) :: _nr_pr == 1 -> skip fi od }`,
    'the number of a process depends on deaths': `byte n; proctype P() { skip } proctype Q() { n = _pid }
      init { run P(); run Q(); (n > 0); assert(n == 2) }`,
  };
  for (const [name, text] of Object.entries(cases))
    test(name, () => {
      const full = explore(modelOf(text), {});
      for (const order of ['breadth', 'depth'] as const)
        expect(findings(explore(modelOf(text), { reduce: true, order }))).toEqual(findings(full));
      checkVerdicts(modelOf(text), full, text);
    });
});

describe('what it saves', () => {
  const pairs = (count: number): string => `#define N ${count}
    chan a[N] = [2] of { byte }; chan b[N] = [2] of { byte };
    proctype Producer(byte i) { byte k; do :: k < 3 -> a[i]!k; b[i]?_; k++ :: else -> break od }
    proctype Consumer(byte i) { byte v, k; do :: k < 3 -> a[i]?v; assert(v == k); b[i]!v; k++ :: else -> break od }
    init { byte i; atomic { do :: i < N -> run Producer(i); run Consumer(i); i++ :: else -> break od } }`;
  const philosophers = (count: number, leftHanded: boolean): string => `#define N ${count}
    chan fork[N] = [1] of { bit };
    proctype Philosopher(byte i) {
      do :: if :: ${leftHanded ? 'i == 0' : 'false'} -> fork[(i+1)%N]?1; fork[i]?1 :: else -> fork[i]?1; fork[(i+1)%N]?1 fi;
            fork[i]!1; fork[(i+1)%N]!1 od }
    init { byte i; atomic { do :: i < N -> fork[i]!1; run Philosopher(i); i++ :: else -> break od } }`;
  const stop = { endStates: true, assertions: true, reduce: true };
  const run = (text: string, order: 'breadth' | 'depth' = 'breadth') =>
    search(modelOf(text), { ...stop, order }, { ...UNLIMITED, maxStates: 100_000 }, SILENT);

  test('independent pairs: sums, not products', () => {
    const five = run(pairs(5));
    expect([five.limit, five.violationCount, five.reduced]).toEqual([null, 0, true]);
    expect(five.states).toBeLessThan(500);
    const fifty = run(pairs(50));
    expect([fifty.limit, fifty.violationCount]).toEqual([null, 0]);
    expect(fifty.states).toBeLessThan(5000);
  });

  test('finished processes are gone before anything else happens: what was called does not count', () => {
    const calls = `chan m = [1] of { byte };
      proctype Leaf(chan back) { if :: true -> goto out :: true fi; if :: true -> goto out :: true fi; out: back!0 }
      proctype Branch(chan back) { chan c = [1] of { byte }; do :: run Leaf(c); c?0 :: break od; back!0 }
      proctype Other(chan back) { back!0 }
      active proctype Root() { do :: run Branch(m); m?0 :: run Other(m); m?0 od }`;
    const { search: last, stuck } = searchSafety(modelOf(calls), stop, UNLIMITED, SILENT);
    expect([last.limit, stuck]).toEqual([null, null]);
    expect(last.states).toBeLessThan(100);
  });

  test('a lock with a counter and channels: who holds which channel is known field by field', () => {
    const locks = (
      count: number,
    ): string => `typedef L { chan lock = [0] of { bit }; chan free = [0] of { bit }; byte n };
      proctype Monitor(L l) { end: do :: l.lock?_; l.n++; l.free?_; l.n-- od }
      proctype User(L l) { l.lock!1; l.free!1; l.lock!1; l.free!1 }
      init { L l[${count}]; byte i; do :: i < ${count} -> run Monitor(l[i]); run User(l[i]); i++ :: else -> break od }`;
    const { search: last } = searchSafety(modelOf(locks(6)), stop, UNLIMITED, SILENT);
    expect(last.limit).toBeNull();
    expect(last.states).toBeLessThan(400);
  });

  test('twenty philosophers deadlock; with a left-handed one among twelve they do not', () => {
    expect(run(philosophers(20, false)).violations).toMatchObject([{ kind: 'invalid-end-state' }]);
    const twelve = run(philosophers(12, true));
    expect([twelve.limit, twelve.violationCount]).toEqual([null, 0]);
    expect(twelve.states).toBeLessThan(5000);
  });
});
