// Intervals and counter rows: what they say about small programs, and what they must not say.

import { describe, expect, test } from 'vitest';
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
    return (
      row && { constant: Number(row.constant), changes: [...row.coefficients.values()].map(Number).sort() }
    );
  };
  return { ever, rowOf };
}

test('guards keep a counter within limits', () => {
  const { ever, rowOf } = open('active proctype p() { int x; do :: x < 3 -> x++ :: x > 0 -> x-- od }');
  expect(ever()).toEqual({ least: 0, most: 3 });
  // The potentials x − least and most − x change at the tests, too: by as much as those narrow x down.
  expect(rowOf(true)).toEqual({ constant: 0, changes: [-1, 1] });
  expect(rowOf(false)).toEqual({ constant: 3, changes: [-1, 1] });
});

describe('what is received is what was sent', () => {
  const receiver = 'active proctype p() { byte x; do :: q?x od }';
  const received = (rest: string) => open(`chan q = [1] of { byte }; ${receiver} ${rest}`).ever();

  test('constants, from several senders', () => {
    expect(received('active proctype s() { q!7; q!2 } active proctype t() { q!5 }')).toEqual({
      least: 0,
      most: 7,
    });
    expect(
      open(`chan q = [1] of { byte };
      active proctype p() { byte x; do :: q?x :: x < 3 -> x++ od } active proctype s() { q!200 }`).rowOf(
        true,
      )!.changes,
    ).toContain(200);
  });
  test('nothing, if nothing is sent', () => expect(received('')).toEqual({ least: 0, most: 0 }));
  test('values that the field truncates can be any of its type', () => {
    expect(received('active proctype s() { int y = 260; q!y }')).toEqual({ least: 0, most: 255 });
  });
  test('a d_step does not tell what it sends', () => {
    expect(received('active proctype s() { d_step { q!3 } }').most).toBe(255);
  });
  test('a copy could be of any message', () => {
    const text = 'active proctype p() { byte x; do :: q?<x> :: q?_ od }';
    expect(open(`chan q = [1] of { byte }; ${text} active proctype s() { q!3 }`).ever().most).toBe(255);
  });
  test('what goes round and grows is widened', () => {
    const relay = 'active proctype s() { byte y; r!0; do :: r?y -> q!y; r!(y + 1) od }';
    expect(open(`chan q = [1] of { byte }; chan r = [1] of { byte }; ${receiver} ${relay}`).ever()).toEqual({
      least: 0,
      most: 255,
    });
    const guarded =
      'active proctype s() { byte y; r!0; do :: r?y -> q!y; if :: y < 9 -> r!(y + 1) :: else -> r!0 fi od }';
    expect(open(`chan q = [1] of { byte }; chan r = [1] of { byte }; ${receiver} ${guarded}`).ever()).toEqual(
      { least: 0, most: 9 },
    );
  });
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
