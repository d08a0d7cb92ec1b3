// A run in every form it can be shown.

import { writeEventLog } from '../verdict/event-log.ts';
import type { Run } from '../verdict/run.ts';
import { traceItf } from './trace-itf.ts';
import { traceMermaid } from './trace-mermaid.ts';
import { traceSvg } from './trace-svg.ts';
import { sequenceText, traceText } from './trace-text.ts';

export const TRACE_FORMATS = ['text', 'sequence', 'mermaid', 'svg', 'itf', 'json', 'ndjson'] as const;
export type TraceFormat = (typeof TRACE_FORMATS)[number];

export const isTraceFormat = (name: string): name is TraceFormat =>
  (TRACE_FORMATS as readonly string[]).includes(name);

export function renderRun(run: Run, format: TraceFormat): string {
  switch (format) {
    case 'text':
      return traceText(run);
    case 'sequence':
      return sequenceText(run);
    case 'mermaid':
      return traceMermaid(run);
    case 'svg':
      return traceSvg(run);
    case 'itf':
      return traceItf(run);
    case 'ndjson':
      return writeEventLog(run);
    case 'json':
      return `${JSON.stringify(run, null, 2)}\n`;
  }
}
