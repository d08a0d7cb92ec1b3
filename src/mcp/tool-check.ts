// check and bounds: the verdicts first, what is wrong in a few lines, everything else behind a link.

import { check as checkModel } from '../api/api.ts';
import type { CheckOptions } from '../engine/options.ts';
import { propertyBlock } from '../report/text.ts';
import { hasErrors, type PlacedDiagnostic, renderPlaced } from '../source/diagnostic.ts';
import { type ModelReport, type PropertyResult, type Verdict, worst } from '../verdict/verdict.ts';
import type { Call } from './schema.ts';
import {
  jsonLink,
  type ResourceLink,
  shortened,
  type Tool,
  type ToolAnswer,
  type ToolContext,
} from './tool.ts';
import { type Kept, MODEL_ARGUMENTS, type Workspace } from './workspace.ts';

const MOST_DIAGNOSTICS = 8;
const COLUMNS = 100;

export const check: Tool = {
  name: 'check',
  title: 'Check a model',
  description:
    'Proves or refutes properties of a model: bounded queues, deadlock-free, livelock-free, assertions, temporal formulas. Each verdict is proved (a certificate that was checked), refuted (a real run that was replayed) or unknown (with the reason). Errors in the model come with place and help. The answer is short; show_run steps through a counterexample, the linked report has everything.',
  schema: {
    type: 'object',
    properties: {
      ...MODEL_ARGUMENTS,
      properties: {
        type: 'array',
        items: { type: 'string' },
        description:
          'only these: bounded, deadlock-free, livelock-free, assertions, ltl:NAME, … Default: all that the model can have',
      },
      formulas: {
        type: 'array',
        items: { type: 'string' },
        description: 'further temporal formulas, "F" or "NAME=F": "G (busy -> F idle)"',
      },
      invariants: {
        type: 'array',
        items: { type: 'string' },
        description: 'expressions that must hold in every state (Promela): "len(q) <= 2"',
      },
      exact: { type: 'boolean', description: 'also find the true maximum of every queue' },
      detail: {
        type: 'string',
        enum: ['short', 'full'],
        description: 'full: queues, statistics and notes of every property',
      },
    },
    required: ['model'],
    additionalProperties: false,
  },
  run: async (call, workspace, context) => {
    const kept = await checked(call, workspace, context, {
      formulas: call.texts('formulas'),
      invariants: call.texts('invariants'),
      exact: call.flag('exact'),
    });
    return checkAnswer(kept, call.text('detail') === 'full');
  },
};

export const bounds: Tool = {
  name: 'bounds',
  title: 'Bounds of queues',
  description:
    'How long each queue of a model can get: the proven bound, the exact maximum where it is known, the declared capacity.',
  schema: {
    type: 'object',
    properties: { ...MODEL_ARGUMENTS, exact: { type: 'boolean', description: 'also find the true maximum' } },
    required: ['model'],
    additionalProperties: false,
  },
  run: async (call, workspace, context) => {
    const kept = await checked(call, workspace, context, { exact: call.flag('exact'), allQueues: true }, [
      'bounded',
    ]);
    const { report } = kept;
    if (hasErrors(report.diagnostics)) return checkAnswer(kept, false);
    const queues = report.properties[0]?.queues ?? [];
    const lines = queues.map(({ name, verdict, bound, exact, declared }) => {
      const known =
        verdict === 'refuted'
          ? 'grows without limit'
          : bound === null
            ? 'no bound is known'
            : `at most ${bound}`;
      return `${name}: ${known}${exact === null ? '' : `, exactly ${exact}`}${declared < 0 ? '' : ` (declared ${declared})`}`;
    });
    const text = lines.length === 0 ? 'no buffered queue' : lines.join('\n');
    return {
      text: shortened(text, `the report has all of them: ${uriOf(kept)}`),
      data: { report: kept.number, queues },
      links: [reportLink(kept)],
    };
  },
};

async function checked(
  call: Call,
  workspace: Workspace,
  { signal, progress }: ToolContext,
  options: CheckOptions,
  properties: readonly string[] = call.texts('properties'),
): Promise<Kept> {
  const { host } = workspace;
  const input = workspace.input(call, options);
  let total = 0;
  let done = 0;
  return workspace.inTurn(async () => {
    const report = await checkModel({
      ...input,
      // The time begins when the turn has come.
      properties,
      signal,
      ...(host.threads === undefined ? {} : { threads: host.threads }),
      onEvent: (event) => {
        if (event.kind === 'questions') total = event.properties.length;
        if (event.kind === 'verdict') progress(++done, total, `${event.result.id} ${event.result.verdict}`);
      },
    });
    return workspace.keep(report);
  });
}

