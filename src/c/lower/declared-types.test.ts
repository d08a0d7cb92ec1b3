// What files say about functions and variables of other places: calls without a prototype, functions in the old style, two files that differ.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { programOf, runWith } from '../testing.ts';

const ASSERT = '#include <assert.h>\n';
const FINE = 'assertions proved, no-undefined proved';
const WRONG = 'assertions unknown, no-undefined refuted';

async function verdicts(first: string, second = ''): Promise<string> {
  const files: Record<string, string> = {
    't.yml': "input_files: ['a.c', 'b.c']\n",
    'a.c': ASSERT + first,
    'b.c': second,
  };
  const report = await checkModel({ paths: ['t.yml'], files: { read: (name) => files[name] ?? null } });
  const [problem] = report.diagnostics;
  if (report.properties.length === 0) return `${problem?.code}`;
  return report.properties.map(({ id, verdict }) => `${id} ${verdict}`).join(', ');
}

test.each([
  ['a double for an int', 'int g(a) int a; { return a; }', 'g(2.5) == 2', WRONG],
  ['an int for a double', 'int g(a) double a; { return a; }', 'g(2) == 2', WRONG],
  ['an int for a long', 'int g(a) long a; { return a == -1; }', 'g(-1)', WRONG],
  ['too many', 'int g(a) int a; { return a; }', 'g(1, 2) == 1', WRONG],
  ['too few', 'int g(a, b) int a; { return a; }', 'g(1) == 1', WRONG],
  [
    'a float, and numbers that are cut',
    'int g(a, b, c) float a; char b; short c; { return a + b + c; }',
    'g(2.5f, 300, 65537) == 47',
    FINE,
  ],
  ['another sign', 'int g(a) unsigned a; { return a > 5; }', 'g(-1)', FINE],
  [
    'a prototype that follows',
    'int g(); int f(void) { return g(2); } int g(double a) { return a; }',
    'f() == 2',
    WRONG,
  ],
  [
    '… what it asks for',
    'int g(); int f(void) { return g(2.5f); } int g(double a) { return a; }',
    'f() == 2',
    FINE,
  ],
  [
    'declared nowhere before',
    'int f(void) { return g(2); } int g(double a) { return a; }',
    'f() == 2',
    WRONG,
  ],
  [
    'a prototype before',
    'int g(double); int f(void) { return g(2); } int g(double a) { return a; }',
    'f() == 2',
    FINE,
  ],
  [
    'one in the function',
    'int f(void) { int g(double); return g(2); } int g(double a) { return a; }',
    'f() == 2',
    FINE,
  ],
  ['a prototype before the old style', 'int g(double); int g(a) double a; { return a; }', 'g(2) == 2', FINE],
  [
    'a prototype that says what is handed over',
    'int g(int, double); int g(a, b) char a; float b; { return a + b; } int (*p)(int, double) = g;',
    'g(300.5, 1) == 45 && p(300.5, 1) == 45',
    FINE,
  ],
  [
    '… behind the function',
    'int g(a, b) char a; float b; { return a + b; } int g(int, double);',
    'g(300.5, 1) == 45',
    FINE,
  ],
  [
    'a function that calls itself',
    'int g(double a) { return a < 1 ? 0 : 1 + g((int)a - 1); }',
    'g(3) == 3',
    FINE,
  ],
  ['through a pointer', 'int g(double a) { return a; } int (*p)() = g;', 'p(2) == 2', WRONG],
  ['… what it asks for', 'int g(double a) { return a; } int (*p)() = g;', 'p(2.5f) == 2', FINE],
  [
    'what the type of the pointer makes of it',
    'int g(unsigned char a) { return a; } int (*p)(_Bool) = (void *)g;',
    'p(2) == 1',
    FINE,
  ],
])('calls in one file: %s', async (_, outside, holds, expected) => {
  expect(await verdicts(`${outside}\nint main(void) { assert(${holds}); return 0; }`)).toBe(expected);
});

