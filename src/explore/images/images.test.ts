import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED, withStates } from '../../base/budget.ts';
import { loadPromela } from '../../promela/load.ts';
import { randomModels } from '../../testing/random-models.ts';
import { compileModel, type Model } from '../compile.ts';
import { queueMaxima } from '../maxima.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { pump } from '../pumping.ts';
import { search, whyIncomplete } from '../search.ts';
import { loopsInBox } from './boxed.ts';
import { abstractable, searchByHeads } from './heads.ts';
import { mergeMessages } from './merge.ts';
import { focusesFor, observeTraffic } from './traffic.ts';

const unlimited = (text: string): Model => modelOf(text, { capacity: 'unlimited', processes: 'unlimited' });
const budget = withStates(UNLIMITED, 60_000);

/** A sliding window: the sender has no limit on what it is asked to send, the receiver passes on what comes in order. */
const WINDOW = `
mtype = { data, ack };
chan todo = [2] of { mtype };
chan there = [2] of { mtype, byte };
chan back = [2] of { mtype, byte };
chan done = [2] of { mtype };
active proctype user() { do :: todo!data od }
active proctype sender() {
  byte next, oldest, n;
  do
  :: (next + 4 - oldest) % 4 < 2 -> todo?data; there!data(next); next = (next + 1) % 4
  :: back?ack(n) -> oldest = (n + 1) % 4
  od
}
active proctype receiver() {
  byte n;
  do :: there?data(n) -> done!data; back!ack(n) od
}
active proctype reader() { do :: done?data od }
`;

describe('queues beside one that floods', () => {
  test('a sliding window: the channels are bounded while its ends are flooded', () => {
    const model = unlimited(WINDOW);
    const outcome = searchByHeads(model, { queues: new Set(['todo', 'done']), kept: 1, tooLong: 9 }, budget);
    expect(outcome).toMatchObject({ complete: true, grew: null });
    expect([outcome.maxima.get('there'), outcome.maxima.get('back')]).toEqual([2, 2]);
  });

  test('a queue that grows as well is named', () => {
    const model = unlimited(WINDOW);
    const outcome = searchByHeads(model, { queues: new Set(['todo']), kept: 1, tooLong: 3 }, budget);
    expect(outcome).toMatchObject({ complete: false, grew: 'done' });
  });

  test('the order of what comes first is kept: the loud one comes once, in front of all others', () => {
    const text = (loud: string) => `
mtype = { loud, soft };
chan a = [1] of { mtype }; chan b = [1] of { mtype };
active proctype p() { ${loud} do :: a!soft od }
active proctype q() { do :: a?loud -> b!loud :: a?soft od }`;
    const bound = (model: Model) =>
      searchByHeads(model, { queues: new Set(['a']), kept: 1, tooLong: 9 }, budget);
    const once = bound(unlimited(text('a!loud;')));
    expect([once.complete, once.maxima.get('b')]).toEqual([true, 1]);
    expect(bound(unlimited(text('do :: a!loud :: break od;'))).grew).toBe('b');
  });

  test('lengths are compared as they are', () => {
    const model = unlimited(`
chan a = [9] of { byte }; chan b = [9] of { byte };
active proctype p() { do :: a!1 od }
active proctype q() { do :: len(a) < 2 -> b!1 :: b?_ :: a?_ od }
`);
    expect(abstractable(model)).toEqual(
      new Map([
        ['a', 3],
        ['b', 1],
      ]),
    );
    const outcome = searchByHeads(model, { queues: new Set(['a']), kept: 3, tooLong: 9 }, budget);
    expect(outcome.grew).toBe('b');
  });

  test('what other uses of a queue see is not abstracted', () => {
    const model = unlimited(`
chan a = [9] of { byte }; chan b = [9] of { byte }; chan c = [9] of { byte }; chan d = [9] of { byte }; chan e = [9] of { byte };
int n;
active proctype p() { do :: a!!1 :: b??1 :: n = len(c) :: d_step { d?_; d?_ } :: e?[1] -> e!1 od }
`);
    expect([...abstractable(model).keys()]).toEqual(['e']);
  });

  test('bounds hold on random models, whichever queue is abstracted', () => {
    const count = Number(process.env.SPILLWAY_FUZZ ?? 6);
    let settled = 0;
    fc.assert(
      fc.property(randomModels(), fc.nat(), (text, choice) => {
        const model = unlimited(text);
        const able = [...abstractable(model)];
        if (able.length === 0) return;
        const [name, kept] = able[choice % able.length]!;
        const outcome = searchByHeads(
          model,
          { queues: new Set([name]), kept, tooLong: 8 },
          withStates(UNLIMITED, 4_000),
        );
        if (!outcome.complete) return;
        settled++;
        search(model, { all: true }, withStates(UNLIMITED, 4_000), SILENT);
        for (const [queue, length] of queueMaxima(model))
          if (queue !== name)
            expect(outcome.maxima.get(queue), `${queue}\n${text}`).toBeGreaterThanOrEqual(length);
      }),
      { numRuns: count },
    );
    expect(settled).toBeGreaterThan(0);
  });
});

describe('loops in a box', () => {
  test('a window floods the queue behind it when all numbers have come round', () => {
    const model = unlimited(WINDOW);
    const channel = model.layout.globalChannels.findIndex(
      ({ name }) => model.layout.queueNames[name]!.name === 'done',
    );
    const found: number[] = [];
    const taken = loopsInBox(model, channel, { others: 1, kept: 1 }, budget, (loop) => {
      const real = pump(model, loop, { allowNewProcesses: false, progress: null });
      if (real !== null) found.push(real.growth.get(channel + 1)!);
      return real !== null;
    });
    expect([taken, found]).toEqual([true, [4]]);
  });
});

