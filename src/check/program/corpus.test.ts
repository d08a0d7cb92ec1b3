// The models of the papers and of published protocols come out as they should. Every proof in here has passed the exact check, or the
// state space was exhausted; every refutation was replayed.

import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../cli/config.ts';
import type { CheckOptions } from '../../engine/options.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { checkModel } from '../check.ts';
import { queuesOnPage } from './tables-page.fuzz.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const files = { read: (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : null) };

async function check(
  path: string,
  property: string,
  options: CheckOptions = {},
  maxStates = 200_000,
): Promise<PropertyResult> {
  const report = await checkModel({
    paths: [path],
    files,
    properties: [property],
    options,
    budget: {
      timeLeft: () => true,
      remaining: () => Number.POSITIVE_INFINITY,
      maxStates,
      maxMemory: 1 << 30,
    },
  });
  expect(report.diagnostics).toEqual([]);
  return report.properties[0]!;
}

/** Whose true maxima take most of the time: only in long runs. */
const SLOW = [
  'conway.pml',
  'corba-giop.pml',
  'garp.pml',
  'httpr-pull.pml',
  'itu-t-mcs.pml',
  'leader.pml',
  'neilsen-mizuno.pml',
  'sliding-window.pml',
  'train-controller.pml',
];
const IS_LONG = process.env['SPILLWAY_FUZZ'] !== undefined;
/** A third of the time of all. */
const SLOW_LOOPS = ['cdma-rlp.pml', 'leader.pml'];
const isLeftOut = (name: string, property: string): boolean =>
  !IS_LONG && (property === 'bounded' ? SLOW : property === 'livelock-free' ? SLOW_LOOPS : []).includes(name);
if (!IS_LONG)
  console.log(
    `left out: bounded of ${SLOW.join(', ')}, livelock-free of ${SLOW_LOOPS.join(', ')}; SPILLWAY_FUZZ=1 checks them`,
  );

const bounds = (result: PropertyResult) =>
  Object.fromEntries(
    result.queues!.map((queue) => [queue.name, queue.verdict === 'refuted' ? 'unbounded' : queue.bound]),
  );

describe('papers', () => {
  test.each([
    ['ciclo-fig1', { 'ts[0]': 2, 'ts[1]': 2, 'tc[0]': 1, 'tc[1]': 1 }],
    ['iboc-fig2', { C: 2 }],
    ['iboc-fig5', { C: 0, D: 0 }],
    ['iboc-fig6', { C: 0, D: 0 }],
    ['iboc-fig7', { C: 0, D: 0 }],
    ['iboc-fig7-started', { C: 1, D: 2 }],
    ['iboc-fig10', { C: 0 }],
    ['iboc-fig11', { AB: 7, BA: 2 }],
    ['iboc-fig10-started', { C: 1 }],
  ])('%s is bounded', async (model, expected) => {
    const result = await check(`${root}/corpus/papers/${model}.pml`, 'bounded');
    expect(result.verdict).toBe('proved');
    expect(bounds(result)).toEqual(expected);
    expect(result.evidence?.kind).toBe('certificate');
    expect(result.queues!.every((queue) => queue.certifiedBound === queue.bound)).toBe(true);
  });

  test.each(['iboc-fig3', 'iboc-fig5-started', 'iboc-fig6-started', 'iboc-fig8', 'iboc-fig9'])(
    '%s is flooded by a run that repeats',
    async (model) => {
      const result = await check(`${root}/corpus/papers/${model}.pml`, 'bounded');
      expect(result.verdict).toBe('refuted');
      expect(result.evidence).toMatchObject({ kind: 'run', run: { loopStart: expect.any(Number) } });
      const run = result.evidence?.kind === 'run' ? result.evidence.run : null;
      expect(run!.growth!.every(({ perRound }) => perRound > 0)).toBe(true);
    },
  );

  test('where nothing is ever sent, it is said', async () => {
    const result = await check(`${root}/corpus/papers/iboc-fig5.pml`, 'bounded');
    expect(result.notes?.[0]?.message).toBe('nothing is ever sent to C, D');
  });

  test("[IBOC] Fig. 11: the paper's bounds by cycles, the true maxima by search", async () => {
    const path = `${root}/corpus/papers/iboc-fig11.pml`;
    expect(bounds(await check(path, 'bounded', { method: 'cycles' }))).toEqual({ AB: 20, BA: 6 });
    const exact = await check(path, 'bounded', { exact: true });
    expect(exact.queues!.map((queue) => queue.exact)).toEqual([7, 2]);
  });

  test("[Ciclo] Fig. 1: with progress at client(0)'s receipt of ack, client(1) and the server go on for ever", async () => {
    const result = await check(`${root}/corpus/papers/ciclo-fig1.pml`, 'livelock-free', {
      progress: ['client(0):tc[0]?ack'],
    });
    expect(result.verdict).toBe('refuted');
    const run = result.evidence?.kind === 'run' ? result.evidence.run : null;
    const looping = run!.steps
      .slice(run!.loopStart!)
      .flatMap((step) => step.actors.map((actor) => run!.actors[actor]));
    expect([...new Set(looping)].sort()).toEqual(['client[1]', 'server']);
  });
});

describe('published protocols', () => {
  const config = `${root}/corpus/protocols/spillway.config.json`;
  const { jobs } = readConfig(config, readFileSync(config, 'utf8'));
  const all = jobs.flatMap((job) =>
    Object.entries(job.expect).map(([property, verdict]) => ({
      name: job.paths[0]!.replace(/.*\//, ''),
      property,
      verdict,
      job,
    })),
  );
  const cases = all.filter(({ name, property }) => !isLeftOut(name, property));
  test.each(cases)('$name $property: $verdict', async ({ name, property, verdict, job }) => {
    const options = { allQueues: true, exact: property === 'bounded' };
    const result = await check(job.paths[0]!, property, options, job.limits.maxStates);
    expect(result.verdict, result.reason).toBe(verdict);
    if (property !== 'bounded') return;
    const found = (result.queues ?? []).map((queue) => [
      queue.name,
      queue.verdict === 'refuted'
        ? ['grows without limit', 'a run', '-']
        : [
            String(queue.certifiedBound ?? queue.bound),
            queue.certifiedBound === null ? 'search' : 'certificate',
            String(queue.exact),
          ],
    ]);
    // The page shows each queue's bound, what proves it, and the true maximum.
    expect(Object.fromEntries(found)).toEqual(queuesOnPage(name.replace('.pml', '')));
  });
});
