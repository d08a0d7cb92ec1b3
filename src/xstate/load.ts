// A module of XState as an explored system, or what is wrong with it.

import { basename } from 'node:path';
import type { ActorSystem } from '../actors/system.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { SourceFile, type Span } from '../source/source.ts';
import type { BundleResult } from './bundle.ts';
import { XSTATE_CODES, type XStateCode } from './codes.ts';
import { jsonHints, jsonProblem } from './json.ts';
import { locate } from './locate.ts';
import type { Look } from './messages.ts';
import { type Failed, openSession, type Session } from './session.ts';

export interface XStateSystem {
  readonly system: ActorSystem;
  readonly formulas: Readonly<Record<string, string>>;
  readonly session: Session;
  readonly file: SourceFile;
}

export interface LoadXState {
  readonly path: string;
  readonly text: string;
  readonly exportName: string | null;
  /** Milliseconds for the exploration. */
  readonly milliseconds: number;
  readonly states: number;
  /** Milliseconds for loading the module. */
  readonly loading?: number;
  /** Milliseconds for an exploration that does not end by itself when its time is over. */
  readonly grace?: number;
}

export type LoadedXState =
  | { readonly system: XStateSystem; readonly diagnostics: readonly Diagnostic[] }
  | { readonly system: null; readonly diagnostics: readonly Diagnostic[] };

export async function loadXState(request: LoadXState): Promise<LoadedXState> {
  const file = new SourceFile(request.path, request.text);
  const wrong = (diagnostic: Diagnostic): LoadedXState => ({ system: null, diagnostics: [diagnostic] });
  if (request.path.endsWith('.json')) {
    const problem = jsonProblem(file);
    if (problem !== null) return wrong(problem);
  }
  const { path, text, exportName, loading, grace } = request;
  const opened = await openSession({
    path,
    text,
    exportName,
    limits: {
      ...(loading === undefined ? {} : { milliseconds: loading }),
      ...(grace === undefined ? {} : { grace }),
    },
  });
  if (!opened.ok)
    return wrong(
      'bundle' in opened ? bundleProblem(file, opened.bundle) : problemOf(file, opened.failed, exportName),
    );
  const { session, loaded } = opened;
  const explored = await session.explore(request.milliseconds, request.states);
  if ('kind' in explored) {
    session.close();
    return wrong(explorationProblem(file, explored));
  }
  const [, ...others] = loaded.machines;
  const unsaid = exportName === null && !loaded.machines.includes('default') && others.length > 0;
  const hint: Diagnostic = {
    code: 'SPW7007',
    severity: 'hint',
    message: `several machines are exported; this is ${loaded.machines[0]}`,
    span: null,
    help: `--export NAME takes another one: ${others.join(', ')}`,
  };
  const system = locate(explored.system, [file]);
  return {
    system: { system, formulas: loaded.formulas, session, file },
    diagnostics: [
      ...(unsaid ? [hint] : []),
      ...(path.endsWith('.json') ? jsonHints(file) : []),
      ...lookHints(file, explored.looks),
    ],
  };
}

/** One hint for every place that asks for the time or a random number. */
function lookHints(file: SourceFile, looks: readonly Look[]): Diagnostic[] {
  const hints = new Map<string, Diagnostic>();
  for (const { what, stack } of looks) {
    const span = placeIn(file, stack);
    const message = `the model asks for ${what} here: the answer is data that is not known`;
    hints.set(`${what} ${span?.start ?? ''}`, {
      code: 'SPW7023',
      severity: 'hint',
      message: span === null ? `${message.replace(' here', '')} (in another file)` : message,
      span,
      help: 'guards that look at it may be true or false; pass it in with an event to say what it can be',
    });
  }
  return [...hints.values()];
}

const error = (code: XStateCode, message: string, span: Span | null, help?: string): Diagnostic => ({
  code,
  severity: 'error',
  message,
  span,
  ...(help === undefined ? {} : { help }),
});

