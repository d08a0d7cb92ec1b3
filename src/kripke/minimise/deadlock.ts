// Freedom from deadlock by minimising while composing. Nothing is observed: every event is hidden as soon as all who share it are inside. Branching bisimulation
// with explicit divergence keeps whether a state without steps can be reached, and does not take going on hidden for ever for one.

import type { Budget } from '../../base/budget.ts';
import type { Path } from '../path.ts';
import { Product } from '../product.ts';
import { breadthFirst, type Limit } from '../search.ts';
import type { System } from '../system.ts';
import { composeParts } from './compose.ts';
import { followDown } from './follow.ts';
import { settingOf } from './part.ts';
import type { CompositionRecord } from './proof.ts';
import { recordOf } from './proof.ts';
import { partPath, reducedSystem } from './reduced-system.ts';

export interface MinimisedStats {
  /** Nodes of the largest product met, parts included. */
  readonly largestProduct: number;
  /** Parts that were left to search through together. */
  readonly parts: number;
}

export type MinimisedDeadlock = { readonly stats: MinimisedStats } & (
  | { readonly kind: 'free'; readonly record: CompositionRecord }
  | { readonly kind: 'deadlock'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: Limit }
);

/** Parts larger than this are not multiplied out. */
export const PART_LIMIT = { nodes: 200_000, edges: 2_000_000 };

export function minimisedDeadlock(
  system: System,
  budget: Budget,
  report: (text: string) => void = () => {},
): MinimisedDeadlock {
  const nothing = { events: new Set<number>(), propositions: new Set<number>() };
  const setting = settingOf(system, nothing, 'branching');
  const limit = { ...PART_LIMIT, timeLeft: budget.timeLeft };
  const composition = composeParts(setting, limit, new Map(), report);
  if (composition === null)
    return { kind: 'limit', limit: 'time', stats: { largestProduct: 0, parts: system.components.length } };
  const { parts } = composition;
  const reduced = reducedSystem(system, parts, 0);
  const found = breadthFirst(new Product(reduced.system), budget, (_, steps) => steps === 0);
  const largestProduct = Math.max(composition.largest, found.states);
  const stats = { largestProduct, parts: parts.length };
  if (found.kind === 'limit') return { kind: 'limit', limit: found.limit, stats };
  if (found.kind === 'none')
    return { kind: 'free', record: recordOf([{ equivalence: 'branching', parts }]), stats };
  const path = followDown(system, parts, partPath(reduced, found.path));
  return path === null ? { kind: 'limit', limit: 'states', stats } : { kind: 'deadlock', path, stats };
}
