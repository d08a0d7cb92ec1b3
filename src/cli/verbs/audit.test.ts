import { afterAll, beforeAll, expect, test } from 'vitest';
import { scratchIo } from '../../testing/memory-io.ts';
import { runCli as run } from '../run.ts';

const MODEL = `mtype = { request, reply };
chan there = [2] of { mtype };
chan back = [2] of { mtype };
active proctype client() { do :: there!request; back?reply od }
active proctype server() { do :: there?request; progress: back!reply od }
`;

const scratch = scratchIo();
let certificates: Record<string, string> = {};

beforeAll(async () => {
  scratch.io.writeFile('ring.pml', MODEL);
  scratch.io.writeFile('other.pml', MODEL.replace('there!request;', 'there!request; there!request;'));
  expect(await run(['check', 'ring.pml', '--format', 'json'], scratch.io)).toBe(0);
  const report = JSON.parse(scratch.takeOutput());
  for (const { id, evidence } of report.properties) {
    if (evidence.kind !== 'certificate') continue;
    certificates = { ...certificates, [id]: JSON.stringify(evidence.certificate) };
    scratch.io.writeFile(`${id}.json`, certificates[id]!);
  }
});
afterAll(scratch.remove);

test('certificates of both properties are accepted', async () => {
  expect(await run(['audit', 'bounded.json', 'ring.pml'], scratch.io)).toBe(0);
  expect(scratch.takeOutput()).toBe(
    'accepted: there never holds more than 1\naccepted: back never holds more than 1\n',
  );
  expect(await run(['audit', 'livelock-free.json', 'ring.pml'], scratch.io)).toBe(0);
  expect(scratch.takeOutput()).toContain('accepted');
});

test('a changed certificate, another model, no certificate, no model', async () => {
  scratch.io.writeFile('forged.json', certificates['bounded']!.replace(/"bound":\d+/, '"bound":0'));
  expect(await run(['audit', 'forged.json', 'ring.pml'], scratch.io)).toBe(2);
  expect(scratch.takeOutput()).toContain('rejected: the certificate was changed');
  expect(await run(['audit', 'bounded.json', 'other.pml'], scratch.io)).toBe(2);
  expect(scratch.takeOutput()).toContain('another model');
  expect(await run(['audit', 'ring.pml', 'ring.pml'], scratch.io)).toBe(3);
  expect(await run(['audit', 'bounded.json', 'nowhere.pml'], scratch.io)).toBe(3);
  expect(await run(['audit', 'bounded.json'], scratch.io)).toBe(64);
});

test('what counted as progress besides the labels is part of the answer', async () => {
  const selected = ['--property', 'livelock-free', '--progress', 'client:back?reply'];
  scratch.io.writeFile('plain.pml', MODEL.replace('progress:', ''));
  expect(await run(['check', 'plain.pml', ...selected, '--format', 'json'], scratch.io)).toBe(0);
  const [{ evidence }] = JSON.parse(scratch.takeOutput()).properties;
  scratch.io.writeFile('selected.json', JSON.stringify(evidence.certificate));
  expect(await run(['audit', 'selected.json', 'plain.pml'], scratch.io)).toBe(0);
  expect(scratch.takeOutput()).toContain('where progress is also client:back?reply');
});

test('a certificate of a C program holds for the sizes of types that it was made with', async () => {
  scratch.io.writeFile('long.c', 'int main(void) { if (sizeof(long) != 4) { ERROR: return 1; } return 0; }');
  const narrow = ['--data-model', 'ILP32'];
  const asked = ['--property', 'assertions', '--format', 'json'];
  expect(await run(['check', 'long.c', ...asked, ...narrow], scratch.io)).toBe(0);
  const [{ evidence }] = JSON.parse(scratch.takeOutput()).properties;
  scratch.io.writeFile('long.json', JSON.stringify(evidence.certificate));
  expect(await run(['audit', 'long.json', 'long.c', ...narrow], scratch.io)).toBe(0);
  expect(await run(['audit', 'long.json', 'long.c'], scratch.io)).toBe(2);
});
