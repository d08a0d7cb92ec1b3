// The part of the Language Server Protocol (3.17) that is spoken here, as data. Written by hand: these few shapes cost nothing at start-up,
// and are all that a server needs of them.

import type { Point, Range } from '../service/text.ts';
import type { SymbolKind } from '../source/names.ts';

export type { Point, Range };

export interface Location {
  readonly uri: string;
  readonly range: Range;
}

export interface Command {
  readonly title: string;
  readonly command: string;
  readonly arguments?: readonly unknown[];
}

export const SEVERITY = { error: 1, warning: 2, hint: 4 } as const;

export const SYMBOL_KIND: Readonly<Record<SymbolKind, number>> = {
  channel: 8,
  constant: 22,
  event: 24,
  field: 8,
  formula: 7,
  function: 12,
  label: 20,
  macro: 14,
  parameter: 13,
  process: 5,
  state: 22,
  type: 23,
  variable: 13,
};

export const COMPLETION_KIND: Readonly<Record<SymbolKind | 'keyword' | 'snippet', number>> = {
  channel: 6,
  constant: 20,
  event: 23,
  field: 5,
  formula: 18,
  function: 3,
  label: 18,
  macro: 21,
  parameter: 6,
  process: 7,
  state: 20,
  type: 22,
  variable: 6,
  keyword: 14,
  snippet: 15,
};

export const COMMANDS = {
  check: 'spillway.check',
  showRun: 'spillway.showRun',
  openReport: 'spillway.openReport',
  trace: 'spillway.trace',
} as const;

/** Of the client: only one that has a debugger is shown it. */
export const DEBUG_COMMAND = 'spillway.debugRun';

export const METHODS = {
  /** Asks what a client shows: the text of a run, the page of a report. */
  run: 'spillway/run',
  report: 'spillway/report',
  findings: 'spillway/findings',
} as const;
