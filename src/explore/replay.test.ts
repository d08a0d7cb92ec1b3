// `replay` believes no file: what a run is said to show is judged again on the model it is given.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Run } from '../verdict/run.ts';
import { confirm } from './confirm.ts';
import { describe as describeRun } from './describe.ts';
import { modelOf } from './model-of.fuzz.ts';
import { replay } from './replay.ts';
import type { SearchGoals } from './search.ts';
import { search } from './search.ts';
import { simulate } from './simulate.ts';
import { searchStuck } from './stuck.ts';
import { TITLES } from './titles.ts';
import { trailOf } from './trail.ts';

function violationOf(text: string, goals: SearchGoals, title: string): Run {
  const model = modelOf(text);
  const { violations, space } = search(model, goals, UNLIMITED, SILENT);
  const failing = violations[0]!.kind !== 'invalid-end-state';
  return describeRun(model, trailOf(space, violations[0]!), { title, failing }).run;
}

const verdict = (text: string, run: Run, options = {}): string => {
  const { failedAt, refused } = replay(modelOf(text, options), run);
  return failedAt === null ? (refused ?? 'shown') : `step ${failedAt + 1} is not possible`;
};

describe('a run that', () => {
  const failing = (limit: number) => `byte x; active proctype P() { x++; x++; assert(x < ${limit}); x = 0 }`;
  const run = violationOf(failing(2), { assertions: true }, TITLES.assertion);

  test('violates an assertion', () => {
    expect(verdict(failing(2), run)).toBe('shown');
    expect(verdict(failing(3), run)).toBe('the last step does not fail');
    const short = { ...run, steps: run.steps.slice(0, 1) };
    expect(verdict(failing(2), short)).toBe('the last step does not fail');
  });

  test('ends in a runtime error', () => {
    const text = (length: number) => `byte a[${length}], i = 2; active proctype P() { skip; a[i] = 1 }`;
    const found = violationOf(text(2), { assertions: true }, 'array index out of range');
    expect(verdict(text(2), found)).toBe('shown');
    expect(verdict(text(3), found)).toBe('the last step does not fail');
    const division = text(2).replace('a[i] = 1', 'i = 1 / (i - 2)');
    expect(verdict(division, found)).toBe('the last step fails otherwise: division by zero');
  });

  test('is stuck', () => {
    const text = (label: string) => `chan c = [0] of { bit }; active proctype P() { skip; ${label} c?1 }
      active proctype Q() { end: c?0; skip }`;
    const found = violationOf(text(''), { endStates: true }, TITLES.stuck);
    expect(verdict(text(''), found)).toBe('shown');
    expect(verdict(text('end1:'), found)).toBe('at its end every process stands at a valid end');
    const early = { ...found, steps: [] };
    expect(verdict(text(''), early)).toBe('at its end some process can move');
  });

  test('ends with a process that is blocked for ever', () => {
    const text = (way: string) => `chan c = [1] of { byte }; byte n;
      active proctype P() { c!1; c!2 } active proctype T() { do :: n = 1 - n ${way} od }`;
    const model = modelOf(text(''));
    const { found } = searchStuck(model, { reduce: true }, UNLIMITED, SILENT);
    const blocked = describeRun(model, found!.choices, {
      title: TITLES.blockedForEver,
      explain: [found!.pid],
    });
    expect(verdict(text(''), blocked.run)).toBe('shown');
    expect(verdict(text(':: c?_'), blocked.run)).toBe('every process that may not stop can move again');
  });

  test('repeats without progress', () => {
    const text = (label: string) =>
      `byte x; active proctype P() { do :: x == 0 -> x = 1; ${label} x = 0 od }`;
    const model = modelOf(text(''));
    const { loops } = confirm(model, { progress: { kind: 'labels' } }, UNLIMITED, SILENT);
    const [{ prefix, loop }] = loops as [(typeof loops)[0]];
    const loopStart = prefix.length;
    const { run: found } = describeRun(model, [...prefix, ...loop], { title: TITLES.idle, loopStart });
    expect(verdict(text(''), found)).toBe('shown');
    expect(verdict(text('progress:'), found)).toBe('there is progress in what repeats');
    const open = { ...found, steps: found.steps.slice(0, -1) };
    expect(verdict(text(''), open)).toBe('what is said to repeat cannot be taken for ever');
    expect(verdict(text('').replace('x = 0', 'x++'), found)).toBe(
      'what is said to repeat cannot be taken for ever',
    );
  });

  test('floods a queue', () => {
    const text = 'chan q = [1] of { byte }; chan r = [1] of { byte }; active proctype P() { do :: q!1 od }';
    const model = modelOf(text, { capacity: 'unlimited' });
    const { loops } = confirm(model, { queues: ['q'] }, UNLIMITED, SILENT);
    const [{ prefix, loop }] = loops as [(typeof loops)[0]];
    const title = 'q grows without limit';
    const { run: found } = describeRun(model, [...prefix, ...loop], { title, loopStart: prefix.length });
    const growing = (queue: string): Run => ({ ...found, growth: [{ queue, perRound: 1 }] });
    const unlimited = { capacity: 'unlimited' };
    expect(verdict(text, growing('q'), unlimited)).toBe('shown');
    expect(verdict(text, growing('r'), unlimited)).toBe("'r' does not grow");
    expect(verdict(text.replace('q!1', 'q!1; q?1'), growing('q'), unlimited)).toBe(
      'what is said to repeat cannot be taken for ever',
    );
  });

  test('only simulates claims nothing', () => {
    const text = 'byte x; active proctype P() { do :: x < 9 -> x++ :: else -> break od }';
    expect(verdict(text, simulate(modelOf(text), 1, 5).run)).toBe('shown');
  });
});
