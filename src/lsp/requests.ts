// What each request about a text means: the service is asked, the answer put into the protocol's words.

import type { Checker } from '../service/checker.ts';
import { completions } from '../service/completion.ts';
import type { Findings } from '../service/findings.ts';
import { boundText } from '../service/findings.ts';
import { fixes } from '../service/fixes.ts';
import { folds } from '../service/folding.ts';
import { layout } from '../service/format.ts';
import { hints } from '../service/hints.ts';
import { hover } from '../service/hover.ts';
import { lenses } from '../service/lenses.ts';
import { definitions, highlights, outline, references } from '../service/navigation.ts';
import { rename, renameable } from '../service/rename.ts';
import { semanticTokens } from '../service/semantic.ts';
import type { LanguageService, Understanding } from '../service/service.ts';
import { signature } from '../service/signature.ts';
import { offsetOf, type Point, pointOf, type Range, rangeOf } from '../service/text.ts';
import type { SourceFile } from '../source/source.ts';
import { RPC_ERRORS, RpcError } from '../wire/json-rpc.ts';
import { actionOf, completionOf, lensOf, locationOf, symbolOf } from './convert.ts';
import { METHODS } from './protocol.ts';
import { isRecord } from './settings.ts';
import { pathOfUri, uriOfPath } from './uris.ts';

/** Everything a handler may look at. */
export interface Asked {
  readonly uri: string;
  readonly path: string;
  readonly file: SourceFile;
  readonly understanding: Understanding;
  readonly findings: Findings | null;
  /** Of the position, where there is one. */
  readonly offset: number;
  readonly params: Record<string, unknown>;
  readonly client: ClientAbilities;
}

export interface ClientAbilities {
  readonly withSnippets: boolean;
  readonly hasDebugger: boolean;
}

type Handler = (asked: Asked) => unknown;

