// Bad input: each mistake gives its code at its place, and nothing crashes.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { ECFSM_CODES } from '../codes.ts';
import { readModel } from '../resolve/read.ts';

const BASE = `machine A {
  states s, u;
  registers x, y;
  init s where x = 0, y = 0;
  a1: s -> s send M(n) when n = x do x := x + 1;
  a2: s -> u receive K(n) when n >= y do y := n;
}
machine B {
  states t;
  registers z;
  init t where z = 0;
  b1: t -> t receive M(n) do z := n;
  b2: t -> t send K(n) when n = z;
}
macro both(p, q) { A@p, B@q }
macro gap { A.x >= B.z }
invariant {
  P = both(s, t), A->B: M*, B->A: K*, step1(A->B), gap, every(A->B) >= B.z;
  Q = both(u, t), A->B: M*, B->A: K* | e, ([eq] A.x = B.z or [ne] A.x != B.z);
}
goal G = P, Q.*;
goal C = A@{s, u}, B@t;
`;

/** The diagnostics of the text with one change, as `code at text`. */
function mistakes(from: string, to: string): string[] {
  expect(BASE).toContain(from);
  const { diagnostics, model } = readModel(new SourceFile('t.ecfsm', BASE.replace(from, to)));
  if (diagnostics.some(({ severity }) => severity === 'error')) expect(model).toBeNull();
  return diagnostics.map(
    ({ code, span }) => `${code} ${span === null ? '' : span.file.text.slice(span.start, span.end)}`,
  );
}

