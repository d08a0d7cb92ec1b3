// A swarm: many small searches of one large model instead of one large search (Holzmann, Joshi, Groce: Swarm verification techniques, 2011).

import type { CheckOptions } from '../engine/options.ts';

export const MOST_SWARM = 64;

export const swarmEngine = (seed: number): string => `swarm search ${seed}`;

/** The searches that the options ask for, by the names of their engines. */
export const swarmEngines = ({ swarm = 0 }: CheckOptions): readonly string[] =>
  Array.from({ length: Math.min(swarm, MOST_SWARM) }, (_, seed) => swarmEngine(seed + 1));
