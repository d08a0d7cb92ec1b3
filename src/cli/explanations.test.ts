import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadExplanations } from './explanations.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Codes in the sources, without tests. */
function codesInSources(): Set<string> {
  const codes = new Set<string>();
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || /\.(test|fuzz)\.ts$/.test(name) || name.startsWith('testing')) continue;
    const text = readFileSync(`${root}/${name}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    for (const [code] of text.matchAll(/SPW\d{4}/g)) codes.add(code);
  }
  return codes;
}

test('every code that can be issued is explained, and every explanation says something', async () => {
  const explanations = await loadExplanations();
  const codes = codesInSources();
  expect(codes.size).toBeGreaterThan(50);
  expect([...codes].filter((code) => !explanations.has(code))).toEqual([]);
  for (const [code, { title, explanation }] of explanations) {
    expect(title.length, code).toBeGreaterThan(8);
    expect(explanation.length, code).toBeGreaterThan(20);
  }
});
