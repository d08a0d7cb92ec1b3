import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { describe as describeRun } from './describe.ts';
import { modelOf } from './model-of.fuzz.ts';
import { searchSafety } from './safety.ts';
import { searchStuck } from './stuck.ts';

const stuck = (text: string, reduce: boolean) => {
  const model = modelOf(text);
  const { found, search } = searchStuck(model, { reduce }, UNLIMITED, SILENT);
  if (found === null) return { found: null, search };
  const { run } = describeRun(model, found.choices, { title: '', explain: [found.pid] });
  return { found: run.blocked!.processes[0]!, search };
};

const cases: readonly [name: string, text: string, blocked: string | null][] = [
  [
    'a full channel while another process goes on',
    'chan c = [1] of { byte }; byte n; active proctype P() { c!1; c!2 } active proctype T() { do :: n = 1 - n od }',
    'P',
  ],
  [
    'it may wait long, but not for ever',
    'chan c = [1] of { byte }; byte n; active proctype P() { c!1; c!2 } active proctype T() { do :: n = 1 - n :: c?_ od }',
    null,
  ],
  [
    'an end label allows it to wait',
    'chan c = [1] of { byte }; byte n; active proctype P() { c!1; end: c!2 } active proctype T() { do :: n = 1 - n od }',
    null,
  ],
  ['a deadlock, too', 'chan c = [0] of { byte }; active proctype P() { c!1 }', 'P'],
  [
    'an atomic sequence that never gives up control',
    'byte x; active proctype P() { skip; skip } active proctype Q() { byte n; atomic { do :: n = 1 - n od } }',
    'P',
  ],
];

test.each(cases)('%s', (_, text, blocked) => {
  for (const reduce of [true, false]) expect(stuck(text, reduce).found?.process ?? null).toBe(blocked);
});

test('why: what it waits for, who could have helped, circles, messages in the way', () => {
  const explain = (text: string) => {
    const model = modelOf(text);
    const { stuck: finding } = searchSafety(model, { endStates: true, reduce: true }, UNLIMITED, SILENT);
    return describeRun(model, finding!.choices, { title: '', explain: true }).run.blocked!;
  };
  const circle = explain(`chan a = [1] of { bit }; chan b = [1] of { bit };
    active proctype P() { a?1; b!1 } active proctype Q() { b?1; a!1 }`);
  expect(circle.circularWait).toEqual(['P', 'Q']);
  expect(circle.processes).toMatchObject([
    {
      process: 'P',
      statement: 'a?1',
      waitsFor: [{ kind: 'message', queue: 'a', helpers: [{ process: 'Q', text: 'is blocked itself' }] }],
    },
    { process: 'Q', waitsFor: [{ kind: 'message', queue: 'b' }] },
  ]);
  const inTheWay = explain(`chan q = [2] of { byte };
    active proctype S() { q!1; q!2; q!3 } active proctype R() { q?2; q?1 }`);
  expect(inTheWay.circularWait).toEqual(null);
  expect(inTheWay.processes).toMatchObject([
    { process: 'S', waitsFor: [{ kind: 'room', text: 'room in q, which is full (2 of 2)' }] },
    { process: 'R', waitsFor: [{ kind: 'head-of-line', helpers: [] }] },
  ]);
  const alone = explain('byte x; chan r = [0] of { bit }; active proctype P() { if :: x == 1 :: r!1 fi }');
  expect(alone.processes[0]!.waitsFor).toMatchObject([
    { kind: 'condition', text: 'x == 1 to become true (now x is 0)', helpers: [] },
    { kind: 'partner', queue: 'r', helpers: [] },
  ]);
});

test('deep errors are found by walks and shortened', () => {
  // Far more states than the first look, each of which almost every run leads to the error from.
  const model = modelOf(`byte a, b, c; bool done;
    active proctype P() { do :: a < 200 -> a++ :: a == 200 -> break od; done = true }
    active proctype Q() { do :: b = b + 1 :: c = c + 1 :: done -> break od; assert(false) }`);
  const { failure } = searchSafety(model, { assertions: true, reduce: true }, UNLIMITED, SILENT);
  const { run } = describeRun(model, failure!.choices, { title: '', failing: true });
  expect(run.steps.at(-1)!.text).toBe('assert(false)');
  // 200 rounds of two steps, the break, the assignment, the other's break and the assertion.
  expect(run.steps.length).toBe(404);
});
