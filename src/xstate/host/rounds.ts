// Explores a machine in rounds: what a round learns (keys to widen, families, which events are internal) is known to the next.

import { EXPLORE_LIMITS, type Exploration, type ExploreLimits, exploreSystem } from '../../actors/explore.ts';
import { type RootMachine, XStateBehaviour } from './behaviour.ts';
import type { Declared } from './declared.ts';
import { LearnedSomething, noLessons } from './lessons.ts';
import { staleReferences } from './stale.ts';
import { isMachine6 } from './types.ts';

const MOST_ROUNDS = 60;
/** Rounds for the question which events come from outside; it settles in two, or goes to and fro. */
const OUTSIDE_ROUNDS = 3;

/** States that are explored before data is widened to have fewer; beyond it, where nothing is left to widen, the limit is the caller's. */
const WITH_ALL_DATA = 6_000;

export type Explored = Exploration & { readonly behaviour: XStateBehaviour | null };

export interface RoundLimits extends ExploreLimits {
  /** Begins a round: false when it has taken so much of the time that fewer data should be told apart. */
  readonly round?: () => () => boolean;
}

export function exploreMachine(
  root: RootMachine,
  declared: Declared = {},
  limits: RoundLimits = EXPLORE_LIMITS,
): Explored {
  const lessons = noLessons();
  const rule = isMachine6(root.logic) ? 'replaced' : 'latest';
  let outside = 0;
  let most = Math.min(limits.states, WITH_ALL_DATA);
  let begin = limits.round;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const behaviour = new XStateBehaviour(root, declared, lessons);
    try {
      const goOn = begin?.() ?? limits.goOn;
      const found = exploreSystem(behaviour, 'xstate', rule, {
        ...limits,
        states: most,
        ...(goOn === undefined ? {} : { goOn }),
      });
      const isLate = !found.ok && found.limit === 'time' && limits.goOn?.() !== false;
      if (isLate || (!found.ok && found.limit === 'states')) {
        if (behaviour.widenMost()) continue;
        // Nothing is left to widen: all the states, and all the time.
        if (most < limits.states || begin !== undefined) {
          most = limits.states;
          begin = undefined;
          continue;
        }
      }
      if (!found.ok) return { ...found, behaviour };
      if (outside >= OUTSIDE_ROUNDS || sameTypes(lessons.internal, behaviour.sent))
        return finished(found, behaviour, declared);
      outside++;
      lessons.internal.clear();
      for (const [logic, types] of behaviour.sent) lessons.internal.set(logic, types);
    } catch (error) {
      if (!(error instanceof LearnedSomething)) throw error;
    }
  }
  return { ok: false, limit: 'states', actor: root.name, behaviour: null };
}

/** What is declared about progress is part of the system. */
function finished(
  { system }: Exploration & { readonly ok: true },
  behaviour: XStateBehaviour,
  { progress }: Declared,
): Explored {
  const caveats = [...system.caveats, ...staleReferences(system, behaviour.exported)];
  return {
    ok: true,
    system: { ...system, caveats, ...(progress === undefined ? {} : { progress }) },
    behaviour,
  };
}

const sameTypes = (
  a: ReadonlyMap<string, ReadonlySet<string>>,
  b: ReadonlyMap<string, ReadonlySet<string>>,
): boolean => flat(a) === flat(b);

const flat = (types: ReadonlyMap<string, ReadonlySet<string>>): string =>
  JSON.stringify([...types].map(([logic, set]) => [logic, [...set].sort()]).sort());