/** Subscribers of two hubs: the second one's data come back to it, and those of the first go on for themselves. */
const HUBS = `
mtype = { post, news };
chan ask[2] = [2] of { mtype, byte };
chan feed[6] = [2] of { mtype };
proctype hub(byte here) {
  byte who;
  do :: ask[here]?post(who) -> feed[3 * here]!news; feed[3 * here + 1]!news; feed[3 * here + 2]!news od
}
proctype subscriber(byte me) {
  do :: ask[me / 3]!post(me); feed[me]?news :: feed[me]?news od
}
init {
  byte i;
  run hub(0); run hub(1);
  do :: i < 6 -> run subscriber(i); i++ :: else -> break od
}
`;

describe('a focus', () => {
  const model = unlimited(HUBS);
  const names = model.layout.globalChannels.map(({ name }) => model.layout.queueNames[name]!.name);
  const channel = names.indexOf('feed[4]');
  const focuses = focusesFor(model, observeTraffic(model), channel);

  test('begins with who sends, and takes in one after the other who feeds them', () => {
    const [hub, starter] = [`${proctypeOf('hub')},1`, `${proctypeOf('init')}`];
    const subscribers = [3, 4, 5].map((me) => `${proctypeOf('subscriber')},${me}`);
    const expected = [
      [hub, starter],
      ...subscribers.map((one) => [hub, starter, one]),
      [hub, starter, ...subscribers],
    ];
    expect(focuses.map(({ roles }) => [...roles].sort())).toEqual(expected.map((roles) => roles.sort()));
  });

  test('finds a flood in a small part of the box', () => {
    const first = focuses[1]!;
    expect([...first.untaken].map((one) => names[one])).toContain('feed[4]');
    let growth: number | undefined;
    loopsInBox(model, channel, { others: 1, kept: 1, focus: first }, withStates(UNLIMITED, 1_000), (loop) => {
      const real = pump(model, loop, { allowNewProcesses: false, progress: null });
      growth = real?.growth.get(channel + 1);
      return growth !== undefined;
    });
    expect(growth).toBe(1);
  });

  function proctypeOf(name: string): number {
    return model.program.proctypes.findIndex((proctype) => proctype.name === name);
  }
});

describe('kinds of messages that nobody tells apart', () => {
  const merged = (text: string) => {
    const { program } = loadPromela('m.pml', { read: () => text });
    return mergeMessages(program!);
  };
  const model = (receiver: string, sender = 'if :: q!red :: q!blue :: q!stop fi') => `
mtype = { red, blue, stop };
chan q = [2] of { mtype }; chan r = [2] of { mtype };
active proctype p() { ${sender} }
active proctype s() { mtype kind; ${receiver} }`;

  test('copied and passed on: one kind', () => {
    expect(
      merged(model('do :: q?kind -> if :: kind == stop -> break :: else -> r!kind fi od'))?.names,
    ).toEqual([['blue', 'red']]);
  });

  test('received by name, each in the same choice: one kind', () => {
    expect(merged(model('do :: q?red :: q?blue -> skip :: q?stop -> break od'))?.names).toEqual([
      ['stop', 'blue', 'red'],
    ]);
  });

  test.each([
    ['compared', 'do :: q?kind -> if :: kind == red -> r!red :: kind == stop -> break :: else fi od'],
    ['received by name in one place only', 'do :: q?red :: q?stop -> break od; q?blue; q?stop; q?red'],
    ['counted with', 'byte n; q?kind; n = kind + 1'],
    ['looked for', 'do :: q?[red] -> q?kind; r!red :: q?[blue] -> q?_ :: q?stop -> break od'],
    ['an index', 'byte n[9]; q?kind; n[kind] = 1'],
    ['compared with another', 'mtype old; old = kind; q?kind; if :: old == kind -> r!red :: else fi'],
  ])('%s: told apart', (_, receiver) => {
    const names = merged(model(receiver))?.names ?? [];
    expect(names.some((group) => group.includes('red') && group.includes('blue'))).toBe(false);
  });

  test('the merged program has at least the lengths of queues', () => {
    const count = Number(process.env.SPILLWAY_FUZZ ?? 6);
    let seen = 0;
    fc.assert(
      fc.property(randomModels(), (text) => {
        const { program } = loadPromela('m.pml', { read: () => text });
        const other = program && mergeMessages(program);
        if (!program || !other) return;
        seen++;
        const lengths = (of: typeof program) => {
          const compiled = compileModel(of, { capacity: 'unlimited', processes: 'unlimited' });
          if (!compiled.ok) return null;
          const outcome = search(compiled.value, { all: true }, withStates(UNLIMITED, 4_000), SILENT);
          return { complete: whyIncomplete(outcome) === null, maxima: queueMaxima(compiled.value) };
        };
        const after = lengths(other.program);
        const before = lengths(program);
        if (!after?.complete || before === null) return;
        for (const [queue, length] of before.maxima)
          expect(after.maxima.get(queue), `${queue}\n${text}`).toBeGreaterThanOrEqual(length);
      }),
      { numRuns: count },
    );
    void seen;
  });
});

test('no time at all: nothing is found, and nothing breaks', () => {
  const none = { ...UNLIMITED, timeLeft: () => false };
  expect(loopsInBox(unlimited(WINDOW), 0, { others: 1, kept: 1 }, none, () => true)).toBe(false);
});
