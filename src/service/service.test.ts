// The service without any protocol: a text, a mark in it, an answer.

import { expect, test } from 'vitest';
import { checkModel } from '../check/check.ts';
import { debianExamples } from '../testing/debian-examples.ts';
import { Checker } from './checker.ts';
import { completions } from './completion.ts';
import type { Findings } from './findings.ts';
import { fixes } from './fixes.ts';
import { folds } from './folding.ts';
import { layout } from './format.ts';
import { hints } from './hints.ts';
import { hover } from './hover.ts';
import { lenses } from './lenses.ts';
import { definitions, outline, references } from './navigation.ts';
import { rename } from './rename.ts';
import { scan } from './scan.ts';
import { semanticTokens } from './semantic.ts';
import { LanguageService, type Understanding } from './service.ts';
import { signature } from './signature.ts';

const PATH = '/models/m.pml';

/** The text without its mark `|`, understood, and where the mark was. */
async function marked(text: string, more: Readonly<Record<string, string>> = {}) {
  const offset = text.indexOf('|');
  const clean = offset < 0 ? text : text.slice(0, offset) + text.slice(offset + 1);
  const service = new LanguageService({ read: (path) => more[path] ?? null });
  service.open(PATH, 1, clean);
  const understanding = (await service.understand(PATH))!;
  return { service, understanding, offset, clean };
}

const MODEL = `/* How many. */
#define N 2
mtype = { ping, pong };
typedef Box { byte size; byte rest };
// The only wire.
chan wire = [4] of { mtype };
Box box;
byte count;
inline post(m) { wire!m; count++ }
proctype client(byte id; chan out) {
  byte tries;
again: post(ping); tries = tries + id;
  if :: tries < N -> goto again :: else fi
}
init { run client(1, wire); wire?ping; wire?ping; box.size = 1 }
ltl few { [] (count < 9) }
`;

/** The mark goes before the nth occurrence of the word. */
const at = (word: string, nth = 0): string => {
  let from = -1;
  for (let i = 0; i <= nth; i++) from = MODEL.indexOf(word, from + 1);
  return `${MODEL.slice(0, from)}|${MODEL.slice(from)}`;
};

async function found(
  text: string,
): Promise<{ understanding: Understanding; findings: Findings; checker: Checker }> {
  const { service, understanding } = await marked(text);
  const checker = new Checker(
    service,
    ({ path, files, options, properties, onVerdict }) =>
      checkModel({
        paths: [path],
        files,
        options: { ...options, allQueues: true },
        properties,
        onEvent: (event) => {
          if (event.kind === 'verdict') onVerdict(event.result);
        },
      }),
    () => {},
  );
  await checker.check(understanding);
  return { understanding, findings: checker.findings(understanding)!, checker };
}

test.each([
  ['wire', 1, 'wire'],
  ['count', 2, 'count'],
  ['N ->', 0, 'N'],
  ['again ::', 0, 'again'],
  ['client(1', 0, 'client'],
  ['ping;', 0, 'ping'],
  ['size = 1', 0, 'size'],
])('the definition of %s', async (word, nth, name) => {
  const { understanding, offset } = await marked(at(word, nth));
  const [span] = definitions(understanding, PATH, offset);
  expect(span!.file.text.slice(span!.start, span!.end)).toBe(name);
  expect(references(understanding, PATH, offset, true).length).toBeGreaterThan(1);
});

test('outline: what belongs to a process stands below it', async () => {
  const { understanding } = await marked(MODEL);
  const names = outline(understanding, PATH).map(({ name, children }) => [
    name,
    children.map((one) => one.name),
  ]);
  expect(Object.fromEntries(names as [string, string[]][])).toMatchObject({
    client: ['id', 'out', 'tries', 'again'],
    Box: ['size', 'rest'],
    few: [],
    post: ['m'],
  });
});

test('hovers say what is declared, what values there are, and who uses it', async () => {
  const text = async (from: string) => {
    const { understanding, offset } = await marked(from);
    return hover(understanding, PATH, offset, null)?.markdown ?? '';
  };
  expect(await text(at('wire!'))).toContain('chan wire = [4] of { mtype }');
  expect(await text(at('wire!'))).toContain('The only wire.');
  expect(await text(at('wire!'))).toContain('sent to by `client`');
  expect(await text(at('wire!'))).toContain('received from by `init`');
  expect(await text(at('tries'))).toContain('values: 0 to 255');
  expect(await text(at('N ->'))).toContain('#define N 2');
  expect(await text(at('goto'))).toContain('same process');
});

