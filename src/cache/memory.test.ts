// Remembered answers: the same as computed ones, asked again when anything changed, and never believed.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Limits, SILENT, startBudget } from '../base/budget.ts';
import { checkModel } from '../check/check.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { openCache } from './memory.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const clock = { ...SILENT, now: () => performance.now() };
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'spillway-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const disk = (path: string): string | null => {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return null;
  }
};

interface Asked {
  readonly texts?: Readonly<Record<string, string>>;
  readonly options?: CheckOptions;
  readonly limits?: Limits;
  readonly secret?: string;
  readonly where?: string;
}

async function ask(
  path: string,
  { texts = {}, options = {}, limits = {}, secret, where = folder }: Asked = {},
) {
  const cache = openCache(where, secret);
  const report = await checkModel({
    paths: [path],
    files: { read: (name) => texts[name] ?? disk(name) },
    options,
    observer: clock,
    budget: startBudget({ timeout: 600, ...limits }, () => performance.now()),
    memory: cache.memoryFor({ timeout: 600, ...limits }),
  });
  cache.close();
  const isCached = (one: PropertyResult): boolean => one.stats['cached'] === true;
  return {
    ...cache.counts,
    cached: report.properties.filter(isCached).map(({ id }) => id),
    fresh: report.properties.filter((one) => !isCached(one)).map(({ id }) => id),
    report: { ...report, properties: report.properties.map((one) => ({ ...one, stats: {} })) },
    verdicts: report.properties.map(({ id, verdict }) => `${id} ${verdict}`),
  };
}

const entries = (where: string): string[] =>
  (readdirSync(where, { recursive: true }) as string[])
    .map((name) => join(where, name))
    .filter((path) => statSync(path).isFile() && !path.endsWith('secret'));

/** With runs, certificates and searches as evidence. */
const ODD = [
  'corpus/quickstart/ring.pml',
  'corpus/quickstart/flood.pml',
  'corpus/kripke/rw.lks',
  'corpus/kripke/dpd.lks',
  'corpus/machines/crossing.fsa',
  'corpus/nets/mutex-broken.spec',
  'corpus/nets/philosophers.spec',
  'corpus/scxml/turnstile.scxml',
  'corpus/c/threads/peterson.c',
];

/** Every value inside, by who holds it. */
function placesIn(value: object): { readonly holder: object; readonly key: string }[] {
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value, key },
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner) : []),
  ]);
}

const MODELS = [
  'corpus/quickstart/ring.pml',
  'corpus/quickstart/flood.pml',
  'corpus/papers/ciclo-fig1.pml',
  'corpus/kripke/rw.lks',
  'corpus/ecfsm/credit.ecfsm',
  'corpus/c/small/bits.c',
];

test('in every language the second answer is the first, and nothing is computed', async () => {
  for (const path of MODELS) {
    const options = { explain: true, coverage: path.endsWith('.pml') };
    const first = await ask(path, { options });
    expect(first.cached).toEqual([]);
    const second = await ask(path, { options });
    expect(second.fresh, path).toEqual([]);
    expect(second.report).toEqual(JSON.parse(JSON.stringify(first.report)));
  }
});

const MODEL = `#include "size.h"
chan q = [SIZE] of { byte };
active proctype a() { q!1; q!2 }
active proctype b() { byte x; q?x; q?x; assert(x == 2) }
`;

test('a change in an included file, an option or the build asks again', async () => {
  const asked = (size: string, options: CheckOptions = {}) =>
    ask('m.pml', { texts: { 'm.pml': MODEL, 'size.h': `#define SIZE ${size}\n` }, options });
  expect((await asked('1')).cached).toEqual([]);
  expect((await asked('1')).fresh).toEqual([]);
  expect((await asked('2')).cached).toEqual([]);
  expect((await asked('1', { reduction: false })).cached).toEqual([]);
  expect((await asked('1')).fresh).toEqual([]);
  // A header that was missing, and is there now.
  expect((await ask('m.pml', { texts: { 'm.pml': MODEL } })).verdicts).toEqual([]);
});

