// The shape of what is only looked at: graphs, dependencies of loops, a proof by induction in words.

import { isText, isTruth, isWhole, list, oneOf, optional, orNull, record } from '../base/shape.ts';
import { isPosition } from './shape.ts';
import type {
  ControlGraph,
  ExplainedAction,
  ExplainedDisjunct,
  FormulaExplanation,
  LoopDependency,
} from './verdict.ts';

type Location = ControlGraph['locations'][number];

const hasGraphFields = record<ControlGraph>({
  name: isText,
  property: optional(isText),
  legend: optional(isText),
  initial: list(isWhole),
  locations: list(
    record<Location>({
      id: isWhole,
      label: isText,
      end: optional(isTruth),
      progress: optional(isTruth),
      at: optional(isPosition),
      parent: optional(isWhole),
      kind: optional(oneOf(['atomic', 'compound', 'parallel', 'final', 'history', 'choice'])),
      initial: optional(isWhole),
      lines: optional(list(isText)),
    }),
  ),
  edges: list(
    record<ControlGraph['edges'][number]>({
      from: isWhole,
      to: isWhole,
      label: isText,
      at: optional(isPosition),
      kind: optional(oneOf(['send', 'receive', 'event'])),
      onPath: optional(isTruth),
      atomic: optional(isTruth),
    }),
  ),
});

/** No edge leads to nowhere, and no state is around itself. */
function isGraph(value: unknown): boolean {
  if (!hasGraphFields(value)) return false;
  const { locations, edges, initial } = value as ControlGraph;
  const byId = new Map(locations.map((location) => [location.id, location]));
  const isNested = (location: Location): boolean => {
    let around: Location | undefined = location;
    for (let depth = 0; around?.parent !== undefined; depth++) {
      around = byId.get(around.parent);
      if (around === undefined || depth > byId.size) return false;
    }
    return true;
  };
  return (
    initial.every((id) => byId.has(id)) &&
    edges.every(({ from, to }) => byId.has(from) && byId.has(to)) &&
    locations.every((one) => isNested(one) && (one.initial === undefined || byId.has(one.initial)))
  );
}

const isDependency = record<LoopDependency>({
  loop: isText,
  needs: list(isText),
  rounds: orNull(isWhole),
  reason: isText,
  at: orNull(isPosition),
});

const isAction = record<ExplainedAction>({
  name: isText,
  text: isText,
  at: isPosition,
  cases: list(record<ExplainedAction['cases'][number]>({ when: isText, to: list(isText), decided: isText })),
});

const isFormula = record<FormulaExplanation>({
  initial: list(record<FormulaExplanation['initial'][number]>({ state: isText, disjuncts: list(isText) })),
  disjuncts: list(
    record<ExplainedDisjunct>({
      name: isText,
      at: orNull(isPosition),
      atoms: list(isText),
      safe: list(isText),
      actions: list(isAction),
    }),
  ),
  parts: optional(
    list(record<{ name: string; atoms: readonly string[] }>({ name: isText, atoms: list(isText) })),
  ),
});

export const isPictures = record<{ graphs: unknown; dependencies: unknown; formula: unknown }>({
  graphs: optional(list(isGraph)),
  dependencies: optional(list(isDependency)),
  formula: optional(isFormula),
});