describe('the language', () => {
  test('the text without mistakes is read', () => {
    const { model, diagnostics } = readModel(new SourceFile('t.ecfsm', BASE));
    expect(diagnostics).toEqual([]);
    expect(model!.invariant.map(({ name }) => name)).toEqual(['P', 'Q.eq', 'Q.ne.less', 'Q.ne.more']);
    expect(model!.goals.map(({ disjuncts }) => disjuncts)).toEqual([
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ]);
  });

  test.each([
    ['an unknown register in a condition', 'when n = x do', 'when n = w do', 'SPW4104 w'],
    ['an unknown register in a formula', 'A.x >= B.z', 'A.z >= B.z', 'SPW4104 gap'],
    ['a register without its machine', 'A.x = B.z', 'x = B.z', 'SPW4104 x'],
    ["another machine's register in an action", 'when n = z', 'when n = x', 'SPW4104 x'],
    ['an unknown register assigned', 'do z := n', 'do w := n', 'SPW4104 w'],
    ['an unknown state', 'a1: s -> s', 'a1: s -> v', 'SPW4103 v'],
    ['an unknown state in a formula', 'Q = both(u, t)', 'Q = both(v, t)', 'SPW4103 both'],
    ['an unknown type in an expression', 'A->B: M*, B->A: K* |', 'A->B: M*, B->A: J* |', 'SPW4105 J'],
    [
      'an expression over the types of the other channel',
      'A->B: M*, B->A: K*,',
      'A->B: K*, B->A: K*,',
      'SPW4105 K',
    ],
    ['an unknown machine', 'goal C = A@', 'goal C = D@', 'SPW4106 D'],
    ['an unknown predicate', 'step1(A->B)', 'step2(A->B)', 'SPW4201 step2'],
    ['a function as a predicate', 'step1(A->B)', 'lastp(A->B)', 'SPW4209 lastp'],
    ['a macro that is not closed', 'macro gap { A.x >= B.z }', 'macro gap { A.x >= B.z', 'SPW4010 {'],
    ['a macro with a bracket too many', 'macro gap { A.x >= B.z }', 'macro gap { A.x) >= B.z }', 'SPW4010 )'],
    ['a macro with too few arguments', 'both(s, t)', 'both(s)', 'SPW4011 both'],
    ['a macro without its arguments', 'both(s, t)', 'both', 'SPW4002 ,'],
    ['a macro that uses itself', 'macro gap { A.x >= B.z }', 'macro gap { gap }', 'SPW4012 gap'],
    ['a macro defined twice', 'macro gap {', 'macro both { e } macro gap {', 'SPW4014 both'],
    ['no control state', 'P = both(s, t),', 'P = A@s,', 'SPW4202 P'],
    ['no channel', 'A->B: M*, B->A: K*, step1', 'A->B: M*, step1', 'SPW4203 P'],
    ['a channel twice', 'A->B: M*, B->A: K*, step1', 'A->B: M*, A->B: e, B->A: K*, step1', 'SPW4203 P'],
    ['an unknown disjunct', 'goal G = P, Q.*', 'goal G = P, R', 'SPW4205 R'],
    ['a product of variables', 'A.x >= B.z', 'A.x * A.y >= B.z', 'SPW4108 gap'],
    ['!= in a condition', 'when n = z', 'when n != z', 'SPW4110 n != z'],
    ['a register assigned twice', 'do x := x + 1', 'do x := x + 1, x := 0', 'SPW4109 x'],
    ['a huge number', 'A.x >= B.z', 'A.x >= 99999999999', 'SPW4004 99999999999'],
    ['a name declared twice', 'registers x, y', 'registers x, x', 'SPW4102 x'],
    ['a disjunct declared twice', 'Q = both', 'P = both', 'SPW4102 P'],
    ['no initial state', 'init t where z = 0;', '', 'SPW4107 B'],
    ['contradictory initial states', 'init t where z = 0;', 'init t where z = 0, z = 1;', 'SPW4115 A'],
    ['a keyword as a name', 'states t;', 'states send;', 'SPW4113 send'],
    ['a missing semicolon', 'do z := n;', 'do z := n', 'SPW4002 b2'],
    ['a strange character', 'goal C', '$ goal C', 'SPW4001 $'],
    ['a comment without end', 'goal C', '/* goal C', 'SPW4003 /*'],
    ['one machine', 'machine B {', 'machine A {', 'SPW4102 A'],
    ['a copy of nothing', 'machine B {', 'machine B like C {', 'SPW4114 C'],
    ['a message nobody receives', 'b1: t -> t receive M(n)', 'b1: t -> t receive L(n)', 'SPW4111 M'],
    ['a relation that is none', 'A.x >= B.z', 'A.x + B.z', 'SPW4002 gap'],
  ])('%s', (_, from, to, expected) => {
    expect(mistakes(from, to)).toContain(expected);
  });

  test('suggests what was meant', () => {
    const { diagnostics } = readModel(new SourceFile('t.ecfsm', BASE.replace('step1(A->B)', 'stepl(A->B)')));
    expect(diagnostics[0]!.help).toBe("did you mean 'step1'?");
  });

  test('alternatives that multiply without end are stopped', () => {
    const many = Array.from({ length: 20 }, (_, i) => `(A.x = ${i} or A.x = ${i + 1})`).join(', ');
    expect(mistakes('gap, every', `${many}, every`).some((text) => text.startsWith('SPW4204'))).toBe(true);
    const deep = `${'('.repeat(5000)}A.x = 0${')'.repeat(5000)}`;
    expect(mistakes('gap, every', `${deep}, every`).some((text) => text.startsWith('SPW4005'))).toBe(true);
    const doubling = Array.from(
      { length: 40 },
      (_, i) => `macro m${i} { ${i === 0 ? 'gap' : `m${i - 1}, m${i - 1}`} }`,
    ).join('\n');
    expect(mistakes('macro both', `${doubling}\nmacro both`)).toEqual([]);
    const used = BASE.replace('macro both', `${doubling}\nmacro both`).replace('gap, every', 'm39, every');
    const codes = readModel(new SourceFile('t.ecfsm', used)).diagnostics.map(({ code }) => code);
    expect(codes).toContain('SPW4013');
  });

  test('no text crashes the reader, and every code is in the table', () => {
    const words = BASE.match(/[\w]+|->|:=|[^\s\w]/g)!;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(words.length - 1), fc.nat(words.length - 1), fc.nat(2)), {
          minLength: 1,
          maxLength: 4,
        }),
        (edits) => {
          const text = [...words];
          for (const [at, other, kind] of edits) {
            if (kind === 0) text.splice(at, 1);
            else if (kind === 1) text[at] = words[other]!;
            else text.splice(at, 0, words[other]!);
          }
          const { model, diagnostics } = readModel(new SourceFile('t.ecfsm', text.join(' ')));
          for (const { code } of diagnostics) expect(ECFSM_CODES).toHaveProperty(code);
          if (model === null) expect(diagnostics.length).toBeGreaterThan(0);
        },
      ),
      { seed: 1, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 60) },
    );
  });

  test('the corpus is read without a warning', () => {
    for (const name of ['minor-sync', 'minor-sync-bare', 'alternating-bit', 'token-session']) {
      const path = new URL(`../../../corpus/ecfsm/${name}.ecfsm`, import.meta.url);
      expect(readModel(new SourceFile(name, readFileSync(path, 'utf8'))).diagnostics).toEqual([]);
    }
  });
});
