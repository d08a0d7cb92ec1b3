// The VS Code extension, without VS Code: what is packed is whole, its grammars know the languages, and its code registers what its manifest
// promises and starts the two servers.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEYWORDS } from '../promela/token.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let folder: string;
let files: Map<string, string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-vsix-'));
  const { packExtension } = (await import(pathToFileURL(join(root, 'scripts/vscode.mjs')).href)) as {
    packExtension(target: string): Promise<string>;
  };
  files = unzip(readFileSync(await packExtension(join(folder, 'spillway.vsix'))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** By the directory at the end, as VS Code reads it. */
function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const found = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    expect(bytes.toString('latin1', at, at + 4)).toBe('PK\x01\x02');
    const [packed, size, length] = [
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + length);
    const start = local + 30 + bytes.readUInt16LE(local + 26);
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    expect(content.length).toBe(size);
    found.set(name, content.toString('utf8'));
    at += 46 + length;
  }
  return found;
}

interface Manifest {
  readonly main: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly grammars: readonly {
      readonly path: string;
      readonly scopeName: string;
      readonly language: string;
    }[];
    readonly languages: readonly { readonly id: string; readonly extensions: readonly string[] }[];
    readonly debuggers: readonly { readonly type: string }[];
  };
}

const manifest = (): Manifest => JSON.parse(files.get('extension/package.json')!) as Manifest;

test('the package holds what its manifest names', () => {
  expect([...files.keys()].slice(0, 2)).toEqual(['[Content_Types].xml', 'extension.vsixmanifest']);
  expect(files.get('extension.vsixmanifest')).toContain('Path="extension/package.json"');
  const { main, contributes } = manifest();
  expect(files.has(`extension/${main.slice(2)}`)).toBe(true);
  for (const { path, scopeName } of contributes.grammars)
    expect(JSON.parse(files.get(`extension/${path.slice(2)}`)!)).toMatchObject({ scopeName });
  expect(contributes.languages.flatMap(({ extensions }) => extensions)).toEqual(
    expect.arrayContaining(['.pml', '.lks', '.ecfsm']),
  );
});

test("Promela's grammar knows every word of the language", () => {
  const grammar = files.get('extension/syntaxes/promela.tmLanguage.json')!;
  const matches = [...grammar.matchAll(/"(?:match|begin|end)": ("(?:[^"\\]|\\.)*")/g)];
  const patterns = matches.map(([, text]) => new RegExp(JSON.parse(text!) as string));
  for (const word of KEYWORDS)
    expect(
      patterns.some((pattern) => pattern.exec(word)?.[0] === word),
      word,
    ).toBe(true);
});

/** Anything can be asked of it, called and extended. */
function anything(): unknown {
  class Anything {}
  return new Proxy(Anything, {
    get: (target, key) => {
      if (key === 'prototype') return target.prototype;
      if (key === Symbol.toPrimitive) return () => '';
      if (key === 'then') return undefined;
      return anything();
    },
    apply: () => anything(),
    construct: () => ({}),
  });
}

test('the extension registers its commands and its debug adapter', async () => {
  const commands = new Map<string, unknown>();
  const adapters: string[] = [];
  const stub = new Proxy(
    {
      version: '1.90.0',
      commands: {
        registerCommand: (name: string, run: unknown) => {
          commands.set(name, run);
          return { dispose: () => {} };
        },
      },
      debug: {
        registerDebugAdapterDescriptorFactory: (type: string) => {
          adapters.push(type);
          return { dispose: () => {} };
        },
      },
      window: { showErrorMessage: () => {} },
    } as Record<string, unknown>,
    { get: (target, key) => target[key as string] ?? anything() },
  );
  const loader = Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown };
  const load = loader._load;
  loader._load = (name, ...rest) => (name === 'vscode' ? stub : load(name, ...rest));
  try {
    const path = join(folder, 'extension.cjs');
    writeFileSync(path, files.get('extension/extension.js')!);
    const extension = createRequire(import.meta.url)(path) as { activate(context: unknown): Promise<void> };
    await extension.activate({ subscriptions: [] });
  } finally {
    loader._load = load;
  }
  expect([...commands.keys()].sort()).toEqual(
    manifest()
      .contributes.commands.map(({ command }) => command)
      .sort(),
  );
  expect(adapters).toEqual(manifest().contributes.debuggers.map(({ type }) => type));
});
