// A question in parts: the cases together say what the whole says, and a case that says less, or something else, settles nothing.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Budget, startBudget, UNLIMITED } from '../base/budget.ts';
import { randomModels } from '../testing/random-models.ts';
import type { ModelReport, PropertyResult } from '../verdict/verdict.ts';
import { checkModel, type RemoteModel } from './check.ts';
import type { Part } from './divide.ts';
import type { Elsewhere, ElsewhereAnswer } from './elsewhere.ts';
import { filesOf } from './snapshot.ts';

const limits = { timeout: 3600, maxStates: 3_000 };
const budget = (): Budget => startBudget(limits, () => 0);

type Say = (results: readonly PropertyResult[]) => readonly PropertyResult[];

/** Workers in this process: each part is answered by those engines that it names; the whole is given up when nothing else is to come. */
function helpers(isFor: (part: Part) => boolean, say: Say = (results) => results) {
  const parts: Part[] = [];
  let busy = 0;
  let giveUp = (): void => {};
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++;
    try {
      return await work();
    } finally {
      // Whoever waits for it comes first.
      setImmediate(() => setImmediate(() => --busy === 0 && giveUp()));
    }
  };
  const answered = async (model: RemoteModel, part: Part): Promise<ElsewhereAnswer> => {
    if (!isFor(part)) return LOST;
    const { properties: results } = await checkModel({
      paths: model.paths,
      files: filesOf(model.files),
      language: model.language,
      options: model.options,
      properties: part.properties,
      budget: budget(),
      ...(part.engines === undefined ? {} : { engines: part.engines }),
    });
    return { kind: 'answered', answered: { results: say(results), diagnostics: [] }, isTrusted: true };
  };
  const elsewhere: Elsewhere = {
    ask: (model, part) => {
      parts.push(part);
      let cancel = (): void => {};
      const cancelled = new Promise<ElsewhereAnswer>((resolve) => {
        cancel = () => resolve(LOST);
      });
      if (!part.isHelp) {
        giveUp = cancel;
        return { answer: cancelled, cancel };
      }
      return { answer: Promise.race([counted(() => answered(model, part)), cancelled]), cancel };
    },
    spare: async () => true,
    locally: (work) => counted(() => work(UNLIMITED)),
  };
  return { elsewhere, parts };
}

const LOST: ElsewhereAnswer = { kind: 'lost', reasonCode: 'worker-lost', reason: 'nobody knows' };

const check = (text: string, elsewhere?: Elsewhere): Promise<ModelReport> =>
  checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: ['bounded'],
    budget: budget(),
    ...(elsewhere === undefined ? {} : { elsewhere }),
  });

const boundedIn = (report: ModelReport): PropertyResult => report.properties[0]!;
const rows = ({ queues = [] }: PropertyResult): string[] =>
  queues.map(({ name, verdict }) => `${name} ${verdict}`).sort();

const isCase = ({ queues }: Part): boolean => queues !== undefined;

const TWO = `chan a = [2] of { byte }; chan b = [2] of { byte };
active proctype p() { do :: a!1; b!1 od }
active proctype q() { do :: a?_ ; b?_ od }
active proctype r() { chan mine = [1] of { bit }; do :: mine!1; mine?_ od }`;
const BOUNDED = `chan a = [2] of { byte }; chan b = [2] of { byte };
active proctype p() { do :: a!1; b?_ od }
active proctype q() { do :: a?_ ; b!1 od }
active proctype r() { chan mine = [1] of { bit }; do :: mine!1; mine?_ od }`;

test('cases, put together, prove and refute', async () => {
  for (const [text, verdict] of [
    [BOUNDED, 'proved'],
    [TWO, 'refuted'],
  ] as const) {
    const { elsewhere, parts } = helpers(isCase);
    const found = boundedIn(await check(text, elsewhere));
    expect(found.verdict).toBe(verdict);
    expect(parts.flatMap(({ queues = [] }) => queues).sort()).toEqual(['a', 'b', 'r.mine']);
    if (verdict === 'proved') expect(rows(found)).toEqual(rows(boundedIn(await check(text))));
  }
});

test('single engines and single properties are asked, too', async () => {
  const { elsewhere, parts } = helpers((part) => !isCase(part));
  expect(boundedIn(await check(BOUNDED, elsewhere)).verdict).toBe('proved');
  expect(parts.map(({ engines }) => engines?.join(' > '))).toContain(
    'short look for floods > linear bounds > coverability',
  );
});

test('a case that says less than it was asked, or about other queues, settles nothing', async () => {
  const forged: Record<string, Say> = {
    'no row': (results) => results.map((one) => ({ ...one, queues: [] })),
    'another name': (results) =>
      results.map((one) => ({ ...one, queues: one.queues!.map((row) => ({ ...row, name: 'b' })) })),
    'a smaller bound': (results) =>
      results.map((one) => ({
        ...one,
        queues: one.queues!.map((row) => ({ ...row, bound: 0, certifiedBound: 0 })),
      })),
  };
  for (const [name, lie] of Object.entries(forged)) {
    const { elsewhere } = helpers(isCase, lie);
    const result = boundedIn(await check(BOUNDED, elsewhere));
    expect(`${name}: ${result.verdict}`).toBe(`${name}: unknown`);
  }
  const { elsewhere } = helpers((part) => isCase(part) && part.queues?.includes('b') === false);
  expect(boundedIn(await check(BOUNDED, elsewhere)).verdict).toBe('unknown');
});

test('on models at random cases say what the whole says', { timeout: 0 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomModels(), async (text) => {
      const whole = boundedIn(await check(text));
      if ((whole?.queues?.length ?? 0) < 2 || whole.verdict === 'unknown') return;
      const { elsewhere } = helpers(isCase);
      const divided = boundedIn(await check(text, elsewhere));
      // A case may be harder than the whole, never different.
      if (divided.verdict !== 'unknown') expect(divided.verdict).toBe(whole.verdict);
    }),
    { numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? 2) },
  );
});
