import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hasProgram } from '../testing/programs.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from './fixtures.ts';
import { reportJunit } from './junit.ts';

test('one case per model and property; refuted fails, unknown is an error', () => {
  expect(reportJunit([REFUTED, PROVED_AND_UNKNOWN])).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="spillway" tests="3" failures="1" errors="1">
      <testsuite name="flood &amp; co.pml" tests="1" failures="1" errors="0" skipped="0" time="0.005">
        <testcase classname="flood &amp; co.pml" name="bounded" time="0.005">
          <failure message="refuted: the queue q grows &lt;without&gt; limit" type="spillway">spillway check 'flood &amp; co.pml' --property bounded</failure>
        </testcase>
      </testsuite>
      <testsuite name="ring.pml" tests="2" failures="0" errors="1" skipped="0" time="0.010">
        <testcase classname="ring.pml" name="bounded" time="0.010"/>
        <testcase classname="ring.pml" name="livelock-free" time="0.000">
          <error message="unknown: the loops shown could repeat together" type="spillway">spillway check ring.pml --property livelock-free</error>
        </testcase>
      </testsuite>
    </testsuites>
    "
  `);
});

test('an expected refutation passes, an unexpected proof fails', () => {
  const expected = {
    ...REFUTED,
    properties: REFUTED.properties.map((one) => ({ ...one, expected: 'refuted' as const })),
  };
  expect(reportJunit([expected])).toContain('failures="0" errors="0"');
  const surprise = {
    ...PROVED_AND_UNKNOWN,
    properties: PROVED_AND_UNKNOWN.properties
      .slice(0, 1)
      .map((one) => ({ ...one, expected: 'refuted' as const })),
  };
  expect(reportJunit([surprise])).toContain('failures="1"');
});

test.skipIf(!hasProgram('xmllint'))('the XML fits the schema, and the schema notices what does not', () => {
  const schema = fileURLToPath(new URL('./junit.xsd', import.meta.url));
  const status = (input: string) =>
    spawnSync('xmllint', ['--noout', '--schema', schema, '-'], { input }).status;
  const xml = reportJunit([REFUTED, PROVED_AND_UNKNOWN]);
  expect(status(xml)).toBe(0);
  expect(status(xml.replace('tests="3"', 'tests="three"'))).not.toBe(0);
});
