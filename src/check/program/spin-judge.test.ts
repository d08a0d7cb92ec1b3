// SPIN judges the verdicts on random models: no run of SPIN goes beyond a proved bound, SPIN fills a refuted queue, SPIN finds no
// non-progress cycle where livelock freedom is proved and finds one where it is refuted by a loop that grows nothing.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { programOf } from '../../promela/testing.ts';
import { countedBudget } from '../../testing/counted-budget.ts';
import { type PanAnswer, runPan } from '../../testing/pan.ts';
import { hasProgram } from '../../testing/programs.ts';
import { randomModels } from '../../testing/random-models.ts';
import { longestQueues } from '../../verdict/run-state.ts';
import type { PropertyResult } from '../../verdict/verdict.ts';
import { checkModel } from '../check.ts';
import { mindsBlocking } from './fits.ts';

const CASES = Number(process.env['SPILLWAY_FUZZ'] ?? 10);
/** Another seed, other models. */
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 20261115);
const TIMEOUT = Math.max(3_600_000, CASES * 5_000);
const ready = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));

/** SPIN gives up where it would search for long: measured in memory, not in time, so that what is judged does not depend on the machine. */
const LITTLE_MEMORY = ['-DMEMLIM=16'];

async function verdictOf(text: string, property: string): Promise<PropertyResult> {
  const report = await checkModel({
    paths: ['m.pml'],
    files: { read: (path) => (path === 'm.pml' ? text : null) },
    properties: [property],
    budget: countedBudget(3_000, 1_000),
  });
  expect(report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error')).toEqual([]);
  return report.properties[0]!;
}

/** New capacities for the global channels, arrays of them included; rendezvous channels stay. */
const withCapacities = (
  text: string,
  capacity: (names: readonly string[], declared: number) => number,
): string =>
  text.replace(
    /^chan (\w+)(\[(\d+)\])? = \[(\d+)\]/gm,
    (_, name: string, array: string | undefined, length: string, declared: string) => {
      const names =
        array === undefined
          ? [name]
          : Array.from({ length: Number(length) }, (_unused, index) => `${name}[${index}]`);
      return `chan ${name}${array ?? ''} = [${declared === '0' ? 0 : capacity(names, Number(declared))}]`;
    },
  );

const largest = (names: readonly string[], values: ReadonlyMap<string, number>, otherwise: number): number =>
  Math.max(...names.map((name) => values.get(name) ?? otherwise));

/** The only assertion SPIN shall see is the monitor's; and nobody shall see the monitor among the processes. */
const models = fc
  .oneof(randomModels(), randomModels({ wide: true }), randomModels({ wild: true }))
  .map((text) => text.replace(/assert\((run W\([^)]*\))?[^)]*\)/g, 'skip').replaceAll('_nr_pr', '3'));

/** SPIN's answer to: is this condition ever true? Null when it gave none. */
function reaches(text: string, condition: string): boolean | null {
  const monitor = `\nactive proctype monitor__() { atomic { (${condition}) -> assert(false) } }\n`;
  const answer = runPan(text + monitor, {
    spin: [],
    compile: ['-DSAFETY', '-DNOFAIR', ...LITTLE_MEMORY],
    run: ['-E', '-m20000', '-w16'],
    small: true,
  });
  if (answer === null) return null;
  if (answer.output.includes('assertion violated')) return true;
  return complete(answer) && answer.errors === 0 ? false : null;
}

function hasNonProgressCycle(text: string): boolean | null {
  const answer = runPan(text, {
    spin: [],
    compile: ['-DNP', '-DNOREDUCE', ...LITTLE_MEMORY],
    run: ['-l', '-E', '-m20000', '-w16'],
    small: true,
  });
  if (answer === null) return null;
  if (/pan:\d+: non-progress cycle/.test(answer.output)) return true;
  return complete(answer) && answer.errors === 0 ? false : null;
}

const complete = (answer: PanAnswer): boolean =>
  answer.complete && !answer.output.includes('max search depth too small');

describe.skipIf(!ready)('SPIN judges', () => {
  test(
    'bounds and floods',
    async () => {
      const seen = { proved: 0, refuted: 0 };
      await fc.assert(
        fc.asyncProperty(models, async (text) => {
          const { queues = [], evidence } = await verdictOf(text, 'bounded');
          // SPIN cannot name a channel that is local to a process.
          const proved = queues.filter((queue) => queue.verdict === 'proved' && !queue.name.includes('.'));
          // Bounds are those of unlimited channels: where a send that blocks makes something else possible, no other queue may fill up.
          const comparable = proved.length === queues.length || !mindsBlocking(programOf(text));
          if (proved.length > 0 && comparable) {
            const bounds = new Map(proved.map((queue) => [queue.name, queue.bound!]));
            const roomy = withCapacities(text, (names) => largest(names, bounds, 2) + 1);
            const beyond = reaches(
              roomy,
              [...bounds].map(([name, bound]) => `len(${name}) > ${bound}`).join(' || '),
            );
            if (beyond !== null) seen.proved++;
            expect(beyond, `SPIN goes beyond ${JSON.stringify([...bounds])}`).not.toBe(true);
          }
          if (evidence?.kind === 'run' && evidence.run.growth!.every(({ queue }) => !queue.includes('.'))) {
            const lengths = longestQueues(evidence.run, 4);
            const roomy = withCapacities(text, (names) => largest(names, lengths, 0) + 1);
            const grown = evidence.run
              .growth!.map(({ queue }) => `len(${queue}) >= ${lengths.get(queue)}`)
              .join(' && ');
            const filled = reaches(roomy, grown);
            if (filled !== null) seen.refuted++;
            expect(filled, `SPIN cannot reach ${grown}`).not.toBe(false);
          }
        }),
        { numRuns: CASES, seed: SEED },
      );
      // The test says something only if both kinds of verdict were judged.
      expect(seen.proved).toBeGreaterThan(CASES / 10);
      expect(seen.refuted).toBeGreaterThan(CASES / 50);
    },
    TIMEOUT,
  );

  test(
    'livelock freedom',
    async () => {
      const seen = { proved: 0, refuted: 0 };
      await fc.assert(
        fc.asyncProperty(models, async (text) => {
          const { verdict, evidence } = await verdictOf(text, 'livelock-free');
          if (verdict === 'proved') {
            for (const capacity of evidence?.kind === 'certificate' ? [1, 2, 3] : [null]) {
              const cycle = hasNonProgressCycle(
                capacity === null ? text : withCapacities(text, () => capacity),
              );
              if (cycle !== null) seen.proved++;
              expect(cycle, `SPIN finds a non-progress cycle at capacity ${capacity}`).not.toBe(true);
            }
          }
          if (verdict === 'refuted' && evidence?.kind === 'run' && (evidence.run.growth ?? []).length === 0) {
            const lengths = longestQueues(evidence.run, 2);
            // A channel of a process keeps its declared capacity of one, in which a run may not fit.
            if ([...lengths].some(([name, length]) => name.includes('.') && length > 1)) return;
            const cycle = hasNonProgressCycle(
              withCapacities(text, (names, declared) => Math.max(declared, largest(names, lengths, 0))),
            );
            if (cycle !== null) seen.refuted++;
            expect(cycle, 'SPIN finds no non-progress cycle').not.toBe(false);
          }
        }),
        { numRuns: CASES, seed: SEED },
      );
      expect(seen.proved).toBeGreaterThan(0);
      // Among a few there may be none.
      if (CASES >= 40) expect(seen.refuted).toBeGreaterThan(CASES / 50);
    },
    TIMEOUT,
  );
});
