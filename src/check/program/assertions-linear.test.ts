import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED, withStates } from '../../base/budget.ts';
import { compileModel } from '../../explore/compile.ts';
import { searchSafety } from '../../explore/safety.ts';
import { loadPromela } from '../../promela/load.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { checkModel } from '../check.ts';
import { auditProgram } from './audit.ts';

async function assertions(text: string, maxStates = 3_000): Promise<PropertyResult> {
  const { properties } = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: ['assertions'],
    options: {},
    budget: { ...UNLIMITED, maxStates },
  });
  return properties[0]!;
}

const loaded = (text: string) => {
  const { program, diagnostics } = loadPromela('m.pml', { read: () => text });
  return { model: program!, diagnostics, sources: new Map<string, string>() };
};

/** A token goes round; whoever has it may be inside. */
const ring = (nodes: number, check: string) => `
#define N ${nodes}
chan link[N] = [2] of { bit };
bool busy;
proctype node(byte me) {
  do
  :: link[me]?1 -> assert(${check}); busy = true; skip; busy = false; link[(me + 1) % N]!1
  od
}
init { byte i; atomic { do :: i < N -> run node(i); i++ :: else -> break od; link[0]!1 } }`;

describe('assertions without a state space', () => {
  test('one token, one inside, however many nodes', async () => {
    const result = await assertions(ring(12, '!busy'), 30);
    expect([result.verdict, result.evidence?.kind]).toEqual(['proved', 'certificate']);
  });

  test('an assertion that fails is refuted by a run, not by the net', async () => {
    const result = await assertions(ring(3, 'busy'));
    expect([result.verdict, result.evidence?.kind]).toEqual(['refuted', 'run']);
  });

  test('the certificate stands the audit, and none of its numbers can be changed', async () => {
    const text = ring(3, '!busy');
    const result = await assertions(text, 1);
    const certificate = result.evidence?.kind === 'certificate' ? result.evidence.certificate : null;
    expect(await auditProgram(certificate!, loaded(text))).toMatchObject({ kind: 'accepted' });
    expect(await auditProgram(certificate!, loaded(ring(3, 'busy')))).toMatchObject({
      kind: 'rejected',
    });
    expect(await auditProgram({ ...certificate!, property: 'deadlock-free' }, loaded(text))).toMatchObject({
      kind: 'rejected',
    });
  });

  test('inside d_step, and where an index may lie outside its array, nothing is concluded', async () => {
    const inDstep = 'byte x; active proctype p() { do :: d_step { x = 1 - x; assert(x < 2) } od }';
    expect((await assertions(inDstep)).method).toBe('exhaustive');
    const index = `chan q = [3] of { byte }; byte a[2];
active proctype p() { byte i; do :: q!i; i++ od }
active proctype r() { byte i; do :: q?i; a[i] = 1; assert(a[0] < 2) od }`;
    expect((await assertions(index, 50_000)).verdict).toBe('refuted');
  });

  test('random models: what is proved never fails', async () => {
    const count = Number(process.env.SPILLWAY_FUZZ ?? 5);
    let proofs = 0;
    for (let seed = 1; seed <= count; seed++) {
      const make = seed % 2 === 0 ? randomSemanticsModel : randomConcurrentModel;
      const text = make(seededPick(seed)).replace(/assert\(.*?\)/g, `assert(g < ${1 + (seed % 4)} || x < 3)`);
      const { model } = loaded(text);
      if (model === null) continue;
      const compiled = compileModel(model, { capacity: 'declared' });
      if (!compiled.ok) continue;
      const result = await assertions(text, 1);
      if (result.verdict !== 'proved' || result.evidence?.kind !== 'certificate') continue;
      proofs++;
      const found = searchSafety(
        compiled.value,
        { endStates: false, assertions: true, reduce: false },
        withStates(UNLIMITED, 20_000),
        SILENT,
      );
      expect(found.failure, text).toBeNull();
    }
    if (process.env.SPILLWAY_FUZZ) console.log(`${proofs} proofs in ${count} models`);
  });
});
