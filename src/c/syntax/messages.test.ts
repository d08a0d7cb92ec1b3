import { expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { parseC } from './parse.ts';

async function problemIn(text: string): Promise<{ message: string; at: string; help: string | undefined }> {
  const options = { files: { read: () => null }, defines: [], includes: [] };
  const parsed = await parseC(new SourceFile('x.c', text), options);
  if (parsed.ok) throw new Error('it was read');
  const { message, span, help } = parsed.error[0]!;
  return { message, at: text.slice(span!.start, span!.end), help };
}

test.each([
  ['foo_t x;', 'foo_t'],
  ['static foo_t *make(void);', 'foo_t'],
  ['int f(foo_t x, int y);', 'foo_t'],
  ['int f(int y, const foo_t x);', 'foo_t'],
  ['void *f(foo_t, unsigned long);', 'foo_t'],
  ['struct s { foo_t a; int b; };', 'foo_t'],
  ['int main(void) { foo_t y = 3; }', 'foo_t'],
  ['int main(void) { for (foo_t i = 0;;) ; }', 'foo_t'],
  ['int main(void) { return (foo_t)3; }', 'foo_t'],
])('%s', async (text, type) => {
  const problem = { message: `unknown type '${type}'`, at: type, help: 'declare it before this place' };
  expect(await problemIn(text)).toEqual(problem);
});

test('a type of a header', async () => {
  expect(await problemIn('ssize_t x;')).toMatchObject({ help: 'include <stdio.h>' });
});

test.each([
  ['int main(void) { int x y; }'],
  ['int main(void) { int x = 1; x++ return 0; }'],
  ['struct { int a; } x\nint main(void) { return 0; }'],
  ['int main(void) { break x; }'],
])('a mark is missing: %s', async (text) => {
  expect((await problemIn(text)).message).toBe("';' is missing here");
});

test.each([
  ['__attribute__((constructor)) void f(void) {}', 'call the function at the start of main'],
  ['enum e : unsigned char { A };', 'leave the type out here, and declare variables with it'],
  [
    'int f(void) { return sizeof(enum : long { A }); }',
    'leave the type out here, and declare variables with it',
  ],
  ['_Float16 x = 1;', 'use float'],
  ['int f(void) { _Decimal64 x = 1; }', 'use double'],
  ['bool f(void);', 'include <stdbool.h>'],
  ['typedef int v __attribute__((vector_size(16)));', 'use an array, and loops over its elements'],
])('refused with what to write instead: %s', async (text, help) => {
  expect((await problemIn(text)).help).toBe(help);
});

test('a bit-field without a name may be of an enumeration', async () => {
  await expect(problemIn('enum e { A, W }; struct s { enum e : 3; enum e : W; int n; };')).rejects.toThrow(
    'it was read',
  );
});

test.each([
  ['int main(void) { /* open\n return 0; }', 'this comment has no end', '/* open'],
  ['int x; /* open', 'this comment has no end', '/* open'],
  ['int main(void) { return 0 /* open\n }', 'this comment has no end', '/* open'],
  ['char *s = "abc;\n', "this string has no '\"' at its end", '"abc;'],
  ["int c = L'a;\n", "this character has no ' at its end", "L'a;"],
])('what has no end: %s', async (text, message, at) => {
  expect(await problemIn(text)).toMatchObject({ message, at });
});
