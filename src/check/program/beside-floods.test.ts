// Each queue by itself: those beside a flood are proved, those that only a long loop floods are refuted, whatever the others do.

import { expect, test } from 'vitest';
import { checkModel } from '../check.ts';

const CREDIT = 'a credit window beside a queue without limit: the counter bounds its own queues';
const IS_LONG = process.env['SPILLWAY_FUZZ'] !== undefined;
if (!IS_LONG) console.log(`left out: ${CREDIT}; SPILLWAY_FUZZ=1 checks it`);

async function queuesOf(text: string) {
  const report = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: ['bounded'],
    options: { allQueues: true },
    budget: {
      timeLeft: () => true,
      remaining: () => Number.POSITIVE_INFINITY,
      maxStates: 400_000,
      maxMemory: 1 << 30,
    },
  });
  const [result] = report.properties;
  return {
    notes: (result!.notes ?? []).map(({ message }) => message),
    queues: Object.fromEntries(
      result!.queues!.map(({ name, verdict, bound }) => [name, verdict === 'proved' ? bound : verdict]),
    ),
  };
}

test('a window kept in arrays that repeats only on timeout, with two kinds of data: the channels are bounded, both ends are flooded', async () => {
  const { queues, notes } = await queuesOf(`
#define M 2
mtype = { white, red, ack };
chan todo = [2] of { mtype };
chan there = [2] of { mtype, byte };
chan back = [2] of { mtype, byte };
chan done = [2] of { mtype };
active proctype user() { do :: todo!white :: todo!red od }
active proctype sender() {
  bool busy[M];
  byte window, oldest, next, n;
  mtype kind;
  do
  :: atomic { window < 1 && nempty(todo) -> todo?kind; window++; busy[next] = true; there!kind(next); next = (next + 1) % M }
  :: atomic { window > 0 && !busy[oldest] -> window--; oldest = (oldest + 1) % M }
  :: back?ack(n) -> busy[n] = false
  :: atomic { timeout && window > 0 && busy[oldest] -> there!white(oldest) }
  od
}
active proctype receiver() {
  byte n;
  mtype kind;
  do :: there?kind(n) -> done!kind; back!ack(n) od
}
active proctype reader() { do :: done?white :: done?red od }
`);
  expect(queues).toEqual({ todo: 'refuted', there: 1, back: 1, done: 'refuted' });
  expect(notes.some((message) => message.includes('as first messages and a set'))).toBe(true);
});

test.runIf(IS_LONG)(CREDIT, async () => {
  const { queues } = await queuesOf(`
mtype = { item, credit, log };
chan items = [3] of { mtype };
chan credits = [3] of { mtype };
chan logs = [1] of { mtype };
active proctype producer() {
  byte left = 3;
  do
  :: left > 0 -> items!item; left--; logs!log
  :: credits?credit -> left++
  od
}
active proctype consumer() { do :: items?item -> credits!credit od }
`);
  expect(queues).toEqual({ items: 3, credits: 3, logs: 'refuted' });
});
