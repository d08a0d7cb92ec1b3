// From the service's words to the protocol's.

import type { Completion } from '../service/completion.ts';
import type { Fix } from '../service/fixes.ts';
import type { Lens } from '../service/lenses.ts';
import type { OutlineEntry } from '../service/navigation.ts';
import { rangeOf } from '../service/text.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';
import {
  COMMANDS,
  COMPLETION_KIND,
  type Command,
  DEBUG_COMMAND,
  type Location,
  SEVERITY,
  SYMBOL_KIND,
} from './protocol.ts';
import { uriOfPath } from './uris.ts';

export const locationOf = (span: Span): Location => ({
  uri: uriOfPath(span.file.path),
  range: rangeOf(span),
});

export function diagnosticOf({ code, severity, message, span, help, related }: Diagnostic): unknown {
  return {
    range: span === null ? NOWHERE : rangeOf(widened(span)),
    severity: SEVERITY[severity],
    code,
    source: 'spillway',
    message: help === undefined ? message : `${message}\nhelp: ${help}`,
    ...(related === undefined
      ? {}
      : {
          relatedInformation: related.map((one) => ({
            location: locationOf(one.span),
            message: one.message,
          })),
        }),
  };
}

const NOWHERE = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };

/** Something to underline, also at the end of a text. */
const widened = (span: Span): Span => (span.end > span.start ? span : { ...span, end: span.start + 1 });

export const symbolOf = ({ name, detail, kind, span, extent, children }: OutlineEntry): unknown => ({
  name,
  detail,
  kind: SYMBOL_KIND[kind],
  range: rangeOf(extent),
  selectionRange: rangeOf(span),
  children: children.map(symbolOf),
});

export const completionOf = (
  { label, kind, detail, insert, documentation }: Completion,
  withSnippets: boolean,
): unknown => ({
  label,
  kind: COMPLETION_KIND[kind],
  ...(detail === '' ? {} : { detail }),
  ...(documentation === undefined ? {} : { documentation: { kind: 'markdown', value: documentation } }),
  ...(insert === undefined
    ? {}
    : withSnippets
      ? { insertText: insert, insertTextFormat: 2 }
      : { insertText: label }),
});

export const actionOf = ({ title, span, text, diagnostic, isPreferred }: Fix): unknown => ({
  title,
  kind: diagnostic === null ? 'refactor.rewrite' : 'quickfix',
  ...(diagnostic === null ? {} : { diagnostics: [diagnosticOf(diagnostic)] }),
  isPreferred,
  edit: { changes: { [uriOfPath(span.file.path)]: [{ range: rangeOf(span), newText: text }] } },
});

export function lensOf({ span, title, action }: Lens, uri: string): unknown {
  const command: Command = ((): Command => {
    switch (action?.kind) {
      case 'check':
        return { title, command: COMMANDS.check, arguments: [uri] };
      case 'run':
        return { title, command: COMMANDS.showRun, arguments: [uri, action.property] };
      case 'debug':
        return { title, command: DEBUG_COMMAND, arguments: [uri, action.property] };
      case 'report':
        return { title, command: COMMANDS.openReport, arguments: [uri] };
      default:
        return { title, command: '' };
    }
  })();
  return { range: rangeOf(span), command };
}