test('completion follows the place', async () => {
  const labels = async (text: string) => {
    const { understanding, offset } = await marked(text);
    return completions(understanding, PATH, offset).map(({ label }) => label);
  };
  expect(await labels(at('client(1'))).toEqual(['client', 'init']);
  expect(await labels(at('again ::'))).toEqual(['again']);
  expect(await labels(at('size = 1'))).toEqual(['size', 'rest']);
  const here = await labels(at('tries < N'));
  expect(here).toEqual(expect.arrayContaining(['tries', 'id', 'count', 'post', 'N', 'do', 'ping']));
  expect(here).not.toContain('size');
  expect(await labels(at('How many'))).toEqual([]);
});

test('signatures', async () => {
  const { understanding, offset } = await marked(
    MODEL.replace('run client(1, wire)', 'run client(1, |wire)'),
  );
  expect(signature(understanding, PATH, offset)).toEqual({
    label: 'client(byte id; chan out)',
    parameters: ['byte id', 'chan out'],
    active: 1,
  });
});

test('names of parameters before arguments', async () => {
  const { understanding, clean } = await marked(MODEL);
  expect(hints(understanding, PATH, 0, clean.length, null).map(({ text }) => text)).toEqual(['id:', 'out:']);
});

test.each([
  ['wire', 'count', 'stands in'],
  ['wire', 'do', 'word of the language'],
  ['wire', 'double', 'word of C'],
  ['wire', '1x', 'no name'],
  ['again', 'end1', 'means something'],
  ['wire', 'cable', null],
])('renaming %s to %s', async (word, wanted, refusal) => {
  const { understanding, offset } = await marked(at(word, word === 'wire' ? 1 : 0));
  const renaming = rename(understanding, PATH, offset, wanted);
  if (refusal === null) expect(renaming.kind).toBe('edits');
  else expect(renaming.kind === 'refused' && renaming.reason).toContain(refusal);
});

test.each([
  ['c_code { now.x = 1; { now.y++; } }', true],
  ['c_code [now.x < 3] { now.y = 1; }', true],
  ['c_expr { now.x > 1 }', true],
  ['c_code { now.xx = 1; } x = 2', false],
])('a name in embedded C is not renamed: %s', async (statement, refused) => {
  const { understanding, offset } = await marked(`byte |x, y; active proctype p() { ${statement} }`);
  const renaming = rename(understanding, PATH, offset, 'z');
  expect(renaming.kind === 'refused' && renaming.reason.includes('embedded C')).toBe(refused);
});

test('renaming reaches into headers', async () => {
  const { understanding, offset } = await marked('#include "h.h"\nactive proctype p() { |shared = 1 }', {
    '/models/h.h': 'byte shared;\n',
  });
  const renaming = rename(understanding, PATH, offset, 'common');
  expect(renaming.kind === 'edits' && renaming.spans.map(({ file }) => file.path).sort()).toEqual([
    '/models/h.h',
    PATH,
  ]);
});

test('lenses, hovers, hints and fixes with verdicts', async () => {
  const { understanding, findings } = await found(MODEL);
  const titles = lenses(understanding, PATH, findings).map(({ title }) => title);
  expect(titles).toEqual(
    expect.arrayContaining([
      '✓ deadlock-free proved',
      '✓ bounded proved',
      '✓ ltl:few proved',
      'at most 2 messages (capacity 4)',
      'open the report',
    ]),
  );
  const offset = MODEL.indexOf('wire =');
  expect(hover(understanding, PATH, offset, findings)!.markdown).toContain('at most 2 messages');
  expect(hints(understanding, PATH, 0, MODEL.length, findings).map(({ text }) => text)).toContain(' ≤ 2');
  const [fix] = fixes(understanding, PATH, offset, offset, findings);
  expect(fix).toMatchObject({ title: "set the capacity of 'wire' to the proven bound 2", text: '2' });
  expect(MODEL.slice(fix!.span.start, fix!.span.end)).toBe('4');
});

test('a refuted property offers its run', async () => {
  const { understanding, findings } = await found('active proctype p() { byte x; x == 1 }');
  const shown = lenses(understanding, PATH, findings);
  expect(shown.map(({ title }) => title).some((title) => title.startsWith('waits for ever'))).toBe(true);
  expect(shown).toContainEqual(
    expect.objectContaining({ action: { kind: 'run', property: 'deadlock-free' } }),
  );
});

