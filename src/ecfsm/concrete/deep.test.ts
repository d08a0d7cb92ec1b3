// Loops taken many times at once, against taking them round by round; and faults that only such loops reach.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Protocol } from '../model.ts';
import { toRun, unsafeTitle } from '../report/report.ts';
import { anyProtocols, LIMIT, runs, seed } from '../testing/protocols.ts';
import { modelOf } from '../testing/testing.ts';
import { accelerate } from './accelerate.ts';
import { searchDeep, takeRounds } from './deep.ts';
import { objection, randomNumbers } from './explore.ts';
import { replayProtocol } from './simulation.ts';
import type { GlobalState } from './state.ts';
import { stateKey } from './state.ts';
import type { ConcreteStep } from './step.ts';
import { enabledSteps } from './step.ts';

const ROUNDS = 12;

describe('acceleration', () => {
  test(
    'says what taking the loop round by round does, and how often it can be taken',
    () => {
      let loops = 0;
      let bounded = 0;
      let touching = 0;
      fc.assert(
        fc.property(anyProtocols, fc.nat(1_000_000), (text, chance) => {
          const { protocol } = modelOf(text);
          const random = randomNumbers(chance);
          let state = enabledStart(protocol);
          const states = [state];
          const steps: ConcreteStep[] = [];
          for (let i = 0; i < 30; i++) {
            const possible = enabledSteps(protocol, state).steps;
            if (possible.length === 0) break;
            steps.push(possible[Math.floor(random() * possible.length)]!);
            state = steps.at(-1)!.next;
            states.push(state);
          }
          for (let from = 0; from < steps.length; from++)
            for (let to = from + 1; to <= Math.min(steps.length, from + 6); to++) {
              const loop = steps.slice(from, to);
              const faster = accelerate(protocol, states[from]!, loop);
              if (faster === null) continue;
              loops++;
              if (loop.some(({ action }) => action.silent === null)) touching++;
              const { most, slopes } = faster;
              expect(most).toBeGreaterThanOrEqual(1);
              for (const count of [1, 2, 3, Math.min(most, ROUNDS)]) {
                if (count > most) continue;
                const slow = takeRounds(states[from]!, loop, { from: 0, to: count, slopes }, () => {});
                expect(slow, text).not.toBeNull();
                expect(stateKey(faster.after(count))).toBe(stateKey(slow!));
              }
              if (most > ROUNDS) continue;
              bounded++;
              const beyond = { from: 0, to: most + 1, slopes };
              expect(takeRounds(states[from]!, loop, beyond, () => {})).toBeNull();
            }
        }),
        { seed: seed + 3, numRuns: 2 * runs },
      );
      expect(loops).toBeGreaterThan(runs);
      expect(touching).toBeGreaterThan(10);
      expect(bounded).toBeGreaterThan(10);
    },
    LIMIT,
  );
});

const enabledStart = ({ initial, machines, channels }: Protocol): GlobalState => ({
  control: initial[0]!.control,
  registers: machines.map(({ registers }) => registers.map(() => 0)),
  channels: channels.map(() => []),
});

const PING = (most: number) => `
  machine A { states idle, wait; registers x; init idle where x = 0;
    ask: idle -> wait send Q(n) when n = x; got: wait -> idle receive R(n) when n = x do x := x + 1; }
  machine B { states idle, busy; registers y; init idle where y = 0;
    take: idle -> busy receive Q(n) when n = y, n < ${most}; answer: busy -> idle send R(n) when n = y do y := y + 1; }`;
/** A fault that needs as many messages in one channel. */
const FILL = (most: number) => `
  machine A { states s; registers x; init s where x = 0;
    put: s send D(n) when n = x do x := x + 1; ok: s receive K(n) when x <= n + ${most}; }
  machine B { states t; registers y; init t where y = 0;
    take: t receive D(n) when n = y do y := y + 1; look: t send K(n) when n = y; }`;
/** Up to a limit, and down again. */
const TURN = (most: number) => `
  machine A { states up, down; registers x; init up where x = 0; more: up internal do x := x + 1;
    turn: up -> down internal when x >= ${most}; less: down internal when x > 0 do x := x - 1; }
  machine B { states t; init t; }`;

describe('deep faults', () => {
  test.each([
    ['at a count', PING(5_000), 'unspecified reception: B has no action for Q(5000)', 10],
    ['at a large count', PING(60_000), 'unspecified reception: B has no action for Q(60000)', 10],
    [
      'beyond what anybody would walk',
      PING(900_000_000),
      'unspecified reception: B has no action for Q(900000000)',
      10,
    ],
    ['behind many messages', FILL(700), 'unspecified reception: A has no action for K(0)', 3_000],
    ['behind two loops', TURN(30_000), 'deadlock: both channels are empty and nobody can send', 10],
  ])('%s', (_, text, title, steps) => {
    const { protocol } = modelOf(text);
    const found = searchDeep(
      protocol,
      (state) => objection(protocol, null, state),
      () => true,
    );
    if (found?.what.kind !== 'unsafe') throw new Error('nothing was found');
    expect(unsafeTitle(protocol, found.what.unsafe)).toBe(title);
    expect(found.run.steps.length).toBeLessThan(steps);
    const run = toRun(protocol, found.run, title);
    expect(replayProtocol(protocol, run).failedAt).toBeNull();
    expect(replayProtocol(protocol, run).run.steps).toEqual(run.steps);
  });

  test('a repetition that says too much is not believed', () => {
    const { protocol } = modelOf(PING(5_000));
    const found = searchDeep(
      protocol,
      (state) => objection(protocol, null, state),
      () => true,
    )!;
    const run = toRun(protocol, found.run, '');
    const at = run.steps.findIndex(({ choice }) => choice[0] === -1);
    const changed = (choice: readonly number[]) => ({
      ...run,
      steps: run.steps.map((step, i) => (i === at ? { ...step, choice } : step)),
    });
    const { choice } = run.steps[at]!;
    const [, length, times, ...slopes] = choice as [number, number, number, ...number[]];
    for (const wrong of [
      [-1, length, times + 1, ...slopes],
      [-1, length, times, ...slopes.map((slope) => slope + 1)],
      [-1, length - 1, times, ...slopes.slice(1)],
      [-1, length + 1, times, ...slopes, 1],
      [-1, 0, times],
      [-1],
    ]) {
      expect(replayProtocol(protocol, changed(wrong)).failedAt, wrong.join()).not.toBeNull();
      expect(replayProtocol(protocol, changed(wrong), 10).failedAt, wrong.join()).not.toBeNull();
    }
  });
});
