// Numbers that are written and read byte by byte, in loops and through pointers: unrolled, all places are known, so that nothing is lost.

import { expect, test } from 'vitest';
import { verdictOf } from '../check/testing.ts';

const HEAD = `extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
union b { unsigned w; unsigned char c[4]; unsigned short h[2]; };
struct msg { unsigned short kind, len; unsigned body; };
static void put(unsigned char *to, unsigned x) { for (int i = 0; i < 4; i++) to[i] = x >> (24 - 8 * i); }
static unsigned get(const unsigned char *from) { unsigned x = 0; for (int i = 0; i < 4; i++) x = x << 8 | from[i]; return x; }
`;
const main = (body: string, wrong: string) =>
  `${HEAD}int main(void) { unsigned x = __VERIFIER_nondet_uint(); ${body} if (${wrong}) reach_error(); return 0; }`;

const CASES: readonly (readonly [what: string, body: string, left: string, right: string])[] = [
  ['members of a union', 'union b v; for (int i = 0; i < 4; i++) v.c[i] = x >> (8 * i);', 'v.w', 'x'],
  [
    'parts of parts',
    'union b v; v.w = 0; for (int i = 0; i < 2; i++) { v.h[i] = x >> (16 * i); v.c[2 * i] ^= 1; }',
    'v.w',
    '(x ^ 0x10001)',
  ],
  [
    'a variable',
    'unsigned w = 0, y = 0; unsigned char *p = (unsigned char *)&w; for (int i = 0; i < 4; i++) p[i] = x >> (8 * i); for (int i = 0; i < 4; i++) y |= (unsigned)p[i] << (8 * i);',
    'w + 3 * y',
    '4 * x',
  ],
  [
    'a member beside others',
    'struct msg m = { 1, 2, 3 }; put((unsigned char *)&m.body, x);',
    'get((unsigned char *)&m) + m.body',
    '0x01000200 + __builtin_bswap32(x)',
  ],
  [
    'a member of two',
    'struct msg m[2] = { { 1, 2, 3 }, { 4, 5, 6 } }; for (int i = 0; i < 2; i++) put((unsigned char *)&m[i].body, x + i);',
    'get((unsigned char *)&m[1].body) - get((unsigned char *)&m[0].body) + m[1].kind',
    '5u',
  ],
  [
    'a number across two members',
    'struct msg m = { 1, 2, 3 }; for (int i = 1; i < 5; i++) ((unsigned char *)&m)[i] = x >> 8 * i - 8;',
    'm.kind + (m.len << 16) + m.body',
    '1 + (x << 8) + (x >> 24)',
  ],
];

test.each(CASES)('%s: nothing is lost', async (_, body, left, right) => {
  expect(await verdictOf(main(body, `(${left}) != (${right})`), 'assertions')).toBe('proved');
});

test.each(CASES)('%s: one value is wrong', async (_, body, left, right) => {
  expect(await verdictOf(main(body, `(${left}) != (${right}) + (x == 77)`), 'assertions')).toBe('refuted');
});
