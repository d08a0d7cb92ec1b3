// Scripted clients of `spillway mcp` over standard input and output: some of the shipped program, most of the same verb in this process.

import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../cli/run.ts';
import { bundleForTest } from '../testing/bundle.ts';
import { scratchIo } from '../testing/memory-io.ts';
import { type Message, WireClient } from '../testing/wire-client.ts';
import { LINES } from '../wire/framing.ts';
import { searchPages, sectionOf } from './pages.ts';
import { TOOLS } from './server.ts';

const BROKEN = `mtype = { request, reply };
chan toServer = [1] of { mtype };
chan toClient = [1] of { mtype };

active proctype client() {
  do
  :: toServer!request; toClient?reply
  od
}
active proctype server() {
  do
  :: toServer?request; toClient!repyl
  od
}
`;
/** Each waits for the other to begin. */
const STUCK = BROKEN.replace('repyl', 'reply').replace(
  'toServer!request; toClient?reply',
  'toClient?reply; toServer!request',
);
const MENDED = BROKEN.replace('repyl', 'reply');
const ENDLESS = `byte a, b, c, d;
active proctype p() { do :: a++ :: b++ :: c++ :: d++ od }
active proctype q() { do :: a-- :: b-- :: c-- :: d-- od }
`;

let bundle: string;
let world = '';
let folder = '';
let client: WireClient;
const { io, remove } = scratchIo();
const talk = (server: ConstructorParameters<typeof WireClient>[0]): void => {
  client = new WireClient(server, LINES, { cwd: world });
};
/** What an agent's host starts. */
const talkToProgram = (): void => talk(['node', join(bundle, 'cli.js'), 'mcp', '--folder', folder]);
const talkHere = (below = folder): void =>
  talk((ends) => runCli(['mcp', '--folder', below], { ...io, ...ends }));
beforeAll(async () => {
  bundle = await bundleForTest();
});
beforeEach(() => {
  world = mkdtempSync(join(tmpdir(), 'spillway-mcp-'));
  folder = join(world, 'models');
  mkdirSync(folder);
  writeFileSync(join(folder, 'pair.pml'), BROKEN);
  writeFileSync(join(folder, 'endless.pml'), ENDLESS);
  writeFileSync(join(world, 'secret.pml'), 'active proctype top_secret() { skip }\n');
  symlinkSync('../secret.pml', join(folder, 'link.pml'));
});
afterAll(remove);
afterEach(async () => {
  client.kill();
  await client.ended;
  rmSync(world, { recursive: true, force: true });
});

async function begin(protocolVersion = '2025-06-18'): Promise<Message> {
  const answer = await client.request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  client.notify('notifications/initialized');
  return answer['result'] as Message;
}

interface Result {
  readonly text: string;
  readonly data: Message;
  readonly isError: boolean;
  readonly links: readonly string[];
}

async function call(name: string, args: unknown = {}): Promise<Result> {
  const answer = await client.request('tools/call', { name, arguments: args });
  const { content, structuredContent, isError } = answer['result'] as {
    content: { type: string; text: string; uri: string }[];
    structuredContent?: Message;
    isError: boolean;
  };
  return {
    text: content[0]!.text,
    data: structuredContent ?? {},
    isError,
    links: content.filter(({ type }) => type === 'resource_link').map(({ uri }) => uri),
  };
}

const read = async (uri: string): Promise<string> => {
  const answer = await client.request('resources/read', { uri });
  return (answer['result'] as { contents: { text: string }[] }).contents[0]!.text;
};

