// The translation into programs, judged by SPIN's semantics: the system as a Promela model has the same deadlocks as the search finds.

import { expect, test } from 'vitest';
import { searchSystem } from '../../actors/search.ts';
import { toPromela } from '../../actors/to-promela.ts';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { exploreMachine } from '../../xstate/host/rounds.ts';
import { EXAMPLES } from '../../xstate/machines.fuzz.ts';
import { checkModel } from '../check.ts';

const SMALL = [
  'toggle',
  'light',
  'history',
  'wizard',
  'transient',
  'errors',
  'escalating',
  'systems',
  'orders',
  'finalWithChildren',
  'stoppedByParent',
  'parallelDone',
  'dynamicParameters',
  'selfSends',
  'forwarding',
];

test.each(SMALL)('%s as Promela', { timeout: 3_600_000 }, async (name) => {
  const example = EXAMPLES.find((one) => one.name === name)!;
  const explored = exploreMachine({ name, logic: example.machine as never }, example.declared ?? {});
  if (!explored.ok) throw new Error('not explored');
  const found = searchSystem(explored.system, 'distributed', { ...UNLIMITED, maxStates: 4_000 }, SILENT);
  if (found.limit !== null) return expect(found.findings.has('bounded')).toBe(true);
  const report = await checkModel({
    paths: ['model.pml'],
    files: { read: (path) => (path === 'model.pml' ? toPromela(explored.system) : null) },
    properties: ['deadlock-free'],
    budget: { ...UNLIMITED, maxStates: 200_000 },
  });
  expect(report.diagnostics).toEqual([]);
  expect(report.properties[0]!.verdict).toBe(found.findings.has('deadlock-free') ? 'refuted' : 'proved');
});
