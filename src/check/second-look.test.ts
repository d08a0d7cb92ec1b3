// Answers from elsewhere: true ones pass, forged ones do not.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';
import { languageOf } from './languages.ts';
import { lookAgain } from './second-look.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const STUCK = 'chan q = [1] of { byte }; active proctype a() { byte x; q?x }';
const read = (path: string): string | null => {
  if (path === 'stuck.pml') return STUCK;
  try {
    return readFileSync(`${root}/${path}`, 'utf8');
  } catch {
    return null;
  }
};
const request = (path: string, options = {}) => ({
  paths: [path],
  files: { read },
  options,
  budget: UNLIMITED,
  observer: SILENT,
});
const resultsOf = async (path: string) => (await checkModel({ ...request(path) })).properties;
const look = async (path: string, result: unknown) =>
  lookAgain(await languageOf(path)!.load(), result as PropertyResult, request(path));
const find = (all: readonly PropertyResult[], id: string): PropertyResult =>
  all.find((one) => one.id === id)!;

test('no true answer is refused', async () => {
  const kinds = new Set<string>();
  for (const path of [
    'stuck.pml',
    'corpus/quickstart/ring.pml',
    'corpus/quickstart/flood.pml',
    'corpus/papers/ciclo-fig1.pml',
    'corpus/kripke/rw.lks',
    'corpus/ecfsm/credit.ecfsm',
    'corpus/ecfsm/minor-sync-broken.ecfsm',
    'corpus/c/small/bits.c',
  ])
    for (const result of await resultsOf(path)) {
      const { kind } = await look(path, result);
      expect(kind, `${path} ${result.id}`).not.toBe('refused');
      kinds.add(`${result.verdict} ${kind}`);
    }
  expect([...kinds].sort()).toEqual(['proved possible', 'proved sure', 'refuted possible', 'refuted sure']);
});

test('forged proofs', async () => {
  const ring = 'corpus/quickstart/ring.pml';
  const flood = 'corpus/quickstart/flood.pml';
  const bounded = find(await resultsOf(ring), 'bounded') as never as {
    queues: object[];
    evidence: { certificate: object };
  };
  const kindOf = async (path: string, result: object) => (await look(path, result)).kind;
  expect(await kindOf(ring, bounded)).toBe('sure');
  // Of another model, of another property, with a smaller bound, without its queues in the certificate, without anything.
  expect(await kindOf(flood, bounded)).toBe('refused');
  expect(await kindOf(ring, { ...bounded, id: 'deadlock-free' })).toBe('refused');
  const smaller = bounded.queues.map((queue) => ({ ...queue, bound: 0, certifiedBound: 0 }));
  expect(await kindOf(ring, { ...bounded, queues: smaller })).toBe('refused');
  const { evidence } = bounded;
  const none = { ...evidence, certificate: { ...evidence.certificate, queues: [] } };
  expect(await kindOf(ring, { ...bounded, evidence: none })).toBe('refused');
  expect(await kindOf(ring, { ...bounded, evidence: undefined })).toBe('refused');
  // A search that is only said to have been made.
  const searched = { ...bounded, queues: [], evidence: { kind: 'exhaustion', states: 1, transitions: 0 } };
  expect(await kindOf(flood, searched)).toBe('possible');
});

test('forged runs', async () => {
  const flood = 'corpus/quickstart/flood.pml';
  const refuted = (await resultsOf(flood)).find((one) => one.verdict === 'refuted')!;
  if (refuted.evidence?.kind !== 'run') throw new Error('no run');
  const { run } = refuted.evidence;
  const forged = (change: object) => ({ ...refuted, evidence: { kind: 'run', run: { ...run, ...change } } });
  expect((await look(flood, refuted)).kind).not.toBe('refused');
  expect((await look('corpus/quickstart/ring.pml', refuted)).kind).toBe('refused');
  expect((await look(flood, forged({ steps: run.steps.slice(1) }))).kind).toBe('refused');
  const renamed = run.steps.map((step) => ({ ...step, text: 'skip' }));
  expect((await look(flood, forged({ steps: renamed }))).kind).toBe('refused');
  // A true run of one fault is none of another.
  expect((await look(flood, { ...refuted, id: 'ltl:p' })).kind).toBe('possible');
});