export const TEXT_REQUESTS: Readonly<Record<string, Handler>> = {
  'textDocument/hover': ({ understanding, path, offset, findings }) => {
    const found = hover(understanding, path, offset, findings);
    return found === null
      ? null
      : { contents: { kind: 'markdown', value: found.markdown }, range: rangeOf(found.span) };
  },
  'textDocument/definition': ({ understanding, path, offset }) =>
    definitions(understanding, path, offset).map(locationOf),
  'textDocument/declaration': ({ understanding, path, offset }) =>
    definitions(understanding, path, offset).map(locationOf),
  'textDocument/references': ({ understanding, path, offset, params }) => {
    const context = isRecord(params['context']) ? params['context'] : {};
    return references(understanding, path, offset, context['includeDeclaration'] !== false).map(locationOf);
  },
  'textDocument/documentHighlight': ({ understanding, path, offset }) =>
    highlights(understanding, path, offset).map(({ span, writes }) => ({
      range: rangeOf(span),
      kind: writes ? 3 : 2,
    })),
  'textDocument/documentSymbol': ({ understanding, path }) => outline(understanding, path).map(symbolOf),
  'textDocument/prepareRename': ({ understanding, path, offset }) => {
    const found = renameable(understanding, path, offset);
    if ('reason' in found) throw new RpcError(RPC_ERRORS.invalidParams, found.reason);
    return { range: rangeOf(found.span), placeholder: found.symbol.name };
  },
  'textDocument/rename': ({ understanding, path, offset, params }) => {
    const wanted = params['newName'];
    const renaming = rename(understanding, path, offset, typeof wanted === 'string' ? wanted : '');
    if (renaming.kind === 'refused') throw new RpcError(RPC_ERRORS.invalidParams, renaming.reason);
    const changes: Record<string, unknown[]> = {};
    for (const span of renaming.spans) {
      const uri = uriOfPath(span.file.path);
      changes[uri] = [...(changes[uri] ?? []), { range: rangeOf(span), newText: renaming.text }];
    }
    return { changes };
  },
  'textDocument/completion': ({ understanding, path, offset, client: { withSnippets } }) => ({
    isIncomplete: false,
    items: completions(understanding, path, offset).map((one) => completionOf(one, withSnippets)),
  }),
  'textDocument/signatureHelp': ({ understanding, path, offset }) => {
    const found = signature(understanding, path, offset);
    if (found === null) return null;
    const { label, parameters, active } = found;
    return {
      signatures: [{ label, parameters: parameters.map((one) => ({ label: one })) }],
      activeSignature: 0,
      activeParameter: active,
    };
  },
  'textDocument/foldingRange': ({ file, understanding }) =>
    folds(file, understanding.language === 'promela').map(({ first, last, kind }) => ({
      startLine: first,
      endLine: last,
      kind,
    })),
  'textDocument/semanticTokens/full': ({ understanding, path }) => ({
    data: semanticTokens(understanding, path),
  }),
  'textDocument/codeLens': ({ understanding, path, findings, uri, client: { hasDebugger } }) =>
    lenses(understanding, path, findings, hasDebugger).map((lens) => lensOf(lens, uri)),
  'textDocument/codeAction': ({ understanding, path, file, params, findings }) => {
    const [start, end] = offsets(file, params['range']);
    return fixes(understanding, path, start, end, findings).map(actionOf);
  },
  'textDocument/inlayHint': ({ understanding, path, file, params, findings }) => {
    const [start, end] = offsets(file, params['range']);
    return hints(understanding, path, start, end, findings).map(({ span, text, isParameter }) => ({
      position: rangeOf(span).start,
      label: text,
      kind: isParameter ? 2 : 1,
      paddingRight: isParameter,
    }));
  },
  'textDocument/formatting': (asked) => formatted(asked, 0, asked.file.text.length),
  'textDocument/rangeFormatting': (asked) => formatted(asked, ...offsets(asked.file, asked.params['range'])),
  [METHODS.findings]: ({ findings }) =>
    findings === null
      ? null
      : {
          state: findings.state,
          properties: [...findings.results.values()].map(({ id, verdict, reason }) => ({
            id,
            verdict,
            ...(reason === undefined ? {} : { reason }),
          })),
          queues: (findings.results.get('bounded')?.queues ?? []).map((queue) => ({
            name: queue.name,
            text: boundText(queue),
          })),
        },
};

function offsets(file: SourceFile, range: unknown): [number, number] {
  if (!isRecord(range)) return [0, file.text.length];
  const { start, end } = range as unknown as Range;
  return [offsetOf(file, start), offsetOf(file, end)];
}

function formatted({ file, params, understanding }: Asked, start: number, end: number): unknown {
  if (understanding.language !== 'promela') return null;
  const given = isRecord(params['options']) ? params['options'] : {};
  const options = {
    tabSize: typeof given['tabSize'] === 'number' ? given['tabSize'] : 2,
    insertSpaces: given['insertSpaces'] !== false,
  };
  return layout(file.text, options)
    .filter((edit) => edit.start >= start && edit.end <= end)
    .map((edit) => ({
      range: { start: pointOf(file, edit.start), end: pointOf(file, edit.end) },
      newText: edit.text,
    }));
}

/** Null for a text that is no model: then there is nothing to say about it. */
export async function askedAbout(
  service: LanguageService,
  checker: Checker,
  params: unknown,
  client: ClientAbilities,
): Promise<Asked | null> {
  const all = isRecord(params) ? params : {};
  const document = isRecord(all['textDocument']) ? all['textDocument'] : {};
  const uri = document['uri'];
  if (typeof uri !== 'string')
    throw new RpcError(RPC_ERRORS.invalidParams, 'which text? textDocument.uri is missing');
  const path = pathOfUri(uri);
  const understanding = await service.understand(path);
  const file = service.texts.file(path);
  if (understanding === null || file === null) return null;
  const offset = isRecord(all['position']) ? offsetOf(file, all['position'] as unknown as Point) : 0;
  const findings = checker.findings(understanding);
  return { uri, path, file, understanding, findings, offset, params: all, client };
}
