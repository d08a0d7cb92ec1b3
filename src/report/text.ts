// The report a person reads in a terminal: verdicts at a glance, then for each problem what happens and what to do next.

import { type PlacedDiagnostic, renderPlaced } from '../source/diagnostic.ts';
import { REASONS } from '../verdict/reasons.ts';
import type { Run } from '../verdict/run.ts';
import {
  type CycleDescription,
  type Evidence,
  isPass,
  type ModelReport,
  type PropertyResult,
  type QueueResult,
  type Verdict,
} from '../verdict/verdict.ts';
import { blockageLines } from './blocked-text.ts';
import { whyEnough } from './enough.ts';
import { placeOf } from './place.ts';
import { seeIt } from './see-it.ts';
import { PLAIN, type Style } from './style.ts';
import { foldedTable, plural, stepTable, table, wrapText } from './table.ts';

export interface TextOptions {
  readonly style?: Style;
  /** Time per stage and all statistics. */
  readonly verbose?: boolean;
  /** Only the verdict lines. */
  readonly quiet?: boolean;
  /** Of the terminal. */
  readonly columns?: number | undefined;
}

const WIDEST = 96;
const NARROWEST = 40;

const widthOf = ({ columns }: TextOptions): number =>
  Math.max(NARROWEST, Math.min(WIDEST, columns ?? WIDEST));

const MANY_QUEUES = 40;
/** Of a long way to what repeats. */
const FIRST_STEPS = 4;
const MANY_STEPS = 14;

export function reportText(reports: readonly ModelReport[], options: TextOptions = {}): string {
  const blocks = reports.map((report) => modelBlock(report, options));
  const summary = reports.length > 1 ? [summaryLine(reports)] : [];
  return `${[...blocks.map((block) => block.join('\n')), ...summary].join('\n\n')}\n`;
}

function modelBlock(report: ModelReport, options: TextOptions): string[] {
  const { files, diagnostics, properties } = report;
  if (properties.length === 0) return emptyBlock(report, options);
  const width = widthOfIds(properties.map((property) => property.id));
  return [
    ...diagnosticLines(diagnostics, options),
    headingOf(files, options),
    ...properties.flatMap((property) => propertyBlock(property, files, width, options)),
  ];
}

