import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { reportJson } from './json.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from './testing/fixtures.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../schema/report-1.schema.json', import.meta.url), 'utf8'),
);
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);

test('one report is an object, several are a list; both fit the published schema', () => {
  const one = JSON.parse(reportJson([REFUTED]));
  validate(one);
  expect(validate.errors).toBeNull();
  expect(one.schema).toBe(1);
  const several = JSON.parse(reportJson([REFUTED, PROVED_AND_UNKNOWN]));
  validate(several);
  expect(validate.errors).toBeNull();
  expect(several).toHaveLength(2);
});

test('the schema notices a wrong verdict', () => {
  const one = JSON.parse(reportJson([REFUTED]));
  one.properties[0].verdict = 'maybe';
  expect(validate(one)).toBe(false);
});