const uriOf = ({ number }: Kept): string => `spillway://report/${number}`;
const reportLink = (kept: Kept): ResourceLink => jsonLink(uriOf(kept), `report ${kept.number}`);

function runLinks({ id, evidence }: PropertyResult, kept: Kept): ResourceLink[] {
  return evidence?.kind === 'run'
    ? [jsonLink(`${uriOf(kept)}/run/${encodeURIComponent(id)}`, `run of ${id}`)]
    : [];
}

function checkAnswer(kept: Kept, full: boolean): ToolAnswer {
  const { report, number } = kept;
  const { properties, diagnostics } = report;
  const failed = hasErrors(diagnostics);
  const verdict: Verdict | 'errors' | 'nothing' = failed
    ? 'errors'
    : properties.length === 0
      ? 'nothing'
      : worst(properties.map((one) => one.verdict));
  const text = [
    headline(report, verdict, number),
    ...diagnosticTexts(diagnostics, full),
    ...properties.flatMap((property) => propertyLines(property, report, full)),
    ...nextSteps(properties, number),
  ].join('\n');
  return {
    text: shortened(text, `the whole report is ${uriOf(kept)}`),
    data: {
      report: number,
      verdict,
      properties: properties.map(shortProperty),
      diagnostics: diagnostics.map(shortDiagnostic),
    },
    links: [reportLink(kept), ...properties.flatMap((property) => runLinks(property, kept))],
    failed,
  };
}

function headline({ files, properties }: ModelReport, verdict: string, number: number): string {
  const name = files.join(' ');
  if (verdict === 'errors') return `${name}: the model has errors; nothing was checked`;
  if (verdict === 'nothing') return `${name}: there is nothing to check`;
  const count = (wanted: Verdict): number => properties.filter((one) => one.verdict === wanted).length;
  return `${name}: ${count('proved')} proved, ${count('refuted')} refuted, ${count('unknown')} unknown (report ${number})`;
}

/** Errors first, then, where there is room, warnings. */
function diagnosticTexts(diagnostics: readonly PlacedDiagnostic[], full: boolean): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const shown = errors.length > 0 && !full ? errors : diagnostics;
  const left = shown.length - MOST_DIAGNOSTICS;
  return [
    ...shown.slice(0, MOST_DIAGNOSTICS).map(renderPlaced),
    ...(left > 0 ? [`… and ${left} more; the first ones often cause the others`] : []),
  ];
}

/** Of what is proved, only that; of what is not, why. */
function propertyLines(
  property: PropertyResult,
  { files, properties }: ModelReport,
  full: boolean,
): string[] {
  const width = Math.max(...properties.map(({ id }) => id.length));
  const quiet = property.verdict === 'proved' && !full;
  return propertyBlock(property, files, width, { columns: COLUMNS, quiet, verbose: full })
    .filter((line) => !/^ +see it: /.test(line))
    .map((line) => line.slice(2));
}

function nextSteps(properties: readonly PropertyResult[], number: number): string[] {
  const refuted = properties.find(({ verdict }) => verdict === 'refuted');
  const unknown = properties.find(({ verdict }) => verdict === 'unknown');
  return [
    ...(refuted === undefined
      ? []
      : [
          `next: show_run {"report": ${number}, "property": "${refuted.id}"} shows the run with its states; replay takes it on a changed model`,
        ]),
    ...(unknown?.reasonCode === undefined
      ? []
      : [`next: explain {"code": "${unknown.reasonCode}"} says what can be done about ${unknown.id}`]),
  ];
}

function shortProperty({
  id,
  verdict,
  method,
  reason,
  reasonCode,
  queues,
}: PropertyResult): Record<string, unknown> {
  const bounded = queues?.map(({ name, bound, exact, declared, verdict: one }) => ({
    name,
    verdict: one,
    bound,
    exact,
    declared,
  }));
  return {
    id,
    verdict,
    ...(method === undefined ? {} : { method }),
    ...(reason === undefined ? {} : { reason, reasonCode }),
    ...(bounded === undefined ? {} : { queues: bounded.slice(0, 40) }),
  };
}

const shortDiagnostic = ({
  code,
  severity,
  message,
  at,
  help,
}: PlacedDiagnostic): Record<string, unknown> => ({
  code,
  severity,
  message,
  ...(at === null ? {} : { file: at.file, line: at.line, column: at.column }),
  ...(help === undefined ? {} : { help }),
});
