import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli as run } from '../run.ts';

const scratch = scratchIo();
beforeAll(() => {
  scratch.io.writeFile(
    'client.pml',
    `mtype = { request, reply };
chan toServer = [3] of { mtype };
chan fromServer = [3] of { mtype };
active proctype client() {
  int x;
  do
  :: (x < 3) -> toServer!request; x++
  :: (x == 3) -> progress: fromServer?reply; x--
  od
}
active proctype server() { do :: toServer?request; fromServer!reply od }
proctype never_started() { do :: toServer!request od }
`,
  );
  scratch.io.writeFile(
    'stuck.pml',
    'chan q = [4] of { byte };\nbyte x;\nactive proctype p() { do :: (x < 3) -> q!1; x++ od }\n',
  );
  scratch.io.writeFile('wrong.pml', 'active proctype p( {');
});
afterAll(scratch.remove);

test('cycles: statements, effects, neighbours, conditions', async () => {
  expect(await run(['cycles', 'client.pml'], scratch.io)).toBe(0);
  const text = scratch.takeOutput();
  expect(text).toContain('C1  client: x < 3; toServer!request; x++  (line 7)');
  expect(text).toMatch(/C2 {2}client[\s\S]*progress {4}yes[\s\S]*neighbours {2}C1/);
  expect(text).toContain('3 cycles, 3 effect vectors');
  expect(await run(['cycles', 'client.pml', '--format', 'json'], scratch.io)).toBe(0);
  const json = JSON.parse(scratch.takeOutput());
  expect(json).toMatchObject({ schema: 1, complete: true, cycles: 3, effectVectors: 3 });
  expect(json.list[2]).toMatchObject({
    process: 'server',
    effect: { 'toServer(request)': -1, 'fromServer(reply)': 1 },
  });
  expect(await run(['cycles', 'client.pml', '--max-cycles', '1'], scratch.io)).toBe(2);
  expect(scratch.takeOutput()).toContain('the limit was reached');
});

test('deps: each with its strategy and reason, sizes, hints', async () => {
  expect(await run(['deps', 'client.pml'], scratch.io)).toBe(0);
  const text = scratch.takeOutput();
  expect(text).toContain('(3, C1, {C2})  PC, local');
  expect(text).toContain('(C2, {C3})  FC, message');
  expect(text).toContain('sizes in all: N 2, MC 2, ND 2, PC 2, IS 2, SC 2, FC 2');
  expect(await run(['deps', 'stuck.pml', '--strategy', 'is', '--format', 'json'], scratch.io)).toBe(0);
  expect(JSON.parse(scratch.takeOutput())).toMatchObject({
    dependencies: [{ cycle: 'C1', on: [], iterations: 3, strategy: 'IS' }],
    notes: [{ severity: 'hint', message: expect.stringContaining('cannot go on for ever') }],
  });
  expect(await run(['deps', 'stuck.pml', '--strategy', 'XX'], scratch.io)).toBe(64);
  expect(await run(['deps', 'wrong.pml'], scratch.io)).toBe(3);
});