test.each([
  ['an open declaration', 'int f();', 'f(2) == 2', 'int f(double x) { return x; }', WRONG],
  ['another parameter', 'int f(int);', 'f(2) == 2', 'int f(double x) { return x; }', WRONG],
  ['a float for the old style', 'int f(float);', 'f(2.5f) == 2', 'int f(x) float x; { return x; }', WRONG],
  ['another result', 'double f(int);', 'f(2) == 2', 'int f(int x) { return x; }', WRONG],
  ['another sign of the result', 'unsigned f(int);', 'f(-2) > 0', 'int f(int x) { return x; }', FINE],
  ['an enum', 'int f();', 'f(1) == 1', 'enum e { A, B }; enum e f(int x) { return x ? B : A; }', FINE],
  [
    'a prototype that says what the old style takes',
    'int f(int, double);',
    'f(300.5, 1) == 45',
    'int f(int, double); int f(a, b) char a; float b; { return a + b; }',
    FINE,
  ],
  ['a number for a _Bool', 'int f();', 'f(2) == 1', 'int f(_Bool x) { return x; }', WRONG],
  ['a char for a _Bool', 'int f(char);', 'f(2) == 1', 'int f(_Bool x) { return x; }', WRONG],
  ['a _Bool', 'int f();', 'f((_Bool)2) == 1', 'int f(_Bool x) { return x; }', FINE],
  ['a number as a _Bool', '_Bool f(void);', '!f()', 'unsigned char f(void) { return 2; }', WRONG],
  ['a _Bool in the old style', 'int f();', 'f(2) == 1', 'int f(x) _Bool x; { return x; }', 'SPW5012'],
  [
    'a variable that one file declares differently, and nobody uses there',
    'int x; int f(void);',
    'f() == 1 && x == 0',
    'extern struct { int a, b; } x; int f(void) { return 1; }',
    FINE,
  ],
  [
    '… or somebody uses',
    'int x; int f(void);',
    'f() == 1 && x == 0',
    'extern struct { int a, b; } x; int f(void) { return x.b == 0; }',
    'SPW5014',
  ],
  ['a variable that is a _Bool', 'extern _Bool x;', 'x == 1', 'char x = 2;', 'SPW5014'],
  [
    'a struct for other registers',
    'struct s { long a; }; long f();',
    'f((struct s){ 5 }) == 5',
    'struct s { double a; }; long f(struct s x) { return *(long *)&x; }',
    WRONG,
  ],
  [
    'what gcc declares itself',
    '',
    'strlen("abc") == 3',
    'unsigned long strlen(const char *s) { unsigned long n = 0; while (s[n]) n++; return n; }',
    FINE,
  ],
  ['one that nobody takes', 'double f(int);', '(f(2), 1)', 'int f(int x) { return x; }', FINE],
  ['declared nowhere', '', 'f(2) == 5', 'double f(int x) { return 5; }', WRONG],
  [
    'what the prototype makes of it',
    'int f(_Bool);',
    'f(2) == 1',
    'int f(unsigned char x) { return x; }',
    FINE,
  ],
  [
    'structs',
    'struct s { int a; char b; }; struct s f(struct s);',
    'f((struct s){ 1 }).a == 2',
    'struct s { int a; char b; }; struct s f(struct s x) { x.a++; return x; }',
    FINE,
  ],
  [
    'a variable of another sign',
    'extern unsigned x; int f(void);',
    'x > 0 && f()',
    'int x = -1; int f(void) { return x < 0; }',
    FINE,
  ],
  [
    '… declared in the function',
    'int f(void);',
    '({ extern unsigned x; x > 0; }) && f()',
    'int x = -1; int f(void) { return x < 0; }',
    FINE,
  ],
  [
    'a struct with other names',
    'struct s { int a, b; }; extern struct s x;',
    'x.b == 2',
    'struct t { int c, d; } x = { .d = 2 };',
    FINE,
  ],
  [
    'a struct that lies otherwise',
    'struct s { int a, b; }; extern struct s x;',
    'x.b == 2',
    'struct t { char c, d; } x = { 1, 2 };',
    'SPW5014',
  ],
  [
    'members of the struct that is returned',
    'struct s { unsigned char a; int b[1]; }; struct s f(); struct s (*p)() = f;',
    'f(1).a == 240 && f(1).b[0] > -5 && (1 ? f(1) : p(1)).a == 240 && ({ __auto_type x = f(1); x.a; }) == 240',
    'struct t { signed char c; unsigned d[1]; }; struct t f(int n) { return (struct t){ 240, { n } }; }',
    FINE,
  ],
  [
    '… that lies otherwise',
    'struct s { float x[2]; }; struct s f(float);',
    'f(1).x[1] == 2',
    'struct t { float a, b, c; }; struct t f(float n) { return (struct t){ n, 2 * n }; }',
    WRONG,
  ],
  [
    'what the pointer points to that is returned',
    'unsigned char *f(void); short *g(void); int *h(void);',
    '*f() == 255 && f()[1] == 2 && g()[1] == 3 && *(g() + 2) == 4 && (int)sizeof *h() == 4 && *h() == 0x302ff',
    'static int x[2] = { 0x302ff, 4 }; signed char *f(void) { return (signed char *)x; } void *h(void) { return x; } int *g(void) { return x; }',
    FINE,
  ],
  [
    'a pointer that is returned as a number',
    'unsigned long f(void); char *g(void);',
    '*(char *)f() == 1 && g() == 0',
    'static char x = 1; char *f(void) { return &x; } long g(void) { return 0; }',
    FINE,
  ],
  [
    'the type of the name alone',
    'unsigned f(int);',
    '({ __auto_type p = f; p(-1) > 5; }) && (1 ? f : 0)(-1) > 5 && _Generic(f, unsigned (*)(int): 1, default: 0)',
    'int f(int x) { return x; }',
    FINE,
  ],
  [
    '… that says nothing of its arguments',
    'int f();',
    '(0, f)(2) == 2',
    'int f(double x) { return x; }',
    WRONG,
  ],
  [
    'a function that nobody defines, of another sign',
    'unsigned f(void); int g(void);',
    'f() >= 0 && g()',
    'int f(void); int g(void) { return f() >= 0; }',
    'assertions unknown, no-undefined proved',
  ],
  [
    '… that the other file does not declare',
    '#include <stdlib.h>\nint g(void);',
    'strtof("2", 0) >= 0 || g()',
    'int g(void) { return strtof("2", 0) == 2.5; }',
    'assertions unknown, no-undefined unknown',
  ],
  ['a smaller variable', 'extern char x;', 'x == 1', 'int x = 257;', 'SPW5014'],
  ['an array as a pointer', 'extern int *x;', 'x != 0', 'int x[2];', 'SPW5014'],
  ['an array without a length', 'extern int x[];', 'x[1] == 2', 'int x[2] = { 1, 2 };', FINE],
  ['… of another sign', 'extern unsigned char x[];', 'x[0] == 255', 'signed char x[] = { -1 };', FINE],
  [
    '… that is not the first to be said',
    'signed char x[2] = { -1 }; int f(void);',
    'f() == 255',
    'extern unsigned char x[]; int f(void) { return x[0]; }',
    FINE,
  ],
  [
    '… of structs, by a header',
    'struct s { int a; }; extern struct s x[]; int f(void);',
    'x[1].a == 2 && f() == 8',
    'struct s { int a; }; extern struct s x[]; struct s x[] = { { 1 }, { 2 } }; int f(void) { return sizeof x; }',
    FINE,
  ],
  ['… with one elsewhere', 'extern int x[5];', 'x[4] == 0', 'int x[] = { 1, 2 };', 'SPW5014'],
  [
    'a struct that nobody knows yet',
    'extern struct s x; struct s { unsigned char a; };',
    'x.a == 255',
    'struct s { signed char a; } x = { -1 };',
    FINE,
  ],
  ['… of other elements', 'extern char x[];', 'x[4] == 2', 'int x[2] = { 1, 2 };', 'SPW5014'],
])('two files: %s', async (_, outside, holds, second, expected) => {
  expect(await verdicts(`${outside}\nint main(void) { assert(${holds}); return 0; }`, second)).toBe(expected);
});

test('a function in the old style goes with what is said of none', async () => {
  const text = `${ASSERT}int f(a) char a; { return a; } int g(a) int a; { return a; } int h(int); int h(a) int a; { return a; } int i(int); int i(a) char a; { return a; }
int main(void) {
  assert(_Generic(f, int (*)(): 1, default: 0) && !_Generic(f, int (*)(char): 1, default: 0));
  assert(_Generic(f, int (*)(int): 1, default: 0) && _Generic(g, int (*)(long): 1, default: 0));
  assert(!_Generic(i, int (*)(long): 1, default: 0) && _Generic(i, int (*)(int): 1, default: 0));
  assert(!_Generic(h, int (*)(long): 1, default: 0) && _Generic(h, int (*)(int): 1, default: 0));
}`;
  expect(runWith(await programOf(text), []).outcome).toBe('end');
});
