// The interpreter against the recommendation's algorithm taken word by word, on charts at random: same configurations, same order of all actions.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SourceFile } from '../source/source.ts';
import type { Chart } from './chart.ts';
import { Problems } from './codes.ts';
import { EndlessMacrostep } from './endless.ts';
import { plainEvent } from './event.ts';
import { macrostep } from './macrostep.ts';
import { NullModel } from './null-model.ts';
import { readChart } from './read-chart.ts';
import { UNDEFINED } from './sandbox.ts';
import { type Input, keyOf, NEW_SESSION, type Outcome, type Surroundings, sessionOf } from './session.ts';
import { AppendixD, Endless } from './testing/appendix-d.ts';
import { EVENTS, randomChart } from './testing/random-chart.ts';
import { parseXml } from './xml.ts';

const RUNS = Number(process.env['SPILLWAY_FUZZ'] ?? 40);

const AROUND: Surroundings = {
  sessionId: 'main',
  hasParent: false,
  invokeId: null,
  addresses: new Map(),
  resolve: () => null,
  knows: () => false,
};

const shown = (chart: Chart, outcome: Outcome) => ({
  configuration: outcome.session.configuration.map((number) => chart.states[number]!.name).sort(),
  log: outcome.effects.flatMap((effect) => (effect.kind === 'log' ? [effect.label] : [])),
  running: outcome.session.status === 'running',
});

/** What happened, or 'endless'. */
function attempt<T>(work: () => T): T | 'endless' {
  try {
    return work();
  } catch (error) {
    if (error instanceof Endless || error instanceof EndlessMacrostep) return 'endless';
    throw error;
  }
}

test('charts at random do what the recommendation says', () => {
  let charts = 0;
  let steps = 0;
  fc.assert(
    fc.property(randomChart, fc.array(fc.constantFrom(...EVENTS), { maxLength: 12 }), (text, events) => {
      const file = new SourceFile('random.scxml', text);
      const { chart, problems } = readChart(file, () => null);
      expect(problems.list.filter(({ severity }) => severity === 'error')).toEqual([]);
      const model = new NullModel();
      const naive = new AppendixD(parseXml(file, new Problems())!);
      let session = NEW_SESSION;
      const inputs: Input[] = [
        { kind: 'start', values: new Map() },
        ...events.map((name): Input => ({ kind: 'event', event: plainEvent(name, 'external', UNDEFINED) })),
      ];
      charts++;
      for (const input of inputs) {
        const expected = attempt(() =>
          input.kind === 'event' ? naive.event(input.event.name) : naive.start(),
        );
        const found = attempt(() => macrostep(chart!, model, AROUND, session, input, 600));
        if (expected === 'endless' || found === 'endless') {
          expect(found).toBe(expected);
          return;
        }
        expect(shown(chart!, found)).toEqual(expected);
        session = sessionOf(keyOf(found.session));
        if (session.status === 'done') return;
        steps++;
      }
    }),
    { numRuns: RUNS },
  );
  expect(charts).toBeGreaterThanOrEqual(RUNS);
  expect(steps).toBeGreaterThan(RUNS);
});
