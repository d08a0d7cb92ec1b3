// Finite and lasso-shaped paths of a composition, and their projections on components ([MAGIC] section 3.3).

import type { Formula, FormulaFactory } from '../ltl/formula.ts';
import type { Configuration, System } from './system.ts';

/** States and events in turn: states[0], events[0], states[1], …; a lasso returns from its last state to loopStart. */
export interface Path {
  /** One more than events for a finite path; as many as events for a lasso. */
  readonly states: readonly Configuration[];
  readonly events: readonly number[];
  /** Index of the state the last event leads back to; null for a finite path. */
  readonly loopStart: number | null;
}

/** What an engine for formulas ends with when it has no proof. `path`: a lasso of the components, which the caller judges by the definition. */
export type NotProved<Limit> =
  | {
      readonly kind: 'violated';
      readonly path: Path;
      readonly factory: FormulaFactory;
      readonly formula: Formula;
    }
  | { readonly kind: 'limit'; readonly limit: Limit };

/** The same in one component, with its own states and event ids. */
export interface LocalPath {
  readonly states: readonly number[];
  readonly events: readonly number[];
  /** Null when the path is finite: also when the loop holds no event of the component. */
  readonly loopStart: number | null;
}

/** Keeps what the component takes part in. */
export function project(system: System, path: Path, component: number): LocalPath {
  const states = [path.states[0]![component]!];
  const events: number[] = [];
  let loopStart: number | null = null;
  path.events.forEach((event, index) => {
    if (index === path.loopStart) loopStart = events.length;
    const position = system.participants[event]!.indexOf(component);
    if (position < 0) return;
    events.push(system.localIds[event]![position]!);
    const next = index + 1 < path.states.length ? path.states[index + 1]! : path.states[path.loopStart!]!;
    states.push(next[component]!);
  });
  if (loopStart === null || loopStart === events.length) return { states, events, loopStart: null };
  // The last event of the lasso leads back: its target is states[loopStart] already.
  return { states: states.slice(0, -1), events, loopStart };
}
