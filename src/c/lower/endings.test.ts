// Calls that do not come back where they were made, or come back twice; what a call through a pointer means; what functions from elsewhere are given.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(text: string): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: ['assertions'], budget: UNLIMITED, observer: SILENT };
  const { properties, diagnostics } = await checkC(request);
  return properties[0]?.verdict ?? diagnostics[0]!.code;
}

const main = (body: string) => `int main(int c, char **v) { ${body} return 0; }`;
const JUMPS =
  'typedef long jmp_buf[25]; int _setjmp(jmp_buf); void longjmp(jmp_buf, int) __attribute__((noreturn)); jmp_buf b;';
const PRINTF = 'int printf(const char *, ...);';

test.each([
  [
    'setjmp returns a second time',
    `${JUMPS} ${main('volatile int x = 0; if (_setjmp(b)) { assert(x == 0); return 0; } x = 1; longjmp(b, 1);')}`,
    'unknown',
  ],
  [
    '… which does not hide what fails before',
    `${JUMPS} ${main('int x = c; assert(x != 3); if (_setjmp(b)) return 0; longjmp(b, 1);')}`,
    'refuted',
  ],
  [
    'vfork: the child changes variables of the parent',
    `int vfork(void); void _exit(int); ${main('int x = 0; if (vfork() == 0) { x = 1; _exit(0); } assert(x == 0);')}`,
    'unknown',
  ],
  ['%n writes', `${PRINTF} ${main('int x = 0; printf("abc%n", &x); assert(x == 0);')}`, 'unknown'],
  [
    '… with a size',
    `${PRINTF} ${main('int x = 0; printf("%-3d%hh\\156", 5, (char *)&x); assert(x == 0);')}`,
    'unknown',
  ],
  [
    '… in a text of its own',
    `${PRINTF} ${main('int x = 0; char f[] = "a%n"; printf(f, &x); assert(x == 0);')}`,
    'unknown',
  ],
  ['%%n does not', `${PRINTF} ${main('int x = 0; printf("%d%%n", x, &x); assert(x == 0);')}`, 'proved'],
  ['exit through a pointer', `void exit(int); ${main('void (*p)(int) = exit; p(0); assert(0);')}`, 'proved'],
  [
    'what does not return through a pointer',
    `void stop(void) __attribute__((noreturn)); ${main('void (*p)(void) = stop; p(); assert(0);')}`,
    'proved',
  ],
  [
    'exit through a pointer, with functions for the end',
    `void exit(int); int atexit(void (*)(void)); void h(void) { assert(0); }
${main('void (*p)(int) = exit; atexit(h); p(0);')}`,
    'refuted',
  ],
  [
    'an error through a pointer',
    `void reach_error(void); ${main('void (*p)(void) = reach_error; p();')}`,
    'refuted',
  ],
  [
    '… from a table',
    `void reach_error(void); void good(void) {} void (*t[2])(void) = { good, reach_error }; ${main('t[c & 1]();')}`,
    'refuted',
  ],
  [
    'an assumption through a pointer',
    `void __VERIFIER_assume(int); ${main('void (*p)(int) = __VERIFIER_assume; p(c == 1); assert(c == 1);')}`,
    'unknown',
  ],
  [
    'a function given to the outside, by a variable',
    `void out(void (*)(void)); void h(void) { assert(0); } ${main('void (*p)(void) = h; out(p);')}`,
    'unknown',
  ],
  [
    '… or by a choice',
    `void out(void (*)(void)); void h(void) { assert(0); } void k(void) {} ${main('out(c ? h : k);')}`,
    'unknown',
  ],
  [
    '… but not given',
    `void out(void (*)(void)); void h(void) { assert(0); } ${main('void (*p)(void) = h; p = 0; out(p);')}`,
    'proved',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdict(text)).toBe(expected);
});

test('values over bit-fields wider than int are kept in any number of bits', async () => {
  const text = (
    claim: string,
  ) => `struct { unsigned long long w:40; long long t:35; } s; int next(int x) { s.w++; return x; }
${main(`s.t = c; long long a = s.t-- + next(1); assert(sizeof(s.t + 1) == 8 && ${claim});`)}`;
  expect(await verdict(text('a == c + 1LL && s.w == 1'))).toBe('proved');
  expect(await verdict(text('a != 6'))).toBe('refuted');
});
