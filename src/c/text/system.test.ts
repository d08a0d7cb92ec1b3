// Headers in a compiler's words, here made by hand: GNU C is tolerated, and only what is used must be understood.

import { expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { programOf, runWith } from '../testing.ts';
import { preprocess } from './preprocess.ts';
import { headerText } from './system.ts';

const OUTPUT = `# 0 "<stdin>"
# 0 "<built-in>"
#define __GNUC__ 12
# 1 "/usr/include/odd.h" 1 3 4
#define ODD_LIMIT (ODD_BASE + 2)
#define ODD_BASE 40
typedef long int __odd_t;
typedef __odd_t odd_t;
typedef struct __odd { odd_t first; struct __inner *second; } odd_pair;
struct __inner { int deep; };
enum { ODD_A = 7, ODD_B };
enum odd_kind { ODD_C = 9 };
extern int odd (int __x) __asm__ ("" "odd_real") __attribute__ ((__nothrow__ , __leaf__)) __attribute__ ((__pure__));
extern void (*odd_handler (int __sig, void (*__h) (int))) (int);
extern int (shielded) (odd_t);
extern _Float128 too_odd (__typeof__ (1) x);
extern __inline __attribute__ ((__gnu_inline__)) int inlined (int x) { return x + 1; }
extern __inline int assembly (int x) { __asm__ volatile ("nop" : "+r" (x)); return x; }
typedef __builtin_va_list va_list;
# 2 "<stdin>" 2
int leftover;
`;

const text = (source: string) => {
  const { tokens, diagnostics } = preprocess(new SourceFile('x.c', `#include <odd.h>\n${source}`), {
    files: { read: () => null, systemHeader: (name) => (name === 'odd.h' ? OUTPUT : null) },
    defines: [],
    includes: [],
  });
  return { text: tokens.map((token) => token.text).join(' '), diagnostics };
};

test('only real files count', () => {
  expect(headerText(OUTPUT)).not.toMatch(/__GNUC__|leftover/);
});

test.each([
  ['odd_t x;', ['__odd_t', 'odd_t'], ['odd_pair', 'ODD_A', 'inlined']],
  ['odd_pair x;', ['__odd_t', 'odd_t', 'odd_pair', '__inner'], ['ODD_A', 'shielded']],
  ['int x = ODD_B;', ['ODD_A'], ['odd_t', 'ODD_C']],
  ['enum odd_kind x;', ['ODD_C'], ['ODD_A']],
  ['int f(void) { return odd(1); }', ['extern int odd'], ['odd_real', '__attribute__', 'odd_handler']],
  ['int f(void) { return shielded(1); }', ['shielded', '__odd_t'], ['odd_handler']],
  ['void f(void) { odd_handler(1, 0); }', ['odd_handler ( int'], ['shielded']],
  ['int f(void) { return inlined(1); }', ['return x + 1'], ['volatile']],
  ['int f(va_list x);', ['__builtin_va_list'], ['odd_t']],
])('%s', (source, kept, dropped) => {
  const result = text(source);
  expect(result.diagnostics).toEqual([]);
  for (const part of kept) expect(result.text).toContain(part);
  for (const part of [...dropped, 'too_odd']) expect(result.text).not.toContain(part);
});

test('macros, constants and functions of the header mean what they say', async () => {
  const program = await programOf(
    `#include <odd.h>
    #include <odd.h>
    int main(void) { odd_pair p = {ODD_LIMIT, 0}; if (inlined((int)p.first) == 43 && ODD_B == 8) { ERROR: return 1; } return 0; }`,
    {},
    (name) => (name === 'odd.h' ? OUTPUT : null),
  );
  expect(runWith(program, []).outcome).toBe('error');
});

test('the built-in headers, and <assert.h> as often as it is included', async () => {
  const program = await programOf(`#include <limits.h>
    #include <inttypes.h>
    #include <stdbool.h>
    #define NDEBUG
    #include <assert.h>
    int main(void) {
      uint64_t x = UINT64_MAX; bool b = true;
      assert(0);
      printf("%" PRIu64, x);
    #undef NDEBUG
    #include <assert.h>
      if (x + 1 == 0 && b && INT_MAX == 2147483647 && CHAR_BIT == 8) assert(INT_MIN > 0);
      return 0;
    }`);
  expect(runWith(program, []).outcome).toBe('error');
  expect(program.locations.filter(({ kind }) => kind === 'error').length).toBe(1);
});
