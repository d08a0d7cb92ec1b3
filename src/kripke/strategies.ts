// How compositions can be looked into, as `--strategy` names it. `compositional` is minimising while composing, and refinement where that
// meets its limits; `linear` is about deadlocks alone.

export const STRATEGIES = [
  'portfolio',
  'linear',
  'symbolic',
  'compositional',
  'minimised',
  'reduced',
  'refinement',
  'monolithic',
] as const;

export type Strategy = (typeof STRATEGIES)[number];
