// What the recommendation asks of targets: an initial state lies inside its state, the states of one target list can be active together.

import type { Span } from '../source/source.ts';
import { ancestorsOf, type Chart, isDescendant, isHistory } from './chart.ts';
import { CODES, type Problems } from './codes.ts';

export function checkTargets(chart: Chart, problems: Problems): void {
  for (const state of chart.states) {
    if (state.initial === null) {
      if (isHistory(state))
        problems.error(
          CODES.badStructure,
          state.span,
          `the history '${state.name}' needs a default <transition>`,
        );
      continue;
    }
    const { targets, span } = state.initial;
    const inside = isHistory(state) ? state.parent : state.number;
    for (const target of targets) {
      if (!isDescendant(chart, target, inside))
        problems.error(
          CODES.badTargets,
          span,
          `'${chart.states[target]!.name}' does not lie inside '${chart.states[inside]!.name}'`,
        );
    }
    if (targets.length === 0) problems.error(CODES.badTargets, span, `'${state.name}' has no initial state`);
    togetherOrError(chart, targets, span, problems);
  }
  for (const { targets, span } of chart.transitions) togetherOrError(chart, targets, span, problems);
}

function togetherOrError(chart: Chart, targets: readonly number[], span: Span, problems: Problems): void {
  for (const [i, a] of targets.entries()) {
    for (const b of targets.slice(i + 1)) {
      if (canBeActiveTogether(chart, a, b)) continue;
      const [first, second] = [a, b].map((number) => chart.states[number]!.name);
      problems.error(
        CODES.badTargets,
        span,
        `'${first}' and '${second}' are never active together`,
        'several targets must lie in different regions of a <parallel>',
      );
    }
  }
}

/** One contains the other, or their lowest common ancestor is a parallel state. */
function canBeActiveTogether(chart: Chart, a: number, b: number): boolean {
  if (a === b || isDescendant(chart, a, b) || isDescendant(chart, b, a)) return true;
  const above = new Set(ancestorsOf(chart, a));
  const common = ancestorsOf(chart, b).find((state) => above.has(state))!;
  return chart.states[common]!.kind === 'parallel';
}
