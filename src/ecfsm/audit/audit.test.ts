// Proofs looked at again: what the analysis proves is accepted; whatever is changed in a certificate is refused, with the seal and without its help.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import type { CertificateDocument } from '../../verdict/verdict.ts';
import { Analysis } from '../analyse.ts';
import { explore, objection } from '../concrete/explore.ts';
import { findInvariant } from '../infer/find.ts';
import { inferInvariant } from '../infer/infer.ts';
import type { Model } from '../model.ts';
import { showModel } from '../report/print.ts';
import { prepare } from '../safety/formula.ts';
import { anyProtocols, LIMIT, runs, seed } from '../testing/protocols.ts';
import { induct, modelOf } from '../testing/testing.ts';
import { auditProof } from './audit.ts';
import type { ProofDocument } from './document.ts';
import { protocolDigest, sealOf } from './document.ts';

const corpus = (name: string): string =>
  readFileSync(new URL(`../../../corpus/ecfsm/${name}.ecfsm`, import.meta.url), 'utf8');

/** The certificates of everything that is proved. */
async function proofsOf(bare: Model): Promise<{ model: Model; documents: CertificateDocument[] }> {
  const invariant = bare.invariant.length > 0 ? null : await findInvariant(bare.protocol, UNLIMITED, SILENT);
  const model = invariant === null ? bare : modelOf(showModel({ ...bare, invariant }, 'as written'));
  const analysis = new Analysis(model, UNLIMITED, SILENT);
  const outcomes = [await analysis.safe()];
  for (const goal of model.goals) outcomes.push(await analysis.live(goal));
  analysis.dispose();
  const documents = outcomes.flatMap(({ certificate }) => (certificate === undefined ? [] : [certificate]));
  return { model, documents: documents.map((one) => JSON.parse(JSON.stringify(one))) };
}

const accepts = async (model: Model, document: CertificateDocument): Promise<boolean> =>
  (await auditProof(model, document, UNLIMITED)).kind === 'accepted';

const resealed = (document: object): CertificateDocument =>
  ({ ...document, seal: sealOf(document) }) as unknown as CertificateDocument;

test.each([
  'minor-sync',
  'take-or-drop',
  'credit',
  'stop-and-wait-duplicating',
  'three-way-handshake',
  'phases',
])(
  '%s: every proof is accepted, by the model as it was written, and by no other',
  { timeout: 0 },
  async (name) => {
    const written = modelOf(corpus(name));
    const { documents } = await proofsOf(written);
    expect(documents.length).toBe(1 + written.goals.length);
    for (const document of documents)
      expect(await auditProof(written, document, UNLIMITED)).toMatchObject({ kind: 'accepted' });
    const other = modelOf(corpus('reset'));
    for (const document of documents)
      expect(await auditProof(other, document, UNLIMITED)).toMatchObject({ kind: 'rejected' });
  },
);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Every way to change one place of a document. */
function* changes(value: Json): Generator<Json> {
  if (typeof value === 'number') yield* [value + 1, value - 1, String(value), null];
  else if (typeof value === 'string')
    yield* [
      `${value} `,
      value.slice(1),
      value.replace(/\d+/, (digits) => String(Number(digits) + 1)),
      value.replace('=', '<='),
      '',
      0,
    ].filter((one) => one !== value);
  else if (Array.isArray(value)) {
    yield null;
    for (const [i, part] of value.entries()) {
      yield value.toSpliced(i, 1);
      yield value.toSpliced(i, 0, part);
      if (i > 0 && JSON.stringify(part) !== JSON.stringify(value[i - 1]))
        yield value.with(i, value[i - 1]).with(i - 1, part);
      for (const changed of changes(part)) yield value.with(i, changed);
    }
  } else if (value !== null && typeof value === 'object') {
    yield { ...value, more: 1 };
    for (const [key, part] of Object.entries(value as Record<string, Json>)) {
      const { [key]: _, ...rest } = value as Record<string, Json>;
      yield rest;
      for (const changed of changes(part)) yield { ...value, [key]: changed };
    }
  }
}

