// Which proctypes can have several instances in one run: those are called `phil[0]`, `phil[1]` in the order in which they start, the
// others by their bare name. Decided from the program alone, so that a process has the same name in every run of it, and in every part of one.

import type { Program } from '../process/program.ts';
import { canReturn, runsOf } from './creation.ts';

/** By proctype. An instance more than there can be costs an index in a name, nothing else. */
export function haveSeveral(program: Program): boolean[] {
  const several = program.proctypes.map(({ active }) => active > 1);
  const starts = program.proctypes.map((proctype) =>
    runsOf(proctype).map(({ from, to, target }) => ({ target, repeats: canReturn(proctype, from, to) })),
  );
  const sites = program.proctypes.map(({ active }) => active);
  for (const found of starts) for (const { target } of found) sites[target]!++;
  for (let changed = true; changed; ) {
    changed = false;
    starts.forEach((found, owner) => {
      for (const { target, repeats } of found) {
        if (several[target] || !(repeats || several[owner] || sites[target]! > 1)) continue;
        several[target] = true;
        changed = true;
      }
    });
  }
  return several;
}
