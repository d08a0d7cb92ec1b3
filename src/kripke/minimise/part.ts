// Minimising while composing: parts of a system, each multiplied out of two smaller parts, with what only they know hidden, and reduced by an
// equivalence that keeps the answer. What a part is made of is remembered: to follow a step of the reduced part down to the components, and to write it down as a
// certificate.
//
// Both equivalences are congruences: strong bisimilarity, and branching bisimilarity with explicit divergence (van Glabbeek, Luttik, Trčka 2009; events
// that synchronise are never hidden before all who share them are inside). So the composition of the reduced parts is equivalent to that of the components.

import { type Bisimulation, coarsestBisimulation } from '../../graph/bisimulation.ts';
import type { System } from '../system.ts';
import type { Observed, Piece, SizeLimit } from './piece.ts';
import { hide, lumpTogether, multiply, pieceOf } from './piece.ts';

export interface Part {
  /** Ascending. */
  readonly components: readonly number[];
  /** What it is multiplied out of; null for a component alone. */
  readonly factors: readonly [Part, Part] | null;
  /** Before anything of it is hidden: the labels are those of the factors. */
  readonly whole: Piece;
  /** The states of the two factors' reduced pieces, two for each node of `whole`; empty for a component. */
  readonly pairs: Int32Array;
  /** With what only this part knows hidden. */
  readonly hidden: Piece;
  /** The class of each node of `whole`: a node of `reduced`. */
  readonly classOf: Int32Array;
  readonly reduced: Piece;
}

export interface Setting {
  readonly system: System;
  readonly observed: Observed;
  readonly equivalence: Bisimulation;
  /** The number of each component's first proposition. */
  readonly firstPropositions: readonly number[];
}

export function settingOf(system: System, observed: Observed, equivalence: Bisimulation): Setting {
  let next = 0;
  const firstPropositions = system.components.map(({ propositions }) => {
    next += propositions.length;
    return next - propositions.length;
  });
  return { system, observed, equivalence, firstPropositions };
}

export function componentPart(setting: Setting, component: number, limit: SizeLimit): Part | null {
  const whole = pieceOf(setting.system, component, setting.firstPropositions[component]!, setting.observed);
  return reducedPart(setting, [component], null, whole, new Int32Array(0), limit);
}

/** Null when it would be too large. */
export function composedPart(setting: Setting, a: Part, b: Part, limit: SizeLimit): Part | null {
  const multiplied = multiply(a.reduced, b.reduced, limit);
  if (multiplied === null) return null;
  const components = [...a.components, ...b.components].sort((x, y) => x - y);
  return reducedPart(setting, components, [a, b], multiplied.piece, multiplied.pairs, limit);
}

function reducedPart(
  { system, observed, equivalence }: Setting,
  components: readonly number[],
  factors: Part['factors'],
  whole: Piece,
  pairs: Int32Array,
  limit: SizeLimit,
): Part | null {
  const inside = new Set(components);
  const isHidden = (event: number): boolean =>
    !observed.events.has(event) && system.participants[event]!.every((component) => inside.has(component));
  const hidden = hide(whole, isHidden);
  const blocks = coarsestBisimulation(hidden, equivalence, limit.timeLeft);
  if (blocks === null) return null;
  const keepsLoop = (id: number): boolean => equivalence === 'strong' || blocks.divergent[id] === 1;
  const reduced = lumpTogether(hidden, blocks.of, blocks.count, keepsLoop);
  return { components, factors, whole, pairs, hidden, classOf: blocks.of, reduced };
}
