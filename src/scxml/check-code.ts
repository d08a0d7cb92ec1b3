// What can be said about a chart's expressions before anything runs. A syntax error is a warning, not an error: the recommendation gives it a meaning
// (`error.execution` when it is reached), and charts may count on that.

import type { Span } from '../source/source.ts';
import type { Action, Chart, Code, Given, Parameter, Payload } from './chart.ts';
import { CODES, type Problems } from './codes.ts';
import { examineExpression, examineLocation, examineScript, type SyntaxProblem } from './ecma-source.ts';
import { stateAskedFor } from './null-model.ts';

export interface CodeUse {
  readonly code: Code;
  readonly kind: 'value' | 'condition' | 'location' | 'script' | 'log';
}

export function checkCode(chart: Chart, problems: Problems): void {
  for (const use of codeOf(chart)) {
    if (chart.datamodel === 'null') checkNull(use, problems);
    else checkEcma(use, problems);
  }
  for (const { source } of chart.states.flatMap(({ invokes }) => invokes))
    if (source.kind === 'inline') checkCode(source.chart, problems);
}

function checkNull({ code, kind }: CodeUse, problems: Problems): void {
  if (kind === 'condition' && stateAskedFor(code.text) !== null) return;
  const message =
    kind === 'condition'
      ? "the data model 'null' knows only conditions of the form In('state')"
      : "the data model 'null' has no expressions";
  problems.warning(
    CODES.nullExpression,
    code.span,
    `${message}: error.execution when it is reached`,
    'use datamodel="ecmascript"',
  );
}

function checkEcma({ code, kind }: CodeUse, problems: Problems): void {
  if (kind === 'script') {
    const { problem, changesBuiltin } = examineScript(code.text);
    if (problem !== null) tell(code, problem, problems);
    if (changesBuiltin !== null)
      problems.warning(
        CODES.changesBuiltins,
        placeIn(code, changesBuiltin),
        'changes to built-in objects have no effect here',
        'write a function of your own instead',
      );
    return;
  }
  const { problem } = kind === 'location' ? examineLocation(code.text) : examineExpression(code.text);
  if (problem !== null) tell(code, problem, problems);
}

function tell(code: Code, { message, at }: SyntaxProblem, problems: Problems): void {
  problems.warning(
    CODES.expressionSyntax,
    placeIn(code, at),
    `this is no ECMAScript: ${message}`,
    'it raises error.execution when it is reached',
  );
}

/** The place inside the code, where the text stands in the file as it is. */
function placeIn({ text, span }: Code, at: number): Span {
  const raw = span.file.text.slice(span.start, span.end);
  const offset = at - (text.length - text.trimStart().length);
  if (raw.trim() !== text.trim() || offset < 0 || offset >= raw.length) return span;
  return { file: span.file, start: span.start + offset, end: span.start + offset + 1 };
}

/** Every piece of code of a chart, without those of inline charts. */
export function* codeOf(chart: Chart): Generator<CodeUse> {
  for (const { code } of chart.scripts) yield { code, kind: 'script' };
  for (const transition of chart.transitions) {
    if (transition.condition !== null) yield { code: transition.condition, kind: 'condition' };
    yield* codeOfActions(transition.actions);
  }
  for (const state of chart.states) {
    for (const { value } of state.data)
      if (value !== null && !('kind' in value)) yield { code: value, kind: 'value' };
    for (const block of [...state.onEntry, ...state.onExit, state.initial?.actions ?? []])
      yield* codeOfActions(block);
    for (const invoke of state.invokes) {
      yield* given([invoke.type, invoke.source.kind === 'src' ? invoke.source.src : null]);
      yield* values([...invoke.names, ...invoke.parameters.map(({ value }) => value)]);
      if (invoke.source.kind === 'content' && !('kind' in invoke.source.value))
        yield { code: invoke.source.value, kind: 'value' };
      if (invoke.idLocation !== null) yield { code: invoke.idLocation, kind: 'location' };
      yield* codeOfActions(invoke.finalize?.actions ?? []);
    }
    if (state.doneData !== null) yield* payload({ names: [], ...state.doneData });
  }
}

export function* codeOfActions(actions: readonly Action[]): Generator<CodeUse> {
  for (const action of actions) yield* codeOfAction(action);
}

function* codeOfAction(action: Action): Generator<CodeUse> {
  switch (action.kind) {
    case 'raise':
      return;
    case 'send':
      yield* given([action.event, action.target, action.type, action.delay]);
      yield* payload(action.payload);
      if (action.idLocation !== null) yield { code: action.idLocation, kind: 'location' };
      return;
    case 'cancel':
      yield* given([action.sendId]);
      return;
    case 'log':
      if (action.value !== null) yield { code: action.value, kind: 'log' };
      return;
    case 'assign':
      yield { code: action.location, kind: 'location' };
      if (!('kind' in action.value)) yield { code: action.value, kind: 'value' };
      return;
    case 'script':
      yield { code: action.code, kind: 'script' };
      return;
    case 'if':
      for (const { condition, actions } of action.branches) {
        if (condition !== null) yield { code: condition, kind: 'condition' };
        yield* codeOfActions(actions);
      }
      return;
    case 'foreach':
      yield { code: action.array, kind: 'value' };
      yield* codeOfActions(action.actions);
  }
}

function* given(all: readonly (Given | null)[]): Generator<CodeUse> {
  for (const one of all) if (one?.kind === 'code') yield { code: one.code, kind: 'value' };
}

function* payload({
  names,
  parameters,
  content,
}: Payload & { parameters: readonly Parameter[] }): Generator<CodeUse> {
  yield* values([...names, ...parameters.map(({ value }) => value)]);
  if (content !== null && !('kind' in content)) yield { code: content, kind: 'value' };
}

function* values(codes: readonly Code[]): Generator<CodeUse> {
  for (const code of codes) yield { code, kind: 'value' };
}
