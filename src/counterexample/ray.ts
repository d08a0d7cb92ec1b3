// A ray as a person reads it: the loops that repeat, and the paths that newly started processes take ([Ciclo] VII: the
// counterexample is the set of cycles with a non-zero count).

import { gcd } from '../base/rational.ts';
import { decomposeFlow } from '../graph/flow.ts';
import type { ExactVector } from '../lp/problem.ts';
import type { NetCycle } from '../net/cycles.ts';
import { classGraphs, cycleOf } from '../net/cycles.ts';
import type { Net } from '../net/net.ts';
import type { Position } from '../source/source.ts';
import type { CycleDescription } from '../verdict/verdict.ts';

/** How often each transition is taken in one round of the ray: transition → count, zeros left out. */
export type Ray = ReadonlyMap<number, bigint>;

export interface RayPart {
  readonly kind: 'cycle' | 'path';
  readonly cycle: NetCycle;
  readonly times: bigint;
}

/** Elementary cycles, and paths of started instances, that add up to the ray. */
export function decomposeRay(net: Net, ray: Ray): RayPart[] {
  return classGraphs(net).flatMap(({ graph, transitions }, netClass) => {
    const flow = transitions.map((transition) => ray.get(transition) ?? 0n);
    if (flow.every((units) => units === 0n)) return [];
    return decomposeFlow(graph, flow).map(({ kind, arcs, times }) => ({
      kind,
      cycle: cycleOf(
        net,
        netClass,
        arcs.map((arc) => transitions[arc]!),
      ),
      times,
    }));
  });
}

const NOWHERE: Position = { file: '', line: 0, column: 0 };

export function describeParts(net: Net, parts: readonly RayPart[]): CycleDescription[] {
  return parts.map(({ kind, cycle, times }) => ({
    process: net.classes[cycle.class]!.name,
    steps: cycle.transitions.map((index) => {
      const { text, at } = net.transitions[index]!;
      return { text, at: at ?? NOWHERE };
    }),
    effect: effectOnQueues(net, cycle),
    times: Number(times),
    ...(kind === 'path' ? { why: 'every newly started process can take this path' } : {}),
  }));
}

function effectOnQueues(net: Net, cycle: NetCycle): { queue: string; change: number }[] {
  return net.queues.flatMap(({ name, places }) => {
    const change = places.reduce((sum, place) => sum + (cycle.effect.get(place) ?? 0), 0);
    return change === 0 ? [] : [{ queue: name, change }];
  });
}

/** A multiple in integers, of the columns that are transitions. */
export function rayOf({ values }: ExactVector, transitions = values.length): Ray {
  const ray = new Map<number, bigint>();
  let common = 0n;
  for (let index = 0; index < transitions; index++) {
    const value = values[index]!;
    if (value !== 0n) {
      ray.set(index, value);
      common = gcd(common, value);
    }
  }
  return common <= 1n ? ray : new Map([...ray].map(([index, value]) => [index, value / common]));
}
