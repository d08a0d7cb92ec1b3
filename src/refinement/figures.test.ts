// The papers' figures, rebuilt from their descriptions.

import { beforeAll, describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { compileModel } from '../explore/compile.ts';
import { confirm } from '../explore/confirm.ts';
import { analyseLivelock } from '../livelock/analyse.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { buildNet } from '../net/build.ts';
import { type NetCycle, netCycles } from '../net/cycles.ts';
import { programOf } from '../promela/testing.ts';
import { codeContext } from './context.ts';
import { dependenciesOf, type Strategy } from './dependencies.ts';
import { auditRefined } from './document.ts';
import { refineBoundedness } from './refine-boundedness.ts';
import { refineLivelock } from './refine-livelock.ts';
import { Facts } from './rows.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});

function open(text: string, idealIntegers = false) {
  const program = programOf(text);
  const { net } = buildNet(program, { unfold: 'none' });
  const facts = new Facts(codeContext(program, net, idealIntegers)!);
  const { cycles } = netCycles(net, { maxCycles: 100 });
  const textOf = (cycle: NetCycle) => cycle.transitions.map((t) => net.transitions[t]!.text).join(' ');
  /** The one cycle whose statements contain all these words. */
  const cycleWith = (...words: string[]): NetCycle => {
    const found = cycles.filter((cycle) => words.every((word) => textOf(cycle).includes(word)));
    if (found.length !== 1)
      throw new Error(`${found.length} cycles with ${words}: ${cycles.map(textOf).join(' | ')}`);
    return found[0]!;
  };
  const dependencies = (cycle: NetCycle, ...strategies: Strategy[]) =>
    dependenciesOf(facts, solver, cycle, strategies).map(({ strategy, kind, iterations, on }) => ({
      strategy,
      kind,
      iterations,
      on: on.map(textOf).sort(),
    }));
  return { program, net, facts, cycles, cycleWith, textOf, dependencies };
}

describe('[CycleDeps] Fig. 1: a client with at most three requests under way', () => {
  const MODEL = `mtype = { request, reply };
    chan toServer = [3] of { mtype }; chan fromServer = [3] of { mtype };
    active proctype client() {
      int x;
      do
      :: (x < 3) -> toServer!request; x++
      :: (x == 3) -> progress: fromServer?reply; x--
      od
    }
    active proctype server() { do :: toServer?request; fromServer!reply od }`;

  test('the receiving cycle depends on the sending one, and on the server', () => {
    const { cycleWith, dependencies, textOf } = open(MODEL);
    const left = cycleWith('toServer!request');
    const right = cycleWith('fromServer?reply');
    const server = cycleWith('toServer?request');
    expect(dependencies(right, 'PC')).toEqual([
      { strategy: 'PC', kind: 'local', iterations: 1, on: [textOf(left)] },
    ]);
    expect(dependencies(right, 'SC')).toEqual([
      { strategy: 'SC', kind: 'message', iterations: null, on: [textOf(server)] },
    ]);
    expect(dependencies(left, 'PC')).toEqual([
      { strategy: 'PC', kind: 'local', iterations: 3, on: [textOf(right)] },
    ]);
  });

  test('livelock freedom is proved by refinement, and the certificate is audited', async () => {
    const { program, net } = open(MODEL);
    const plain = await analyseLivelock(net, { solver });
    expect(plain.verdict).toBe('unknown');
    const refined = await refineLivelock(program, net, plain, { solver });
    expect(refined).toMatchObject({ verdict: 'proved', method: 'refined' });
    expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
  });

  test('boundedness: every three requests need a reply', async () => {
    const { program, net } = open(MODEL);
    const plain = await analyseBoundedness(net, { solver });
    expect(plain.verdict).toBe('unknown');
    const refined = await refineBoundedness(program, net, plain, { solver });
    expect(refined.verdict).toBe('proved');
    expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
    // Three requests at most are under way: where one is sent and not yet counted, x is at most 2.
    for (const { bound } of refined.queues) expect(bound).toBe(3);
  });
});

test('a counter that is set by a message: the values sent limit what it can cost', async () => {
  const { program, net } = open(`chan q = [2] of { byte }; chan c = [2] of { int };
    active proctype P() { int x; do :: x < 3 -> q!1; x++ :: c?x od }
    active proctype S() { c!0; c!1 }
    active proctype Q() { do :: q?1 od }`);
  const plain = await analyseBoundedness(net, { solver });
  const refined = await refineBoundedness(program, net, plain, { solver });
  // In truth 3 + 3 + 2.
  expect(refined.queues.map(({ bound }) => bound)).toEqual([9, 2]);
});

test('[CycleDeps] Fig. 2: the condition’s variable is computed from another', () => {
  const { cycleWith, dependencies, textOf } = open(`int x = 3; int y = 3;
    active proctype p() {
      do
      :: (x > 0) -> x = y; y = y - 1
      :: y = 5
      od
    }`);
  const right = cycleWith('y = 5');
  for (const strategy of ['MC', 'ND', 'PC'] as const) {
    const [found] = dependencies(cycleWith('x > 0'), strategy);
    expect(found).toMatchObject({ kind: 'local', on: [textOf(right)] });
  }
});

test('[CycleDeps] Fig. 3: a cycle reached only through another is preempted', () => {
  const { cycleWith, dependencies, textOf } = open(`byte x;
    active proctype p() {
      do
      :: (x < 5) -> x++
      :: x = 0; do :: x = 1 :: break od
      od
    }`);
  const c1 = cycleWith('x < 5');
  const c2 = cycleWith('x = 0');
  const c3 = cycleWith('x = 1');
  expect(dependencies(c1, 'MC')).toMatchObject([{ on: [textOf(c2), textOf(c3)].sort() }]);
  expect(dependencies(c1, 'PC')).toMatchObject([{ on: [textOf(c2)] }]);
  expect(dependencies(c1, 'ND')).toMatchObject([{ on: [textOf(c2)] }]);
});

test('[CycleDeps] Fig. 5: a condition that another process makes true again', () => {
  const { cycleWith, dependencies, textOf } = open(`byte g;
    active proctype p() { do :: atomic { g > 0 -> g-- } od }
    active proctype q() { do :: g = 5 od }`);
  const [found] = dependencies(cycleWith('g > 0'), 'PC');
  expect(found).toMatchObject({ kind: 'global', on: [textOf(cycleWith('g = 5'))] });
});

test('[CycleDeps] Fig. 6: a sender of the wrong value is dropped', () => {
  const { cycleWith, dependencies, textOf } = open(`mtype = { Request, Reply };
    chan toClient = [4] of { mtype, byte }; chan toAgent = [4] of { mtype };
    byte handled;
    active proctype GIOPClient() {
      byte status;
      do
      :: toAgent!Request
      :: toClient?Reply(status) ->
         if
         :: (status == 4) -> handled++
         :: else -> skip
         fi
      od
    }
    active proctype GIOPAgent() {
      byte rs;
      do
      :: toAgent?Request -> if :: rs = 4 :: rs = 5 fi; toClient!Reply(rs)
      od
    }`);
  const client = cycleWith('status == 4');
  const four = cycleWith('rs = 4');
  const five = cycleWith('rs = 5');
  expect(dependencies(client, 'SC')).toMatchObject([{ on: [textOf(four), textOf(five)].sort() }]);
  expect(dependencies(client, 'FC')).toMatchObject([{ on: [textOf(four)] }]);
});

test('[CycleDeps] Fig. 6 as a proof: without a fitting reply the client’s loop does not go on', async () => {
  const { program, net } = open(`mtype = { Request, Reply };
    chan toClient = [4] of { mtype, byte }; chan toAgent = [4] of { mtype }; chan log = [4] of { byte };
    active proctype GIOPClient() {
      byte status;
      do
      :: toAgent!Request; toClient?Reply(status) -> if :: (status == 4) -> log!1 :: else fi
      od
    }
    active proctype GIOPAgent() {
      byte rs;
      do
      :: toAgent?Request -> if :: rs = 3 :: rs = 5 fi; toClient!Reply(rs)
      od
    }`);
  const plain = await analyseBoundedness(net, { solver });
  expect(plain.queues.find(({ name }) => name === 'log')!.bound).toBeNull();
  const refined = await refineBoundedness(program, net, plain, { solver });
  expect(refined.queues.find(({ name }) => name === 'log')!.bound).not.toBeNull();
  expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
});

test('a dependency without a number splits livelock freedom into cases', async () => {
  const { program, net, cycles } = open(`int g;
    active proctype p() { do :: atomic { g > 0 -> g-- } od }
    active proctype q() { do :: progress: g = 5 od }`);
  expect(cycles).toHaveLength(2);
  const plain = await analyseLivelock(net, { solver });
  expect(plain.verdict).toBe('unknown');
  const refined = await refineLivelock(program, net, plain, { solver });
  expect(refined.verdict).toBe('proved');
  expect(JSON.stringify(refined.certificate)).toContain('"never"');
  expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
});

test('[CycleDeps] Fig. 6 with a send in each branch: 4 stays, 5 goes', () => {
  const { cycleWith, dependencies, textOf } = open(`mtype = { Request, Reply };
    chan toClient = [4] of { mtype, byte }; chan toAgent = [4] of { mtype };
    byte handled;
    active proctype GIOPClient() {
      byte status;
      do
      :: toAgent!Request
      :: toClient?Reply(status) -> if :: (status == 4) -> handled++ :: else fi
      od
    }
    active proctype GIOPAgent() {
      byte rs;
      do
      :: toAgent?Request -> if :: rs = 4; toClient!Reply(rs) :: rs = 5; toClient!Reply(rs) fi
      od
    }`);
  const client = cycleWith('status == 4');
  expect(dependencies(client, 'SC')[0]!.on).toHaveLength(2);
  expect(dependencies(client, 'FC')).toMatchObject([{ on: [textOf(cycleWith('rs = 4'))] }]);
});

describe('[Ciclo] Fig. 5', () => {
  const model = (guard: string) => `int i; int j;
    active proctype P() {
      a: if
         :: (i <= 2) -> goto b
         :: (${guard}) -> goto b
         :: (i > 2) -> goto d
         fi;
      b: i++; goto a;
      d: if :: i = 0; goto a :: skip; goto d fi
    }`;

  test('neighbours, and the cycle that resets i as the only supplementary one', () => {
    const { cycleWith, dependencies, textOf } = open(model('j <= 0 && i < 3'));
    const [c1, c2, c3] = [cycleWith('i = 0'), cycleWith('i <= 2 i++'), cycleWith('j <= 0')];
    const names = (...cycles: NetCycle[]) => cycles.map(textOf).sort();
    expect(dependencies(c2, 'N')).toMatchObject([{ iterations: 3, on: names(c1, c3) }]);
    expect(dependencies(c2, 'PC')).toMatchObject([{ iterations: 3, on: names(c1, c3) }]);
    expect(dependencies(c2, 'IS')).toMatchObject([{ iterations: 3, on: names(c1) }]);
  });

  test('as drawn, i may wrap in the neighbour: over the whole range, every three rounds need C1 or C3', () => {
    const { cycleWith, dependencies, textOf } = open(model('j <= 0'));
    const [c1, c2, c3] = [cycleWith('i = 0'), cycleWith('i <= 2 i++'), cycleWith('j <= 0')];
    const names = [c1, c3].map(textOf).sort();
    for (const strategy of ['N', 'MC', 'PC', 'IS'] as const)
      expect(dependencies(c2, strategy)).toEqual([{ strategy, kind: 'local', iterations: 3, on: names }]);
  });

  test('with integers that never wrap, the papers’: {C1}', () => {
    const { cycleWith, dependencies, textOf } = open(model('j <= 0'), true);
    const [c1, c2, c3] = [cycleWith('i = 0'), cycleWith('i <= 2 i++'), cycleWith('j <= 0')];
    const names = (...cycles: NetCycle[]) => cycles.map(textOf).sort();
    expect(dependencies(c2, 'N')).toMatchObject([{ iterations: 3, on: names(c1, c3) }]);
    expect(dependencies(c2, 'IS')).toMatchObject([{ iterations: 3, on: names(c1) }]);
  });

  test('but they wrap: C2 and C3 go on for ever without C1', () => {
    // The same with a byte, so that a search gets round; progress is C1.
    const text = model('j <= 0')
      .replace('int i; int j', 'byte i = 250; byte j')
      .replace('i = 0;', 'progress: i = 0;');
    const compiled = compileModel(programOf(text), { capacity: 'unlimited' });
    if (!compiled.ok) throw new Error('it compiles');
    const budget = { ...UNLIMITED, maxStates: 5_000 };
    const { loops } = confirm(compiled.value, { progress: { kind: 'labels' } }, budget, SILENT);
    expect(loops.length).toBeGreaterThan(0);
  });
});

test('[Ciclo] Fig. 1: the init loop cannot go on by itself', async () => {
  const { program, net } = open(`mtype = { req, ack, rel };
    chan ts[2] = [2] of { mtype }; chan tc[2] = [2] of { mtype };
    proctype client(byte id) { do :: ts[id]!req; progress: tc[id]?ack; ts[id]!rel od }
    active proctype server() { do :: ts[0]?req; tc[0]!ack; ts[0]?rel :: ts[1]?req; tc[1]!ack; ts[1]?rel od }
    init { byte i = 0; do :: i < 2 -> i++ :: i >= 2 -> break od; run client(0); run client(1) }`);
  const plain = await analyseLivelock(net, { solver });
  expect(plain.verdict).toBe('unknown');
  expect(await refineLivelock(program, net, plain, { solver })).toMatchObject({ verdict: 'proved' });
});

test('a loop that wraps is no terminating loop', () => {
  const { cycleWith, dependencies } = open(`byte x;
    active proctype p() { do :: (x >= 0) -> x-- od }`);
  expect(dependencies(cycleWith('x--'.slice(0, 1), '>='), 'PC')).toEqual([]);
});
