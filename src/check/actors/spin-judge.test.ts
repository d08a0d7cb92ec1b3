// SPIN's verifier judges systems of actors: what `convert --to promela` writes has a deadlock if and only if our search finds one.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { searchSystem } from '../../actors/search.ts';
import type { ActorSystem } from '../../actors/system.ts';
import { toPromela } from '../../actors/to-promela.ts';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { runPan } from '../../testing/pan.ts';
import { hasProgram } from '../../testing/programs.ts';
import { exploreMachine } from '../../xstate/host/rounds.ts';
import { EXAMPLES } from '../../xstate/machines.fuzz.ts';
import { scxml } from '../scxml.ts';

const CHARTS = [
  'turnstile.scxml',
  'checkout-repaired/checkout.system.json',
  'sensor-repaired/sensor.system.json',
  'forks/forks.system.json',
  'forks-repaired/forks.system.json',
];
const MACHINES = [
  'toggle',
  'light',
  'history',
  'wizard',
  'transient',
  'orders',
  'parallelDone',
  'stoppedByParent',
  'forwarding',
];

const ready = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));
if (!ready) console.log('skipped: SPIN or a C compiler is not installed');

async function chart(path: string): Promise<ActorSystem> {
  const files = { read: (name: string) => readFileSync(name, 'utf8') };
  const budget = { ...UNLIMITED, maxStates: 1_000 };
  const { model } = await scxml.load({
    paths: [`corpus/scxml/${path}`],
    files,
    options: {},
    budget,
    observer: SILENT,
  });
  return model!.system;
}

function machine(name: string): ActorSystem {
  const example = EXAMPLES.find((one) => one.name === name)!;
  const explored = exploreMachine({ name, logic: example.machine as never }, example.declared ?? {});
  if (!explored.ok) throw new Error(`not explored: ${explored.limit}`);
  return explored.system;
}

function deadlocks(text: string): boolean {
  const pan = runPan(text, {
    compile: ['-DSAFETY', '-DNOREDUCE', '-DVECTORSZ=8192'],
    run: ['-m100000', '-w18'],
    small: true,
  })!;
  // It stops at the first error.
  expect(pan.complete || pan.errors > 0, pan.output).toBe(true);
  return pan.errors > 0;
}

function judge(system: ActorSystem): void {
  const found = searchSystem(system, 'distributed', { ...UNLIMITED, maxStates: 3_000 }, SILENT);
  // A mailbox that grows without limit has no end that SPIN could come to.
  if (found.limit !== null) expect(found.findings.has('bounded')).toBe(true);
  else expect(deadlocks(toPromela(system))).toBe(found.findings.has('deadlock-free'));
}

test.skipIf(!ready).each(CHARTS)('%s', { timeout: 3_600_000 }, async (path) => judge(await chart(path)));
test.skipIf(!ready).each(MACHINES)('%s', { timeout: 3_600_000 }, (name) => judge(machine(name)));
