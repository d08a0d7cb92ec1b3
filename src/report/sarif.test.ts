import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import type { ModelReport } from '../verdict/verdict.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from './fixtures.ts';
import { reportSarif } from './sarif.ts';

const schema = JSON.parse(readFileSync(new URL('./sarif-2.1.0-subset.schema.json', import.meta.url), 'utf8'));
const validate = new Ajv({ allErrors: true, formats: { uri: true } }).compile(schema);

function valid(reports: readonly ModelReport[]) {
  const document = JSON.parse(reportSarif(reports));
  validate(document);
  expect(validate.errors).toBeNull();
  return document.runs[0];
}

test('refuted is an error with a code flow per process, unknown is open, proved passes', () => {
  const { results } = valid([REFUTED, PROVED_AND_UNKNOWN]);
  expect(results.map((result: { kind: string }) => result.kind)).toEqual(['fail', 'pass', 'open']);
  const flows = results[0].codeFlows[0].threadFlows;
  expect(flows.map((flow: { id: string }) => flow.id)).toEqual(['producer#0', 'consumer#1']);
  expect(flows[0].locations.map((step: { executionOrder: number }) => step.executionOrder)).toEqual([1, 3]);
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
    diagnostics: [{ code: 'SPW9002', severity: 'error', message: 'no such file', span: null }],
  };
  const run = valid([broken]);
  expect(run.invocations[0].executionSuccessful).toBe(false);
  expect(run.invocations[0].toolExecutionNotifications).toHaveLength(1);
});
