// Pruning by order, against the first-in first-out semantics itself: no transition that some run takes is ever removed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { programOf } from '../promela/testing.ts';
import { buildNet } from './build.ts';
import type { Net } from './net.ts';
import { pruneByOrder } from './order.ts';

interface Move {
  readonly from: number;
  readonly to: number;
  /** Queue and letter; plus sends, minus receives; null does nothing. */
  readonly act: { readonly queue: 0 | 1; readonly letter: 0 | 1 } | null;
}

const move = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  act: fc.option(
    fc.record({
      queue: fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>,
      letter: fc.constantFrom(0, 1) as fc.Arbitrary<0 | 1>,
    }),
    {
      nil: null,
      freq: 5,
    },
  ),
});
const moves = fc.array(move, { minLength: 1, maxLength: 7 });

/** Process 0 fills queue 0 and empties queue 1, process 1 the other way round. */
function netOf(processes: readonly (readonly Move[])[]): Net {
  const location = (origin: number) => ({ name: `${origin}`, origin, values: [], at: null });
  return {
    classes: processes.map((_, index) => ({
      name: `p${index}`,
      locations: [0, 1, 2, 3].map(location),
      initial: 0,
      instances: 1,
      proctype: index,
    })),
    places: [0, 1, 2, 3].map((place) => ({ name: `${place}`, kind: 'message', initial: 0 })),
    queues: [0, 1].map((queue) => ({
      name: `q${queue}`,
      places: [queue * 2, queue * 2 + 1],
      declared: 4,
      at: null,
    })),
    transitions: processes.flatMap((list, index) =>
      list.map(({ from, to, act }) => ({
        class: index,
        from,
        to,
        effect:
          act === null ? [] : [{ place: act.queue * 2 + act.letter, change: act.queue === index ? 1 : -1 }],
        spawns: [],
        progress: false,
        text: '',
        at: null,
        origin: [],
      })),
    ),
  };
}

/** The transitions that runs with queues of limited length take. */
function taken(net: Net, longest: number): Set<number> {
  const found = new Set<number>();
  const start = { at: [0, 0], queues: ['', ''] };
  const seen = new Set([JSON.stringify(start)]);
  const work = [start];
  for (let state = work.pop(); state !== undefined && seen.size < 5000; state = work.pop()) {
    for (const [number, { class: p, from, to, effect }] of net.transitions.entries()) {
      if (state.at[p] !== from) continue;
      const next = { at: [...state.at], queues: [...state.queues] };
      next.at[p] = to;
      const [change] = effect;
      if (change !== undefined) {
        const queue = change.place >> 1;
        const letter = `${change.place & 1}`;
        if (change.change > 0) {
          next.queues[queue] += letter;
          if (next.queues[queue]!.length > longest) continue;
        } else {
          if (!next.queues[queue]!.startsWith(letter)) continue;
          next.queues[queue] = next.queues[queue]!.slice(1);
        }
      }
      found.add(number);
      const key = JSON.stringify(next);
      if (!seen.has(key)) {
        seen.add(key);
        work.push(next);
      }
    }
  }
  return found;
}

test('no transition of a run is removed', () => {
  let removed = 0;
  fc.assert(
    fc.property(moves, moves, (first, second) => {
      const net = netOf([first, second]);
      const kept = new Set(pruneByOrder(net, () => true).kept);
      removed += net.transitions.length - kept.size;
      for (const number of taken(net, 4)) expect(kept.has(number)).toBe(true);
    }),
    { seed: 41, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 200) },
  );
  expect(removed).toBeGreaterThan(250);
});

const WRONG_FIRST = (receive: string) => `mtype = { a, b };
chan q = [4] of { mtype };
active proctype sender() { q!b; q!a }
active proctype receiver() { ${receive} }`;

test('a receive that waits for the second message first never happens; with ?? it does', () => {
  const receives = (text: string) =>
    buildNet(programOf(text)).net.transitions.filter(({ effect }) => effect.some(({ change }) => change < 0))
      .length;
  expect(receives(WRONG_FIRST('q?a; q?b'))).toBe(0);
  expect(receives(WRONG_FIRST('q?b; q?a'))).toBe(2);
  expect(receives(WRONG_FIRST('q??a; q?b'))).toBe(2);
  expect(receives(`${WRONG_FIRST('q?a; q?b')}\nactive proctype other() { q!a }`)).toBe(2);
});

test('[IBOC] Fig. 11: 7 and 2 with the order, 20 and 6 as the paper has it', async () => {
  const program = programOf(`mtype = { c, b, a };
    chan AB = [25] of { mtype }; chan BA = [25] of { mtype };
    active proctype A() {
      s1: if
          :: BA?c -> AB!b; AB!b; goto s2
          :: BA?c -> AB!b; AB!b; AB!b; AB!b; AB!b; goto s3
          fi;
      s2: if :: BA?c -> AB!a; AB!a; AB!b; goto s3 fi;
      s3: if :: BA?c -> AB!a; AB!a; goto s2 fi
    }
    active proctype B() {
      BA!c; BA!c; goto s4;
      s4: if :: AB?a -> goto s5 fi;
      s5: if :: AB?b -> BA!c; goto s4 fi
    }`);
  const bounds = async (order: boolean, method: 'flow' | 'cycles') =>
    (await analyseBoundedness(buildNet(program, { order }).net, { method })).queues.map(({ bound }) => bound);
  expect(await bounds(true, 'flow')).toEqual([7, 2]);
  expect(await bounds(false, 'flow')).toEqual([13, 4]);
  expect(await bounds(false, 'cycles')).toEqual([20, 6]);
});
