// Searches by several threads: the same states and verdicts as by one; what happens when a thread dies, when a limit is near, when memory is short.

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Budget, type Help, SILENT, UNLIMITED } from '../base/budget.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { randomConcurrentModel } from '../testing/random-concurrency.ts';
import { randomModels } from '../testing/random-models.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { helpFrom } from '../workers/help.ts';
import type { Model } from './compile.ts';
import type { HelpJob } from './helper-report.ts';
import { modelOf } from './model-of.fuzz.ts';
import { type SearchOptions, type SearchOutcome, search } from './search.ts';
import { STATUS, Team } from './team.ts';
import { trailOf } from './trail.ts';

const COUNT = Math.max(6, Number(process.env['SPILLWAY_FUZZ'] ?? 0));
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const MOST = 300_000;

let bundle: string;
beforeAll(async () => {
  bundle = await bundleForTest();
});

/** So many threads; the search waits until they are there, so that they have something to do. */
function helpers(threads: number): Help {
  const free = new Int32Array(new SharedArrayBuffer(4)).fill(threads);
  const { start } = helpFrom(pathToFileURL(join(bundle, 'helper.js')), free);
  return {
    free: () => threads,
    from: 50,
    start: (job) => {
      start(job);
      const { team, me } = job as HelpJob;
      const watched = new Team(team, 0);
      const pause = new Int32Array(new SharedArrayBuffer(4));
      while (watched.statusOf(me) === STATUS.starting) Atomics.wait(pause, 0, 0, 1);
    },
  };
}

const run = (model: Model, options: SearchOptions, limits: Partial<Budget>): SearchOutcome =>
  search(model, options, { ...UNLIMITED, maxStates: MOST, ...limits }, SILENT);

const kindsOf = ({ violations }: SearchOutcome): string[] =>
  [...new Set(violations.map(({ kind, fault }) => `${kind} ${fault}`))].sort();

const figuresOf = (outcome: SearchOutcome, model: Model) => ({
  states: outcome.states,
  transitions: outcome.transitions,
  violations: outcome.violationCount,
  kinds: kindsOf(outcome),
  limitFaults: outcome.limitFaults,
  isCut: outcome.cutBy !== null,
  limit: outcome.limit,
  peaks: Array.from(model.machine.peaks()),
});

function randomModel(i: number): string {
  if (i % 3 === 0) return fc.sample(randomModels({ wild: true }), { numRuns: 1, seed: SEED + i })[0]!;
  return i % 3 === 1
    ? randomSemanticsModel(seededPick(SEED + i))
    : randomConcurrentModel(seededPick(SEED + i));
}

/** Counters side by side: a product whose states are easily counted. */
const product = (sizes: readonly number[], end = ''): string =>
  sizes
    .map(
      (size, i) =>
        `active proctype P${i}() { byte n; do :: n < ${size - 1} -> n++ :: else -> n = 0 ${end} od }`,
    )
    .join('\n');

