// The shape of a chart for pictures, for `reachable` and for formulas.

import type { Logic, Transition as LogicTransition, StateNode } from '../actors/behaviour.ts';
import { startOf } from '../source/source.ts';
import type { Action, Chart, Given, State, StateKind } from './chart.ts';

export function logicOf(chart: Chart, name: string): Logic {
  return {
    name,
    root: nodeOf(chart, chart.states[0]!),
    transitions: chart.transitions.map(
      (one): LogicTransition => ({
        id: String(one.number),
        from: nameIn(chart.states[one.source]!),
        to: one.targets.length === 0 ? null : one.targets.map((target) => nameIn(chart.states[target]!)),
        event: one.events.length === 0 ? 'always' : one.events.join(' '),
        guard: one.condition?.text ?? null,
        actions: one.actions.map(actionText),
        at: startOf(one.span),
      }),
    ),
    at: startOf(chart.span),
  };
}

const nameIn = (state: State): string => (state.number === 0 ? '' : state.name);

const KINDS: Record<StateKind, StateNode['kind']> = {
  root: 'compound',
  atomic: 'atomic',
  compound: 'compound',
  parallel: 'parallel',
  final: 'final',
  'shallow-history': 'history',
  'deep-history': 'history',
};

function nodeOf(chart: Chart, state: State): StateNode {
  const initial = state.initial?.targets[0];
  return {
    name: nameIn(state),
    key: state.number === 0 ? chart.name : state.name,
    kind: KINDS[state.kind],
    initial: initial === undefined ? null : chart.states[initial]!.name,
    tags: state.tags,
    lines: [
      ...state.onEntry.flat().map((action) => `entry / ${actionText(action)}`),
      ...state.onExit.flat().map((action) => `exit / ${actionText(action)}`),
      ...state.invokes.map(
        (invoke) =>
          `invoke ${invoke.id ?? (invoke.source.kind === 'src' ? givenText(invoke.source.src) : 'chart')}`,
      ),
    ],
    states: [...state.children, ...state.histories]
      .sort((a, b) => a - b)
      .map((child) => nodeOf(chart, chart.states[child]!)),
    at: startOf(state.span),
  };
}

const givenText = (given: Given | null): string =>
  given === null ? '' : given.kind === 'text' ? given.text : given.code.text;

/** One action in a few words. */
function actionText(action: Action): string {
  switch (action.kind) {
    case 'raise':
      return `raise ${action.event}`;
    case 'send': {
      const target = givenText(action.target);
      const delay = givenText(action.delay);
      return `send ${givenText(action.event)}${target === '' ? '' : ` to ${target}`}${delay === '' ? '' : ` after ${delay}`}`;
    }
    case 'cancel':
      return `cancel ${givenText(action.sendId)}`;
    case 'assign':
      return `${action.location.text} := ${action.value.text.trim()}`;
    case 'if':
      return `if ${action.branches[0]?.condition?.text ?? ''}`;
    case 'foreach':
      return `for each ${action.item.text} of ${action.array.text}`;
    case 'script':
      return 'script';
    case 'log':
      return 'log';
  }
}
