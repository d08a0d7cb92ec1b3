// Calls that do not come back where they were made, or come back twice; what a call through a pointer means; what functions from elsewhere are given.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(text: string, property = 'assertions'): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: [property], budget: UNLIMITED, observer: SILENT };
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
    `void out(void (*)(void)); void h(void) { assert(0); } ${main('void (*p)(void) = h, (*q)(void) = 0; if (p) out(q);')}`,
    'proved',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdict(text)).toBe(expected);
});

const H = 'void h(void) { assert(0); }';
const VOID_OUT = 'void out(void *);';

/** Ways on which the address of a function gets to where a function from elsewhere finds it. */
const LEAKS: readonly (readonly [string, string, string])[] = [
  [
    'in a structure',
    `struct s { int n; void (*f)(void); }; void out(struct s *); ${H}`,
    'struct s x = { 1, h }; out(&x);',
  ],
  [
    'in a structure by value',
    `struct s { int n; void (*f)(void); }; void out(struct s); ${H}`,
    'struct s x = { 1, h }; out(x);',
  ],
  ['as void *', `${VOID_OUT} ${H}`, 'void *p = (void *)h; out(p);'],
  ['as a number', `void out(unsigned long); ${H}`, 'unsigned long p = (unsigned long)h; out(p);'],
  ['in an array', `void out(void (**)(void)); ${H}`, 'void (*a[3])(void) = { 0, h, 0 }; out(a);'],
  [
    'in a union',
    `union u { long n; void (*f)(void); }; void out(union u *); ${H}`,
    'union u x; x.f = h; out(&x);',
  ],
  ['by ...', `void out(int, ...); ${H}`, 'void (*p)(void) = h; out(1, p);'],
  [
    'by a pointer to a pointer',
    `void out(void (***)(void)); ${H}`,
    'void (*p)(void) = h; void (**q)(void) = &p; out(&q);',
  ],
  ['in a variable that other files can name', `void out(void); ${H} void (*hook)(void);`, 'hook = h; out();'],
  [
    'in a structure that other files can name',
    `void out(void); ${H} struct { void (*f)(void); } ops = { h };`,
    'out();',
  ],
  [
    'in a list on the heap',
    `void *malloc(unsigned long); struct n { struct n *next; void (*f)(void); }; void out(struct n *); ${H}`,
    'struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); a->next = b; a->f = 0; b->next = 0; b->f = h; out(a);',
  ],
  [
    'behind a pointer from elsewhere',
    `struct s { void (*f)(void); }; struct s *get(void); void out(void); ${H}`,
    'get()->f = h; out();',
  ],
  [
    'returned by a function that was handed out',
    `void out(void (*(*)(void))(void)); ${H} void (*pick(void))(void) { return h; }`,
    'out(pick);',
  ],
  [
    'by way of one that does nothing itself',
    `${VOID_OUT} ${H} void k(void) { h(); }`,
    'void *p = (void *)k; out(p);',
  ],
  [
    'by way of one that calls through a pointer',
    `${VOID_OUT} ${H} static void (*own)(void) = h; void k(void) { own(); }`,
    'void *p = (void *)k; out(p);',
  ],
  [
    'in a static variable whose address is given',
    `${VOID_OUT} ${H} static struct { void (*f)(void); } ops = { h };`,
    'out(&ops);',
  ],
  [
    'in halves',
    `void out(unsigned, unsigned); ${H}`,
    'union { void (*f)(void); unsigned w[2]; } u; u.f = h; out(u.w[0], u.w[1]);',
  ],
  [
    'in bytes',
    `void out(char); ${H}`,
    'void (*p)(void) = h; for (int i = 0; i < 8; i++) out(((char *)&p)[i]);',
  ],
  ['in an array of characters', `${VOID_OUT} ${H}`, 'char b[16]; *(void (**)(void))(b + 8) = h; out(b);'],
  [
    'in bit-fields',
    `struct b { unsigned long lo : 32, hi : 32; }; void out(struct b *); ${H}`,
    'union { struct b b; void (*f)(void); } u; u.f = h; struct b d; d.lo = u.b.lo; d.hi = u.b.hi; out(&d);',
  ],
  [
    'in a long double',
    `void out(long double); ${H}`,
    'union { long double d; void (*f)(void); } u; u.f = h; out(u.d);',
  ],
  [
    'in a large array that has it from the start',
    `${VOID_OUT} ${H} static void (*const table[400])(void) = { h, h };`,
    'void *p = (void *)table[c & 1]; out(p);',
  ],
  [
    'by a list of arguments',
    `void out(__builtin_va_list); ${H} void hand(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); out(l); }`,
    'hand(1, h);',
  ],
  ['though it does not return', `_Noreturn void out(void *); ${H}`, 'void *p = (void *)h; out(p);'],
  ['given to one that does not return', `_Noreturn void out(void (*)(void)); ${H}`, 'out(h);'],
  [
    'though it does not return and is called through a pointer',
    `_Noreturn void out(void); ${H} void (*hook)(void);`,
    'hook = h; void (*p)(void) = out; p();',
  ],
  [
    'when it ends the program',
    '#include <stdlib.h>\nvoid out(void); static int done; void h(void) { assert(done); }',
    'atexit(h); out(); done = 1;',
  ],
  [
    'when it ends the program and does not return',
    '#include <stdlib.h>\n_Noreturn void out(void); static int done; void h(void) { assert(done); }',
    'atexit(h); out();',
  ],
  ['in a large array', `${VOID_OUT} ${H} void (*table[400])(void);`, 'table[300] = h; out(table);'],
];

