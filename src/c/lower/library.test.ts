// What functions of the library may give: really any value, one that the analysis does not know, or what C says.

import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { checkC } from '../../check/testing.ts';

async function verdict(body: string): Promise<string> {
  const text = `#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nlong time(long *); FILE *tmpfile(void); int ungetc(int, FILE *);\nint main(void) { ${body} return 0; }`;
  const files = { read: (path: string) => (path === 'x.c' ? text : null) };
  const request = { path: 'x.c', files, properties: ['assertions'], budget: UNLIMITED, observer: SILENT };
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
    'a _Bool that nobody has written to',
    '_Bool b; assert(b == 0 || b == 1); struct { char c; _Bool b; } s; assert(s.b < 2);',
    'proved',
  ],
  ['… is one of both', '_Bool b; assert(b);', 'refuted'],
  ['… unless it has other names', 'union { _Bool b; unsigned char c; } u; assert(u.c < 2);', 'refuted'],
])('%s', async (_, body, expected) => {
  expect(await verdict(body)).toBe(expected);
});
