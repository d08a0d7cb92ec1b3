// A summary in Markdown, as build servers show it beside a build (GitHub reads the file that GITHUB_STEP_SUMMARY names): what needs
// attention first and with its run, then everything else folded away.

import { renderPlaced } from '../source/diagnostic.ts';
import { commandOf, isPass, type ModelReport, type PropertyResult } from '../verdict/verdict.ts';
import { escapeXml } from './escape.ts';
import { runLines } from './run-lines.ts';
import { plural } from './table.ts';
import { expectation, howWeKnow, summaryLine } from './text.ts';

/** GitHub takes a megabyte for one step; beyond, it shows nothing at all. */
const MOST_CHARACTERS = 900_000;
const MOST_ROWS = 2000;
/** So many passed properties are shown without a click. */
const FEW_ROWS = 20;

interface Row {
  readonly files: readonly string[];
  readonly property: PropertyResult;
}

export function reportMarkdown(reports: readonly ModelReport[]): string {
  const rows = reports.flatMap(({ files, properties }) =>
    properties.map((property) => ({ files, property })),
  );
  const surprises = rows.filter(({ property }) => !isPass(property));
  const passed = rows.filter(({ property }) => isPass(property));
  const broken = reports.filter(({ diagnostics }) =>
    diagnostics.some(({ severity }) => severity === 'error'),
  );
  const unasked = reports.filter((report) => report.properties.length === 0 && !broken.includes(report));
  const isGood = surprises.length === 0 && broken.length === 0 && unasked.length === 0;
  const parts = [
    `## ${isGood ? '✅' : '❌'} Spillway: ${summaryLine(reports)}`,
    ...(surprises.length === 0 ? [] : [table(surprises)]),
    ...broken.map(brokenBlock),
    ...unasked.map(({ files }) => `⚠️ ${code(files.join(' '))}: nothing to check`),
    ...surprises.map(details),
    ...passedBlocks(passed),
  ];
  return `${withinLimit(parts).join('\n\n')}\n`;
}

function withinLimit(parts: readonly string[]): string[] {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + 2;
    if (length > MOST_CHARACTERS)
      return [...shown, 'The rest does not fit into a summary; other formats have it all.'];
    shown.push(part);
  }
  return shown;
}

const passedBlocks = (rows: readonly Row[]): string[] => {
  if (rows.length === 0) return [];
  if (rows.length <= FEW_ROWS) return [table(rows)];
  const count = `${rows.length} properties as they should be`;
  return [`<details><summary>${count}</summary>\n\n${table(rows)}\n\n</details>`];
};

function table(rows: readonly Row[]): string {
  const left = rows.length - MOST_ROWS;
  return [
    '| | model | property | verdict | |',
    '| --- | --- | --- | --- | --- |',
    ...rows.slice(0, MOST_ROWS).map(tableRow),
    ...(left > 0 ? [`| | … and ${left} more | | | |`] : []),
  ].join('\n');
}

const tableRow = ({ files, property }: Row): string => {
  const why = cell(`${howWeKnow(property)}${expectation(property)}`);
  return `| ${mark(property)} | ${code(files.join(' '))} | ${code(property.id)} | ${property.verdict} | ${why} |`;
};

const mark = (property: PropertyResult): string =>
  isPass(property) ? '✅' : property.verdict === 'unknown' ? '❔' : '❌';

function details({ files, property }: Row): string {
  const run = property.evidence?.kind === 'run' ? property.evidence.run : null;
  return [
    `<details><summary>${mark(property)} ${code(files.join(' '))} ${code(property.id)}: ${property.verdict}</summary>`,
    ...(property.reason === undefined ? [] : [cell(property.reason)]),
    ...(run === null ? [] : [fenced(runLines(run).join('\n'))]),
    fenced(commandOf(property.reproduce)),
    '</details>',
  ].join('\n\n');
}

function brokenBlock({ files, diagnostics }: ModelReport): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return [
    `❌ ${code(files.join(' '))}: ${plural(errors.length, 'error')} in the input`,
    fenced(errors.map(renderPlaced).join('\n\n')),
  ].join('\n\n');
}

/** A fence longer than any within. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

/** Characters that mean something in Markdown or end a cell, as entities: those mean nothing but themselves. */
const cell = (text: string): string =>
  escapeXml(text)
    .replace(/[|*_`[\]\\~]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/\s+/g, ' ');

const code = (text: string): string => `<code>${cell(text)}</code>`;