test('an open question is asked again when more is given for it, and only then', async () => {
  const texts = {
    'n.pml': 'int x, y; active proctype a() { do :: x++ :: y++ :: x < 0 -> assert(y != 7) od }',
  };
  const asked = (maxStates: number) => ask('n.pml', { texts, limits: { maxStates } });
  expect((await asked(1000)).verdicts).toContain('assertions unknown');
  expect((await asked(1000)).fresh).toEqual([]);
  expect((await asked(500)).fresh).toEqual([]);
  expect((await asked(2000)).fresh).toContain('assertions');
});

describe('what is in the folder is not believed', () => {
  const path = 'corpus/quickstart/ring.pml';

  test('an entry that was changed anywhere changes no verdict', async () => {
    const where = mkdtempSync(join(tmpdir(), 'spillway-'));
    const truth = (await ask(path, { where })).verdicts;
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.constantFrom('cut', 'flip', 'swap'), async (which, at, how) => {
        const all = entries(where);
        const file = all[which % all.length]!;
        const before = readFileSync(file, 'utf8');
        const place = at % before.length;
        const flipped = String.fromCharCode(before.charCodeAt(place) ^ 1);
        const after = {
          cut: before.slice(0, place),
          flip: before.slice(0, place) + flipped + before.slice(place + 1),
          swap: before.replace('"verdict":"proved"', '"verdict":"refuted"'),
        }[how];
        writeFileSync(file, after);
        expect((await ask(path, { where })).verdicts).toEqual(truth);
        writeFileSync(file, before);
      }),
      { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 3) },
    );
    rmSync(where, { recursive: true, force: true });
  });

  test.each(ODD)('an entry of another shape changes no verdict: %s', async (model) => {
    const where = join(folder, 'shapes');
    const options = { explain: true };
    const truth = (await ask(model, { options, where })).verdicts;
    const values = fc.constantFrom(undefined, null, 0, -1, 1.5, 1e300, '', 'x', true, [], {}, [null]);
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), values, async (which, at, value) => {
        const all = entries(where);
        const file = all[which % all.length]!;
        const before = readFileSync(file, 'utf8');
        const [seal, text] = before.split('\n') as [string, string];
        const document = JSON.parse(text) as object;
        const places = placesIn(document);
        const { holder, key } = places[at % places.length]!;
        Object.assign(holder, { [key]: value });
        writeFileSync(file, `${seal}\n${JSON.stringify(document)}\n`);
        expect((await ask(model, { options, where })).verdicts).toEqual(truth);
        writeFileSync(file, before);
      }),
      { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 2) },
    );
    rmSync(where, { recursive: true, force: true });
  });

  test('without the secret only certificates and judged runs count', async () => {
    const mine = await ask(path, { secret: 'mine' });
    expect(mine.fresh).toContain('deadlock-free');
    const yours = await ask(path, { secret: 'yours' });
    expect(yours.cached).toContain('bounded');
    expect(yours.fresh).toContain('deadlock-free');
    expect(yours.verdicts).toEqual(mine.verdicts);
  });

  test('an induction is gone through again when the secret is another', async () => {
    const model = 'corpus/ecfsm/credit.ecfsm';
    const where = join(folder, 'inductions');
    const mine = await ask(model, { secret: 'mine', where });
    expect((await ask(model, { secret: 'yours', where })).cached).toContain('safe');
    for (const file of entries(where)) {
      const [seal, text] = readFileSync(file, 'utf8').split('\n') as [string, string];
      const entry = JSON.parse(text) as { result?: { evidence?: { certificate?: object } } };
      const { certificate } = entry.result?.evidence ?? {};
      if (certificate !== undefined) Object.assign(certificate, { disjuncts: [] });
      writeFileSync(file, `${seal}\n${JSON.stringify(entry)}\n`);
    }
    const lied = await ask(model, { secret: 'yours', where });
    expect(lied.cached).not.toContain('safe');
    expect(lied.verdicts).toEqual(mine.verdicts);
  });
});

test('a folder that cannot be written costs nothing but the memory', async () => {
  const blocked = join(folder, 'file');
  writeFileSync(blocked, '');
  const once = await ask('corpus/quickstart/ring.pml', { where: join(blocked, 'inside') });
  expect(once.kept).toBe(0);
  expect(once.verdicts).toContain('bounded proved');
});
