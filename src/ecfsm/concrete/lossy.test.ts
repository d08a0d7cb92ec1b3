// `duplicating` delivers copies at the head, `lossy` loses messages when they are sent. docs/ecfsm.md argues that this reaches the same states as losing any message at any time; and copying any message there any time; here both are run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { protocols } from '../testing/protocols.ts';
import { modelOf } from '../testing/testing.ts';
import { explore } from './explore.ts';
import type { GlobalState } from './state.ts';
import { stateKey } from './state.ts';
import { enabledSteps } from './step.ts';

const DEPTH = 4;

/** All states within so many steps. */
function within(start: GlobalState, depth: number, next: (state: GlobalState) => readonly GlobalState[]) {
  const seen = new Map([[stateKey(start), start]]);
  let layer = [start];
  for (let step = 0; step < depth; step++) {
    const fresh: GlobalState[] = [];
    for (const state of layer.flatMap(next)) {
      if (seen.has(stateKey(state))) continue;
      seen.set(stateKey(state), state);
      fresh.push(state);
    }
    layer = fresh;
  }
  return seen;
}

/** Any message of the channel from A to B gone. */
const losses = (state: GlobalState): GlobalState[] =>
  state.channels[0]!.map((_, i) => ({
    ...state,
    channels: [state.channels[0]!.toSpliced(i, 1), state.channels[1]!],
  }));

test('lost at once, or lost at any time: the same states', () => {
  let compared = 0;
  fc.assert(
    fc.property(protocols, (text) => {
      const plain = text.replace(/(lossy|duplicating) A->B;/, '');
      const reliable = modelOf(plain).protocol;
      const lossy = modelOf(`${plain}\nlossy A->B;`).protocol;
      const start = explore(lossy, 1, () => null).states[0]!;
      const steps = (protocol: typeof lossy) => (state: GlobalState) =>
        enabledSteps(protocol, state, 2).steps.map(({ next }) => next);
      const anyTime = (state: GlobalState) => [...steps(reliable)(state), ...losses(state)];
      const atOnce = within(start, DEPTH, steps(lossy));
      const later = within(start, DEPTH, anyTime);
      for (const [key] of later) if (!atOnce.has(key)) expect.fail(`${text}\n${key}`);
      // A message that is lost at once is sent and lost: two steps.
      const slow = within(start, 2 * (DEPTH - 2), anyTime);
      for (const [key] of within(start, DEPTH - 2, steps(lossy))) if (!slow.has(key)) expect.fail(key);
      compared += later.size;
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 20), seed: 20341 },
  );
  expect(compared).toBeGreaterThan(400);
});

/** Any message of the channel from A to B doubled; the copy stands before it and is marked by a type beyond all others. */
const COPY = 100;
const doublings = (state: GlobalState): GlobalState[] =>
  state.channels[0]!.flatMap((message, i) =>
    message.type >= COPY
      ? []
      : [
          {
            ...state,
            channels: [
              state.channels[0]!.toSpliced(i, 0, { ...message, type: message.type + COPY }),
              state.channels[1]!,
            ],
          },
        ],
  );

const withoutCopies = (state: GlobalState): GlobalState => ({
  ...state,
  channels: [state.channels[0]!.filter(({ type }) => type < COPY), state.channels[1]!],
});

test('a copy of the head received, or any message doubled at any time: the same states', () => {
  let compared = 0;
  fc.assert(
    fc.property(protocols, (text) => {
      const plain = text.replace(/(lossy|duplicating) A->B;/, '');
      const reliable = modelOf(plain).protocol;
      const duplicating = modelOf(`${plain}\nduplicating A->B;`).protocol;
      const start = explore(duplicating, 1, () => null).states[0]!;
      const steps = (protocol: typeof reliable, state: GlobalState) => enabledSteps(protocol, state, 2).steps;
      const anyTime = (state: GlobalState): GlobalState[] => {
        const [head, ...rest] = state.channels[0]!;
        const others = [...steps(reliable, state).map(({ next }) => next), ...doublings(state)];
        if (head === undefined || head.type < COPY) return others;
        const original = { ...head, type: head.type - COPY };
        const shown: GlobalState = { ...state, channels: [[original, ...rest], state.channels[1]!] };
        const taken = steps(reliable, shown).filter(
          ({ action }) => action.kind === 'receive' && action.side === 1,
        );
        return [...others, ...taken.map(({ next }) => next)];
      };
      const slow = within(start, 2 * DEPTH - 2, anyTime);
      const projected = new Set([...slow.values()].map((state) => stateKey(withoutCopies(state))));
      const atHead = (state: GlobalState) => steps(duplicating, state).map(({ next }) => next);
      const fast = within(start, DEPTH, atHead);
      for (const [, state] of within(start, DEPTH, anyTime))
        expect(fast.has(stateKey(withoutCopies(state)))).toBe(true);
      for (const [key] of within(start, DEPTH - 1, atHead)) if (!projected.has(key)) expect.fail(key);
      compared += fast.size;
    }),
    { seed: 8, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 12) },
  );
  expect(compared).toBeGreaterThan(300);
});
