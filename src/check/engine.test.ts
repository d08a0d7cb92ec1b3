// The core: engines, facts, the scheduler. A test engine of a few lines wins a portfolio; nothing unbacked gets through.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Engine, Portfolio } from '../engine/engine.ts';
import { Board, type Fact } from '../engine/fact.ts';
import { type Ended, type Host, inlineHost, settle } from '../engine/scheduler.ts';
import type { Answer } from '../verdict/answer.ts';
import { proved, unknown } from '../verdict/answer.ts';

type Model = { readonly size: number };

const exhaustion = { kind: 'exhaustion', states: 3, transitions: 2 } as const;

/** Says at once what it is told to say. */
const oracle = (name: string, answer: Answer): Engine<Model> => ({
  name,
  settles: (property) => property === 'quick',
  run: (_task, _budget, _observer, learn) =>
    learn({ kind: 'answer', property: 'quick', engine: name, answer }),
});

const ran: string[] = [];
const slow: Engine<Model> = {
  name: 'slow',
  settles: () => true,
  run: ({ open }) => void ran.push(`slow ${open.join()}`),
};

const question = (properties: readonly string[]) => ({
  properties,
  options: {},
  isSettled: (property: string, board: Board) => board.definite(property) !== null,
});

const run = (portfolio: Portfolio<Model>, properties: readonly string[]) =>
  settle(question(properties), portfolio as never, inlineHost(portfolio, { size: 1 }, {}), UNLIMITED, SILENT);

test('the first definite answer wins, and engines that nobody waits for are not asked', async () => {
  ran.length = 0;
  const portfolio = [
    { engine: oracle('oracle', proved('exhaustive', exhaustion, 'search')) },
    { engine: slow },
  ];
  expect((await run(portfolio, ['quick'])).definite('quick')?.verdict).toBe('proved');
  expect(ran).toEqual([]);
  await run(portfolio, ['quick', 'other']);
  expect(ran).toEqual(['slow other']);
});

test('an unknown settles nothing: the next engine is asked', async () => {
  ran.length = 0;
  const board = await run([{ engine: oracle('oracle', unknown('time-limit')) }, { engine: slow }], ['quick']);
  expect(board.definite('quick')).toBeNull();
  expect(ran).toEqual(['slow quick']);
});

test.each([
  ['a proof without evidence', { verdict: 'proved', method: 'flow', stats: {} }],
  ['a proof that no checker accepted', { verdict: 'proved', evidence: exhaustion, stats: {} }],
  ['a refutation without a run', { verdict: 'refuted', evidence: exhaustion, stats: {} }],
  ['an unknown without a reason', { verdict: 'unknown', stats: {} }],
])('%s is refused', async (_, answer) => {
  const engine = oracle('forger', answer as unknown as Answer);
  await expect(run([{ engine }], ['quick'])).rejects.toThrow(/without|no verdict/);
});

test('queues that are settled need evidence that fits', () => {
  const row = {
    name: 'q',
    verdict: 'proved',
    bound: 1,
    certifiedBound: 1,
    exact: null,
    declared: 2,
    fits: true,
  };
  const fact = { kind: 'queues', engine: 'forger', rows: [row], method: 'flow', backing: null } as Fact;
  expect(() => new Board().add(fact)).toThrow('the queue q is settled without evidence');
});

test('engines that contradict each other are a bug that stops everything', async () => {
  const board = new Board();
  const run = { title: '', actors: [], queues: [], initial: [], steps: [], loopStart: null };
  const answers = [
    proved('exhaustive', exhaustion, 'search'),
    { verdict: 'refuted', evidence: { kind: 'run', run }, stats: {} } as unknown as Answer,
  ];
  for (const answer of answers) board.add({ kind: 'answer', property: 'p', engine: 'x', answer });
  expect(() => board.definite('p')).toThrow('contradict');
});

/** Two lanes without threads: each engine ends when the test says so. */
function lanes() {
  const work = new Map<
    string,
    { learn: (fact: Fact) => void; end: (ended: Ended) => void; cancelled: boolean }
  >();
  const host: Host = {
    lanes: 2,
    pause: null,
    start: (engine, _work, learn) => {
      let end: (ended: Ended) => void = () => {};
      const done = new Promise<Ended>((resolve) => {
        end = resolve;
      });
      const entry = { learn, end, cancelled: false };
      work.set(engine, entry);
      const cancel = () => {
        entry.cancelled = true;
        end({ kind: 'done' });
      };
      return { done, cancel, kill: cancel };
    },
  };
  return { host, work };
}

const named = (name: string): Engine<Model> => ({ name, settles: () => true, run: () => {} });
const tick = () => new Promise((resolve) => setImmediate(resolve));

test('side by side: the answer of one cancels the other', async () => {
  const { host, work } = lanes();
  const portfolio = [{ engine: named('a') }, { engine: named('b') }, { engine: named('c') }];
  const done = settle(question(['p']), portfolio as never, host, UNLIMITED, SILENT);
  await tick();
  expect([...work.keys()]).toEqual(['a', 'b']);
  const answer = proved('exhaustive', exhaustion, 'search');
  work.get('b')!.learn({ kind: 'answer', property: 'p', engine: 'b', answer });
  expect(work.get('a')!.cancelled).toBe(true);
  work.get('b')!.end({ kind: 'done' });
  expect((await done).definite('p')).toBe(answer);
  expect(work.has('c')).toBe(false);
});

test('an engine that dies costs what it had not learned yet', async () => {
  const { host, work } = lanes();
  const failures: string[] = [];
  const done = settle(
    question(['p', 'q']),
    [{ engine: named('a') }, { engine: named('b') }] as never,
    host,
    UNLIMITED,
    SILENT,
    new Board(),
    { failure: (engine, { message }, open) => void failures.push(`${engine}: ${message} (${open.join()})`) },
  );
  await tick();
  const answer = proved('exhaustive', exhaustion, 'search');
  work.get('a')!.learn({ kind: 'answer', property: 'p', engine: 'a', answer });
  work.get('a')!.end({ kind: 'failed', message: 'out of memory', reasonCode: 'engine-failed' });
  work.get('b')!.end({ kind: 'done' });
  const board = await done;
  expect(board.definite('p')).toBe(answer);
  expect(failures).toEqual(['a: out of memory (p,q)']);
});

test('an engine that builds on another does not start beside it', async () => {
  const { host, work } = lanes();
  const portfolio = [{ engine: named('a') }, { engine: named('b'), after: 'a' }, { engine: named('c') }];
  const done = settle(question(['p']), portfolio as never, host, UNLIMITED, SILENT);
  await tick();
  expect([...work.keys()]).toEqual(['a', 'c']);
  work.get('a')!.end({ kind: 'done' });
  await tick();
  await tick();
  expect([...work.keys()]).toEqual(['a', 'c', 'b']);
  for (const { end } of work.values()) end({ kind: 'done' });
  await done;
});

test('… nor before it, while that one itself waits', async () => {
  const { host, work } = lanes();
  const portfolio = [
    { engine: named('a') },
    { engine: named('b'), after: 'a' },
    { engine: named('c'), after: 'b' },
  ];
  const done = settle(question(['p']), portfolio as never, host, UNLIMITED, SILENT);
  for (const name of ['a', 'b', 'c']) {
    await tick();
    await tick();
    expect([...work.keys()].at(-1)).toBe(name);
    work.get(name)!.end({ kind: 'done' });
  }
  await done;
});
