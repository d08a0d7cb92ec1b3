// The audit rejects what was changed. Three sieves: the seal, the exact check when somebody seals again, and the rule that a
// claim is a function of the proof, so a changed proof that is still one proves the same.

import { beforeAll, describe, expect, test } from 'vitest';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { analyseLivelock } from '../livelock/analyse.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import type { Net } from '../net/net.ts';
import { cicloFigure1, ibocFigure1 } from '../net/testing/examples.ts';
import { NetBuilder } from '../net/testing/net-builder.ts';
import type { CertificateDocument } from '../verdict/verdict.ts';
import { checkBound } from './check.ts';
import { audit, seal } from './document.ts';
import type { BoundProof } from './proof.ts';

let solver: Solver;
const documents: { name: string; net: Net; document: CertificateDocument }[] = [];

function batches(): Net {
  const b = new NetBuilder().queue('work', ['w']).queue('done', ['d']).rendezvous('r').tokens('off', 'on');
  b.process('maker').step('1', '2', { w: 3, r: 1 });
  b.process('worker').step('1', '1', { w: -2, d: 2 }).step('1', '2', { r: -1, off: -1, on: 1 });
  return b.build();
}

function polling(): Net {
  const b = new NetBuilder().queue('q', ['m']).rendezvous('r');
  b.process('p', 2).step('1', '2', { m: 1, r: 1 }).step('2', '1', {}, { progress: true });
  b.process('c').step('1', '2', { m: -1 }).step('2', '1', { r: -1 });
  return b.build();
}

beforeAll(async () => {
  solver = await loadSolver();
  for (const [name, net] of Object.entries({
    ciclo: cicloFigure1(),
    iboc: ibocFigure1(),
    batches: batches(),
  })) {
    const { certificate } = await analyseBoundedness(net, { solver });
    documents.push({ name, net, document: JSON.parse(JSON.stringify(certificate)) });
  }
  const { certificate } = await analyseLivelock(polling(), { solver });
  documents.push({ name: 'polling', net: polling(), document: JSON.parse(JSON.stringify(certificate)) });
});

/** Every copy of the document in which one number is another. */
function* mutants(document: CertificateDocument): Generator<{ path: string; mutant: CertificateDocument }> {
  const paths: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'number') paths.push(path);
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index]);
    else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
  };
  walk(document, []);
  for (const path of paths) {
    for (const change of [
      (n: number) => n + 1,
      (n: number) => n - 1,
      (n: number) => -n,
      (n: number) => n * 3 + 7,
    ]) {
      const copy = JSON.parse(JSON.stringify(document));
      const last = path[path.length - 1]!;
      let parent = copy;
      for (const key of path.slice(0, -1)) parent = parent[key];
      const before = parent[last];
      parent[last] = change(before);
      if (!Object.is(parent[last], before) && parent[last] + 0 !== before)
        yield { path: `${path.join('.')}: ${before} -> ${parent[last]}`, mutant: copy };
    }
  }
}

describe('mutations', () => {
  test('the documents themselves are accepted', () => {
    expect(documents).toHaveLength(4);
    for (const { net, document } of documents) expect(audit(document, net)).toMatchObject({ ok: true });
  });

  test('every changed number is rejected', () => {
    for (const { name, net, document } of documents)
      for (const { path, mutant } of mutants(document))
        expect(audit(mutant, net).ok, `${name} ${path}`).toBe(false);
  });

  test('sealed again, a changed number is rejected, or the claims are the same and still proved', () => {
    let rejected = 0;
    let harmless = 0;
    for (const { name, net, document } of documents) {
      const original = audit(document, net);
      for (const { path, mutant } of mutants(document)) {
        const audited = audit(seal(mutant), net);
        if (!audited.ok) rejected++;
        else {
          harmless++;
          expect(audited, `${name} ${path}`).toEqual(original);
        }
      }
    }
    expect(rejected).toBeGreaterThan(5 * harmless);
  });

  test('numbers that carry the proof have no harmless change', () => {
    for (const { net, document } of documents.filter(({ name }) => name !== 'polling')) {
      for (const { path, mutant } of mutants(document))
        if (/^queues\.\d+\.bound/.test(path)) expect(audit(seal(mutant), net).ok, path).toBe(false);
    }
  });
});

test('whatever stands in the file, the audit answers', () => {
  const { net, document } = documents[0]!;
  const junk: unknown[] = [null, 3, 'x', [], {}, { format: 'spillway-certificate' }];
  const changes: Record<string, unknown>[] = [
    { version: 2 },
    { property: 'other' },
    { potentials: null },
    { potentials: [{}] },
    { queues: [{ queue: 0, name: 'ts[0]', bound: 2, proof: { potential: 99, divisor: 1 } }] },
    { queues: [{ queue: 0, name: 'nowhere', bound: 2, proof: {} }] },
    { queues: [{ queue: 0, name: 'ts[0]', bound: '1e3', proof: { potential: 0, divisor: 'x' } }] },
    {
      queues: [
        { queue: 0, name: 'ts[0]', bound: 2, proof: { on: 'place', at: -1, most: 1, low: {}, high: {} } },
      ],
    },
  ];
  for (const item of junk) expect(audit(item, net).ok).toBe(false);
  for (const change of changes) {
    const result = audit(seal({ ...document, ...change }), net);
    expect(result.ok).toBe(false);
  }
});

test('the checker finds a wrong potential, a negative weight, a wrong split', () => {
  const net = cicloFigure1();
  const flat = { places: [], locations: [] };
  const weigh = (weight: bigint): BoundProof => ({
    kind: 'potential',
    potential: {
      places: [
        { at: 0, weight },
        { at: 1, weight },
      ],
      locations: [],
    },
    counts: [],
    divisor: 1n,
  });
  expect(checkBound(net, 0, weigh(1n))).toMatchObject({
    ok: false,
    error: expect.stringContaining('increases'),
  });
  expect(checkBound(net, 0, weigh(-1n)).ok).toBe(false);
  const empty: BoundProof = { kind: 'empty', potential: flat, counts: [], divisor: 0n };
  expect(checkBound(net, 0, empty).ok).toBe(false);
  const split: BoundProof = {
    kind: 'split',
    on: { kind: 'place', at: 0 },
    most: 1,
    low: weigh(1n),
    high: empty,
  };
  expect(checkBound(net, 0, split).ok).toBe(false);
});
