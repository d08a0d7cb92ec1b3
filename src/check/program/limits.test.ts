// Unusual models and reached limits: a clear answer, the right exit code, never a wrong verdict.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runCli } from '../../cli/run.ts';
import { scratchIo } from '../../testing/memory-io.ts';

describe('unusual models', () => {
  let scratch: ReturnType<typeof scratchIo>;
  beforeEach(() => {
    scratch = scratchIo();
  });
  afterEach(() => scratch.remove());

  async function check(text: string, ...options: string[]) {
    scratch.io.writeFile('m.pml', text);
    const code = await runCli(['check', 'm.pml', ...options], scratch.io);
    return { code, out: scratch.takeOutput() + scratch.takeErrors() };
  }

  test('without channels, `bounded` holds and says why', async () => {
    const { code, out } = await check('active proctype p() { skip }', '--property', 'bounded');
    expect(code).toBe(0);
    expect(out).toContain('no buffered queue');
  });

  test('a model that states nothing is asked what SPIN asks', async () => {
    const { code, out } = await check('active proctype p() { false }');
    expect(code).toBe(1);
    expect(out).toMatch(/deadlock-free +REFUTED/);
    expect(out).toMatch(/assertions +PROVED/);
  });

  test('rendezvous channels hold nothing', async () => {
    const model =
      'chan c = [0] of { byte }; active proctype p() { do :: c!1 od } active proctype q() { do :: c?_ od }';
    const { code, out } = await check(model, '--property', 'bounded');
    expect(code).toBe(0);
    expect(out).toContain('no buffered queue');
  });

  test('embedded C could send: unknown, with the reason', async () => {
    const model = 'chan c = [2] of { byte }; active proctype p() { c_code { surprise(); }; c!1 }';
    for (const property of ['bounded', 'livelock-free', 'deadlock-free', 'assertions']) {
      const { code, out } = await check(model, '--property', property);
      expect(code, property).toBe(2);
      expect(out, property).toMatch(/embedded C/);
      const { out: json } = await check(model, '--property', property, '--format', 'json');
      expect(json, property).not.toContain('spillway-certificate');
    }
  });

  test('a large array of channels is no trouble', async () => {
    const model =
      'chan c[200] = [1] of { byte }; active proctype p() { byte i; do :: i < 200 -> c[i]!1; i++ :: else -> break od }';
    const { code, out } = await check(model, '--property', 'bounded');
    expect(code).toBe(0);
    expect(out).toContain('PROVED');
  });

  const COUNTERS = `chan c = [4] of { int }; int a, b;
active proctype p() { do :: a++ :: b++ :: a > 100000 && b < a -> c!a :: b > 1000000000 && a < b -> assert(false) od }
active proctype q() { int x; do :: c?x od }`;

  test('a limit on states or time ends in an unknown that names it', async () => {
    const states = await check(COUNTERS, '--property', 'assertions', '--max-states', '500');
    expect(states.code).toBe(2);
    expect(states.out).toContain('state-limit');
    const memory = await check(COUNTERS, '--property', 'assertions', '--max-memory', '1');
    expect(memory.code).toBe(2);
    expect(memory.out).toContain('memory-limit');
    const time = await check(COUNTERS, '--property', 'assertions', '--timeout', '1');
    expect(time.code).toBe(2);
    expect(time.out).toMatch(/time-limit|state-limit|memory-limit/);
  });

  test('where a run ends in an error, what would follow is not claimed to be free of deadlock', async () => {
    const error = await check(
      'byte a[2], i = 2; chan c = [1] of { byte }; active proctype p() { a[i] = 1; c?_ }',
      '--property',
      'deadlock-free',
    );
    expect(error.code).toBe(2);
    expect(error.out).toContain('array index out of range');
    const endless = await check(
      'byte x; active proctype p() { d_step { x = 0; do :: x == 0 -> x = 1 :: x == 1 -> x = 0 :: x == 2 -> break od }; false }',
      '--property',
      'deadlock-free',
    );
    expect(endless.code).toBe(2);
  });

  test('a loop that floods a queue without progress is found, although the state space has no end', async () => {
    const { code, out } = await check(
      'chan c = [2] of { byte }; chan d = [2] of { byte }; active proctype p() { c!1 } active proctype q() { byte x; do :: c?<x> -> d!x od }',
      '--property',
      'livelock-free',
    );
    expect(code).toBe(1);
    expect(out).toContain('each round leaves 1 more message in d');
  });

  test('a queue is said to fit only where the declared capacities change nothing', async () => {
    // With unlimited channels nothing is ever sent to d; as declared, c fills up and d is flooded.
    const models = [
      'active proctype p() { do :: n < 2 -> if :: c!1 -> n++ :: else -> d!1 fi :: n == 2 -> break od }',
      'active proctype p() { do :: n < 2 -> if :: nfull(c) -> c!1; n++ :: full(c) -> d!1 fi :: n == 2 -> break od }',
      'active proctype p() { c!1; c!1 } active proctype q() { do :: timeout -> if :: len(c) == 1 -> d!1 :: len(c) == 2 -> break fi od }',
      'active proctype p() { atomic { n = 1; c!1; c!1; n = 0 } } active proctype q() { do :: n == 1 -> d!1 :: timeout -> break od }',
    ];
    for (const model of models) {
      const channels = 'byte n; chan c = [1] of { byte }; chan d = [2] of { byte };';
      const { out } = await check(`${channels} ${model}`, '--property', 'bounded');
      expect(out, model).toContain('PROVED');
      expect(out, model).toMatch(/ d +0 .* not known/);
      expect(out, model).not.toContain('nothing is ever sent');
    }
  });

  test('errors show the line and what to do, several at once', async () => {
    const { code, out } = await check(
      'chan c = [1] of { byte };\nactive proctype p() { c!1,2; cc!3; x = 1 }',
    );
    expect(code).toBe(3);
    expect(out.match(/^error\[SPW\d+\]/gm)!.length).toBeGreaterThanOrEqual(2);
    expect(out).toContain('m.pml:2:');
    expect(out).toContain('^');
  });

  test('a wrong property or progress selector is an error with a suggestion', async () => {
    const model = 'chan c = [1] of { byte }; active proctype p() { do :: c!1; c?_ od }';
    const property = await check(model, '--property', 'bonded');
    expect(property.code).toBe(3);
    expect(property.out).toContain("did you mean 'bounded'?");
    const selector = await check(model, '--property', 'livelock-free', '--progress', 'nobody:c?_');
    expect(selector.code).toBe(3);
    expect(selector.out).toContain("'nobody:c?_'");
  });
});
