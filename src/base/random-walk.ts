// A walk through anything that offers choices: the same for every language that can be simulated.

import type { Random } from './random.ts';

interface Walkable<Choice, End, Walked> {
  choices(): readonly Choice[];
  take(choice: Choice): void;
  /** Null while something can move. */
  end(): End | null;
  run(end: End): Walked;
}

/** At most so many steps; `stopped` is how it ends when something could still move. */
export function walkAtRandom<Choice, End, Walked>(
  simulation: Walkable<Choice, End, Walked>,
  random: Random,
  steps: number,
  stopped: End,
): { readonly run: Walked; readonly end: End } {
  let end = simulation.end();
  for (let taken = 0; taken < steps && end === null; taken++) {
    simulation.take(random.pick(simulation.choices()));
    end = simulation.end();
  }
  end ??= stopped;
  return { run: simulation.run(end), end };
}
