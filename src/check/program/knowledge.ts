// What the engines for programs tell each other through the board: names of the entries, and their types.

import type { Board } from '../../engine/fact.ts';
import type { NetAssumptions } from './fits.ts';

export const KNOWLEDGE = {
  /** NetAssumptions: what the bounds of the net take for granted. */
  assumptions: 'bounded: assumptions of the net',
  /** AbstractionRecipe: how the net of the last round is built. */
  recipe: 'bounded: recipe of the net',
  /** Record<string, number>: by queue, the bound that a run was seen to reach. */
  reachedBounds: 'bounded: bounds that are reached',
  /** number[][]: by proctype, the edges of loops that could flood a queue. */
  floodingEdges: 'bounded: suspicious edges',
  /** number[][]: by proctype, the edges of loops that could go on without progress. */
  idlingEdges: 'livelock-free: suspicious edges',
  /** readonly Note[]: loops that nothing can make go on. */
  designHints: 'livelock-free: hints',
} as const;

export const assumptionsOn = (board: Board): NetAssumptions | undefined =>
  board.knowledge(KNOWLEDGE.assumptions) as NetAssumptions | undefined;

export const reachedOn = (board: Board): Readonly<Record<string, number>> =>
  (board.knowledge(KNOWLEDGE.reachedBounds) as Readonly<Record<string, number>> | undefined) ?? {};

export const edgesOn = (
  board: Board,
  about: typeof KNOWLEDGE.floodingEdges | typeof KNOWLEDGE.idlingEdges,
): ReadonlySet<number>[] | undefined =>
  (board.knowledge(about) as readonly (readonly number[])[] | undefined)?.map((edges) => new Set(edges));