test('an agent checks a broken model, reads the diagnosis, mends it and gets a proof', async () => {
  talkToProgram();
  expect(await begin()).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'spillway' } });
  expect((await call('models')).data).toMatchObject({
    models: [{ path: 'endless.pml' }, { path: 'pair.pml', language: 'promela' }],
  });

  const broken = await call('check', { model: 'pair.pml' });
  expect(broken.isError).toBe(true);
  expect(broken.text).toContain("did you mean 'reply'?");
  expect(broken.data).toMatchObject({
    verdict: 'errors',
    diagnostics: [{ severity: 'error', file: 'pair.pml', line: 12 }],
  });

  // Not written yet: tried as text.
  const stuck = await call('check', { model: 'pair.pml', text: STUCK, properties: ['deadlock-free'] });
  expect(stuck.data).toMatchObject({
    verdict: 'refuted',
    properties: [{ id: 'deadlock-free', verdict: 'refuted' }],
  });
  expect(stuck.text).toContain('a message in toClient, which is empty');
  expect(stuck.text).toContain('circular wait: client → server');
  const { report } = stuck.data as { report: number };
  const shown = await call('show_run', { report });
  expect(shown.text).toContain('circular wait');

  writeFileSync(join(folder, 'pair.pml'), MENDED);
  const again = await call('replay', { model: 'pair.pml', report });
  expect(again.data).toMatchObject({ shown: false });
  const proved = await call('check', { model: 'pair.pml', timeout: 120 });
  expect(proved.data).toMatchObject({ verdict: 'proved' });
  expect(proved.text).toContain('PROVED');
  expect(proved.text.length).toBeLessThan(1000);
  const audited = await call('audit', { model: 'pair.pml', property: 'bounded' });
  // Of four states a search may be done before the linear program is: it leaves no certificate, and the answer says so.
  if (proved.text.includes('certificate checked')) expect(audited.data).toMatchObject({ accepted: true });
  else expect(audited.text).toContain('has no certificate for bounded');
  const { data } = await call('bounds', { model: 'pair.pml' });
  expect(data).toMatchObject({
    queues: [
      { name: 'toServer', bound: 1 },
      { name: 'toClient', bound: 1 },
    ],
  });

  // All of it, by address.
  const whole = JSON.parse(await read(proved.links[0]!)) as { properties: { id: string; verdict: string }[] };
  expect(whole.properties.every(({ verdict }) => verdict === 'proved')).toBe(true);
  expect(await read(`${proved.links[0]}/text`)).toMatch(
    /bounded +PROVED +(certificate checked in exact integers|all 4 states explored)/,
  );
  expect(JSON.parse(await read(`spillway://report/${report}/run/deadlock-free`))).toMatchObject({
    actors: ['client', 'server'],
  });
  const { resources } = (await client.request('resources/list'))['result'] as {
    resources: { uri: string }[];
  };
  expect(resources.map(({ uri }) => uri)).toContain(proved.links[0]);
  expect(client.errors).toBe('');
});

describe('nothing outside the folder is read', () => {
  test('by no tool', async () => {
    talkHere();
    await begin();
    for (const path of ['../secret.pml', 'link.pml', '/etc/passwd', 'sub/../../secret.pml'])
      for (const [tool, args] of [
        ['check', { model: path }],
        ['check', { model: path, text: MENDED }],
        ['simulate', { model: path }],
        ['replay', { model: 'endless.pml', file: path }],
        ['audit', { model: 'endless.pml', file: path }],
        ['bounds', { model: path }],
        ['convert', { model: path, to: 'pnml' }],
        ['models', { folder: path }],
        ['check', { model: 'endless.pml', includes: [path] }],
      ] as const) {
        const { isError, text } = await call(tool, args);
        expect(isError, `${tool} ${path}`).toBe(true);
        expect(text, `${tool} ${path}`).toContain('lies outside the folder');
        expect(text, `${tool} ${path}`).not.toContain('top_secret');
      }
  });

  test('nor by a model that includes it', async () => {
    talkHere();
    writeFileSync(
      join(folder, 'spy.pml'),
      '#include "../secret.pml"\n#include "link.pml"\nactive proctype a() { skip }\n',
    );
    await begin();
    const { text, isError } = await call('check', { model: 'spy.pml' });
    expect(isError).toBe(true);
    expect(text).not.toContain('top_secret');
  });

  test('nor are modules run, unless that was allowed', async () => {
    talkHere();
    writeFileSync(join(folder, 'machine.ts'), 'export default 1;\n');
    await begin();
    expect((await call('check', { model: 'machine.ts' })).text).toContain('--modules');
  });
});

test('every tool has a schema, and refuses what does not fit it, with words', async () => {
  talkHere();
  await begin();
  const { tools } = (await client.request('tools/list'))['result'] as {
    tools: { name: string; inputSchema: unknown }[];
  };
  expect(tools.map(({ name }) => name)).toEqual(TOOLS.map(({ name }) => name));
  const refused = async (tool: string, args: unknown): Promise<string> => {
    const { isError, text } = await call(tool, args);
    expect(isError, `${tool} ${JSON.stringify(args)}`).toBe(true);
    return text;
  };
  expect(await refused('check', {})).toContain("'model' is missing");
  expect(await refused('check', { model: 'pair.pml', tiemout: 3 })).toContain("did you mean 'timeout'?");
  expect(await refused('check', { model: 7 })).toContain('is a text');
  expect(await refused('check', { model: 'nowhere.pml' })).toContain('no such file');
  expect(await refused('simulate', { model: 'endless.pml', steps: 0 })).toContain('from 1 to 5000');
  expect(await refused('simulate', { model: 'endless.pml', choices: [99] })).toContain('choice 1 is 99');
  expect(await refused('show_run', {})).toContain('no report yet');
  expect(await refused('audit', { model: 'endless.pml' })).toContain('no report yet');
  expect(await refused('convert', { model: 'endless.pml', to: 'cobol' })).toContain('pnml');
  expect(await refused('explain', { code: 'boundde' })).toContain("did you mean 'bounded'?");
  expect(await refused('docs', { page: 'nowhere' })).toContain('there are');
  const unknown = await client.request('tools/call', { name: 'fly' });
  expect(unknown['error']).toMatchObject({ code: -32602 });
  expect((await client.request('sampling/fly'))['error']).toMatchObject({ code: -32601 });
  expect((await client.request('resources/read', { uri: 'file:///etc/passwd' }))['error']).toMatchObject({
    code: -32002,
  });
  expect((await client.request('ping'))['result']).toEqual({});
});

