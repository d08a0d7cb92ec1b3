// Freedom from deadlock by decision diagrams: all configurations that can be reached are one set, those without a step another. Where none is stuck, the set itself is the
// proof: it contains the beginning, no step leaves it, and each of its members can go on.

import type { Budget } from '../../base/budget.ts';
import type { Path } from '../path.ts';
import type { System } from '../system.ts';
import { EMPTY, EVERYTHING } from './diagram.ts';
import { withinLimits } from './limits.ts';
import type { SymbolicRecord } from './proof.ts';
import { Recorder } from './proof.ts';
import { Space } from './space.ts';
import type { Trace } from './trace.ts';
import { wayInto } from './trace.ts';

export interface SymbolicStats {
  /** Nodes that were made, and configurations that can be reached. */
  readonly diagramNodes: number;
  readonly reached: number;
}

export type SymbolicDeadlock = { readonly stats: SymbolicStats } & (
  | { readonly kind: 'free'; readonly record: SymbolicRecord }
  | { readonly kind: 'deadlock'; readonly path: Path }
  | { readonly kind: 'limit'; readonly limit: 'time' | 'memory' }
);

const NOTHING: SymbolicStats = { diagramNodes: 0, reached: 0 };

export function symbolicDeadlock(system: System, budget: Budget): SymbolicDeadlock {
  return withinLimits(
    (): SymbolicDeadlock => {
      const space = Space.of(system, null, budget);
      const { diagrams, forward } = space;
      const reached = forward.closure(space.initial);
      const stuck = forward.stuck(reached);
      const stats = { diagramNodes: diagrams.size, reached: diagrams.count(reached) };
      if (stuck === EMPTY) {
        const record = { plain: new Recorder(space).reached(reached), proofs: [] };
        return { kind: 'free', record, stats };
      }
      const trace = wayInto(space, space.initial, stuck, EVERYTHING);
      if (trace === null) throw new Error('impossible: a configuration was reached without a way to it');
      return { kind: 'deadlock', path: pathOf(space, trace, null), stats };
    },
    (limit) => ({ kind: 'limit', limit, stats: NOTHING }),
  );
}

/** `loopStart`: the last member of the trace is that one again. */
export function pathOf(space: Space, trace: Trace, loopStart: number | null): Path {
  const events = trace.slice(1).map((member, index) => space.eventBetween(trace[index]!, member));
  const states = (loopStart === null ? trace : trace.slice(0, -1)).map((member) =>
    space.configuration(member),
  );
  return { states, events, loopStart };
}
