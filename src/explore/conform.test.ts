import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import {
  EVERYTHING,
  fits,
  type LoggedEvent,
  type MessageEvent,
  messageEvents,
} from '../verdict/event-log.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { conform } from './conform.ts';
import { describe as describeRun } from './describe.ts';
import { modelOf } from './model-of.fuzz.ts';
import { simulate } from './simulate.ts';
import { possibleSteps } from './trail.ts';

const BUDGET = { ...UNLIMITED, maxStates: 20_000 };
const seenOf = (events: readonly MessageEvent[]): LoggedEvent[] =>
  events.map((event, i) => ({ ...event, line: i + 1 }));
const judge = (model: Model, log: readonly LoggedEvent[]) => conform(model, log, () => EVERYTHING, BUDGET);

const HAND_MADE = [
  'mtype = { get, put }; chan q = [2] of { mtype, byte }; chan r = [0] of { byte };\nactive proctype a() { byte x; do :: q!get,x -> x = (x + 1) % 3 :: q!put,x :: r?x od }\nactive proctype b() { byte y; do :: q?get,y -> r!y :: q?<put,y> -> q?put,y od }',
  'chan q = [2] of { chan };\nproctype w(byte n) { chan own = [1] of { byte }; q!own; own!n; own?_ }\ninit { run w(1); run w(2); (_nr_pr == 1); run w(3) }',
  'chan q = [3] of { byte };\nactive [2] proctype p() { atomic { q!_pid; q!7 }; d_step { q?_; q!9 } }\nactive proctype c() { do :: q?_ od }',
  'chan q = [2] of { byte };\nproctype w() { q!1 }\nactive proctype s() { do :: run w(); q?_; (_nr_pr == 1) od }',
];

/** How many events of the log some run explains: every run is taken, by other code than conform's. Null: too many. */
function explained(model: Model, log: readonly LoggedEvent[]): number | null {
  const known = new Set<string>();
  let best = 0;
  const stack: Choice[][] = [[]];
  while (stack.length > 0) {
    const choices = stack.pop()!;
    const described = describeRun(model, choices, { title: '' });
    if (!described.ok) throw new Error('impossible: a possible step that is not');
    const shown = messageEvents(described.run);
    const wrong = shown.findIndex((event, i) => i >= log.length || !fits(event, log[i]!));
    best = Math.max(best, wrong < 0 ? shown.length : wrong);
    if (wrong >= 0) continue;
    const key = `${model.machine.copy().join()} ${shown.length} ${described.run.actors.join()}`;
    if (known.has(key)) continue;
    known.add(key);
    if (known.size > 600 || choices.length > 100) return null;
    for (const { choice, words } of possibleSteps(model))
      if (words !== null) stack.push([...choices, choice]);
  }
  return best;
}

function mutated(log: readonly LoggedEvent[], random: Random): LoggedEvent[] {
  const at = random.below(log.length);
  const event = log[at]!;
  const other = log[random.below(log.length)]!;
  const variants: LoggedEvent[][] = [
    [{ ...event, message: '255' }],
    [{ ...event, kind: event.kind === 'send' ? 'receive' : 'send' }],
    [{ ...event, process: other.process }],
    [{ ...event, queue: other.queue }],
    [],
    [event, event],
    [{ ...event, message: null, process: null }],
  ];
  return log
    .toSpliced(at, 1, ...variants[random.below(variants.length)]!)
    .map((one, i) => ({ ...one, line: i + 1 }));
}

test('logs of random runs are possible; changed ones fail at the event at which brute force fails', () => {
  const rounds = Number(process.env['SPILLWAY_FUZZ'] ?? 4);
  let [logs, located, compared] = [0, 0, 0];
  const random = new Random(11);
  for (let seed = 0; seed < rounds; seed++) {
    let model: Model;
    try {
      model = modelOf(HAND_MADE[seed] ?? randomSemanticsModel(seededPick(seed + 4000)));
    } catch {
      continue; // Not every random text is a model.
    }
    for (let i = 0; i < 3; i++) {
      const { run, end } = simulate(model, seed * 10 + i, 14);
      const log = seenOf(messageEvents(run));
      if (end.kind === 'fault' || log.length === 0) continue;
      const whole = judge(model, log);
      if (whole.kind !== 'unknown')
        expect(whole, `seed ${seed}`).toEqual({ kind: 'possible', events: log.length });
      logs++;
      const changed = mutated(log, random);
      const verdict = judge(model, changed);
      const count = explained(model, changed);
      if (verdict.kind === 'unknown' || count === null) continue;
      compared++;
      const at = verdict.kind === 'possible' ? changed.length : verdict.event.line - 1;
      expect(at, `seed ${seed} run ${i}`).toBe(count);
      if (verdict.kind === 'impossible') {
        located++;
        // What is said to be allowed instead really is.
        for (const instead of verdict.allowed)
          expect(judge(model, [...changed.slice(0, at), ...seenOf([instead])]).kind).toBe('possible');
      }
    }
  }
  expect(logs).toBeGreaterThan(4);
  expect(compared).toBeGreaterThan(3);
  expect(located).toBeGreaterThan(1);
});

test('long runs of models that start processes keep their names', () => {
  for (const [seed, text] of HAND_MADE.entries()) {
    const model = modelOf(text);
    const log = seenOf(messageEvents(simulate(model, seed + 1, 150).run));
    expect(log.length).toBeGreaterThan(4);
    expect(judge(model, log)).toEqual({ kind: 'possible', events: log.length });
  }
});

test('what is not observed may happen; what is, may not', () => {
  const model = modelOf(HAND_MADE[0]!);
  const log = seenOf(messageEvents(simulate(model, 5, 60).run));
  const part = log.filter(({ queue, kind }) => queue === 'q' && kind === 'receive');
  const observed = { queues: ['q'], processes: null, events: ['receive' as const] };
  expect(part.length).toBeGreaterThan(2);
  expect(conform(model, part, () => observed, BUDGET).kind).toBe('possible');
  expect(judge(model, part).kind).toBe('impossible');
});

test('the time holds for long logs, too', () => {
  const model = modelOf('chan q = [1] of { bit };\nactive proctype a() { do :: q!1; q?_ od }');
  const log = seenOf(messageEvents(simulate(model, 1, 3000).run));
  expect(judge(model, log)).toEqual({ kind: 'possible', events: log.length });
  const late = conform(model, log, () => EVERYTHING, { ...BUDGET, timeLeft: () => false });
  expect(late).toMatchObject({ kind: 'unknown', limit: 'time-limit', event: { line: 1024 } });
});

test('too many states are unknown, never an answer', () => {
  const model = modelOf(HAND_MADE[0]!);
  const hidden = { queues: [], processes: null, events: null };
  const log = seenOf([{ kind: 'send', process: 'a', queue: 'nothing', message: '1' }]);
  expect(conform(model, log, () => hidden, { ...BUDGET, maxStates: 3 })).toMatchObject({
    kind: 'unknown',
    limit: 'state-limit',
  });
  expect(conform(model, log, () => hidden, BUDGET)).toMatchObject({ kind: 'impossible', allowed: [] });
});
