// Nets with known answers, files that are wrong, conversions that change nothing.

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { startOf } from '../source/source.ts';
import type { CertificateDocument, PropertyResult } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';
import { nets } from './nets.ts';

const folder = fileURLToPath(new URL('../../corpus/nets/', import.meta.url));
const models = readdirSync(folder).filter((name) => /\.(spec|pnml)$/.test(name));
const textOf = (name: string): string => readFileSync(folder + name, 'utf8');
const { models: expected } = JSON.parse(textOf('spillway.config.json')) as {
  models: { model: string; expect: Record<string, string> }[];
};
const work = (path: string, text: string) => ({
  paths: [path],
  files: { read: (asked: string) => (asked === path ? text : null) },
  options: {},
  budget: UNLIMITED,
  observer: SILENT,
});

const check = async (
  path: string,
  text: string,
  properties: readonly string[] = [],
): Promise<readonly PropertyResult[]> => {
  const report = await checkModel({ ...work(path, text), properties });
  expect(report.diagnostics).toEqual([]);
  return report.properties;
};

const certificateOf = ({ evidence }: PropertyResult): CertificateDocument | null =>
  evidence?.kind === 'certificate' ? evidence.certificate : null;

describe('nets with known answers', () => {
  test('there are twenty, and each is expected to say something', () => {
    expect(models.length).toBeGreaterThanOrEqual(20);
    expect(expected.map(({ model }) => model).sort()).toEqual([...models].sort());
  });

  test.each(expected.map(({ model, expect: verdicts }) => [model, verdicts] as const))(
    '%s',
    async (model, verdicts) => {
      const properties = await check(model, textOf(model));
      expect(Object.fromEntries(properties.map(({ id, verdict }) => [id, verdict]))).toEqual(verdicts);
      for (const property of properties) {
        const certificate = certificateOf(property);
        if (certificate === null) continue;
        const audited = await nets.audit!(certificate, work(model, textOf(model)));
        expect(audited.kind).toBe('accepted');
      }
    },
  );

  test('bounds are those of the reachable markings', async () => {
    const [bounded] = await check('powers-of-two.spec', textOf('powers-of-two.spec'), ['bounded']);
    expect(bounded!.queues!.map(({ name, bound }) => [name, bound])).toContainEqual(['x', 32]);
  });
});

test('the page shows the invariants behind the proofs on the picture of the net', async () => {
  const name = 'readers-writers.spec';
  const given = work(name, textOf(name));
  const { graphs } = await checkModel({ ...given, options: { explain: true }, properties: [] });
  const shown = graphs!.filter(({ property }) => property === 'bounded');
  expect(shown.map((graph) => graph.name)).toEqual(['reading + 3·writing + permit ≤ 3']);
  const filled = shown[0]!.locations.filter(({ progress }) => progress);
  expect(filled.map(({ label }) => label)).toEqual(['reading  ×1', 'writing  ×3', 'permit: 3  ×1']);
});

