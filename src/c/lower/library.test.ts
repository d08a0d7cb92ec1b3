// What functions of the library may give: really any value, one that the analysis does not know, or what C says.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

const verdict = (body: string, property?: string): Promise<string> =>
  verdictOn(
    `#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nlong time(long *); FILE *tmpfile(void); int ungetc(int, FILE *);\nint main(void) { ${body} return 0; }`,
    property,
  );

async function verdictOn(text: string, property = 'assertions'): Promise<string> {
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: [property], budget: UNLIMITED, observer: SILENT };
  const { properties, diagnostics } = await checkC(request);
  return properties[0]?.verdict ?? diagnostics[0]!.code;
}

test.each([
  ['the program knows what it reads', 'int x = 0; sscanf("12", "%d", &x); assert(x == 12);', 'unknown'],
  [
    '… in its own variables',
    'char t[] = "7", c = 0; assert(sscanf(t, "%c", &c) == 1 && c == 55);',
    'unknown',
  ],
  ['… in its own files', 'FILE *f = tmpfile(); int x = 0; fscanf(f, "%d", &x); assert(x == 12);', 'unknown'],
  ['a character from stdin', 'if (getchar() == 300) assert(0); assert(getc(stdin) != 7);', 'refuted'],
  ['… is one, or the end', 'int c = getchar(); assert(c >= -1 && c < 256);', 'proved'],
  ['… and the end stays the end', 'if (getchar() == EOF) assert(fgetc(stdin) == EOF);', 'proved'],
  ['… behind a number', 'int x; if (scanf("%d", &x) == 1) assert(getchar() != 55);', 'unknown'],
  ['… that is put back', 'ungetc(55, stdin); assert(getchar() == 55);', 'unknown'],
  ['a number', 'int x = 0; scanf("%d", &x); assert(x != 12);', 'refuted'],
  ['… from stdin', 'long x = 0; fscanf(stdin, "%ld", &x); assert(x != 12);', 'refuted'],
  ['… that is put back', 'int x = 0; ungetc(55, stdin); scanf("%d", &x); assert(x == 7);', 'unknown'],
  ['a number of another size', 'long x = 5; scanf("%d", &x); assert(x >> 32 == 0);', 'unknown'],
  ['nothing is read', 'assert(scanf("") == 0); assert(scanf(" ") == 0);', 'proved'],
  ['text', 'assert(scanf("x") == 0);', 'refuted'],
  ['a character is a character', 'char c; assert(scanf("%c", &c) != 0);', 'proved'],
  ['… behind text', 'char c; assert(scanf("x%c", &c) != 0);', 'refuted'],
  ['… but no number', 'int x; assert(scanf("%d", &x) != 0);', 'refuted'],
  ['two numbers', 'int x, y; if (scanf("%d,%d", &x, &y) == 2) assert(x != 3 || y != 4);', 'refuted'],
  [
    'no digit follows a number',
    'int x; char c; if (scanf("%d%c", &x, &c) == 2) assert(c < 48 || c > 57);',
    'unknown',
  ],
  [
    '… nor in the next call',
    'int x; char c; scanf("%d", &x); if (scanf("%c", &c) == 1) assert(c < 48 || c > 57);',
    'unknown',
  ],
  ['… nor is one found there', 'int x, y; assert(scanf("%d5%d", &x, &y) != 2);', 'unknown'],
  [
    'what failed fails again',
    'int x; int r = scanf("%d", &x); assert(scanf("%d", &x) == r || r != 0);',
    'unknown',
  ],
  [
    '… and what did not need not',
    'int x, y; if (scanf("%d", &x) == 1 && scanf("%d", &y) == 1) assert(x != 3 || y != 4);',
    'refuted',
  ],
  ['… and is not written', 'int x = 5; if (scanf("%d", &x) < 1) assert(x == 5);', 'proved'],
  ['random numbers', 'assert(rand() != 5);', 'refuted'],
  ['… have no sign', 'assert(rand() >= 0);', 'proved'],
  ['… from an unknown seed', 'srand((unsigned)time(NULL)); assert(rand() != 5);', 'refuted'],
  ['… begin again', 'srand(1); int x = rand(); srand(1); assert(rand() == x);', 'unknown'],
  ['… from the seed at the start', 'int x = rand(); srand(1); assert(rand() == x);', 'unknown'],
  [
    '… from an unknown seed, once',
    'if (1) { srand(time(0)); } int x = rand(); assert(rand() == x);',
    'refuted',
  ],
  ['… from two', 'srand(time(0)); int x = rand(); srand(time(0)); assert(rand() == x);', 'unknown'],
  [
    '… again and again',
    'int x = 0; for (int i = 0; i < 2; i++) { srand(time(0)); assert(!i || rand() == x); x = rand(); }',
    'unknown',
  ],
  [
    '… by a jump',
    'int x, i = 0; again: srand(time(0)); if (i++) assert(rand() == x); x = rand(); if (i < 2) goto again;',
    'unknown',
  ],
  ['… from a small seed', 'srand((unsigned char)time(0)); assert(rand() != 5);', 'unknown'],
  ['… from the same number', 'int getpid(void); srand(getpid()); assert(rand() != 5);', 'unknown'],
  ['… in sizes', 'int x[(srand(1), 2)], a = rand(), y[(srand(1), 2)]; assert(rand() == a);', 'unknown'],
  [
    '… under another name',
    'void seed(unsigned) __asm__("srand"); seed(1); int x = rand(); seed(1); assert(rand() == x);',
    'unknown',
  ],
  [
    'a _Bool that nobody has written to',
    '_Bool b; assert(b == 0 || b == 1); struct { char c; _Bool b; } s; assert(s.b < 2);',
    'proved',
  ],
  ['… is one of both', '_Bool b; assert(b);', 'refuted'],
  ['… unless it has other names', 'union { _Bool b; unsigned char c; } u; assert(u.c < 2);', 'refuted'],
  [
    'equal bytes',
    'int x = 1, y = 1; assert(!memcmp(&x, &y, sizeof x)); y = 2; assert(memcmp(&x, &y, sizeof x) < 0 && memcmp(&y, &x, 1) > 0 && !memcmp(&x, &y, 0));',
    'proved',
  ],
  [
    'equal texts',
    'char a[] = "abc", b[8] = "abc"; assert(!strcmp(a, b) && !strcmp("x", "x") && strcmp(a, "ab") > 0 && strcmp("a\\377", "ab") > 0 && !strncmp(a, "abd", 2) && strncmp(a, "abd", 3) < 0);',
    'proved',
  ],
  ['… of inputs', 'char a[3] = ""; scanf("%c", &a[0]); assert(strcmp(a, "y") != 0);', 'refuted'],
  ['… whose order is not told', 'int r = strcmp("b", "d"); assert(r == -1);', 'unknown'],
  [
    'lengths',
    'char a[8] = "abc"; a[1] = 0; assert(strlen(a) == 1 && strlen("hello") == 5 && strlen("hello" + 2) == 3 && strlen("a\\0b") == 1);',
    'proved',
  ],
  [
    '… of inputs',
    'char a[3] = "ab"; scanf("%c", &a[1]); assert(strlen(a) <= 2 && strlen(a) >= 1);',
    'proved',
  ],
  [
    'what is found',
    'char a[] = "abcb"; assert(strchr(a, 98) == a + 1 && strrchr(a, 98) == a + 3 && !strchr(a, 120) && strchr(a, 0) == a + 4 && !strrchr(a, 120) && memchr(a, 99, 3) == a + 2 && !memchr(a, 99, 2));',
    'proved',
  ],
  ['… and written', 'char a[] = "abcb"; *strchr(a, 99) = 0; assert(strlen(a) == 2 && a[3] == 98);', 'proved'],
  [
    'bytes that belong to nothing',
    'struct { char c; int i; } x = {1, 2}, y = {1, 2}; assert(!memcmp(&x, &y, sizeof x));',
    'unknown',
  ],
  [
    'numbers by their prototypes',
    'char a[] = "abc"; assert(!strncmp(a, "abd", 2.9) && !memcmp(a, "abd", 2.9) && strchr(a, 98.7) == a + 1 && memchr(a, 97.5f, 1.5) == a && strrchr(a, 256 + 99LL) == a + 2 && strnlen(a, 2.9) == 2);',
    'proved',
  ],
  ['unknown places', 'extern char *p; assert(strlen(p) == 3);', 'unknown'],
])('%s', async (_, body, expected) => {
  expect(await verdict(body)).toBe(expected);
});

