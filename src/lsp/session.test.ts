// Whole sessions with the shipped program over standard input and output, on models that other people wrote.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleForTest } from '../testing/bundle.ts';
import { debianExamples } from '../testing/debian-examples.ts';
import { LspClient } from '../testing/lsp-client.ts';
import { CONTENT_LENGTH } from '../wire/framing.ts';

let bundle: string;
let folder: string;
beforeAll(async () => {
  bundle = await bundleForTest();
  folder = mkdtempSync(join(tmpdir(), 'spillway-lsp-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const WHOLE = { start: { line: 0, character: 0 }, end: { line: 100_000, character: 0 } };
const RING = `chan link = [3] of { byte };
active proctype left() { link!1; link!2 }
active proctype right() { byte x; link?x; link?x; assert(x == 2) }
ltl done { <> empty(link) }
`;

test('from opening to verdicts', async () => {
  const client = await LspClient.start(bundle, CONTENT_LENGTH);
  const path = join(folder, 'ring.pml');
  writeFileSync(path, RING);
  const uri = pathToFileURL(path).href;
  client.open(uri, RING);
  expect(await client.diagnostics(uri, 1)).toEqual([]);
  await client.checked(uri, ({ state }) => state === 'done');
  const lenses = (await client.ask('textDocument/codeLens', { textDocument: { uri } })) as {
    command: { title: string };
  }[];
  expect(lenses.map(({ command }) => command.title)).toEqual(
    expect.arrayContaining([
      'at most 2 messages (capacity 3)',
      '✓ deadlock-free proved',
      '✓ assertions proved',
    ]),
  );
  const position = { line: 0, character: 6 };
  const hover = (await client.ask('textDocument/hover', { textDocument: { uri }, position })) as {
    contents: { value: string };
  };
  expect(hover.contents.value).toContain('at most 2 messages');
  const version = client.edit(uri, [{ text: RING.replace('x == 2', 'x == 3') }]);
  await client.diagnostics(uri, version);
  client.wire.notify('textDocument/didSave', { textDocument: { uri } });
  await client.checked(
    uri,
    ({ state, properties }) => state === 'done' && properties.some(({ verdict }) => verdict === 'refuted'),
  );
  const run = await client.ask('spillway/run', { uri, property: 'assertions' });
  expect(run).toContain('assert');
  const written = await client.ask('workspace/executeCommand', {
    command: 'spillway.openReport',
    arguments: [uri],
  });
  expect(readFileSync(String(written), 'utf8')).toContain('<html');
  expect(await client.stop()).toBe(0);
});

test('what makes no sense is answered', async () => {
  const client = await LspClient.start(bundle, CONTENT_LENGTH, { check: 'off' });
  await expect(client.ask('textDocument/hover', {})).rejects.toThrow('textDocument.uri');
  await expect(client.ask('no/such')).rejects.toThrow('no request');
  const gone = { textDocument: { uri: 'file:///nowhere.pml' }, position: { line: 0, character: 0 } };
  expect(await client.ask('textDocument/hover', gone)).toBeNull();
  client.wire.notify('textDocument/didChange', { textDocument: null, contentChanges: 'x' });
  client.wire.notify('$/unknown', {});
  client.open('untitled:one.pml', RING);
  const here = { textDocument: { uri: 'untitled:one.pml' }, position: { line: 99, character: 99 } };
  expect(await client.ask('textDocument/definition', here)).toEqual([]);
  await expect(client.ask('textDocument/rename', { ...here, newName: 'x' })).rejects.toThrow('no name here');
  client.wire.notify('exit');
  expect(await client.wire.ended).toBe(1);
});

const REQUESTS = [
  'documentSymbol',
  'codeLens',
  'foldingRange',
  'semanticTokens/full',
  'inlayHint',
  'formatting',
  'codeAction',
];
const PLACED = ['hover', 'definition', 'references', 'documentHighlight', 'completion', 'signatureHelp'];

const examples = debianExamples();
describe.skipIf(examples.length === 0)("Debian's examples", () => {
  // Every third of them by default; that all of them are read is tested elsewhere.
  const asked = examples.filter((_, i) => i % 3 === 0 || process.env['SPILLWAY_FUZZ'] !== undefined);
  test(`every request is answered on ${asked.length} models`, async () => {
    const client = await LspClient.start(bundle, CONTENT_LENGTH, { check: 'off' });
    for (const { path, text } of asked) {
      const uri = pathToFileURL(path).href;
      client.open(uri, text);
      const textDocument = { uri };
      const lines = text.split('\n');
      const middle = { line: Math.floor(lines.length / 2), character: 3 };
      await Promise.all([
        ...REQUESTS.map((name) =>
          client.ask(`textDocument/${name}`, {
            textDocument,
            range: WHOLE,
            context: { diagnostics: [] },
            options: {},
          }),
        ),
        ...PLACED.map((name) => client.ask(`textDocument/${name}`, { textDocument, position: middle })),
      ]);
      expect(await client.diagnostics(uri, 1)).toBeDefined();
      client.wire.notify('textDocument/didClose', { textDocument });
    }
    expect(await client.stop()).toBe(0);
  });

  // Some hundred edits by default; SPILLWAY_FUZZ=10000 for as many.
  const edits = Number(process.env['SPILLWAY_FUZZ'] ?? 80);
  test(`${edits} random edits never crash or wedge it`, { timeout: 0 }, async () => {
    const client = await LspClient.start(bundle, CONTENT_LENGTH, { check: 'off' });
    const random = fc.sample(editArbitrary, { numRuns: edits, seed: 20 });
    for (const [i, { at, length, insert, example }] of random.entries()) {
      // A model at a time, for forty edits.
      const model = examples[(example + Math.floor(i / 40)) % examples.length]!;
      const current = examples[Math.floor(i / 40) % examples.length]!;
      const uri = pathToFileURL(current.path).href;
      if (i % 40 === 0) client.open(uri, current.text);
      const lines = current.text.split('\n');
      const line = Math.floor(at * lines.length);
      const character = Math.floor(((at * 7919) % 1) * 40);
      const piece = insert ?? model.text.slice(0, 60);
      const range = {
        start: { line, character },
        end: { line: line + (length > 30 ? 1 : 0), character: character + length },
      };
      const version = client.edit(uri, [{ range, text: piece }]);
      if (i % 10 !== 9) continue;
      const position = range.start;
      const textDocument = { uri };
      await client.diagnostics(uri, version);
      for (const name of [...PLACED, 'documentSymbol', 'semanticTokens/full', 'codeLens'])
        await client.ask(`textDocument/${name}`, { textDocument, position });
      await client.wire.request('textDocument/rename', { textDocument, position, newName: 'zq9' });
      if (i % 40 === 39) client.wire.notify('textDocument/didClose', { textDocument });
    }
    expect(await client.stop()).toBe(0);
  });
});

const editArbitrary = fc.record({
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
  length: fc.nat(40),
  example: fc.nat(70),
  insert: fc.option(
    fc.oneof(
      fc.constantFrom(
        '{',
        '}',
        '(',
        ')',
        '"',
        '/*',
        '*/',
        '#define x y\n',
        '#if 1\n',
        '::',
        'do',
        'od',
        ';',
        '\\\n',
        '',
      ),
      fc.string({ maxLength: 12, unit: 'binary' }),
      fc.constantFrom(
        'proctype p() {',
        'ltl f { [] ',
        'inline g(a) { a',
        'run ',
        'typedef T {',
        'chan c = [',
      ),
    ),
  ),
});