describe('a certificate that was changed', () => {
  test('is refused, whatever was changed', { timeout: 0 }, async () => {
    let tried = 0;
    for (const name of ['take-or-drop', 'stop-and-wait']) {
      const { model, documents } = await proofsOf(modelOf(corpus(name)));
      for (const document of documents)
        for (const changed of changes(document as Json)) {
          tried++;
          expect(await accepts(model, changed as CertificateDocument), JSON.stringify(changed)).toBe(false);
        }
    }
    expect(tried).toBeGreaterThan(500);
  });

  test('and sealed again is refused, unless it is still a proof', { timeout: 0 }, async () => {
    let refused = 0;
    let accepted = 0;
    const { model, documents } = await proofsOf(modelOf(corpus('take-or-drop')));
    const { states } = explore(model.protocol, 400, () => null);
    for (const document of documents)
      for (const changed of changes(document as Json)) {
        if (changed === null || typeof changed !== 'object' || Array.isArray(changed)) continue;
        const again = resealed(changed);
        if (!(await accepts(model, again))) {
          refused++;
          continue;
        }
        accepted++;
        expect(again.property).toBe(document.property);
        const { formula, ranks = [] } = again as ProofDocument;
        const lines = formula.map((line, i) => `d${i} = ${line};`).join('\n');
        const { protocol, invariant } = modelOf(`${model.frame}\ninvariant { ${lines} }`);
        const prepared = prepare(protocol, invariant);
        for (const state of states) expect(objection(protocol, prepared, state)).toBeNull();
        const goal = model.goals.find(({ name }) => again.property === `live:${name}`);
        for (const [i, { control }] of invariant.entries())
          if (ranks[i] === 0)
            expect(goal!.control!.every((all, side) => all.includes(control[side]!))).toBe(true);
      }
    expect(refused).toBeGreaterThan(200);
    expect(accepted).toBeGreaterThan(0);
  });

  test('no statement can be smuggled in with a formula', async () => {
    const { model, documents } = await proofsOf(modelOf(corpus('take-or-drop')));
    const document = documents[0] as ProofDocument;
    for (const extra of [
      `${document.formula[0]}; p = A@idle, B@idle, A->B: Q*, B->A: Y*`,
      `${document.formula[0]}; } initial A@wait, B@take; invariant { q = ${document.formula[0]}`,
      `${document.formula[0]} } machine C like A {`,
    ])
      expect(
        await accepts(model, resealed({ ...document, formula: [extra, ...document.formula.slice(1)] })),
      ).toBe(false);
  });
});

test(
  'the proof of one protocol is no proof of another: random protocols with one action changed',
  async () => {
    let proofs = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(anyProtocols, fc.nat(1000), async (text, which) => {
        const bare = modelOf(text);
        const invariant = inferInvariant(bare.protocol, UNLIMITED);
        if (invariant.length === 0) return;
        const found = { ...bare, invariant };
        if ((await induct(found, 1)).failures.length > 0) return;
        const { model, documents } = await proofsOf(found);
        if (documents.length === 0) return;
        proofs += documents.length;
        for (const document of documents) expect(await accepts(model, document)).toBe(true);
        const actions = text.split('\n').filter((line) => / (send|receive) .* when /.test(line));
        const old = actions[which % actions.length]!;
        const changed = modelOf(text.replace(old, old.replace(/ when .*?( do |;)/, ' when n >= 0$1')));
        const moved = resealed({ ...documents[0], protocol: protocolDigest(changed) });
        if (!(await accepts(changed, moved))) {
          refused++;
          return;
        }
        const bad = explore(changed.protocol, 300, (state) => objection(changed.protocol, null, state)).found;
        expect(bad, text).toBeNull();
      }),
      { seed: seed + 21, numRuns: runs },
    );
    expect(proofs).toBeGreaterThan(runs / 10);
    if (seed === 0) expect(refused).toBeGreaterThan(0);
  },
  LIMIT,
);
