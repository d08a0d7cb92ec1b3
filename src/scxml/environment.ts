// The world outside: it may send any event that a chart handles and nobody in the system sends.
//
// Events that someone in the system raises or sends (a timeout, an answer) are left to them, and so are the platform's own (`done.*`, `error.*`). One name stands for
// each descriptor: names that the same descriptors match cannot be told apart, unless the chart reads the name. `*` is stood for by a name that
// no other descriptor matches.

import type { Span } from '../source/source.ts';
import { type Action, type Chart, matches, type OutsideEvent, type Transition } from './chart.ts';
import { type CodeUse, codeOf, codeOfActions } from './check-code.ts';
import { UNDEFINED } from './sandbox.ts';

/** The name that stands for all names no descriptor mentions. */
export const ANY_OTHER = 'any.other.event';

export function outsideEvents(chart: Chart, inside: ReadonlySet<string>): OutsideEvent[] {
  const descriptors = new Set(chart.transitions.flatMap(({ events }) => events));
  const names = [...descriptors].map((one) => (one === '*' ? ANY_OTHER : one));
  return names
    .filter((name) => !inside.has(name) && !/^(done|error)(\.|$)/.test(name))
    .sort()
    .map((name) => ({ name, data: UNDEFINED }));
}

/** Names of events that charts send or raise themselves, as far as they are written out. */
export function eventsSentBy(charts: Iterable<Chart>): Set<string> {
  const names = new Set<string>();
  const visit = (chart: Chart): void => {
    for (const action of actionsOf(chart)) {
      if (action.kind === 'raise') names.add(action.event);
      if (action.kind === 'send' && action.event?.kind === 'text') names.add(action.event.text);
    }
    for (const { source } of chart.states.flatMap(({ invokes }) => invokes))
      if (source.kind === 'inline') visit(source.chart);
  };
  for (const chart of charts) visit(chart);
  return names;
}

/** Could an event of this name do anything in a state with these active states? Conditions are not looked at. */
export function listens(chart: Chart, configuration: readonly number[], name: string): boolean {
  return [0, ...configuration].some((state) =>
    chart.states[state]!.transitions.some((number) =>
      chart.transitions[number]!.events.some((one) => matches(one, name)),
    ),
  );
}

/** Where the chart reads what an event from outside carries, or null when it never does. */
export function readsDataOf(chart: Chart, name: string): Span | null {
  for (const transition of chart.transitions) {
    if (!(transition.events.length === 0 || transition.events.some((one) => matches(one, name)))) continue;
    const span = readsIn(codeOfTransition(transition));
    if (span !== null) return span;
  }
  for (const state of chart.states)
    for (const block of [...state.onEntry, ...state.onExit, state.initial?.actions ?? []]) {
      const span = readsIn(codeOfActions(block));
      if (span !== null) return span;
    }
  return null;
}

/** Where the chart's behaviour depends on an event's name beyond what descriptors say; null: nowhere. */
export function readsName(chart: Chart): Span | null {
  for (const { code, kind } of codeOf(chart))
    if (kind !== 'log' && /_event\b\s*(\.\s*name|\[|(?!\s*\.))/.test(code.text)) return code.span;
  return null;
}

function* codeOfTransition({ condition, actions }: Transition): Generator<CodeUse> {
  if (condition !== null) yield { code: condition, kind: 'condition' };
  yield* codeOfActions(actions);
}

/** What a log shows does not matter. */
function readsIn(uses: Iterable<CodeUse>): Span | null {
  for (const { code, kind } of uses)
    if (
      kind !== 'log' &&
      /_event\b(?!\s*\.\s*(name|type|sendid|origin|origintype|invokeid)\b)/.test(code.text)
    )
      return code.span;
  return null;
}

/** Every action of a chart, those inside others too. */
export function* actionsOf(chart: Chart): Generator<Action> {
  const nested = function* (actions: readonly Action[]): Generator<Action> {
    for (const action of actions) {
      yield action;
      if (action.kind === 'if') for (const branch of action.branches) yield* nested(branch.actions);
      if (action.kind === 'foreach') yield* nested(action.actions);
    }
  };
  for (const { actions } of chart.transitions) yield* nested(actions);
  for (const state of chart.states) {
    for (const block of [...state.onEntry, ...state.onExit, state.initial?.actions ?? []])
      yield* nested(block);
    for (const { finalize } of state.invokes) yield* nested(finalize?.actions ?? []);
  }
}
