import { expect, test } from 'vitest';
import { PROMELA_CODES } from './codes.ts';
import { loadText } from './testing.ts';

/** The text the diagnostic points at, after its code; `model` is put into a proctype unless it has one. */
function check(model: string, ...expected: string[]): void {
  const text = /proctype|init/.test(model) ? model : `active proctype p() { ${model} }`;
  const found = loadText(text).diagnostics.map(({ code, span }) =>
    span === null ? code : `${code} ${span.file.text.slice(span.start, span.end)}`,
  );
  expect(found).toEqual(expected);
}

const message = (model: string): string =>
  loadText(model)
    .diagnostics.map((diagnostic) => [diagnostic.message, diagnostic.help].filter(Boolean).join('; '))
    .join('\n');

test('names', () => {
  check('x = 1', 'SPW1101 x');
  check('byte x; x = y + z', 'SPW1101 y', 'SPW1101 z');
  check('byte x; { byte x; x = 1 }', 'SPW1102 x');
  check('goto end1', 'SPW1103 end1');
  check('L: skip; L: skip', 'SPW1102 L');
  check('init { run q(1) }', 'SPW1101 q');
  check('proctype q(byte a) { skip } init { run q(1, 2) }', 'SPW1104 run q(1, 2)');
});

test('types', () => {
  check('byte x; x!1', 'SPW1105 x');
  check('byte x[2]; x = 1', 'SPW1107 x');
  check('byte x; x[2] = 1', 'SPW1107 x');
  check('typedef T { byte a }; T t; active proctype p() { t.b = 1; t = 1 }', 'SPW1106 b', 'SPW1106 t');
  check('mtype:f = { a }; mtype:g = { b }; mtype:f x; active proctype p() { x = b }', 'SPW1113 b');
  check('chan q = [1] of { byte, byte }; active proctype p() { q!1 }', 'SPW1104 q!1');
  check('_pid = 1', 'SPW1109 _pid');
});

test('literals beyond 32 bits', () => {
  check('int x; x = 2147483647');
  check('int x; x = 4294967295', 'SPW1112 4294967295');
  check('int x; x = -2147483648', 'SPW1112 2147483648');
  expect(message('active proctype p() { int x; x = 4294967297 }')).toBe(
    '4294967297 does not fit an int: SPIN takes it for 1; the greatest int is 2147483647',
  );
});

test('several errors in one run', () => {
  check('byte x = ; x = 1 + ; x = 2', 'SPW1001 ;', 'SPW1001 ;');
  check(
    'active proctype p() { x = ( } byte y; active proctype q() { if :: fi; y = } init { skip }',
    'SPW1001 }',
    'SPW1001 }',
  );
  check('byte x; if :: x = 1 x = 2 fi', 'SPW1001 x');
});

test('misplaced things', () => {
  check('break', 'SPW1008 break');
  check('atomic { L: skip }; goto L', 'SPW1004 L');
  check('if :: else :: else fi', 'SPW1008 else');
  check('L: byte x; skip', 'SPW1004 L');
  check('d_step { skip; goto M }; M: skip', 'SPW1008 M');
  check('active proctype p() { }', 'SPW1007 { }');
  check('L: goto M; M: goto L', 'SPW1008 goto M');
  check('chan q = [1] of {byte}; active proctype p() { !empty(q) }', 'SPW1111 empty(q)');
});

test('suggestions', () => {
  expect(message('byte counter; active proctype p() { countr = 1 }')).toContain("did you mean 'counter'?");
  expect(message('active proctype p() { loop: skip; goto lop }')).toContain("did you mean 'loop'?");
  expect(message('typedef T { byte left }; T t; active proctype p() { t.lef = 1 }')).toContain(
    "mean 'left'?",
  );
});

test('the preprocessor', () => {
  check('#include "missing.h"\ninit { skip }', 'SPW1201 "missing.h"');
  check('#if 1\ninit { skip }', 'SPW1203 if');
  check('#if 1 +\n#endif\ninit { skip }', 'SPW1204 if');
  check('#endif\ninit { skip }', 'SPW1203 endif');
  check('#frob\ninit { skip }', 'SPW1202 #');
  check('#define F(a,b) a\ninit { F(1) }', 'SPW1205 F');
  check('#error no good\ninit { skip }', 'SPW1206 error');
});

