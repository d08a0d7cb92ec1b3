// Which places are faint, one trap at a time; the states that are left are compared in forget.test.ts.

import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { cellsOf } from '../../process/storage.ts';
import { modelOf } from '../model-of.fuzz.ts';
import { searchSafety } from '../safety.ts';
import { FaintPlaces } from './faint.ts';

function faintNames(text: string): string[] {
  const { program } = modelOf(text);
  const places = new FaintPlaces(program, null);
  return program.variables.flatMap((variable) => {
    const cells = cellsOf(program.structs, variable);
    return places.cellsOf(variable.id).flatMap((is, i) => (is ? [cells[i]!.name] : []));
  });
}

describe('what goes nowhere', () => {
  test.each([
    ['a counter', 'x++', ['x', 'y']],
    ['counters of each other', 'x = x + y; y = y - x', ['x', 'y']],
    ['printed', 'printf("%d", x)', ['x', 'y']],
    ['received', 'c?x', ['x', 'y']],
    ['sent', 'c!x', ['y']],
    ['a pattern', 'c?eval(x)', ['y']],
    ['a pattern of a poll', 'c?[eval(x)]', ['y']],
    ['a condition', 'x == 1', ['y']],
    ['what a condition is computed from', 'x = y; x == 1', []],
    ['asserted', 'assert(x == 0)', ['y']],
    ['an index', 'a[x] = 1', ['y']],
    ['an index of what is read', 'y = a[x]', ['y']],
    ['an index of what is printed', 'printf("%d", a[x])', ['y']],
    ['a divisor', 'y = 1 / x', ['y']],
    ['what is divided by what may be -1', 'y = x / -1', ['y']],
    ['what is divided by a constant', 'y = x / 2', ['x', 'y']],
    ['decides whether an index is looked at', 'y = (x -> a[g] : 0)', ['y']],
    ['decides whether a wrong index is looked at', 'y = (x -> a[2] : 0)', ['y']],
    ['decides whether a right index is looked at', 'y = (x -> a[1] : 0)', ['x', 'y']],
    ['decides between values', 'y = (x -> 1 : 0)', ['x', 'y']],
    ['half of a conjunction with an index', 'y = x && a[g]', ['y']],
    ['an argument', 'run R(x)', ['y']],
    ['inside d_step', 'd_step { x = 1; y = x; x++ }', ['x', 'y']],
    ['a condition inside d_step', 'd_step { x = 1; y = x; y == 1 }', []],
    ['the number of a process', 'x = run R(0)', ['x', 'y']],
    ['an argument of enabled', 'enabled(x)', ['y']],
    ['an argument of what is stored in vain', 'y = run R(x)', ['y']],
  ])('%s', (_, body, expected) => {
    const text = `byte x, y; byte g, a[2]; chan c = [1] of { byte };
      active proctype P() { ${body}; g == 1; a[0] == 0 } proctype R(byte i) { i == 0 }`;
    expect(faintNames(text)).toEqual(expected);
  });

  test.each([
    ['looked at by others', 'active proctype P() { byte x; x++ } active proctype Q() { P[0]:x == 1 }'],
    ['named by a formula', 'byte x; active proctype P() { x++ } ltl f { [] (x < 3) }'],
    ['named by a claim', 'byte x; active proctype P() { x++ } never { do :: x == 1 od }'],
    ['in a condition on the process', 'byte x; active proctype P() provided (x < 2) { x++ }'],
    ['an initial value', 'active proctype P() { byte x; x++; byte n = x; n == 1 }'],
    ['a channel', 'chan c; active proctype P() { c = c }'],
    ['how often to select', 'active proctype P() { byte x, i; x = 2; select(i : 0 .. x); i == 1 }'],
    ['a priority', 'byte x; active proctype P() { x = 2; set_priority(_pid, x) }'],
  ])('%s is not', (_, text) => {
    expect(faintNames(text).filter((name) => name === 'x' || name === 'c')).toEqual([]);
  });

  test('field by field, whatever the element', () => {
    const text = `typedef S { byte n; byte k[2] }; S s[2];
      active proctype P() { s[0].n++; s[1].k[0]++; s[0].k[1] == 1 }`;
    expect(faintNames(text)).toEqual(['s[0].n', 's[1].n']);
  });
});

test('what counts for nobody does not make a space infinite, and its writers are independent', () => {
  const text = `int total[4], all; active [3] proctype P() { do :: total[_pid]++; all = all + total[_pid] od }`;
  const { search } = searchSafety(
    modelOf(text),
    { endStates: true, assertions: true, reduce: true },
    UNLIMITED,
    SILENT,
  );
  expect([search.limit, search.reduced]).toEqual([null, true]);
  expect(search.states).toBeLessThan(10);
});

test('an error in what is stored in vain is an error', () => {
  const text = `byte n, total[3]; active proctype P() { do :: n < 4 -> total[n]++; n++ :: else -> break od }`;
  const { failure } = searchSafety(modelOf(text), { assertions: true, reduce: true }, UNLIMITED, SILENT);
  expect(failure?.kind).toBe('runtime-error');
});
