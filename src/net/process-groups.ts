// How many processes of a class there are, or will be: for each class weights of locations whose sum stays the same. The class's own
// locations weigh 1; a location of a process that starts others weighs as much as it is still to start from there. Where different
// ways start different numbers there is no such sum.

import type { Group } from '../petri/propagate.ts';
import type { Net, NetTransition } from './net.ts';

/** Weights in all classes together: more are not worth their place in a certificate. */
const MANY_WEIGHTS = 200_000;

export function processGroups(net: Net, location: (process: number, location: number) => number): Group[] {
  const leaving: NetTransition[][] = net.classes.map(() => []);
  for (const step of net.transitions) leaving[step.class]!.push(step);
  const starters = net.classes.map((_, index) => leaving[index]!.some(({ spawns }) => spawns.length > 0));
  const isStarted = new Set(net.transitions.flatMap(({ spawns }) => spawns.map((spawn) => spawn.class)));
  let left = MANY_WEIGHTS;
  return net.classes.flatMap(({ locations }, process): Group[] => {
    const own = locations.map((_, number): readonly [number, number] => [location(process, number), 1]);
    if (!isStarted.has(process)) return [own];
    const others = left > 0 ? startedLater(net, leaving, starters, process) : null;
    if (others === null) return [];
    const group = [
      ...own,
      ...others.flatMap((weights, other) =>
        [...weights].flatMap(([number, weight]): (readonly [number, number])[] =>
          weight > 0 && other !== process ? [[location(other, number), weight]] : [],
        ),
      ),
    ];
    left -= group.length;
    return [group];
  });
}

/** Per class and location: how many processes of the target will be started from there; null when that depends on the way. */
function startedLater(
  net: Net,
  leaving: readonly (readonly NetTransition[])[],
  starters: readonly boolean[],
  target: number,
): ReadonlyMap<number, number>[] | null {
  const weights: (Map<number, number> | undefined)[] = net.classes.map(() => undefined);
  const visiting = new Set<number>();
  const visit = (process: number): Map<number, number> | null => {
    const known = weights[process];
    if (known !== undefined) return known;
    if (visiting.has(process)) return null;
    visiting.add(process);
    const found = process === target || !starters[process] ? new Map<number, number>() : label(process);
    if (found !== null) weights[process] = found;
    return found;
  };
  const label = (process: number): Map<number, number> | null => {
    const { initial } = net.classes[process]!;
    const started = new Map([[initial, 0]]);
    const steps = byLocation(leaving[process]!);
    const work = [initial];
    for (let at = work.pop(); at !== undefined; at = work.pop())
      for (const { to, spawns } of steps.get(at) ?? []) {
        let count = started.get(at)!;
        for (const { class: other, count: times } of spawns) {
          const later = visit(other);
          if (later === null) return null;
          count += times * (other === target ? 1 : (later.get(net.classes[other]!.initial) ?? 0));
        }
        const before = started.get(to);
        if (before !== undefined && before !== count) return null;
        if (before === undefined) work.push(to);
        started.set(to, count);
      }
    const most = Math.max(...started.values());
    return new Map([...started].map(([number, count]) => [number, most - count]));
  };
  for (const process of net.classes.keys()) if (visit(process) === null) return null;
  return weights.map((one) => one ?? new Map());
}

function byLocation(steps: readonly NetTransition[]): Map<number, NetTransition[]> {
  const groups = new Map<number, NetTransition[]>();
  for (const step of steps) {
    const known = groups.get(step.from);
    if (known === undefined) groups.set(step.from, [step]);
    else known.push(step);
  }
  return groups;
}
