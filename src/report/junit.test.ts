import { expect, test } from 'vitest';
import { hasProgram } from '../testing/programs.ts';
import { junitProblems } from '../testing/schemas.ts';
import { reportJunit } from './junit.ts';
import { PROVED_AND_UNKNOWN, REFUTED } from './testing/fixtures.ts';

test('one case per model and property; refuted fails, unknown is an error', () => {
  expect(reportJunit([REFUTED, PROVED_AND_UNKNOWN])).toMatchInlineSnapshot(`
    "<?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite id="0" name="flood &amp; co.pml" package="promela" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="1" failures="1" errors="0" time="0.005">
        <properties/>
        <testcase classname="flood &amp; co.pml" name="bounded" time="0.005">
          <failure message="refuted: the queue q grows &lt;without&gt; limit" type="refuted">the queue q grows &lt;without&gt; limit

    1  flood &amp; co.pml:3  producer  q!1  q = [1]
    2  flood &amp; co.pml:6  consumer  q?_  q = []
         ── from here on, again and again ──
    3  flood &amp; co.pml:3  producer  q!1  q = [1]

    each round leaves 1 more in q
    at the end:
      q = [1]

    spillway check 'flood &amp; co.pml' --property bounded</failure>
        </testcase>
        <system-out/>
        <system-err></system-err>
      </testsuite>
      <testsuite id="1" name="ring.pml" package="promela" timestamp="1970-01-01T00:00:00" hostname="localhost" tests="2" failures="0" errors="1" time="0.010">
        <properties/>
        <testcase classname="ring.pml" name="bounded" time="0.010"/>
        <testcase classname="ring.pml" name="livelock-free" time="0.000">
          <error message="unknown: the loops shown could repeat together" type="abstraction-too-coarse">spillway check ring.pml --property livelock-free</error>
        </testcase>
        <system-out/>
        <system-err></system-err>
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
  const broken = {
    ...REFUTED,
    properties: [],
    diagnostics: [
      {
        code: 'SPW9002' as const,
        severity: 'error' as const,
        message: 'a \u0000 <b> \ud800 \uffff',
        at: null,
      },
      { code: 'SPW9005' as const, severity: 'warning' as const, message: '"quoted" & more', at: null },
    ],
  };
  const xml = reportJunit([REFUTED, PROVED_AND_UNKNOWN, broken], { started: new Date() });
  expect(junitProblems(xml)).toBeNull();
  expect(junitProblems(reportJunit([]))).toBeNull();
  expect(junitProblems(xml.replace('tests="1"', 'tests="one"'))).toContain('tests');
  expect(junitProblems(xml.replace('<system-out/>', ''))).toContain('system-out');
});
