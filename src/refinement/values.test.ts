// Intervals and counter rows: what they say about small programs, and what they must not say.

import { expect, test } from 'vitest';
import { buildNet } from '../net/build.ts';
import { programOf } from '../promela/testing.ts';
import { codeContext } from './context.ts';
import { intervalOf } from './intervals.ts';
import { deriveRow, Facts } from './rows.ts';

function open(text: string) {
  const program = programOf(text);
  const { net } = buildNet(program, { unfold: 'none' });
  const facts = new Facts(codeContext(program, net)!);
  const variable = program.variables.find(({ name }) => name === 'x')!.id;
  /** All values x has at the locations of the class. */
  const ever = (netClass = 0) => {
    const all = facts
      .of(netClass)
      .flatMap((values) => (values === null ? [] : [intervalOf(facts.context, values, variable)]));
    return {
      least: Math.min(...all.map(({ least }) => least)),
      most: Math.max(...all.map(({ most }) => most)),
    };
  };
  const rowOf = (upwards: boolean) => {
    const row = deriveRow(facts, { kind: 'counter', class: 0, variable, upwards });
    return row && { constant: Number(row.constant), changes: [...row.coefficients.values()].map(Number) };
  };
  return { ever, rowOf };
}

test('guards keep a counter within limits', () => {
  const { ever, rowOf } = open('active proctype p() { int x; do :: x < 3 -> x++ :: x > 0 -> x-- od }');
  expect(ever()).toEqual({ least: 0, most: 3 });
  expect(rowOf(true)).toEqual({ constant: 0, changes: [1, -1] });
  expect(rowOf(false)).toEqual({ constant: 3, changes: [-1, 1] });
});

test('what is received can be anything, and changes the counter by anything', () => {
  const { ever, rowOf } = open(`chan q = [1] of { byte };
    active proctype p() { byte x; do :: q?x :: x < 3 -> x++ od }
    active proctype s() { q!200 }`);
  expect(ever()).toEqual({ least: 0, most: 255 });
  expect(rowOf(true)!.changes).toContain(255);
});

test('a store that could wrap makes the value unknown', () => {
  const { ever, rowOf } = open('active proctype p() { byte x; do :: x++ od }');
  expect(ever()).toEqual({ least: 0, most: 255 });
  expect(rowOf(true)!.changes).toEqual([255]);
});

test('a shared variable is nobody’s own', () => {
  const { ever, rowOf } = open(`byte x;
    active proctype p() { do :: x < 3 -> x++ od }
    active proctype q() { x = 9 }`);
  expect(ever()).toEqual({ least: 0, most: 255 });
  expect(rowOf(true)).toBeNull();
});

test('a global with one writing instance is its own; with two it is not', () => {
  const text = (copies: number) =>
    `byte x; active [${copies}] proctype p() { do :: x < 3 -> x++ :: x == 3 -> x = 0 od }`;
  expect(open(text(1)).ever()).toEqual({ least: 0, most: 3 });
  expect(open(text(2)).ever()).toEqual({ least: 0, most: 255 });
});
