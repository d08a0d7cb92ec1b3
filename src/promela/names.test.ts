// Which symbol a name stands for, and where: also in macros, inlines, included files, text that does not count, and models with errors.

import { expect, test } from 'vitest';
import type { Names } from '../source/names.ts';
import { loadPromela } from './load.ts';
import { filesOf } from './testing.ts';

const namesOf = (text: string, more: Readonly<Record<string, string>> = {}): Names =>
  loadPromela('model.pml', filesOf({ ...more, 'model.pml': text }), { withNames: true }).names!;

/** Where the one symbol of this name stands: `file:offset`, as the user wrote it. */
function places(names: Names, name: string): string[] {
  const groups = new Set(
    names.symbols.flatMap((symbol, id) => (symbol.name === name ? [names.groupOf(id)] : [])),
  );
  const found = names.occurrences.filter(({ symbol }) => groups.has(names.groupOf(symbol)));
  for (const { span } of found) expect(span.file.text.slice(span.start, span.end)).toBe(name);
  return [...new Set(found.map(({ span }) => `${span.file.path}:${span.start}`))].sort();
}

/** Every place where the word stands in the text, as a whole word. */
const wordsAt = (text: string, word: string): string[] =>
  [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => `model.pml:${index}`).sort();

const MODEL = `#define LIMIT 3
#define bump(v) v = v + step; hits++
#ifdef OTHER
byte unused = LIMIT + hits;
#endif
mtype = { ping, pong };
mtype:kind = { odd };
typedef Box { byte size; chan link };
byte hits, step = LIMIT;
chan wire = [LIMIT] of { mtype, byte };
Box box;
mtype:kind what = odd;
inline put(c, m) { byte copy; copy = step; c!m, copy }
inline never_called(z) { z = hits }
proctype work(chan c; byte n) {
  byte i;
again:
  bump(i);
  put(c, ping);
  put(wire, pong);
  if :: c?ping, i -> goto again :: box.size > n -> bump(n) fi
}
init { pid p; box.size = 2; p = run work(wire, 1); (work[p]@again && work[p]:i < LIMIT) }
ltl calm { [] (hits < 200) }
`;

test.each(
  'LIMIT bump v hits step unused ping pong odd kind Box size link wire box what put c m copy z n i again work p calm'
    .split(' ')
    .filter((name) => name !== 'unused'),
)('every place of %s is known', (name) => {
  expect(places(namesOf(MODEL), name)).toEqual(wordsAt(MODEL, name));
});

test('one name in two scopes is two symbols, unless a macro ties them', () => {
  const apart = namesOf('active proctype p() { byte x; x = 1 } active proctype q() { byte x; x = 2 }');
  const [first, second] = apart.symbols.flatMap((symbol, id) => (symbol.name === 'x' ? [id] : []));
  expect(apart.groupOf(first!)).not.toBe(apart.groupOf(second!));
  const tied = namesOf(
    '#define UP x++\nactive proctype p() { byte x; UP } active proctype q() { byte x; UP }',
  );
  const [third, fourth] = tied.symbols.flatMap((symbol, id) => (symbol.name === 'x' ? [id] : []));
  expect(tied.groupOf(third!)).toBe(tied.groupOf(fourth!));
});

test('names in included files', () => {
  const names = namesOf('#include "types.h"\nactive proctype p() { shared = 1 }', {
    'types.h': 'byte shared;\n',
  });
  expect(places(names, 'shared')).toEqual(['model.pml:41', 'types.h:5']);
});

test.each([
  ['a variable', 'byte xy; active proctype p() { cat(x, y) = 1 }'],
  ['a message', 'mtype = { xy }; mtype m; active proctype p() { m = cat(x, y) }'],
  ['a proctype', 'proctype xy() { skip } init { run cat(x, y)() }'],
  ['a field', 'typedef t { byte xy }; t r; active proctype p() { r.cat(x, y) = 1 }'],
])('%s whose name macros put together cannot be renamed', (_, text) => {
  const names = namesOf(`#define cat(a, b) a##b\n${text}`);
  expect(names.symbols.find(({ name }) => name === 'xy')!.fixed).toContain('macro');
});

test('who sends and who receives', () => {
  const names = namesOf(MODEL);
  const roles = names.occurrences
    .filter(({ symbol }) => names.symbols[symbol]!.name === 'c')
    .map(({ role }) => role);
  expect(roles).toContain('receive');
});

test('a model with errors keeps its symbols', () => {
  const broken = `mtype = { a, b
byte x = ;
chan q = [2] of { byte ;
proctype p(byte n; int) { byte y; L: y = ( ; y++ ; goto L
proctype r() { if :: x == 1 -> x = 2 :: else fi; q!x
ltl f { [] (x < }
init { run p(1); run r() }`;
  const names = namesOf(broken).symbols.map(({ name }) => name);
  for (const name of ['a', 'b', 'x', 'q', 'p', 'n', 'y', 'L', 'r', 'f', 'init'])
    expect(names, name).toContain(name);
});

test('any text gives names without a crash', () => {
  for (let end = 0; end < MODEL.length; end += 7) {
    namesOf(MODEL.slice(0, end));
    namesOf(MODEL.slice(end));
    namesOf(`${MODEL.slice(0, end)} ) } ${MODEL.slice(end)}`);
  }
});
