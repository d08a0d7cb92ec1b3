import { expect, test } from 'vitest';
import { programOf } from '../../promela/testing.ts';
import type { QueueResult } from '../../verdict/verdict.ts';
import { tighten } from './tighten.ts';

const bound = (name: string, declared: number, value: number): QueueResult => ({
  name,
  declared,
  verdict: 'proved',
  bound: value,
  certifiedBound: value,
  exact: null,
  fits: value <= declared,
});

function tightened(test: string, declared: number, most: number): string {
  const text = `chan q = [${declared}] of { byte }; active proctype P() { do :: ${test} -> q!1; q?1 od }`;
  const result = tighten(programOf(text), 'model.pml', text, [bound('q', declared, most)]);
  return result.kept.map(({ why }) => why).join('; ') || /\[(\d+)\] of/.exec(result.text)![1]!;
}

test('a capacity that the model can see stays as it is', () => {
  expect(tightened('true', 9, 2)).toBe('2');
  expect(tightened('empty(q)', 9, 2)).toBe('2');
  expect(tightened('len(q) < 3', 9, 2)).toBe('2');
  expect(tightened('len(q) < 3', 1, 2)).toBe('the model tests lengths of channels');
  expect(tightened('nfull(q)', 9, 2)).toBe('the model tests whether channels are full');
  expect(tightened('full(q)', 2, 2)).toBe('2');
});
