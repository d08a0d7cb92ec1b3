// The charts of corpus/scxml, and what is found in them; what the schema of systems allows is what is read.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { FileSystem } from '../source/source.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { checkModel } from './check.ts';
import { scxml } from './scxml.ts';

const files: FileSystem = { read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null) };
const budget = { ...UNLIMITED, maxStates: 1_000 };
const work = (path: string) => ({ paths: [path], files, options: {}, budget, observer: SILENT });

const check = (path: string, properties: readonly string[], options = {}): Promise<ModelReport> =>
  checkModel({ paths: [`corpus/scxml/${path}`], files, properties, options, budget, observer: SILENT });

/** Property to verdict. */
async function verdicts(
  path: string,
  properties: readonly string[],
  options = {},
): Promise<Record<string, string>> {
  const report = await check(path, properties, options);
  return Object.fromEntries(report.properties.map(({ id, verdict }) => [id, verdict]));
}

const FAULTS = ['bounded', 'deadlock-free', 'livelock-free', 'handled'];
const PROVED = Object.fromEntries(FAULTS.map((property) => [property, 'proved']));

describe('verdicts', () => {
  test.each([
    ['turnstile.scxml', PROVED],
    ['checkout/checkout.system.json', { bounded: 'refuted', handled: 'refuted', 'livelock-free': 'proved' }],
    ['checkout-repaired/checkout.system.json', PROVED],
    ['sensor/sensor.system.json', { bounded: 'refuted', 'livelock-free': 'proved' }],
    ['sensor-repaired/sensor.system.json', PROVED],
    ['forks/forks.system.json', { ...PROVED, 'deadlock-free': 'refuted' }],
    ['forks-repaired/forks.system.json', PROVED],
    ['loop.scxml', { 'livelock-free': 'refuted' }],
    // A count without end that a condition asks.
    ['battery.scxml', PROVED],
    // Whoever presses the button faster than the invoked chart can follow fills its queue.
    ['retry.scxml', { bounded: 'refuted', 'livelock-free': 'proved' }],
  ])('%s', async (path, expected) => {
    expect(await verdicts(path, Object.keys(expected))).toEqual(expected);
  });

  test('formulas about states, events and other instances', async () => {
    const formulas = [
      'safe=G !(a.eating & b.eating)',
      'served=G (a.thinking -> F a.eating)',
      'meal=F event:hungry',
    ];
    const asked = ['ltl:safe', 'ltl:served'];
    expect(await verdicts('forks-repaired/forks.system.json', asked, { formulas })).toEqual({
      'ltl:safe': 'proved',
      'ltl:served': 'refuted',
    });
  });

  test('in-process nothing waits, so that nothing floods', async () => {
    const properties = ['bounded', 'deadlock-free', 'livelock-free', 'reachable'];
    const expected = Object.fromEntries(properties.map((property) => [property, 'proved']));
    expect(await verdicts('retry.scxml', properties, { scheduler: 'in-process' })).toEqual(expected);
    expect(await verdicts('sensor/sensor.system.json', ['bounded'], { scheduler: 'in-process' })).toEqual({
      bounded: 'proved',
    });
  });
});

test('a run is replayed, and a run of another system is not', async () => {
  const path = 'corpus/scxml/forks/forks.system.json';
  const [result] = (await check('forks/forks.system.json', ['deadlock-free'])).properties;
  const { evidence } = result!;
  if (evidence?.kind !== 'run') throw new Error('no run');
  expect((await scxml.replay!(evidence.run, work(path))).model).toMatchObject({ failedAt: null });
  const other = (await scxml.replay!(evidence.run, work('corpus/scxml/sensor/sensor.system.json'))).model!;
  expect(other.failedAt !== null || other.refused !== undefined).toBe(true);
});

test('every chart has a picture and can be simulated', async () => {
  const graphs = (await scxml.graphs!(work('corpus/scxml/retry.scxml'))).model!;
  expect(graphs.map(({ name }) => name)).toEqual(['retry', 'request']);
  const runnable = (await scxml.simulate!({ ...work('corpus/scxml/retry.scxml'), unlimited: false })).model!;
  expect(runnable.random(7, 20).run.steps.length).toBeGreaterThan(5);
});

test('too many states are said to be too many', async () => {
  const text = `<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><datamodel><data id="n" expr="0"/></datamodel>
    <state id="a"><transition event="e" cond="n >= 0"><assign location="n" expr="n.valueOf() + 1"/></transition></state></scxml>`;
  const { properties: results } = await checkModel({
    paths: ['n.scxml'],
    files: { read: () => text },
    properties: ['bounded'],
    options: {},
    budget,
    observer: SILENT,
  });
  expect(results[0]).toMatchObject({ verdict: 'unknown', reasonCode: 'unseen-behaviour' });
  expect(results[0]!.reason).toContain('too many states');
});

test('the schema fits the systems of the corpus, and refuses what is refused', () => {
  const validate = new Ajv2020().compile(
    JSON.parse(readFileSync('schema/system.schema.json', 'utf8')) as object,
  );
  const systems = readdirSync('corpus/scxml', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.system.json'),
  );
  expect(systems.length).toBeGreaterThan(4);
  for (const file of systems)
    expect(validate(JSON.parse(readFileSync(`corpus/scxml/${file}`, 'utf8')))).toBe(true);
  for (const bad of [
    {},
    [],
    { instances: {} },
    { instances: { a: {} } },
    { instances: { 'a/b': { chart: 'c' } } },
    { instances: { a: { chart: 'c', environment: 'any' } } },
  ])
    expect(validate(bad)).toBe(false);
});