test('a change of comments or of another formula keeps what is known', async () => {
  const two = `${MODEL}ltl other { <> (count > 0) }\n`;
  const { service } = await marked(two);
  const asked: string[][] = [];
  const checker = new Checker(
    service,
    async ({ path, files, properties, onVerdict }) => {
      asked.push([...properties]);
      return checkModel({
        paths: [path],
        files,
        properties,
        onEvent: (event) => {
          if (event.kind === 'verdict') onVerdict(event.result);
        },
      });
    },
    () => {},
  );
  const now = async (text: string) => {
    service.change(PATH, 2, [{ text }]);
    const understanding = (await service.understand(PATH))!;
    await checker.check(understanding);
    return checker.findings(understanding)!;
  };
  expect((await now(two)).results.size).toBeGreaterThan(3);
  expect((await now(`/* new */\n\n${two}`)).state).toBe('done');
  expect(asked).toHaveLength(1);
  await now(two.replace('count > 0', 'count > 1'));
  expect(asked[1]).toEqual(['ltl:other']);
  await now(two.replace('count < 9', 'count < 8').replace('tries + id', 'tries + 1'));
  expect(asked[2]).toEqual([]);
});

test.each([
  ['byte counter;\nactive proctype p() { countr = 1 }', "change it to 'counter'", 'counter = 1'],
  ['active proctype p() { skip skip }', "insert ';'", 'skip ; skip'],
  ['active proctype p() { }', 'write skip', '{ skip }'],
  ['active proctype p() { fresh = 1 }', "declare 'fresh' as a byte", 'byte fresh;\nactive'],
])('a fix for %s', async (text, title, expected) => {
  const { understanding } = await marked(text);
  const fix = fixes(understanding, PATH, 0, text.length, null).find((one) => one.title === title)!;
  const { start, end } = fix.span;
  expect(text.slice(0, start) + fix.text + text.slice(end)).toContain(expected);
});

test('layout changes white space only, and twice is once', () => {
  for (const { text } of debianExamples()) {
    const apply = (before: string): string => {
      let after = before;
      for (const { start, end, text: put } of layout(before, { tabSize: 2, insertSpaces: true }).reverse()) {
        expect(before.slice(start, end).trim()).toBe('');
        after = after.slice(0, start) + put + after.slice(end);
      }
      return after;
    };
    const once = apply(text);
    const words = (source: string) => [...scan(source)].map((piece) => piece.text);
    expect(words(once)).toEqual(words(text));
    expect(apply(once)).toBe(once);
  }
});

test('layout', () => {
  const text = 'init {\ndo\n:: x -> y;\nz\n:: else -> {\nbreak }\nod\n}';
  let laid = text;
  for (const { start, end, text: put } of layout(text, { tabSize: 2, insertSpaces: true }).reverse())
    laid = laid.slice(0, start) + put + laid.slice(end);
  expect(laid).toBe('init {\n  do\n  :: x -> y;\n    z\n  :: else -> {\n      break }\n  od\n}');
});

test('folding and colours', async () => {
  const { understanding, service } = await marked(MODEL);
  expect(folds(service.texts.file(PATH)!, true)).toContainEqual({ first: 9, last: 12, kind: 'region' });
  expect(semanticTokens(understanding, PATH).length % 5).toBe(0);
});

test('edits arrive as ranges', async () => {
  const { service } = await marked(MODEL);
  service.change(PATH, 2, [
    { range: { start: { line: 1, character: 8 }, end: { line: 1, character: 9 } }, text: 'M' },
    { range: { start: { line: 12, character: 16 }, end: { line: 12, character: 17 } }, text: 'M' },
  ]);
  expect(service.texts.get(PATH)!.file.text).toContain('#define M 2');
  expect(service.texts.get(PATH)!.file.text).toContain('tries < M');
  expect((await service.understand(PATH))!.diagnostics).toEqual([]);
});

test('a header is part of the model that includes it', async () => {
  const { service } = await marked('#include "h.h"\nactive proctype p() { shared = 1 }', {
    '/models/h.h': 'byte shared;\n',
  });
  const understanding = (await service.understand('/models/h.h'))!;
  expect(understanding.root).toBe(PATH);
  expect(references(understanding, '/models/h.h', 6, true)).toHaveLength(2);
  service.open('/models/h.h', 1, 'byte other;\n');
  expect((await service.understand(PATH))!.diagnostics[0]!.message).toContain("'shared' is not declared");
});

test('a client with a debugger is offered to step through the run', async () => {
  const { understanding, findings } = await found('active proctype p() { byte x; x == 1 }');
  const actions = lenses(understanding, PATH, findings, true).map(({ action }) => action?.kind);
  expect(actions).toContain('debug');
});