test.each(LEAKS)('a function from elsewhere finds one of ours %s', async (_, before, body) => {
  expect(await verdict(`${before} ${main(body)}`)).toBe('unknown');
});

test.each([
  [
    'a static variable that nobody shows',
    `void out(void); ${H} static void (*own)(void); `,
    'own = h; out();',
  ],
  [
    'a local table',
    `void out(void); ${H}`,
    'void (*t[2])(void) = { h, h }; out(); if (c == 5 && !t[c & 1]) assert(0);',
  ],
  ['nobody is asked', `${H} void (*hook)(void);`, 'hook = h;'],
  [
    'a function that asserts nothing',
    `void out(void *); int n; void h(void) { n++; }`,
    'void *p = (void *)h; out(p);',
  ],
])('no call back: %s', async (_, before, body) => {
  expect(await verdict(`${before} ${main(body)}`)).toBe('proved');
});

test('what a function from elsewhere calls may change variables and be undefined', async () => {
  const text = (claim: string) =>
    `void out(void *); int n = 1, m; void h(void) { n = 1 / m; } ${main(`void *p = (void *)h; out(p); ${claim}`)}`;
  expect(await verdict(text('assert(n == 1);'))).toBe('unknown');
  expect(await verdict(text('assert(1);'), 'no-undefined')).toBe('unknown');
  expect(await verdict(text('assert(1);'))).toBe('proved');
});

test('what a function from elsewhere calls may go on for ever', async () => {
  const text = (body: string) =>
    `void out(void *); int n; void h(void) { ${body} } ${main('void *p = (void *)h; out(p);')}`;
  expect(await verdict(text('n++;'), 'terminates')).toBe('proved');
  expect(await verdict(text('while (n) n = 1;'), 'terminates')).toBe('unknown');
  expect(await verdict(text('if (n) h();'), 'terminates')).toBe('unknown');
});

test('values over bit-fields wider than int are kept in any number of bits', async () => {
  const text = (
    claim: string,
  ) => `struct { unsigned long long w:40; long long t:35; } s; int next(int x) { s.w++; return x; }
${main(`s.t = c; long long a = s.t-- + next(1); assert(sizeof(s.t + 1) == 8 && ${claim});`)}`;
  expect(await verdict(text('a == c + 1LL && s.w == 1'))).toBe('proved');
  expect(await verdict(text('a != 6'))).toBe('refuted');
});