test('looking for the end of what has none is undefined', async () => {
  const ask = (body: string) => verdict(body, 'no-undefined');
  expect(await ask('char a[2] = {1, 2}; strlen(a);')).toBe('refuted');
  expect(await ask('char a[2] = {1, 2}, b[3] = {1, 2}; strcmp(a, b);')).toBe('refuted');
  expect(await ask('char a[2] = {1, 2}, b[3] = {1, 2}; strncmp(a, b, 2); memcmp(a, b, 2);')).toBe('proved');
  expect(await ask('char a[2] = {1, 2}, b[3] = {1, 3}; strcmp(a, b);')).toBe('proved');
  expect(await ask('char a[2] = {1, 2}; memchr(a, 2, 9); strchr(a, 1);')).toBe('proved');
});

test.each([
  ['strlen(p);', 'refuted'],
  ['strlen(NULL);', 'refuted'],
  ['strlen(0);', 'refuted'],
  ['puts(p);', 'refuted'],
  ['fputs(p, stdout);', 'refuted'],
  ['printf("%d %s", 1, p);', 'refuted'],
  ['printf("%p %.0s", p, p);', 'proved'],
  ['strcmp(p, "a");', 'refuted'],
  ['strcmp("a", p);', 'refuted'],
  ['strcpy(a, p);', 'refuted'],
  ['strcpy(p, a);', 'refuted'],
  ['strchr(p, 97);', 'refuted'],
  ['atoi(p);', 'refuted'],
  ['memcmp(p, a, 1);', 'refuted'],
  ['memcmp(p, a, n);', 'refuted'],
  ['memcmp(p, a, 0);', 'proved'],
  ['strncmp(p, a, n - n);', 'proved'],
  ['memchr(p, 1, 0);', 'proved'],
  ['perror(p);', 'proved'],
  ['p = n ? a : "x"; strlen(p); puts(p); strcmp(p, "a"); printf("%s", p);', 'proved'],
  ['if (p) strlen(p);', 'proved'],
  ['p = malloc(3); if (p) { p[0] = 0; strlen(p); puts(p); free(p); }', 'proved'],
])('what is looked at is there: %s', async (body, expected) => {
  const before = 'char a[3] = "ab", *p = 0; int n = 0; scanf("%d", &n);';
  expect(await verdict(`${before} ${body}`, 'no-undefined')).toBe(expected);
});