function bundleProblem(
  file: SourceFile,
  { problem, errors }: Exclude<BundleResult, { ok: true }>,
): Diagnostic {
  if (problem === 'no-xstate')
    return error('SPW7001', XSTATE_CODES.SPW7001.title, null, 'npm install xstate');
  if (problem === 'no-esbuild')
    return error('SPW7002', XSTATE_CODES.SPW7002.title, null, 'npm install --save-dev esbuild');
  const [first] = errors;
  const inside = first?.file !== null && first !== undefined && basename(first.file) === basename(file.path);
  return error(
    'SPW7003',
    first?.text ?? 'the module cannot be put together',
    inside ? spanAt(file, first.line, first.column, first.length) : null,
  );
}

function spanAt(file: SourceFile, line: number, column: number, length: number): Span {
  let start = 0;
  for (let n = 1; n < line; n++) start = file.text.indexOf('\n', start) + 1;
  return { file, start: start + column - 1, end: start + column - 1 + length };
}

/** The innermost place of a stack that is in the file. */
function placeIn(file: SourceFile, stack: string): Span | null {
  for (const line of stack.split('\n')) {
    const found = /\(?([^()\s]+):(\d+):(\d+)\)?$/.exec(line.trim());
    if (found !== null && basename(found[1]!) === basename(file.path))
      return spanAt(file, Number(found[2]), Number(found[3]), 1);
  }
  return null;
}

function problemOf(file: SourceFile, failed: Failed, exportName: string | null): Diagnostic {
  if (failed.kind === 'died') {
    switch (failed.how) {
      case 'time':
        return error(
          'SPW7005',
          `the module had not finished loading after ${failed.text}`,
          null,
          'is there an endless loop, or an await that never settles, at its top level?',
        );
      case 'never-settles':
        return error('SPW7005', 'a top-level await of the module never settles', null);
      case 'memory':
        return error('SPW7010', XSTATE_CODES.SPW7010.title, null);
      default:
        return error('SPW7006', `the module ended its process (${failed.text})`, null);
    }
  }
  const place = placeIn(file, failed.stack);
  switch (failed.problem) {
    case 'refused':
      return error(
        'SPW7006',
        failed.message,
        place,
        'a machine is explored, not run: move this into a promise or a callback',
      );
    case 'no-machine':
      return error('SPW7007', 'the module exports no machine of XState 5 or 6', null, failed.message);
    case 'no-export':
      return error(
        'SPW7008',
        `the module exports no machine '${exportName}'`,
        null,
        `it exports ${failed.message}`,
      );
    case 'declaration':
      return error('SPW7009', failed.message, null, 'docs/xstate.md describes what can be declared');
    case 'no-xstate':
      return error('SPW7001', failed.message, null, 'npm install xstate@5');
    default:
      if (/^Access to this API has been restricted/.test(failed.message))
        return error(
          'SPW7006',
          'the module reads, writes or starts what a model must not',
          place,
          failed.message,
        );
      return error('SPW7004', `the module throws when it is loaded: ${failed.message.split('\n')[0]}`, place);
  }
}

function explorationProblem(file: SourceFile, failed: Failed): Diagnostic {
  if (failed.kind === 'died')
    return failed.how === 'memory'
      ? error('SPW7010', XSTATE_CODES.SPW7010.title, null)
      : failed.how === 'time'
        ? error(
            'SPW7021',
            `the exploration had not ended after ${failed.text}`,
            null,
            'is a guard or an action endless?',
          )
        : error('SPW7022', `the process that explores the module died (${failed.text})`, null);
  if (failed.problem === 'time')
    return error(
      'SPW7021',
      XSTATE_CODES.SPW7021.title,
      null,
      'raise --timeout, or declare which keys of the context matter',
    );
  if (failed.problem === 'too-large')
    return error('SPW7020', `${XSTATE_CODES.SPW7020.title}: ${failed.message}`, null);
  return error(
    'SPW7022',
    `the exploration failed: ${failed.message.split('\n')[0]}`,
    placeIn(file, failed.stack),
  );
}