describe('conversions', () => {
  test.each(models)('%s says the same in the other notations', async (model) => {
    const { expect: verdicts } = expected.find((one) => one.model === model)!;
    const convert = async (path: string, text: string, format: string): Promise<string> =>
      (await nets.convert!({ ...work(path, text), format, properties: [] })).text!;
    const spec = await convert(model, textOf(model), 'spec');
    const again = await check('again.spec', spec);
    expect(Object.fromEntries(again.map(({ id, verdict }) => [id, verdict]))).toEqual(verdicts);
    // PNML has no parameters and no targets.
    if (/(>=|\[)\s*\d+\s*,?[^\n]*$/m.test(/init[^\n]*(\n[^\n]*)?/.exec(spec)![0])) return;
    const pnml = await check('again.pnml', await convert(model, textOf(model), 'pnml'), [
      'bounded',
      'deadlock-free',
    ]);
    for (const { id, verdict } of pnml) expect(verdict).toBe(verdicts[id]);
  });
});

/** The text stands in line 4. */
const arcNet = (arc: string): string =>
  `<pnml><net id="n" type="ptnet">\n<place id="p"/>\n<transition id="t"/>\n${arc}\n</net></pnml>`;

describe('what files say', () => {
  test('a place that init does not name begins with any number, as in MIST', async () => {
    const text = "vars a b\nrules\n  a >= 2 -> b' = b + 1;\ninit b = 0\ntarget b >= 1";
    const [cover] = await check('a.spec', text, ['cover:target1']);
    expect(cover!.verdict).toBe('refuted');
  });

  test('numbers without <text> around them count', async () => {
    const text = `<pnml><net id="n" type="ptnet"><place id="p"><initialMarking>3</initialMarking><capacity>0</capacity></place><place id="test"/>
      <transition id="t"/><arc id="reset" source="p" target="t"><inscription>2</inscription></arc><arc id="b" source="t" target="test"/></net></pnml>`;
    const [bounded] = await check('a.pnml', text, ['bounded']);
    expect(bounded!.queues!.map(({ name, bound }) => [name, bound])).toEqual([
      ['p', 3],
      ['test', 1],
    ]);
  });

  test('no two places have one name', async () => {
    const place = (id: string, name: string): string =>
      `<place id="${id}"><name><text>${name}</text></name></place>`;
    const text = `<pnml><net id="n" type="ptnet">${place('a', 'x')}${place('b', 'x')}${place('c', 'x#2')}</net></pnml>`;
    const [bounded] = await check('a.pnml', text, ['bounded']);
    expect(bounded!.queues!.map(({ name }) => name)).toEqual(['x', 'x#3', 'x#2']);
  });
});

describe('files that are wrong', () => {
  test.each([
    ['a.spec', 'vars x\nrules\n  y >= 1 -> ;\ninit x = 1', 'SPW8008', 3, 3],
    ['a.spec', 'vars x\nrules\n  x = 0 -> ;\ninit x = 1', 'SPW8012', 3, 3],
    ['a.spec', "vars x y\nrules\n  x >= 1 -> y' = y + x;\ninit x = 1", 'SPW8013', 3, 22],
    ['a.spec', "vars x\nrules\n  x >= 1 -> x' = 0;\ninit x = 1", 'SPW8013', 3, 18],
    ['a.spec', 'vars x x\nrules\ninit x = 1', 'SPW8007', 1, 8],
    ['a.spec', 'vars x\nrules\n  x >= 1 ->\ninit x = 1', 'SPW8008', 4, 1],
    ['a.spec', 'vars x\nrules\n', 'SPW8004', 2, 6],
    ['a.spec', 'vars x\nrules\ninit x = 99999999999', 'SPW8010', 3, 10],
    ['a.spec', 'vars x\nrules\ninit x = 1\ntarget x = 3', 'SPW8016', 4, 8],
    ['a.spec', 'vars x\nrules\ninit x in [3, 1]', 'SPW8011', 3, 6],
    ['a.pnml', '<pnml><net id="n" type="ptnet"><place/></net></pnml>', 'SPW8027', 1, 32],
    [
      'a.pnml',
      '<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"/></pnml>',
      'SPW8023',
      1,
      7,
    ],
    [
      'a.pnml',
      '<pnml>\n<net id="n" type="ptnet"><arc id="a" source="p" target="t"/></net></pnml>',
      'SPW8030',
      2,
      26,
    ],
    [
      'a.pnml',
      '<pnml><net id="n" type="ptnet"><place id="p"><initialMarking><text>two</text></initialMarking></place></net></pnml>',
      'SPW8029',
      1,
      68,
    ],
    ['a.spec', 'vars x y\nrules\ninit x = 1, y = 0\ntarget x = 0, y >= 1', 'SPW8016', 4, 8],
    ['a.pnml', arcNet('<arc id="a" source="p" target="t"><type value="inhibitor"/></arc>'), 'SPW8024', 4, 35],
    [
      'a.pnml',
      arcNet('<arc id="a" source="p" target="t"><type><text>reset</text></type></arc>'),
      'SPW8024',
      4,
      47,
    ],
    ['a.pnml', arcNet('<arc id="a" source="p" target="t" type="inhibitor"/>'), 'SPW8024', 4, 1],
    ['a.pnml', arcNet('<inhibitorArc id="a" source="p" target="t"/>'), 'SPW8024', 4, 1],
    [
      'a.pnml',
      arcNet(
        '<arc id="a" source="p" target="t"><toolspecific tool="x" version="1"><kind value="inhibitor"/></toolspecific></arc>',
      ),
      'SPW8024',
      4,
      70,
    ],
    ['a.pnml', arcNet('<place id="q"><capacity><value>2</value></capacity></place>'), 'SPW8031', 4, 32],
    [
      'a.pnml',
      arcNet(
        '<transition id="u"><priority><value>1</value></priority></transition><transition id="v"><priority><value>2</value></priority></transition>',
      ),
      'SPW8032',
      4,
      106,
    ],
    ['a.pnml', '<pnml><net>', 'SPW8021', 1, 11],
    ['a.pnml', '<html/>', 'SPW8022', 1, 1],
  ])('%s: %j', async (path, text, code, line, column) => {
    const { diagnostics } = await nets.load(work(path, text));
    const places = diagnostics.map(({ code: found, span }) => {
      const at = startOf(span!);
      return [found, at.line, at.column];
    });
    expect(places).toContainEqual([code, line, column]);
  });

  test('a .spec of C files stays one', async () => {
    const report = await checkModel({ ...work('a.spec', 'component one\n'), properties: [] });
    expect(report.language).toBe('c');
  });
});
