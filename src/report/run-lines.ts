// A run for a reader of a build's log: every step, of very long runs the end.

import type { Run } from '../verdict/run.ts';
import { plural } from './table.ts';
import { traceText } from './trace-text.ts';

const MANY_LINES = 400;

export function runLines(run: Run): string[] {
  const lines = traceText(run).trimEnd().split('\n');
  const left = lines.length - MANY_LINES;
  return left <= 0
    ? lines
    : [lines[0]!, '', `… ${plural(left, 'earlier line')}`, ...lines.slice(-MANY_LINES)];
}
