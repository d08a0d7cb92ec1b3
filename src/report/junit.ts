// JUnit XML: one suite per model, one case per property, as CI servers read it.
// A refutation is a failure; an unknown is an error, because it must never pass silently; broken input is an error of its own.
// There is no standard: written is what the schemas of Ant's reports and of Jenkins both allow, with all that either demands.

import { renderPlaced } from '../source/diagnostic.ts';
import { commandOf, isPass, type ModelReport, type PropertyResult } from '../verdict/verdict.ts';
import { runLines } from './run-lines.ts';

export interface JunitOptions {
  /** When the check was started. */
  readonly started?: Date | undefined;
}

export function reportJunit(reports: readonly ModelReport[], options: JunitOptions = {}): string {
  // Ant's schema wants no time zone: the time is UTC.
  const timestamp = (options.started ?? new Date(0)).toISOString().slice(0, 19);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    ...reports.map((report, id) => suite(report, id, timestamp)),
    '</testsuites>',
    '',
  ].join('\n');
}

function suite(report: ModelReport, id: number, timestamp: string): string {
  const name = report.files.join(' ');
  const cases = report.properties.map((property) => propertyCase(name, property));
  const problems = report.diagnostics.filter((diagnostic) => diagnostic.severity === 'error');
  if (problems.length > 0) {
    const text = problems.map(renderPlaced).join('\n\n');
    const body = element('error', problems[0]!.message, 'input', text);
    cases.push({ kind: 'error', xml: testCase(name, 'input', 0, body) });
  }
  const others = report.diagnostics.filter((diagnostic) => diagnostic.severity !== 'error');
  const count = (kind: 'failure' | 'error') => cases.filter((one) => one.kind === kind).length;
  const time = report.properties.reduce((total, property) => total + seconds(property), 0);
  return [
    `  <testsuite id="${id}" name="${xml(name)}" package="${xml(report.language)}" timestamp="${timestamp}" hostname="localhost" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" time="${time.toFixed(3)}">`,
    '    <properties/>',
    ...cases.map((one) => one.xml),
    '    <system-out/>',
    `    <system-err>${content(others.map(renderPlaced).join('\n\n'))}</system-err>`,
    '  </testsuite>',
  ].join('\n');
}

function propertyCase(
  model: string,
  property: PropertyResult,
): { kind: 'pass' | 'failure' | 'error'; xml: string } {
  const time = seconds(property);
  if (isPass(property)) return { kind: 'pass', xml: testCase(model, property.id, time, null) };
  const title = property.evidence?.kind === 'run' ? property.evidence.run.title : (property.reason ?? '');
  const { atWorst } = property;
  const before = atWorst === undefined ? '' : ` (last time: ${atWorst})`;
  const expected = property.expected === undefined ? before : ` (expected: ${property.expected})`;
  const kind = property.verdict === 'unknown' ? 'error' : 'failure';
  const message = `${property.verdict}${expected}${title === '' ? '' : `: ${title}`}`;
  return {
    kind,
    xml: testCase(
      model,
      property.id,
      time,
      element(kind, message, property.reasonCode ?? property.verdict, explanation(property)),
    ),
  };
}

/** What a reader of the build's report sees: the run itself, and how to get it again. */
function explanation({ evidence, reproduce }: PropertyResult): string {
  const run = evidence?.kind === 'run' ? `${runLines(evidence.run).join('\n')}\n\n` : '';
  return `${run}${commandOf(reproduce)}`;
}

const seconds = (property: PropertyResult): number =>
  Object.values(property.stats.milliseconds ?? {}).reduce((total, time) => total + time, 0) / 1000;

function testCase(model: string, name: string, time: number, body: string | null): string {
  const open = `    <testcase classname="${xml(model)}" name="${xml(name)}" time="${time.toFixed(3)}"`;
  return body === null ? `${open}/>` : `${open}>\n${body}\n    </testcase>`;
}

const element = (tag: string, message: string, type: string, text: string): string =>
  `      <${tag} message="${xml(message)}" type="${xml(type)}">${content(text)}</${tag}>`;

/** In an attribute, where a parser would make a space of a line's end. */
const xml = (text: string): string => content(text).replaceAll('\n', '&#10;');

function content(text: string): string {
  return (
    text
      .replace(/\p{Surrogate}/gu, '\ufffd')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 forbids them even when escaped
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
