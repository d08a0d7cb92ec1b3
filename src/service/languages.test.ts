// Names in the other languages: where a word stands in the text, that is where its symbol is known to stand.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lenses } from './lenses.ts';
import { definitions, outline, references } from './navigation.ts';
import { rename } from './rename.ts';
import { LanguageService } from './service.ts';

const corpus = fileURLToPath(new URL('../../corpus', import.meta.url));
const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

async function understood(path: string, text?: string) {
  const service = new LanguageService({
    read: (file) => (file === path && text !== undefined ? text : read(file)),
  });
  return (await service.understand(path))!;
}

/** Without comments. */
const places = (text: string, word: string): number[] => {
  const bare = text.replace(/(?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->/g, (comment) =>
    comment.replace(/\w/g, ' '),
  );
  return [...bare.matchAll(new RegExp(`(?<!\\w)${word}(?!\\w)`, 'g'))].map(({ index }) => index);
};

test.each([
  ['kripke/dpd.lks', ['N', 'Fork', 'Phil', 'left', 'first']],
  ['kripke/chain.lks', ['Place', 'N']],
])('%s', async (name, words) => {
  const path = `${corpus}/${name}`;
  const text = read(path)!;
  const understanding = await understood(path);
  for (const word of words) {
    const all = places(text, word);
    const found = references(understanding, path, all[0]!, true).map(({ start }) => start);
    expect(
      found.sort((a, b) => a - b),
      word,
    ).toEqual(all);
    expect(definitions(understanding, path, all.at(-1)!)[0]!.start, word).toBe(all[0]);
  }
  expect(lenses(understanding, path, null)[0]!.title).toBe('check');
});

const ECFSM = `protocol p;
machine A {
  states idle, busy;
  registers seq;
  init idle where seq = 0;
  go: idle -> busy send REQ(x) when x = seq;
  back: busy -> idle receive ACK do seq := seq + 1;
}
machine B {
  states wait;
  init wait;
  take: wait receive REQ(y);
  give: wait send ACK;
}
invariant { P1 = A@idle and B@wait; P2 = A@busy and B@wait and A->B: REQ; }
goal home = A@idle;
`;

test('an .ecfsm file', async () => {
  const understanding = await understood('/m.ecfsm', ECFSM);
  for (const word of ['idle', 'busy', 'seq', 'wait', 'REQ', 'ACK', 'A', 'B', 'x']) {
    const all = places(ECFSM, word);
    const found = references(understanding, '/m.ecfsm', all[0]!, true).map(({ start }) => start);
    expect(
      found.sort((a, b) => a - b),
      word,
    ).toEqual(all);
  }
  expect(outline(understanding, '/m.ecfsm').map(({ name }) => name)).toEqual(
    expect.arrayContaining(['A', 'B', 'P1', 'home']),
  );
  expect(rename(understanding, '/m.ecfsm', ECFSM.indexOf('busy'), 'working').kind).toBe('edits');
});

test('a .spec with its C file', async () => {
  const path = `${corpus}/c/dpd.spec`;
  const text = read(path)!;
  const understanding = await understood(path);
  expect(understanding.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [span] = definitions(understanding, path, text.indexOf('philosopher(i)')).filter(({ file }) =>
    file.path.endsWith('.c'),
  );
  expect(span!.file.text.slice(span!.start, span!.end)).toBe('philosopher');
  expect(rename(understanding, path, text.indexOf('philosopher(i)'), 'thinker').kind).toBe('refused');
});

test('a C file alone', async () => {
  const text =
    'int limit = 3;\nint twice(int n) { int limit = n; return limit * 2; }\nint main(void) { return twice(limit); }\n';
  const understanding = await understood('/m.c', text);
  const at = (offset: number) =>
    references(understanding, '/m.c', offset, true)
      .map(({ start }) => start)
      .sort((a, b) => a - b);
  const all = places(text, 'limit');
  expect(at(all[0]!)).toEqual([all[0], all[3]]);
  expect(at(all[1]!)).toEqual([all[1], all[2]]);
  expect(at(text.indexOf('twice'))).toEqual(places(text, 'twice'));
});

test('an SCXML document', async () => {
  const text = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="m" initial="off">
  <state id="off"><transition event="press" target="on"/></state>
  <state id="on"><onentry><raise event="press"/></onentry><transition event="press" target="off"/></state>
</scxml>`;
  const understanding = await understood('/m.scxml', text);
  for (const word of ['off', 'on', 'press']) {
    const all = places(text, word);
    const found = references(understanding, '/m.scxml', all[0]!, true).map(({ start }) => start);
    expect(
      found.sort((a, b) => a - b),
      word,
    ).toEqual(all);
  }
});

test('broken texts keep what can be read', async () => {
  const lks = 'component A {\n S = ( a -> ).\n T = ( b -> T ).\n}\nsystem = A;\n';
  const understanding = await understood('/m.lks', lks);
  expect(outline(understanding, '/m.lks')[0]!.children.map(({ name }) => name)).toContain('T');
  const ecfsm = await understood('/m.ecfsm', ECFSM.replace('init wait;', 'init ;'));
  expect(outline(ecfsm, '/m.ecfsm').map(({ name }) => name)).toContain('A');
});