/** A model without verdicts: what is wrong, or that there was nothing to ask. */
export function emptyBlock(report: ModelReport, options: TextOptions): string[] {
  const lines = isNameless(report) ? [headingOf(report.files, options)] : [];
  lines.push(...diagnosticLines(report.diagnostics, options));
  if (report.diagnostics.every((diagnostic) => diagnostic.severity !== 'error'))
    lines.push(`${headingOf(report.files, options)}: nothing to check`);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

export const headingOf = (files: readonly string[], { style = PLAIN }: TextOptions): string =>
  style.strong(files.join(' '));

export const diagnosticLines = (diagnostics: readonly PlacedDiagnostic[], { quiet }: TextOptions): string[] =>
  diagnostics
    .filter(({ severity }) => !quiet || severity === 'error')
    .flatMap((diagnostic) => [renderPlaced(diagnostic), '']);

export const widthOfIds = (ids: readonly string[]): number => Math.max(0, ...ids.map((id) => id.length));

/** An error that mentions neither a place nor a file, with nothing to follow that names the model. */
const isNameless = ({ diagnostics, properties, files }: ModelReport): boolean =>
  properties.length === 0 &&
  diagnostics.some(
    ({ severity, at, message }) =>
      severity === 'error' && at === null && !files.some((file) => message.includes(file)),
  );

export function propertyBlock(
  property: PropertyResult,
  files: readonly string[],
  width: number,
  options: TextOptions,
): string[] {
  const style = options.style ?? PLAIN;
  const columns = widthOf(options);
  const lines = [
    `  ${property.id.padEnd(width)}  ${paint(property, style)}  ${howWeKnow(property)}${expectation(property)}`,
  ];
  if (options.quiet) return lines;
  if (property.queues !== undefined) lines.push(...queueTable(property.queues, style, columns));
  if (property.reason !== undefined) lines.push(...wrapText(`why: ${property.reason}`, columns, '    '));
  if (property.evidence?.kind === 'run')
    lines.push(...runBlock(property.evidence, property, files, style, columns));
  if (property.evidence?.kind === 'path') lines.push(...pathBlock(property.evidence.path, style));
  if (property.evidence?.kind === 'suspicious-cycles')
    lines.push(...cyclesBlock(property.evidence.cycles, style));
  for (const note of property.notes ?? []) {
    const place = note.at === undefined ? '' : ` (${placeOf(note.at)})`;
    const [first, ...more] = note.message.split('\n');
    lines.push(...wrapText(`${note.severity}: ${first}${place}`, columns, '    '));
    for (const line of more) lines.push(...wrapText(line, columns, '      '));
  }
  if (property.verdict === 'unknown' && property.reasonCode !== undefined) {
    lines.push(style.faint(`    spillway explain ${property.reasonCode} says what can be done about it`));
  }
  if (options.verbose) lines.push(...statistics(property, columns));
  return lines;
}

const WORD: Record<Verdict, string> = { proved: 'PROVED ', refuted: 'REFUTED', unknown: 'UNKNOWN' };

function paint(property: PropertyResult, style: Style): string {
  const { verdict } = property;
  const colour = isPass(property) ? style.good : verdict === 'unknown' ? style.open : style.bad;
  return colour(WORD[verdict]);
}

export function expectation(property: PropertyResult): string {
  const { atWorst, verdict } = property;
  if (atWorst !== undefined && atWorst !== 'proved' && verdict === atWorst) return ', as last time';
  if (atWorst !== undefined && atWorst !== verdict) return `; last time: ${atWorst}`;
  if (property.expected === undefined) return '';
  return isPass(property) ? ', as expected' : `; expected was ${property.expected}`;
}

/** A proof of liveness has a way to the goal from each disjunct of the formula, divided as far as it was needed. */
function waysFrom({ ways, disjuncts }: Readonly<Record<string, unknown>>): string {
  return ways === undefined || typeof disjuncts !== 'number'
    ? ''
    : `, a way from each of ${plural(disjuncts, 'disjunct')}`;
}

/** One line on what the verdict rests on. */
export function howWeKnow(property: PropertyResult): string {
  const { evidence } = property;
  if (property.verdict === 'unknown' && property.reasonCode !== undefined)
    return REASONS[property.reasonCode].title;
  switch (evidence?.kind) {
    case 'certificate':
      // Some are checked by going through states (for C with a solver, on single formulas), not by adding up integers.
      if (property.verdict === 'proved' && !property.checkedBy.startsWith('integers'))
        return `${property.method ?? 'proof'}, certificate checked`;
      return `certificate checked in exact integers${property.method ? ` (${property.method})` : ''}`;
    case 'exhaustion':
      return statesText(evidence);
    case 'run':
      return evidence.run.title;
    case 'induction':
      return `by induction, ${plural(evidence.steps, 'step')} proved${waysFrom(evidence.details)}`;
    case 'parts':
      return evidence.parts.map(({ queues, evidence: one }) => partText(one, queues.length)).join('; ');
    case 'suspicious-cycles':
      return 'not settled';
    default:
      return property.method ?? '';
  }
}

const statesText = (evidence: Extract<Evidence, { kind: 'exhaustion' }>): string => {
  const why = whyEnough(evidence);
  const states = plural(evidence.states, 'state');
  return why === null ? `all ${states} explored` : `${states} explored, ${why}`;
};

/** One of several proofs, each for some of the queues. */
function partText(evidence: Evidence, queues: number): string {
  const how = evidence.kind === 'exhaustion' ? statesText(evidence) : 'certificate checked in exact integers';
  return `${how} for ${plural(queues, 'queue')}`;
}

function queueTable(queues: readonly QueueResult[], style: Style, columns: number): string[] {
  if (queues.length === 0) return ['    no buffered queue'];
  // The open ones first: in a long table they must not be cut off.
  const rank: Record<Verdict, number> = { refuted: 0, unknown: 1, proved: 2 };
  const ordered =
    queues.length > MANY_QUEUES ? [...queues].sort((a, b) => rank[a.verdict] - rank[b.verdict]) : queues;
  const shown = ordered.slice(0, MANY_QUEUES);
  const number = (value: number | null): string => (value === null ? '-' : String(value));
  // Places of nets and channels of machines declare nothing.
  const width = queues.some(({ declared }) => declared > 0) ? 5 : 3;
  const rows = [
    [width === 3 ? 'where' : 'queue', 'bound', 'exact', 'declared', 'at that capacity'],
    ...shown.map((queue) => [
      queue.name,
      queue.verdict === 'refuted' ? 'none' : number(queue.bound),
      number(queue.exact),
      queue.declared < 0 ? 'no limit' : String(queue.declared),
      fitsText(queue),
    ]),
  ];
  const align = (['left', 'right', 'right', 'right', 'left'] as const).slice(0, width);
  const cut = rows.map((row) => row.slice(0, width));
  const lines = foldedTable(cut, align, columns - 4).map((line) => `    ${line}`);
  const isFolded = lines.length !== rows.length;
  const left = queues.length - shown.length;
  return [
    ...(isFolded ? lines : [style.faint(lines[0]!), ...lines.slice(1)]),
    ...(left > 0
      ? [
          style.faint(
            `    … and ${left} more queues, all ${ordered.at(-1)!.verdict}; spillway bounds lists them`,
          ),
        ]
      : []),
  ];
}

function fitsText(queue: QueueResult): string {
  if (queue.declared < 0)
    return queue.verdict === 'refuted' ? 'grows without limit' : queue.bound === null ? 'not known' : '';
  if (queue.verdict === 'refuted') return 'fills up, whatever the capacity';
  if (queue.fits === null) return 'not known';
  if (queue.fits) return 'a send never blocks';
  if (queue.exact !== null && queue.exact > queue.declared)
    return `a send can block: ${queue.exact} are needed`;
  return 'a send may block';
}

function runBlock(
  evidence: Extract<Evidence, { kind: 'run' }>,
  property: PropertyResult,
  files: readonly string[],
  style: Style,
  columns: number,
): string[] {
  const { run } = evidence;
  const lines: string[] = [];
  const prefix = run.loopStart ?? run.steps.length;
  const loop = run.steps.length - prefix;
  lines.push(`    after ${plural(prefix, 'step')}${loop > 0 ? `, ${plural(loop, 'step')} for ever:` : ':'}`);
  // What repeats for ever may be harmless: the step that matters may be one of the first.
  const head = loop > 0 && prefix > MANY_STEPS ? FIRST_STEPS : 0;
  const from = Math.max(0, prefix - MANY_STEPS + head);
  const left = from - head;
  const shown = run.steps.slice(from, prefix + MANY_STEPS);
  const rows = [...run.steps.slice(0, head), ...shown].map((step) => [
    step.at === null ? '' : placeOf(step.at),
    step.actors.map((actor) => run.actors[actor] ?? '?').join(' + '),
    step.text,
  ]);
  const printed = stepTable(rows, columns - 6).map((step) => step.map((line) => `      ${line}`));
  const loopAt = head + prefix - from;
  lines.push(...printed.slice(0, head).flat());
  if (left > 0)
    lines.push(
      style.faint(`      … ${plural(left, head > 0 ? 'step' : 'earlier step')}${head > 0 ? ' between' : ''}`),
    );
  lines.push(...printed.slice(head, loopAt).flat());
  if (loop > 0 && prefix > 0) lines.push('      for ever:');
  lines.push(...printed.slice(loopAt).flat());
  if (from + shown.length < run.steps.length) {
    lines.push(style.faint(`      … ${plural(run.steps.length - from - shown.length, 'more step')}`));
  }
  for (const growth of run.growth ?? []) {
    lines.push(
      `    each round leaves ${plural(growth.perRound, 'more message')} in ${style.strong(growth.queue)}`,
    );
  }
  if (run.blocked !== undefined) lines.push(...blockageLines(run.blocked, columns));
  lines.push(style.faint(`    see it: ${seeIt(property, evidence, files)}`));
  return lines;
}

/** The end of the path on which an analysis gave up. */
function pathBlock({ steps }: Run, style: Style): string[] {
  const shown = steps.slice(-MANY_STEPS);
  const left = steps.length - shown.length;
  const rows = shown.map((step) => [step.at === null ? '' : placeOf(step.at), step.text]);
  return [
    `    the path, ${plural(steps.length, 'step')}:`,
    ...(left > 0 ? [style.faint(`      … ${plural(left, 'earlier step')}`)] : []),
    ...table(rows, ['left', 'left']).map((line) => `      ${line}`),
  ];
}

function cyclesBlock(cycles: readonly CycleDescription[], style: Style): string[] {
  const lines = ['    loops that together could do it, as far as the analysis sees:'];
  for (const cycle of cycles.slice(0, 8)) {
    const effect = cycle.effect
      .map(({ queue, change }) => `${change > 0 ? '+' : ''}${change} ${queue}`)
      .join(', ');
    lines.push(
      `      ${style.strong(cycle.process)}${effect === '' ? '' : `: ${effect} each round`}${cycle.why ? `; ${cycle.why}` : ''}`,
    );
    const rows = cycle.steps.slice(0, MANY_STEPS).map((step) => [placeOf(step.at), step.text]);
    lines.push(...table(rows, ['left', 'left']).map((line) => `        ${line}`));
    if (cycle.steps.length > MANY_STEPS)
      lines.push(style.faint(`        … ${plural(cycle.steps.length - MANY_STEPS, 'more step')}`));
  }
  if (cycles.length > 8) lines.push(style.faint(`      … and ${cycles.length - 8} more`));
  return lines;
}

function statistics(property: PropertyResult, columns: number): string[] {
  const { milliseconds, ...rest } = property.stats;
  const lines: string[] = [];
  const times = Object.entries(milliseconds ?? {}).map(([stage, time]) => `${stage} ${Math.round(time)} ms`);
  if (times.length > 0) lines.push(`    time: ${times.join(', ')}`);
  const counts = Object.entries(rest).flatMap(([name, value]) =>
    value === undefined || value === null || typeof value === 'object' ? [] : [`${name} ${value}`],
  );
  if (counts.length > 0) lines.push(...wrapText(`counts: ${counts.join(', ')}`, columns, '    '));
  return lines;
}

export function summaryLine(reports: readonly ModelReport[]): string {
  const verdicts = reports.flatMap((report) => report.properties.map((property) => property.verdict));
  const count = (verdict: Verdict) => verdicts.filter((candidate) => candidate === verdict).length;
  const broken = reports.filter((report) =>
    report.diagnostics.some((diagnostic) => diagnostic.severity === 'error'),
  ).length;
  return [
    `${plural(reports.length, 'model')}: ${count('proved')} proved, ${count('refuted')} refuted, ${count('unknown')} unknown`,
    ...(broken > 0 ? [`${broken} with errors`] : []),
  ].join(', ');
}
