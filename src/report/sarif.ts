// SARIF 2.1.0, for code hosts and editors: a refutation is an error with a code flow per process, an unknown is open,
// a proof is a pass, an input error a notification of the tool's own. Fingerprints do not depend on line numbers.

import { createHash } from 'node:crypto';
import { VERSION } from '../base/version.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { type Position, startOf } from '../source/source.ts';
import type { Run, Step } from '../verdict/run.ts';
import { isPass, type ModelReport, type PropertyResult } from '../verdict/verdict.ts';
import { RULES, ruleOf } from './rules.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

export function reportSarif(reports: readonly ModelReport[]): string {
  const sarif = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'spillway',
            version: VERSION,
            rules: RULES.map((rule) => ({
              id: rule.id,
              name: rule.name,
              shortDescription: { text: rule.short },
              fullDescription: { text: rule.full },
              help: { text: rule.help },
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: reports.every((report) =>
              report.diagnostics.every((one) => one.severity !== 'error'),
            ),
            toolExecutionNotifications: reports.flatMap((report) => report.diagnostics.map(notification)),
          },
        ],
        results: reports.flatMap((report) => report.properties.map((property) => result(report, property))),
      },
    ],
  };
  return `${JSON.stringify(sarif, null, 2)}\n`;
}

function result(report: ModelReport, property: PropertyResult) {
  const rule = ruleOf(property.id);
  const run = property.evidence?.kind === 'run' ? property.evidence.run : null;
  const place = placeOf(report, property);
  return {
    ruleId: rule.id,
    ruleIndex: RULES.indexOf(rule),
    ...level(property),
    message: { text: messageOf(report, property) },
    locations: [location(place)],
    ...(run === null ? {} : { codeFlows: [codeFlow(run)] }),
    partialFingerprints: { 'spillway/v1': fingerprint(report, property) },
    properties: { verdict: property.verdict, property: property.id, reproduce: property.reproduce },
  };
}

function level(property: PropertyResult) {
  if (isPass(property)) return { kind: 'pass', level: 'none' };
  return property.verdict === 'unknown' ? { kind: 'open', level: 'none' } : { kind: 'fail', level: 'error' };
}

function messageOf(report: ModelReport, property: PropertyResult): string {
  const subject = `${report.files.join(' ')}: ${property.id}`;
  if (property.verdict === 'proved')
    return `${subject} is proved${isPass(property) ? '' : ', which was not expected'}.`;
  if (property.verdict === 'unknown')
    return `${subject} is not decided: ${property.reason ?? 'no reason was given'}`;
  const queues =
    property.queues?.filter((queue) => queue.verdict === 'refuted').map((queue) => queue.name) ?? [];
  const title = property.evidence?.kind === 'run' ? property.evidence.run.title : (property.reason ?? '');
  return `${subject} is refuted: ${title}${queues.length > 0 ? ` (${queues.join(', ')})` : ''}`;
}

/** Where the finding is shown: the loop's first step, the last step, the first suspicious loop, else the model's first line. */
function placeOf(report: ModelReport, property: PropertyResult): Position {
  const first = { file: report.files[0] ?? '', line: 1, column: 1 };
  const queue = property.queues?.find(
    (candidate) => candidate.verdict === property.verdict && candidate.at,
  )?.at;
  switch (property.evidence?.kind) {
    case 'run': {
      const { steps, loopStart } = property.evidence.run;
      const step = loopStart === null ? steps.at(-1) : steps[loopStart];
      return step?.at ?? queue ?? first;
    }
    case 'suspicious-cycles':
      return property.evidence.cycles[0]?.steps[0]?.at ?? queue ?? first;
    default:
      return queue ?? first;
  }
}

function location(at: Position) {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(at.file.replaceAll('\\', '/')) },
      region: { startLine: Math.max(1, at.line), startColumn: Math.max(1, at.column) },
    },
  };
}

/** One thread flow per process, its steps numbered in the order of the whole run. */
function codeFlow(run: Run) {
  const threads = run.actors.flatMap((name, actor) => {
    const steps = run.steps.flatMap((step, index) =>
      step.actors.includes(actor) ? [flowStep(run, step, index)] : [],
    );
    return steps.length === 0 ? [] : [{ id: `${name}#${actor}`, locations: steps }];
  });
  return { message: { text: run.title }, threadFlows: threads };
}

function flowStep(run: Run, step: Step, index: number) {
  const repeated = run.loopStart !== null && index >= run.loopStart ? ' (repeats for ever)' : '';
  const place = step.at === null ? {} : location(step.at);
  return {
    executionOrder: index + 1,
    location: { ...place, message: { text: `${step.text}${repeated}` } },
  };
}

/** The property, the statements involved and their neighbours' texts: stable when unrelated lines move. */
function fingerprint(report: ModelReport, property: PropertyResult): string {
  const hash = createHash('sha256');
  hash.update(`${report.files.join('\0')}\0${property.id}\0${property.verdict}`);
  if (property.evidence?.kind === 'run') {
    const { run } = property.evidence;
    for (const step of run.steps.slice(run.loopStart ?? Math.max(0, run.steps.length - 1))) {
      hash.update(`\0${step.actors.map((actor) => run.actors[actor]).join('+')}:${step.text}`);
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function notification(diagnostic: Diagnostic) {
  const level = diagnostic.severity === 'hint' ? 'note' : diagnostic.severity;
  return {
    descriptor: { id: diagnostic.code },
    level,
    message: { text: diagnostic.message },
    ...(diagnostic.span === null ? {} : { locations: [location(startOf(diagnostic.span))] }),
  };
}
