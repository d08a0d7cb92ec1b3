// SARIF 2.1.0, for code hosts and editors: a refutation is an error with a code flow per process, an unknown is open.
// Proofs and expected verdicts are no results: GitHub shows every result as an alert, whatever its kind says. They are listed in
// the run's properties. An input error is a notification of the tool's own. Fingerprints do not depend on line numbers.

import { sha256Hex } from '../base/sha256.ts';
import { VERSION } from '../base/version.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { Position } from '../source/source.ts';
import type { Run, Step } from '../verdict/run.ts';
import {
  commandOf,
  type Evidence,
  isPass,
  type ModelReport,
  type PropertyResult,
} from '../verdict/verdict.ts';
import { waitText } from './blocked-text.ts';
import { RULES, ruleOf } from './rules.ts';
import { extentLocation, location, type Places } from './sarif-location.ts';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** GitHub shows at most this many places of a code flow, and rejects files with many more. */
const MOST_STEPS = 1000;
const MOST_RELATED = 40;

export interface SarifOptions {
  /** The folder that addresses are relative to. */
  readonly folder?: string | undefined;
}

export function reportSarif(reports: readonly ModelReport[], { folder }: SarifOptions = {}): string {
  const sarif = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'spillway', version: VERSION, semanticVersion: VERSION, rules: rules() } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: reports.every((report) =>
              report.diagnostics.every((one) => one.severity !== 'error'),
            ),
            toolExecutionNotifications: reports.flatMap((report) =>
              report.diagnostics.map((one) => notification(one, { sources: report.sources, folder })),
            ),
          },
        ],
        results: reports.flatMap((report) =>
          report.properties
            .filter((property) => !isPass(property))
            .map((property) => result(report, property, { sources: report.sources, folder })),
        ),
        properties: { verdicts: reports.flatMap(verdicts) },
      },
    ],
  };
  return `${JSON.stringify(sarif, null, 2)}\n`;
}

const rules = () =>
  RULES.map((rule) => ({
    id: rule.id,
    name: rule.name,
    shortDescription: { text: rule.short },
    fullDescription: { text: rule.full },
    help: { text: rule.help },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['correctness'], precision: 'very-high', 'problem.severity': 'error' },
  }));

const verdicts = (report: ModelReport) =>
  report.properties.map(({ id, verdict, expected }) => ({
    files: report.files,
    property: id,
    verdict,
    ...(expected === undefined ? {} : { expected }),
  }));

function result(report: ModelReport, property: PropertyResult, places: Places) {
  const rule = ruleOf(property.id);
  const run = runOrPath(property.evidence);
  const place = placeOf(report, property);
  const identity = fingerprint(report, property);
  return {
    ruleId: rule.id,
    ruleIndex: RULES.indexOf(rule),
    ...(property.verdict === 'unknown' ? { kind: 'open', level: 'none' } : { kind: 'fail', level: 'error' }),
    message: { text: messageOf(report, property) },
    locations: [location(place, places)],
    ...relatedTo(run, places),
    ...(run === null ? {} : { codeFlows: [codeFlow(run, place, places)] }),
    // The second name is the only one GitHub reads. Without it, two formulas refuted at one line would be one alert there.
    partialFingerprints: { 'spillway/v1': identity, primaryLocationLineHash: identity },
    properties: {
      verdict: property.verdict,
      property: property.id,
      reproduce: commandOf(property.reproduce),
    },
  };
}

