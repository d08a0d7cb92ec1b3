import { beforeAll, expect, test } from 'vitest';
import { audit } from '../certificate/document.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { cicloFigure1 } from '../net/testing/examples.ts';
import { NetBuilder } from '../net/testing/net-builder.ts';
import { analyseLivelock } from './analyse.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});

const METHODS = ['flow', 'cycles'] as const;

test('[Ciclo] Fig. 1: client(1) and the server can go on without client(0)', async () => {
  for (const method of METHODS) {
    const analysis = await analyseLivelock(cicloFigure1(), { solver, method });
    expect(analysis.verdict).toBe('unknown');
    expect(analysis.counterexample!.cycles.map(({ process }) => process).sort()).toEqual([
      'client(1)',
      'server',
    ]);
  }
});

test('request and reply with progress at the reply', async () => {
  const b = new NetBuilder().queue('toServer', ['request']).queue('fromServer', ['reply']);
  b.process('client').step('1', '2', { request: 1 }).step('2', '1', { reply: -1 }, { progress: true });
  b.process('server').step('1', '2', { request: -1 }).step('2', '1', { reply: 1 });
  const net = b.build();
  for (const method of METHODS) {
    const analysis = await analyseLivelock(net, { solver, method });
    expect(analysis.verdict).toBe('proved');
    expect(audit(analysis.certificate, net)).toEqual({ ok: true, value: { property: 'livelock-free' } });
  }
});

test('a growing queue alone is a livelock, and so are processes that start each other', async () => {
  const flood = new NetBuilder().queue('q', ['m']);
  flood.process('p').step('1', '1', { m: 1 }).step('1', '2', {}, { progress: true });
  const starts = new NetBuilder();
  starts.process('p').step('1', '2', {}, { spawns: { p: 1 } });
  for (const b of [flood, starts])
    for (const method of METHODS)
      expect((await analyseLivelock(b.build(), { solver, method })).verdict).toBe('unknown');
});

test('what cannot go on at all is free of livelock', async () => {
  const b = new NetBuilder().queue('q', ['m']).rendezvous('r').tokens('off', 'on');
  b.process('p', 3).step('1', '2', { m: 1 }).step('2', '3', { off: -1, on: 1 }).step('1', '1', { m: -1 });
  b.process('c').step('1', '2', { r: 1 });
  for (const method of METHODS)
    expect((await analyseLivelock(b.build(), { solver, method })).verdict).toBe('proved');
});
