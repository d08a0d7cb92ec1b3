// The minimal coverability set: finitely many ω-markings whose downward closure is that of what is reachable.
//
// Karp and Miller: when a marking is greater than one it descends from, what happened in between can be repeated, and the places that
// gained become ω. Here with two economies that keep the set minimal and the work small (Finkel, Haddad, Khmelnitsky: *Minimal
// coverability tree construction made complete and efficient*, 2020): a marking below one already found is not expanded, and a loop
// that once accelerated is kept as a transition of its own and tried on every new marking.
//
// Completeness does not rest on this file: the result is handed out only as a candidate, and `isInvariant` (cover-check.ts) goes
// through every marking and transition. That no marking is too large rests on it: each ω stands for a loop that was fired, and
// `plan` gives the loops, which plan.ts checks. So the bounds are those of the net exactly.

import type { Budget } from '../base/budget.ts';
import { fire, initialMarking, isBelow, type Marking, OMEGA, type PetriNet, TooManyTokens } from './net.ts';
import { type LoopEffect, loopEffect, type Plan, type PlanStep } from './plan.ts';

export interface CoverabilitySet {
  /** Pairwise incomparable. */
  readonly markings: readonly Marking[];
  /** How the marking is reached: steps and loops repeated at will. */
  plan(marking: number): Plan;
  readonly expanded: number;
  readonly accelerations: number;
}

export type CoverabilityOutcome =
  | { readonly kind: 'complete'; readonly set: CoverabilitySet }
  | {
      readonly kind: 'stopped';
      readonly why: 'time' | 'size' | 'numbers';
      /** What was found until then: each is covered by something reachable. */
      readonly set: CoverabilitySet;
    };

export interface CoverabilityLimits {
  /** Markings kept at most. */
  readonly markings?: number;
  /** Markings expanded at most. */
  readonly work?: number;
}

const MAX_MARKINGS = 20_000;
const MAX_WORK = 400_000;
const MAX_KEPT_LOOPS = 200;

interface Node {
  readonly marking: Marking;
  readonly parent: Node | null;
  /** What leads from the parent's marking to this one. */
  readonly steps: readonly PlanStep[];
}

export function coverabilitySet(
  net: PetriNet,
  budget: Budget,
  limits: CoverabilityLimits = {},
): CoverabilityOutcome {
  const builder = new Builder(net);
  const maxMarkings = limits.markings ?? MAX_MARKINGS;
  const maxWork = limits.work ?? MAX_WORK;
  let why: 'time' | 'size' | 'numbers' | null = null;
  try {
    why = builder.run(() => {
      if (builder.expanded % 64 === 0 && !budget.timeLeft()) return 'time';
      return builder.found.size > maxMarkings || builder.expanded > maxWork ? 'size' : null;
    });
  } catch (problem) {
    if (!(problem instanceof TooManyTokens)) throw problem;
    why = 'numbers';
  }
  const set = builder.result();
  return why === null ? { kind: 'complete', set } : { kind: 'stopped', why, set };
}

class Builder {
  readonly net: PetriNet;
  /** The greatest markings so far. */
  found = new Set<Node>();
  expanded = 0;
  private readonly loops: Loop[] = [];

  constructor(net: PetriNet) {
    this.net = net;
  }

  run<T>(stop: () => T | null): T | null {
    const work: Node[] = [];
    this.add({ marking: initialMarking(this.net), parent: null, steps: [] }, work);
    for (let node = work.pop(); node !== undefined; node = work.pop()) {
      const reason = stop();
      if (reason !== null) return reason;
      // Something greater came in the meantime and is expanded instead.
      if (!this.found.has(node)) continue;
      this.expanded++;
      for (const [number, transition] of this.net.transitions.entries()) {
        const marking = fire(transition, node.marking);
        if (marking === null || this.isCovered(marking)) continue;
        this.add({ marking, parent: node, steps: [{ kind: 'fire', transition: number }] }, work);
        if (!this.found.has(node)) break;
      }
    }
    return null;
  }

  result(): CoverabilitySet {
    const { expanded, loops } = this;
    const found = [...this.found];
    return {
      markings: found.map(({ marking }) => marking),
      plan: (index) => stepsBetween(null, found[index]!),
      expanded,
      accelerations: loops.length,
    };
  }

  private isCovered(marking: Marking): boolean {
    for (const known of this.found) if (isBelow(marking, known.marking)) return true;
    return false;
  }

  private add(candidate: Node, work: Node[]): void {
    const node = this.accelerate(candidate);
    if (node !== candidate && this.isCovered(node.marking)) return;
    for (const known of this.found) if (isBelow(known.marking, node.marking)) this.found.delete(known);
    this.found.add(node);
    work.push(node);
  }

  /** Repeats what can be repeated, until nothing becomes ω any more. */
  private accelerate(candidate: Node): Node {
    let node = candidate;
    for (let before: Node | null = null; before !== node; ) {
      before = node;
      for (const loop of this.loops) node = applied(node, loop) ?? node;
      for (let ancestor = node.parent; ancestor !== null; ancestor = ancestor.parent) {
        if (grew(ancestor.marking, node.marking)) node = this.repeat(ancestor, node);
      }
    }
    return node;
  }

  private repeat(ancestor: Node, node: Node): Node {
    const marking = node.marking.map((count, place) => (ancestor.marking[place]! < count ? OMEGA : count));
    // What was repeated in between is ω by now: one round needs it no more.
    const body = stepsBetween(ancestor, node).flatMap((step) =>
      step.kind === 'fire' ? [step.transition] : [],
    );
    if (this.loops.length < MAX_KEPT_LOOPS) this.loops.push(loopOf(this.net, body));
    return { ...node, marking, steps: [...node.steps, { kind: 'repeat', body }] };
  }
}

/** Nowhere less, and somewhere more that is not ω yet. */
function grew(before: Marking, after: Marking): boolean {
  let more = false;
  for (let place = 0; place < before.length; place++) {
    if (before[place]! > after[place]!) return false;
    if (before[place]! < after[place]! && after[place] !== OMEGA) more = true;
  }
  return more;
}

/** What was repeated once, to be tried anywhere. */
interface Loop extends LoopEffect {
  readonly body: readonly number[];
}

const loopOf = (net: PetriNet, body: readonly number[]): Loop => ({ body, ...loopEffect(net, body) });

function applied(node: Node, { body, needs, change }: Loop): Node | null {
  const { marking } = node;
  const after = [...marking];
  let isNew = false;
  for (const [place, by] of change) {
    if (marking[place] === OMEGA) continue;
    if (by < 0) return null;
    after[place] = OMEGA;
    isNew = true;
  }
  if (!isNew) return null;
  for (const [place, count] of needs) if (marking[place]! < count) return null;
  return { ...node, marking: after, steps: [...node.steps, { kind: 'repeat', body }] };
}

function stepsBetween(ancestor: Node | null, node: Node): PlanStep[] {
  const parts: (readonly PlanStep[])[] = [];
  for (let at: Node | null = node; at !== null && at !== ancestor; at = at.parent) parts.push(at.steps);
  return parts.reverse().flat();
}
