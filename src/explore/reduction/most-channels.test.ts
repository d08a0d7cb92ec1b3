// How often processes are started at most, one way of starting them at a time; no search meets more channels than that.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { randomCallsModel } from '../../testing/random-calls.ts';
import { seededPick } from '../../testing/random-semantics.ts';
import { HEADER } from '../layout.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { search } from '../search.ts';
import { mostChannels, mostStarts } from './most-channels.ts';

const INFINITE = Number.POSITIVE_INFINITY;

function startsOfP(body: string, more = ''): number {
  const { program } = modelOf(
    `byte x, y; proctype p() { chan c = [1] of { byte }; skip } ${more} init { ${body} }`,
  );
  const starts = mostStarts(program);
  return starts[program.proctypes.find(({ name }) => name === 'p')!.id]!;
}

describe('starts', () => {
  test.each([
    ['none', 'skip', 0],
    ['one', 'run p()', 1],
    ['two, one after the other', 'run p(); run p()', 2],
    ['one of two ways, both counted', 'if :: run p() :: run p() fi', 2],
    ['what it gives is kept', 'x = run p()', 1],
    ['in a loop', 'do :: run p() od', INFINITE],
    ['behind a loop', 'do :: x++ :: break od; run p()', 1],
    ['in a loop over a jump back', 'again: run p(); goto again', INFINITE],
    ['in an assertion', 'assert(run p())', INFINITE],
    ['inside of an expression', 'x = (run p()) + 1', INFINITE],
    ['by a process that is started twice', 'run q(); run q()', 2],
    ['by a process in a loop', 'do :: run q() od', INFINITE],
    ['by one that is never started', 'skip', 0, 'proctype r() { run p() }'],
    ['by active ones', 'skip', 3, 'active [3] proctype r() { run p() }'],
    ['by one that starts itself', 'run r()', INFINITE, 'proctype r() { run p(); if :: run r() :: skip fi }'],
  ])('%s', (_, body, most, more = '') => {
    expect(startsOfP(body, `${body.includes('q()') ? 'proctype q() { run p() }' : ''} ${more}`)).toBe(most);
  });
});

test('as many channels as there are at most', () => {
  let bounded = 0;
  for (let i = 0; i < 60; i++) {
    const model = modelOf(randomCallsModel(seededPick(i)));
    const most = mostChannels(model.program, model.layout, 255);
    if (most === 255) continue;
    bounded++;
    const { space } = search(model, {}, { ...UNLIMITED, maxStates: 3000 }, SILENT);
    for (let state = 0; state < space.store.count; state++) {
      space.store.loadInto(model.machine, state);
      expect(model.machine.cells[HEADER.channels]).toBeLessThanOrEqual(most);
    }
  }
  expect(bounded).toBeGreaterThan(5);
});