test('a call has its budget, and can be cancelled', async () => {
  talkToProgram();
  await begin();
  const short = await call('check', {
    model: 'endless.pml',
    invariants: ['a + b + c + d < 1000'],
    timeout: 1,
  });
  expect(['unknown', 'proved']).toContain(short.data['verdict']);
  const from = client.received.length;
  client.send({
    jsonrpc: '2.0',
    id: 'long',
    method: 'tools/call',
    params: {
      name: 'check',
      arguments: { model: 'endless.pml', timeout: 3000, invariants: ['a + b + c + d < 1000'] },
    },
  });
  expect((await client.request('ping'))['result']).toEqual({});
  client.notify('notifications/cancelled', { requestId: 'long' });
  const answer = await client.waitFor(({ id }) => id === 'long', from);
  expect(answer['result'] ?? answer['error']).toBeDefined();
});

test('a run by choices, explanations, documentation, an older protocol', async () => {
  talkHere();
  writeFileSync(join(folder, 'pair.pml'), MENDED);
  expect(await begin('2024-11-05')).toMatchObject({ protocolVersion: '2024-11-05' });
  const first = await call('simulate', { model: 'pair.pml', choices: [] });
  expect(first.text).toContain('1  client: toServer!request');
  const third = await call('simulate', { model: 'pair.pml', choices: [1, 1] });
  expect(third.text).toContain('toClient!reply');
  const random = await call('simulate', { model: 'pair.pml', seed: 3, steps: 7 });
  expect(random.text).toContain('after 7 steps');
  // Data and links came with a later version.
  expect(first.data).toEqual({});
  expect((await call('explain', { code: 'time-limit' })).text).toContain('time');
  expect((await call('docs', { query: 'rendezvous handshake capacity' })).text).toContain('## ');
  expect((await call('docs', { page: 'cli', section: 'Exit codes' })).text).toContain('64 wrong usage');
  expect(await client.close()).toBe(0);
});

test('nonsense is answered, and the server goes on', async () => {
  talkHere();
  client.sendRaw('no JSON at all\n{"jsonrpc":"2.0"}\n[]\n\n');
  await begin();
  expect((await call('explain', { code: 'bounded' })).isError).toBe(false);
  expect(client.received.filter((message) => message['error'] !== undefined)).toHaveLength(2);
});

const examples = '/usr/share/doc/spin/examples/Examples';
if (!existsSync(examples))
  console.warn("skipped: an MCP session on SPIN's examples, which are not installed");
test.skipIf(!existsSync(examples))("SPIN's examples: every tool answers", async () => {
  talkHere(examples);
  await client.request('initialize', { protocolVersion: '2025-06-18' });
  for (const model of ['abp.pml', 'hello.pml', 'wordcount.pml']) {
    for (const [name, args] of [
      ['check', { model, timeout: 1 }],
      ['bounds', { model, timeout: 1 }],
      ['simulate', { model, steps: 50 }],
      ['convert', { model, to: 'pnml' }],
    ] as const) {
      const answer = await client.request('tools/call', { name, arguments: args });
      const { content } = answer['result'] as { content: { text: string }[] };
      expect(content[0]!.text.length, `${name} ${model}`).toBeGreaterThan(0);
      expect(content[0]!.text.length, `${name} ${model}`).toBeLessThan(41_000);
    }
  }
  expect(await client.close()).toBe(0);
  expect(client.errors).toBe('');
});

describe('pages', () => {
  const pages = new Map([
    ['one', '# One\nqueues and bounds\n## Deep\n```\n# no heading\n```\nrendezvous here\n'],
    ['two', '# Two\nqueues everywhere, queues\n'],
  ]);
  test('rare words decide, headings count', () => {
    expect(searchPages(pages, 'rendezvous queues').map(({ page, heading }) => `${page} ${heading}`)[0]).toBe(
      'one Deep',
    );
    expect(searchPages(pages, 'Two')[0]).toMatchObject({ page: 'two' });
    expect(searchPages(pages, 'zebra')).toEqual([]);
  });
  test('sections by their heading', () => {
    expect(sectionOf(pages.get('one')!, 'deep')).toContain('rendezvous here');
    expect(sectionOf(pages.get('one')!, 'nowhere')).toContain('One; Deep');
  });
});
