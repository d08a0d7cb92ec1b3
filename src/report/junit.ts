// JUnit XML: one suite per model, one case per property, as CI servers read it.
// A refutation is a failure; an unknown is an error, because it must never pass silently; broken input is an error of its own.

import { render } from '../source/diagnostic.ts';
import { isPass, type ModelReport, type PropertyResult } from '../verdict/verdict.ts';

export function reportJunit(reports: readonly ModelReport[]): string {
  const suites = reports.map(suite);
  const sum = (key: 'tests' | 'failures' | 'errors') => suites.reduce((total, one) => total + one[key], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="spillway" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}">`,
    ...suites.map((one) => one.xml),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(report: ModelReport): { tests: number; failures: number; errors: number; xml: string } {
  const name = report.files.join(' ');
  const cases = report.properties.map((property) => propertyCase(name, property));
  const problems = report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (problems.length > 0) {
    cases.push({
      kind: 'error',
      xml: testCase(
        name,
        'input',
        0,
        element('error', problems[0]!.message, problems.map(render).join('\n\n')),
      ),
    });
  }
  const failures = cases.filter((one) => one.kind === 'failure').length;
  const errors = cases.filter((one) => one.kind === 'error').length;
  const time = report.properties.reduce((total, property) => total + seconds(property), 0);
  const head = `  <testsuite name="${xml(name)}" tests="${cases.length}" failures="${failures}" errors="${errors}" skipped="0" time="${time.toFixed(3)}">`;
  return {
    tests: cases.length,
    failures,
    errors,
    xml: [head, ...cases.map((one) => one.xml), '  </testsuite>'].join('\n'),
  };
}

function propertyCase(
  model: string,
  property: PropertyResult,
): { kind: 'pass' | 'failure' | 'error'; xml: string } {
  const time = seconds(property);
  if (isPass(property)) return { kind: 'pass', xml: testCase(model, property.id, time, null) };
  const title = property.evidence?.kind === 'run' ? property.evidence.run.title : (property.reason ?? '');
  const expected = property.expected === undefined ? '' : ` (expected: ${property.expected})`;
  const kind = property.verdict === 'unknown' ? 'error' : 'failure';
  const message = `${property.verdict}${expected}${title === '' ? '' : `: ${title}`}`;
  return { kind, xml: testCase(model, property.id, time, element(kind, message, property.reproduce)) };
}

const seconds = (property: PropertyResult): number =>
  Object.values(property.stats.milliseconds ?? {}).reduce((total, time) => total + time, 0) / 1000;

function testCase(model: string, name: string, time: number, body: string | null): string {
  const open = `    <testcase classname="${xml(model)}" name="${xml(name)}" time="${time.toFixed(3)}"`;
  return body === null ? `${open}/>` : `${open}>\n${body}\n    </testcase>`;
}

const element = (tag: string, message: string, text: string): string =>
  `      <${tag} message="${xml(message)}" type="spillway">${xml(text)}</${tag}>`;

function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them even when escaped
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  );
}