test('places inside macros and inlines are explained', () => {
  const macro = loadText('#define SET y = 1\nactive proctype p() { SET }').diagnostics[0]!;
  expect(macro.span!.file.text.slice(macro.span!.start, macro.span!.end)).toBe('SET');
  expect(macro.related![0]!.message).toBe("in the macro 'SET'");
  const inline = loadText('inline f(a) { a = z }\nbyte x;\nactive proctype p() { f(x) }').diagnostics[0]!;
  expect(inline.span!.file.text.slice(inline.span!.start, inline.span!.end)).toBe('z');
  expect(inline.related![0]!.message).toBe("in this call of the inline 'f'");
  const argument = loadText('inline f(a) { skip; a = 1 }\nactive proctype p() { f(w) }').diagnostics[0]!;
  expect(argument.span!.start).toBe(52);
});

test('every code has a title and an explanation', () => {
  for (const [code, { title, explanation }] of Object.entries(PROMELA_CODES)) {
    expect(code).toMatch(/^SPW1\d{3}$/);
    expect(title.length).toBeGreaterThan(3);
    expect(explanation).toMatch(/\.$/);
  }
});

test('too many warnings hide no error', () => {
  const warnings = Array.from({ length: 60 }, (_, i) => `q!${i};`).join(' ');
  const { program, diagnostics } = loadText(
    `chan q = [1] of { byte, byte }; active proctype p() { ${warnings} x = 1 }`,
  );
  expect(program).toBeNull();
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toHaveLength(1);
});

test('mistakes that C programmers make', () => {
  check('byte x; while (x < 3) { x++ }', 'SPW1001 while');
  expect(message('byte x; active proctype p() { while (x < 3) { x++ } }')).toContain('write do :: condition');
  check('proctype q(byte n) { skip } init { q(3) }', 'SPW1006 q');
  check('init { q(3) } proctype q(byte n) { skip }', 'SPW1006 q');
  expect(message('init { q(3) } proctype q(byte n) { skip }')).toContain('write run q(…)');
  expect(message('inline send(a) { skip } init { sned(3) }')).toContain("did you mean 'send'?");
  const calls = loadText('inline f(a) { skip }\ninit { f(1); f\n(1) }');
  expect(calls.diagnostics).toEqual([]);
});

test('capacities', () => {
  check('chan c = 5 of { byte }; init { c!1 }', 'SPW1001 5');
  expect(message('chan c = 5 of { byte }; init { c!1 }')).toContain('write [5] of { … }');
  check('chan c = [N] of { byte }; init { c!1 }', 'SPW1101 N');
  expect(message('chan c = [N] of { byte }; init { c!1 }')).toContain('#define N and a number');
  expect(message('byte n; chan c = [n] of { byte }; init { c!1 }')).toContain("'n' is a variable");
});

test('an open parenthesis in a formula is shown', () => {
  const { diagnostics } = loadText('byte x; ltl f { [] (x < 3 } init { x = 1 }');
  expect(diagnostics).toHaveLength(1);
  expect(diagnostics[0]!.message).toBe("expected ')' to close the parenthesis, found '}'");
  expect(diagnostics[0]!.related![0]!.span.start).toBe(19);
});

test('one error for one mistake', () => {
  check('q!1', 'SPW1101 q');
  check('q!1; q!2,3', 'SPW1101 q', 'SPW1101 q');
});

test('a guard that assigns', () => {
  check('byte x; if :: x = 3 -> skip :: else fi', 'SPW1009 x = 3');
  check('byte x; if :: x = 3; skip :: x++ -> skip fi');
  const { diagnostics } = loadText('byte x; init { do :: x = 3 -> break od }');
  expect(diagnostics[0]!.fix).toMatchObject({ text: '==' });
});

test('single letters are no suggestion', () => {
  expect(message('byte n; init { m = 1 }')).toBe("'m' is not declared");
  expect(message('byte N; init { n = 1 }')).toContain("did you mean 'N'?");
});
