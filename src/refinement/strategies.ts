// Which cycles can make a condition true again ([CycleDeps] section 4.1, [Ciclo] Fig. 6), on nothing but the shape of the control
// graph: cycles as sets of locations, and which of them modify what the condition depends on.
//
// N: the neighbours, which share a location with c. MC: every cycle that modifies. ND ("next door"): the neighbours, if all of them modify, so
// that nothing else is reached without them; otherwise MC. PC: the preemptive cycles, by breadth-first search from c through
// neighbours that do not modify ([CycleDeps] Fig. 4).
//
// Each is a set S such that whenever c repeats for ever and needs a modification again and again, some cycle of S repeats for ever:
// the cycles repeated for ever are connected through shared locations, so on the way from c to one that modifies, the first one
// that does is in PC ⊆ ND ⊆ MC.

export type LocalStrategy = 'N' | 'MC' | 'ND' | 'PC';

export interface CycleShape {
  readonly locations: ReadonlySet<number>;
  readonly modifies: boolean;
}

export function isNeighbour(a: CycleShape, b: CycleShape): boolean {
  const [small, large] = a.locations.size < b.locations.size ? [a, b] : [b, a];
  for (const location of small.locations) if (large.locations.has(location)) return true;
  return false;
}

/** Indices of the cycles, never the cycle itself. */
export function localDependency(
  cycles: readonly CycleShape[],
  cycle: number,
  strategy: LocalStrategy,
): number[] {
  const neighbours = (of: number): number[] =>
    cycles.flatMap((other, index) => (index !== of && isNeighbour(cycles[of]!, other) ? [index] : []));
  const modifying = cycles.flatMap(({ modifies }, index) => (modifies && index !== cycle ? [index] : []));
  switch (strategy) {
    case 'N':
      return neighbours(cycle);
    case 'MC':
      return modifying;
    case 'ND': {
      const near = neighbours(cycle);
      return near.every((index) => cycles[index]!.modifies) ? near : modifying;
    }
    case 'PC':
      return preemptive(cycles, cycle, neighbours);
  }
}

function preemptive(
  cycles: readonly CycleShape[],
  cycle: number,
  neighbours: (of: number) => readonly number[],
): number[] {
  const seen = new Set([cycle]);
  const found: number[] = [];
  const open = [cycle];
  for (let at = 0; at < open.length; at++) {
    for (const next of neighbours(open[at]!)) {
      if (seen.has(next)) continue;
      seen.add(next);
      if (cycles[next]!.modifies) found.push(next);
      else open.push(next);
    }
  }
  return found.sort((a, b) => a - b);
}