describe('several threads', () => {
  test(`the same states and verdicts on ${COUNT} random models`, { timeout: 3_600_000 }, () => {
    let large = 0;
    for (let i = 0; i < COUNT || large < 4; i++) {
      const text = randomModel(i);
      let model: Model;
      try {
        model = modelOf(text);
      } catch {
        continue;
      }
      const all: SearchOptions = { endStates: true, assertions: true, all: true, keep: MOST };
      const one = run(model, all, { maxStates: 20_000 });
      const expected = figuresOf(one, model);
      if (one.limit !== null || one.states < 200) continue;
      large++;
      const order = i % 2 === 0 ? 'breadth' : 'depth';
      const two = run(model, { ...all, order }, { help: helpers(1 + (i % 3 === 0 ? 1 : 0)) });
      expect(figuresOf(two, model), text).toEqual(expected);
      // Runs can be made of what was found by whomever.
      for (const violation of two.violations.slice(-3)) trailOf(two.space, violation);
      const each: SearchOptions = { endStates: true, assertions: true, each: true, reduce: true, order };
      const reduced = run(model, each, {});
      const reducedTwo = run(model, each, { help: helpers(1) });
      const found = ({ violations }: SearchOutcome) => ({
        stuck: violations.some(({ kind }) => kind === 'invalid-end-state'),
        failing: violations.some(({ kind }) => kind !== 'invalid-end-state'),
      });
      expect(found(reducedTwo), text).toEqual(found(reduced));
      for (const violation of reducedTwo.violations) trailOf(reducedTwo.space, violation);
    }
    if (COUNT > 10) console.log({ large });
    expect(large).toBeGreaterThan(1);
  });

  test('all states of a product, in little memory, too', () => {
    const model = modelOf(product([7, 7, 7, 6]));
    const expected = run(model, { all: true }, {});
    expect(expected.limit).toBeNull();
    const plenty = run(model, { all: true }, { help: helpers(1) });
    expect([plenty.states, plenty.transitions]).toEqual([expected.states, expected.transitions]);
    const scarce = run(model, { all: true }, { help: helpers(2), maxMemory: 27_000_000 });
    expect([scarce.limit, scarce.states, scarce.transitions]).toEqual([
      null,
      expected.states,
      expected.transitions,
    ]);
    expect(scarce.bytes).toBeLessThan(plenty.bytes);
  });

  test('a limit on states is met as by one thread', () => {
    const model = modelOf(product([25, 25, 25]));
    for (const maxStates of [52_000, 90_000]) {
      const one = run(model, { all: true }, { maxStates });
      const two = run(model, { all: true }, { maxStates, help: helpers(1) });
      expect([one.limit, two.limit]).toEqual(['state-limit', 'state-limit']);
      expect(Math.abs(two.states - one.states)).toBeLessThan(8);
    }
  });

  test('near the limit on states nothing that was given away is lost', () => {
    const model = modelOf(product([16, 16, 16]));
    const expected = run(model, { all: true }, {}).states;
    const joins = (job: unknown): void => new Team((job as HelpJob).team, (job as HelpJob).me).join();
    // Of the two one asks and never takes; or both work.
    for (const help of [{ free: () => 1, from: 50, start: joins }, helpers(1), helpers(2)]) {
      for (const maxStates of [50_100, 52_000, 60_000]) {
        const { limit, states } = run(model, { all: true }, { maxStates, help });
        expect([limit, states]).toEqual([null, expected]);
      }
    }
  });

  test('time that is over ends it', () => {
    const model = modelOf(product([60, 60, 60]));
    let asked = 0;
    const timeLeft = (): boolean => ++asked < 40;
    const { limit, states } = run(model, { all: true }, { timeLeft, help: helpers(1) });
    expect(limit).toBe('time-limit');
    expect(states).toBeGreaterThan(0);
  });

  const model = () => modelOf(product([12, 12, 12], '; assert(n == 0)'));
  const dead: [string, (job: HelpJob) => void][] = [
    ['a thread that never comes', () => {}],
    ['a thread that fails', ({ team, me }) => new Team(team, me).say(STATUS.failed)],
    ['a thread that takes work and is silent', ({ team, me }) => new Team(team, me).join()],
    [
      'a thread that stops in the middle',
      ({ team, me }) => {
        const other = new Team(team, me);
        other.beat(0);
        other.say(STATUS.working);
      },
    ],
  ];
  test.each(dead)('%s costs time, not the answer', (_, start) => {
    const expected = run(model(), { assertions: true, endStates: true, all: true }, {});
    const help: Help = { free: () => 1, from: 50, patience: 20, start: (job) => start(job as HelpJob) };
    const outcome = run(model(), { assertions: true, endStates: true, all: true }, { help });
    expect([outcome.limit, outcome.states, outcome.transitions]).toEqual([
      null,
      expected.states,
      expected.transitions,
    ]);
  });
});
