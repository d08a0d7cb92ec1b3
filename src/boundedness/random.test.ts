// Flow and cycles are two ways to say the same; what they prove holds on the nets' own runs; certificates survive the audit and
// nothing else does.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { audit } from '../certificate/document.ts';
import { analyseLivelock } from '../livelock/analyse.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import type { Net } from '../net/net.ts';
import { randomNets } from '../net/random-net.fuzz.ts';
import { analyseBoundedness } from './analyse.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});
const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 80);

test('flow and cycles agree on every queue of random nets, and every proof passes the audit', async () => {
  let proved = 0;
  let open = 0;
  await fc.assert(
    fc.asyncProperty(randomNets(fc), async (net) => {
      const flow = await analyseBoundedness(net, { solver, integers: false });
      const cycles = await analyseBoundedness(net, { solver, method: 'cycles' });
      expect(cycles.queues.map(({ verdict }) => verdict)).toEqual(flow.queues.map(({ verdict }) => verdict));
      for (const { certificate } of [flow, cycles])
        if (certificate !== null) expect(audit(certificate, net)).toMatchObject({ ok: true });
      flow.queues.forEach((queue, index) => {
        if (queue.bound === null) open++;
        else {
          proved++;
          expect(queue.bound).toBeLessThanOrEqual(cycles.queues[index]!.certifiedBound!);
          expect(queue.bound).toBeLessThanOrEqual(cycles.queues[index]!.bound!);
        }
      });
      for (const { ray, queue } of flow.counterexamples) expect(gain(net, ray, queue)).toBeGreaterThan(0n);
    }),
    { seed: 3, numRuns: runs },
  );
  expect(Math.min(proved, open)).toBeGreaterThan(runs / 4);
});

test('flow and cycles agree on livelock freedom', async () => {
  let proved = 0;
  await fc.assert(
    fc.asyncProperty(randomNets(fc), async (net) => {
      const flow = await analyseLivelock(net, { solver });
      const cycles = await analyseLivelock(net, { solver, method: 'cycles' });
      expect(cycles.verdict).toBe(flow.verdict);
      expect(flow.reasonCode ?? 'abstraction-too-coarse').toBe('abstraction-too-coarse');
      for (const { certificate } of [flow, cycles])
        if (certificate !== null) {
          expect(audit(certificate, net)).toMatchObject({ ok: true });
          proved++;
        }
    }),
    { seed: 4, numRuns: runs },
  );
  expect(proved).toBeGreaterThan(runs / 10);
});

test('no run of a net goes beyond a proved bound, integer bounds included', async () => {
  await fc.assert(
    fc.asyncProperty(randomNets(fc, { rendezvous: false }), async (net) => {
      const { queues } = await analyseBoundedness(net, { solver });
      const largest = explore(net, 1500);
      queues.forEach(({ bound }, queue) => {
        if (bound !== null) expect(largest[queue]).toBeLessThanOrEqual(bound);
      });
    }),
    { seed: 5, numRuns: Math.ceil(runs / 3) },
  );
});

test('a certificate of one net proves nothing about another', async () => {
  await fc.assert(
    fc.asyncProperty(randomNets(fc), randomNets(fc), async (net, other) => {
      const { certificate } = await analyseBoundedness(net, { solver, integers: false });
      if (certificate === null || JSON.stringify(net) === JSON.stringify(other)) return;
      expect(audit(certificate, other).ok).toBe(false);
    }),
    { seed: 6, numRuns: 40 },
  );
});

function gain(net: Net, ray: ReadonlyMap<number, bigint>, queue: number): bigint {
  let sum = 0n;
  for (const [transition, times] of ray)
    for (const { place, change } of net.transitions[transition]!.effect)
      if (net.queues[queue]!.places.includes(place)) sum += times * BigInt(change);
  return sum;
}

/** The largest number of messages in each queue, over the first states of a breadth-first search. */
function explore(net: Net, maxStates: number): number[] {
  const width = net.classes.length * 4;
  const start = [
    ...net.classes.flatMap(({ instances, initial }) =>
      Array.from({ length: 4 }, (_, location) => (location === initial ? instances : 0)),
    ),
    ...net.places.map(({ initial }) => initial),
  ];
  const seen = new Set([start.join()]);
  const work = [start];
  const largest = net.queues.map(() => 0);
  for (let state = work.shift(); state !== undefined; state = work.shift()) {
    const now = state;
    net.queues.forEach(({ places }, queue) => {
      const length = places.reduce((sum, place) => sum + now[width + place]!, 0);
      largest[queue] = Math.max(largest[queue]!, length);
    });
    for (const transition of net.transitions) {
      if (seen.size >= maxStates) break;
      const next = [...now];
      const from = transition.class * 4 + transition.from;
      if (next[from]! === 0) continue;
      next[from]!--;
      next[transition.class * 4 + transition.to]!++;
      for (const { class: started, count } of transition.spawns) next[started * 4]! += count;
      for (const { place, change } of transition.effect) next[width + place]! += change;
      if (next.some((count) => count < 0) || seen.has(next.join())) continue;
      seen.add(next.join());
      work.push(next);
    }
  }
  return largest;
}