test.each([
  ['long time(long *p) { return 1; } int main(void) { srand(time(0)); assert(rand() != 5); }', 'unknown'],
  [
    'unsigned __VERIFIER_nondet_uint(void) { return 7; } int main(void) { srand(__VERIFIER_nondet_uint()); assert(rand() != 5); }',
    'unknown',
  ],
  [
    'extern unsigned __VERIFIER_nondet_uint(void); int main(void) { srand(__VERIFIER_nondet_uint()); assert(rand() != 5); }',
    'refuted',
  ],
  [
    'long time(long *); int v(void) { srand(time(0)); return rand(); } int main(void) { int x = v(); assert(x == v()); }',
    'unknown',
  ],
  [
    'long time(long *); int n; int main(void) { srand(time(0)); if (n++ < 1) return main(); assert(rand() != 5); }',
    'unknown',
  ],
])('a seed is open where it is given once, and nobody knows it: %s', async (text, expected) => {
  expect(await verdictOn(`#include <stdlib.h>\n${text}`)).toBe(expected);
});

const TEXTS = 'char a[10] = "hello", b[6], c[8] = "ab\\0XYZ", d[4] = "zzz", t[3] = { 1, 1, 1 }, x;';

test.each([
  ['a copy', 'assert(strcpy(b, a) == b && b[0] == 104 && b[4] == 111 && b[5] == 0);', 'proved'],
  ['… leaves what lies behind', 'strcpy(c, "q"); assert(c[0] == 113 && c[1] == 0 && c[3] == 88);', 'proved'],
  ['… up to its end', 'assert(stpcpy(c, "qr") == c + 2);', 'proved'],
  ['… that begins with anything', 'scanf("%c", &x); d[1] = x; strcpy(b, d); assert(b[1] == x);', 'proved'],
  ['… that may be shorter', 'scanf("%c", &x); d[1] = x; strcpy(b, d); assert(b[2] == 122);', 'refuted'],
  ['… with a limit', 'strncpy(d, "lmnop", 2); assert(d[0] == 108 && d[1] == 109 && d[2] == 122);', 'proved'],
  ['… that fills up', 'strncpy(d, "x", 4); assert(d[0] == 120 && d[1] == 0 && d[3] == 0);', 'proved'],
  ['… of nothing', 'strncpy(d, "x", 0); assert(d[0] == 122);', 'proved'],
  ['appended', 'strcat(c, "cd"); assert(strcmp(c, "abcd") == 0 && c[5] == 90 && c[7] == 0);', 'proved'],
  ['… with a limit', 'strncat(c, "cdefgh", 3); assert(strcmp(c, "abcde") == 0);', 'proved'],
  ['… which is not reached', 'strncat(c, "cd", 5); assert(strcmp(c, "abcd") == 0);', 'proved'],
  [
    '… behind what anything ends',
    'scanf("%c", &x); a[1] = x; strcat(a, "!"); assert(a[x ? 5 : 1] == 33);',
    'proved',
  ],
  ['within one object', 'strcpy(a, a + 2); assert(a[0] == 108);', 'unknown'],
])('a text: %s', async (_, body, expected) => {
  expect(await verdict(`${TEXTS} ${body}`)).toBe(expected);
});

