// How loops lie in each other: what is around a place, and graphs in which everything leads everywhere, which are given up in time.

import { expect, test } from 'vitest';
import type { Edge } from '../program/program.ts';
import { nestingOf } from './nesting.ts';

const graph = (targets: readonly (readonly number[])[]): Edge[][] =>
  targets.map((list) => list.map((to) => ({ to }) as Edge));
const everywhere = (count: number): Edge[][] => {
  const all = Array.from({ length: count }, (_, i) => i);
  return graph(all.map(() => all));
};

test('loops in loops, beside each other, and entered in the middle', () => {
  expect(nestingOf(0, graph([[1, 4], [2], [1, 3], [0], []]), () => {})?.heads).toEqual([
    [0],
    [0, 1],
    [0, 1],
    [0],
    [],
  ]);
  const middle = nestingOf(0, graph([[1, 2], [2], [1, 3], []]), () => {})!;
  expect(middle.heads[1]).toEqual(middle.heads[2]);
  expect(middle.heads[1]).toHaveLength(1);
});

test('everything leads everywhere', () => {
  expect(nestingOf(0, everywhere(40), () => {})?.heads.at(-1)?.length).toBeGreaterThan(30);
  expect(nestingOf(0, everywhere(250), () => {})).toBeNull();
  const over = () => {
    throw new Error('time');
  };
  expect(() => nestingOf(0, everywhere(3), over)).toThrow('time');
});
