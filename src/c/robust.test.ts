// No text may crash the front end: examples with tokens dropped, doubled and swapped give diagnostics or programs.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Random as Generator } from '../base/random.ts';
import { SourceFile } from '../source/source.ts';
import { PLAIN_C } from './lower/calls-of-spec.ts';
import { lower } from './lower/lower.ts';
import { loadSpec } from './spec/load.ts';
import { parseC } from './syntax/parse.ts';
import { programOf, runWith } from './testing.ts';

const CASES = Number(process.env['SPILLWAY_FUZZ'] ?? 12);
const FOLDER = new URL('../../corpus/c/', import.meta.url).pathname;

/** A small generator of our own: the same mutants on every machine. */
function generator(seed: number): (below: number) => number {
  const generator = new Generator(seed);
  return (below) => generator.below(below);
}

function mutate(text: string, random: (below: number) => number): string {
  const tokens = text.match(/\s+|\w+|[^\w\s]/g)!;
  for (let i = 0; i < 1 + random(3); i++) {
    const at = random(tokens.length);
    const kind = random(4);
    if (kind === 0) tokens.splice(at, 1);
    else if (kind === 1) tokens.splice(at, 0, tokens[random(tokens.length)]!);
    else if (kind === 2) tokens[at] = tokens[random(tokens.length)]!;
    else tokens.splice(at, random(30));
  }
  return tokens.join('');
}

const sources = ['rw.c', 'dp.c', 'ssl_server.c', 'ssl_client.c', 'ipc.c', 'machine.c'].map((name) =>
  readFileSync(FOLDER + name, 'utf8'),
);
const specs = ['rw.spec', 'dpd.spec', 'ssl.spec', 'ipc.spec'].map((name) =>
  readFileSync(FOLDER + name, 'utf8'),
);

test('mutants of C files', { timeout: 0 }, async () => {
  const random = generator(3);
  for (let i = 0; i < CASES; i++) {
    const text = mutate(sources[i % sources.length]!, random);
    const files = {
      read: (path: string) => (path.endsWith('ssl.h') ? readFileSync(`${FOLDER}ssl.h`, 'utf8') : null),
    };
    const unit = await parseC(new SourceFile('m.c', text), { files, defines: ['N=2'], includes: [] });
    if (!unit.ok) {
      expect(unit.error.length).toBeGreaterThan(0);
      continue;
    }
    for (const name of ['main', 'reader', 'ssl_server', 'ssl_client', 'sender', 'philosopher']) {
      const program = lower([unit.value], { function: name, arguments: [], span: null }, PLAIN_C);
      if (!program.ok) expect(program.error[0]!.code).toMatch(/^SPW5/);
    }
  }
});

test('mutants of specifications', { timeout: 0 }, async () => {
  const random = generator(4);
  for (let i = 0; i < CASES; i++) {
    const text = mutate(specs[i % specs.length]!, random);
    const read = (path: string) => {
      if (path === `${FOLDER}m.spec`) return text;
      try {
        return readFileSync(path, 'utf8');
      } catch {
        return null;
      }
    };
    const { loaded, diagnostics } = await loadSpec({
      path: `${FOLDER}m.spec`,
      files: { read },
      defines: [],
      includes: [],
    });
    if (loaded === null) expect(diagnostics.length).toBeGreaterThan(0);
  }
});

test('nesting without end', async () => {
  const deep = `int main(void) { return ${'('.repeat(50_000)}1${')'.repeat(50_000)}; }`;
  const sum = `int main(void) { int x = 1; return ${'x + '.repeat(20_000)}x; }`;
  for (const text of [deep, sum]) {
    const options = { files: { read: () => null }, defines: [], includes: [] };
    const unit = await parseC(new SourceFile('m.c', text), options);
    if (unit.ok) lower([unit.value], { function: 'main', arguments: [], span: null }, PLAIN_C);
    else expect(unit.error[0]!.code).toMatch(/^SPW50/);
  }
});

/** In time that grows with the text, not with its square: that would take minutes. */
test('tables and chains of choices of any length', { timeout: 60_000 }, async () => {
  const rows = '{1, 2, {3, 4}, 5, 6},\n'.repeat(20_000);
  const flat = '1, 2, 3, 4, 5, 6,\n'.repeat(20_000);
  const types = 'struct in { short c, d; }; struct row { short a, b; struct in i; unsigned e:3, f:5; };';
  const table = (list: string) =>
    `${types} const struct row t[] = {${list}};\nint main(void) { return sizeof t == 200000 ? t[19999].f : 1; }`;
  const choices = Array.from({ length: 10_000 }, (_, i) => `if (x == ${i}) x = ${i + 2};`).join(' else ');
  const chain = `int main(void) { int x = 9999; ${choices} return x; }`;
  for (const text of [table(rows), table(flat), chain])
    expect(runWith(await programOf(text), []).outcome).toBe('end');
});