test.each([
  ['strcpy(d, a);', 'refuted'],
  ['strcpy(b, a);', 'proved'],
  ['strcpy(b, t);', 'refuted'],
  ['strncpy(d, a, 5);', 'refuted'],
  ['strncpy(d, a, 4);', 'proved'],
  ['strncpy(b, t, 4);', 'refuted'],
  ['strcat(d, "");', 'proved'],
  ['strcat(d, "a");', 'refuted'],
  ['strcat(c, "12345");', 'proved'],
  ['strcat(c, "123456");', 'refuted'],
  ['strncat(c, "1234567", 5);', 'proved'],
  ['strncat(c, "1234567", 6);', 'refuted'],
  ['strcat(t, "a");', 'refuted'],
])('beyond the end of a text: %s', async (body, expected) => {
  expect(await verdict(`${TEXTS} ${body}`, 'no-undefined')).toBe(expected);
});

test.each([
  ['a NaN', 'double nan(const char *); int main(void) { double x = nan(""); assert(x != x); }', 'proved'],
  [
    '… with other bits',
    'float nanf(const char *); int main(void) { float x = nanf("1"); assert(x != x); }',
    'proved',
  ],
  [
    '… which are left open',
    'double nan(const char *); int main(void) { double x = nan("1"); assert(*(long *)&x != 0x7ff8000000000001); }',
    'unknown',
  ],
  [
    'any pointer: null is one',
    'void *__VERIFIER_nondet_pointer(void); int main(void) { assert(__VERIFIER_nondet_pointer() != 0); }',
    'refuted',
  ],
  [
    '… others may be',
    'void *__VERIFIER_nondet_pointer(void); int x; int main(void) { assert(__VERIFIER_nondet_pointer() != &x); }',
    'unknown',
  ],
  [
    '… but not both',
    'void *__VERIFIER_nondet_pointer(void); int main(void) { int *p = __VERIFIER_nondet_pointer(); assert(!p == (p == 0)); }',
    'proved',
  ],
])('%s', async (_, text, expected) => {
  expect(await verdictOn(text)).toBe(expected);
});

test('a null pointer from elsewhere is used', async () => {
  const text =
    'void *__VERIFIER_nondet_pointer(void); int main(void) { return *(int *)__VERIFIER_nondet_pointer(); }';
  expect(await verdictOn(text, 'no-undefined')).toBe('refuted');
});