/** Where each blocked process stands, with what it waits for. */
function relatedTo(run: Run | null, places: Places) {
  const waiting = (run?.blocked?.processes ?? []).flatMap(({ process, at, statement, waitsFor }) =>
    waitsFor.length === 0
      ? [{ at, text: `${process} at ${statement} has no way on` }]
      : waitsFor.map((wait) => ({ at: wait.at ?? at, text: `${process} waits for ${waitText(wait)}` })),
  );
  const placed = waiting.filter((one): one is { at: Position; text: string } => one.at !== null);
  if (placed.length === 0) return {};
  return {
    relatedLocations: placed
      .slice(0, MOST_RELATED)
      .map(({ at, text }, id) => ({ id, ...location(at, places), message: { text } })),
  };
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
  const circle = runOrPath(property.evidence)?.blocked?.circularWait ?? null;
  const round = circle === null ? '' : `; circular wait: ${[...circle, circle[0]].join(' → ')}`;
  return `${subject} is refuted: ${title}${queues.length > 0 ? ` (${queues.join(', ')})` : ''}${round}`;
}

/** Where the finding is shown: the first blocked statement, the loop's first step, the last step, the first suspicious loop, else the model's first line. */
function placeOf(report: ModelReport, property: PropertyResult): Position {
  const first = { file: report.files[0] ?? '', line: 1, column: 1 };
  const queue = property.queues?.find(
    (candidate) => candidate.verdict === property.verdict && candidate.at,
  )?.at;
  switch (property.evidence?.kind) {
    case 'run':
    case 'path': {
      const { steps, loopStart, blocked } = runOrPath(property.evidence)!;
      const step = loopStart === null ? steps.at(-1) : steps[loopStart];
      return blocked?.processes[0]?.at ?? step?.at ?? queue ?? first;
    }
    case 'suspicious-cycles':
      return property.evidence.cycles[0]?.steps[0]?.at ?? queue ?? first;
    default:
      return queue ?? first;
  }
}

const runOrPath = (evidence: Evidence | undefined): Run | null =>
  evidence?.kind === 'run' ? evidence.run : evidence?.kind === 'path' ? evidence.path : null;

/** One thread flow per process, its steps numbered in the order of the whole run; of a very long run its end. */
function codeFlow(run: Run, fallback: Position, places: Places) {
  const from = Math.max(0, run.steps.length - MOST_STEPS);
  const threads = run.actors.flatMap((name, actor) => {
    // Every place of a flow must lie in a file: a step that has none of its own is shown where the process was.
    let at = fallback;
    const steps = run.steps.flatMap((step, index) => {
      if (!step.actors.includes(actor)) return [];
      at = step.at ?? at;
      return index < from ? [] : [flowStep(run, step, index, at, places)];
    });
    return steps.length === 0 ? [] : [{ id: `${name}#${actor}`, locations: steps }];
  });
  // A flow has at least one thread; a run without a step happens where the finding is.
  const still = { location: { ...location(fallback, places), message: { text: run.title } } };
  const threadFlows = threads.length > 0 ? threads : [{ id: 'start', locations: [still] }];
  return { message: { text: run.title }, threadFlows };
}

function flowStep(run: Run, step: Step, index: number, at: Position, places: Places) {
  const repeated = run.loopStart !== null && index >= run.loopStart ? ' (repeats for ever)' : '';
  return {
    executionOrder: index + 1,
    location: { ...location(at, places), message: { text: `${step.text}${repeated}` } },
  };
}

/** The property, the statements involved and their neighbours' texts: stable when unrelated lines move. */
function fingerprint(report: ModelReport, property: PropertyResult): string {
  let text = `${report.files.join('\0')}\0${property.id}\0${property.verdict}`;
  if (property.evidence?.kind === 'run') {
    const { run } = property.evidence;
    for (const step of run.steps.slice(run.loopStart ?? Math.max(0, run.steps.length - 1))) {
      text += `\0${step.actors.map((actor) => run.actors[actor]).join('+')}:${step.text}`;
    }
  }
  return sha256Hex(text).slice(0, 32);
}

function notification(diagnostic: PlacedDiagnostic, places: Places) {
  const level = diagnostic.severity === 'hint' ? 'note' : diagnostic.severity;
  return {
    descriptor: { id: diagnostic.code },
    level,
    message: { text: diagnostic.message },
    ...(diagnostic.at === null ? {} : { locations: [extentLocation(diagnostic.at, places)] }),
  };
}
