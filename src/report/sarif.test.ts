import { expect, test } from 'vitest';
import { codeScanningProblems, sarifProblems } from '../testing/schemas.ts';
import type { ModelReport } from '../verdict/verdict.ts';
import { reportSarif } from './sarif.ts';
import { addressOf } from './sarif-location.ts';
import { FLOODING_RUN, PROVED_AND_UNKNOWN, REFUTED, refutedBy } from './testing/fixtures.ts';

function valid(reports: readonly ModelReport[]) {
  const document = JSON.parse(reportSarif(reports));
  expect(sarifProblems(document)).toEqual([]);
  expect(codeScanningProblems(document)).toEqual([]);
  return document.runs[0];
}

test('refuted is an error with a code flow per process, unknown is open, proved is only listed', () => {
  const { results, properties } = valid([REFUTED, PROVED_AND_UNKNOWN]);
  expect(results.map((result: { kind: string }) => result.kind)).toEqual(['fail', 'open']);
  expect(properties.verdicts.map((one: { verdict: string }) => one.verdict)).toEqual([
    'refuted',
    'proved',
    'unknown',
  ]);
  const flows = results[0].codeFlows[0].threadFlows;
  expect(flows.map((flow: { id: string }) => flow.id)).toEqual(['producer#0', 'consumer#1']);
  expect(flows[0].locations.map((step: { executionOrder: number }) => step.executionOrder)).toEqual([1, 3]);
  expect(results[0].locations[0].physicalLocation).toEqual({
    artifactLocation: { uri: 'flood%20%26%20co.pml' },
    region: { startLine: 3, startColumn: 6, endLine: 3, endColumn: 15 },
  });
});

test('a deadlock is shown at the blocked statements, with what each waits for', () => {
  const at = (line: number) => ({ file: 'flood & co.pml', line, column: 6 });
  const wait = (queue: string, line: number) =>
    ({
      statement: `${queue}?1`,
      at: at(line),
      kind: 'message',
      text: `a message in ${queue}`,
      queue,
      helpers: [],
    }) as const;
  const blocked = {
    processes: [
      { process: 'producer', at: at(2), statement: 'a?1', waitsFor: [wait('a', 2)] },
      { process: 'consumer', at: at(5), statement: 'b?1', waitsFor: [wait('b', 5)] },
    ],
    circularWait: ['producer', 'consumer'],
  };
  const run = { ...FLOODING_RUN, loopStart: null, blocked };
  const [result] = valid([refutedBy(run)]).results;
  expect(result.locations[0].physicalLocation.region.startLine).toBe(2);
  expect(result.message.text).toContain('circular wait: producer → consumer → producer');
  expect(result.relatedLocations.map((one: { message: { text: string } }) => one.message.text)).toEqual([
    'producer waits for a message in a; nobody else can do that any more',
    'consumer waits for a message in b; nobody else can do that any more',
  ]);
});

test('an expected refutation is no result, an unexpected proof is an error', () => {
  const expecting = (report: ModelReport): ModelReport => ({
    ...report,
    properties: report.properties.map((one) => ({ ...one, expected: 'refuted' })),
  });
  expect(valid([expecting(REFUTED)]).results).toEqual([]);
  const { results } = valid([expecting(PROVED_AND_UNKNOWN)]);
  expect(results.map((result: { level: string }) => result.level)).toEqual(['error', 'none']);
  expect(results[0].message.text).toContain('not expected');
});

test('steps without a place are shown where the process was; of a long run the end is kept', () => {
  const [first, ...rest] = FLOODING_RUN.steps;
  const many = Array.from({ length: 20_000 }, () => ({ ...first!, at: null }));
  const run = { ...FLOODING_RUN, steps: [first!, ...many, ...rest], loopStart: null };
  const flows = valid([refutedBy(run)]).results[0].codeFlows[0].threadFlows;
  expect(flows[0].locations).toHaveLength(999);
  expect(flows[0].locations[0].location.physicalLocation.region.startLine).toBe(3);
  expect(flows[1].locations[0].executionOrder).toBe(20_002);
  const still = { ...FLOODING_RUN, steps: [], loopStart: null };
  valid([refutedBy(still)]);
});

test.each([
  ['models/a ring#2.pml', undefined, 'models/a%20ring%232.pml'],
  ['./x.pml', '/home/me', 'x.pml'],
  ['/home/me/models/x.pml', '/home/me', 'models/x.pml'],
  ['/elsewhere/x.pml', '/home/me', 'file:///elsewhere/x.pml'],
  ['a:b.pml', undefined, 'a%3Ab.pml'],
  ['C:\\me\\x.pml', 'C:\\me', 'x.pml'],
  ['D:\\x y.pml', 'C:\\me', 'file:///D:/x%20y.pml'],
])('the address of %s seen from %s is %s', (path, folder, address) => {
  expect(addressOf(path, folder)).toBe(address);
});

test('the judges notice what is wrong', () => {
  const document = JSON.parse(reportSarif([REFUTED]));
  const place = document.runs[0].results[0].locations[0].physicalLocation;
  place.artifactLocation.uri = '/flood & co.pml';
  expect(sarifProblems(document).join()).toContain('uri');
  expect(codeScanningProblems(document).join()).toContain('not a relative address');
  place.artifactLocation.uri = 'flood.pml';
  place.region.startLine = 0;
  expect(sarifProblems(document).join()).toContain('startLine');
  expect(codeScanningProblems(document).join()).toContain('startLine');
});

test('fingerprints stay when unrelated lines move', () => {
  const moved = JSON.parse(JSON.stringify(REFUTED.properties), (key, value) =>
    key === 'line' ? value + 10 : value,
  );
  const print = (report: ModelReport) => valid([report]).results[0].partialFingerprints['spillway/v1'];
  expect(print({ ...REFUTED, properties: moved })).toBe(print(REFUTED));
  const other = JSON.parse(JSON.stringify(REFUTED.properties), (key, value) =>
    key === 'text' ? `${value} ` : value,
  );
  expect(print({ ...REFUTED, properties: other })).not.toBe(print(REFUTED));
});

test('input errors are notifications', () => {
  const broken: ModelReport = {
    ...REFUTED,
    properties: [],
    diagnostics: [{ code: 'SPW9002', severity: 'error', message: 'no such file', at: null }],
  };
  const run = valid([broken]);
  expect(run.invocations[0].executionSuccessful).toBe(false);
  expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1);
});
