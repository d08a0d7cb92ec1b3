// tree-sitter's C grammar. The .wasm lies beside the bundle when Spillway is built, and in the package tree-sitter-c when it runs from
// its sources.

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Parser } from 'web-tree-sitter';

let parser: Promise<Parser> | null = null;

export function cParser(): Promise<Parser> {
  parser ??= load();
  return parser;
}

async function load(): Promise<Parser> {
  const treeSitter = await import('web-tree-sitter');
  await treeSitter.Parser.init();
  const made = new treeSitter.Parser();
  made.setLanguage(await treeSitter.Language.load(grammarPath()));
  return made;
}

function grammarPath(): string {
  const beside = fileURLToPath(new URL('./tree-sitter-c.wasm', import.meta.url));
  return existsSync(beside)
    ? beside
    : createRequire(import.meta.url).resolve('tree-sitter-c/tree-sitter-c.wasm');
}
