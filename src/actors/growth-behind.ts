// Growth on the way to a state: an earlier state differs from it in mailboxes and families only, those have more now, and the way between the two can be taken again and
// again, because nothing on it looks at how much there is.

import type { Move, StateGraph, Successor } from './graph.ts';
import { growthOf } from './pumping.ts';
import { type Fact, type SystemState, trafficOf } from './state.ts';

export interface Growth {
  /** Where the loop begins. */
  readonly at: number;
  readonly before: SystemState;
  readonly moves: readonly Move[];
  /** By actor: how much its mailbox grows in a round. */
  readonly growth: readonly number[];
  /** That have one more member after each round. */
  readonly families: readonly number[];
}

/** How far back a state is compared with those on the way to it. */
const MOST_BACK = 60;

/** Is there a state on the way here that differs in its mailboxes only, and can the way be repeated? */
export function growthBehind(graph: StateGraph, from: number, last: Successor): Growth | null {
  if (last.result.end !== 'quiet') return null;
  const now = last.result.state;
  const moves: Move[] = [last];
  let facts: Fact[] = [...last.result.facts];
  for (let at = from, n = 0; at >= 0 && n < MOST_BACK; n++) {
    const before = graph.states[at]!;
    const grown = sameButFamilies(before, now);
    if (grown !== null) {
      const same = grown.length > 0 && sameMail(before, now) ? before.mail.map(() => 0) : null;
      const growth = growthOf(trafficOf(before.mail, facts)) ?? same;
      if (growth !== null && !facts.some((fact) => looksAtLength(graph, fact, growth, grown))) {
        return { at, moves, before, growth, families: grown };
      }
    }
    const { from: earlier, move } = graph.cameFrom[at]!;
    if (earlier < 0) return null;
    moves.unshift(move);
    facts = [...graph.redo(earlier, move).facts, ...facts];
    at = earlier;
  }
  return null;
}

/** Does the fact depend on how much is in a mailbox that grows, or on who is in a family that does? */
function looksAtLength(
  { system, scheduler }: StateGraph,
  fact: Fact,
  growth: readonly number[],
  families: readonly number[],
): boolean {
  const distributed = scheduler === 'distributed';
  if (fact.kind === 'stopped') return !distributed || families.includes(fact.actor);
  if (fact.kind === 'offer') {
    const { kind } = system.actors[fact.actor]!.states[fact.from]!.offers[fact.index]!;
    return distributed && (kind === 'external' ? growth.some((gain) => gain > 0) : growth[fact.actor]! > 0);
  }
  return fact.kind === 'take' && fact.item >= -1 && families.includes(fact.actor);
}

/** Families that have more members now, everything else in the slots being the same; null if it is not. */
function sameButFamilies(before: SystemState, now: SystemState): number[] | null {
  const grown: number[] = [];
  for (const [actor, slot] of now.slots.entries()) {
    const old = before.slots[actor]!;
    if (typeof slot === 'number' || typeof old === 'number') {
      if (slot !== old) return null;
    } else if (slot.join() !== old.join()) {
      const rest = [...slot];
      for (const id of old) {
        const at = rest.indexOf(id);
        if (at < 0) return null;
        rest.splice(at, 1);
      }
      grown.push(actor);
    }
  }
  return grown;
}

const sameMail = (a: SystemState, b: SystemState): boolean =>
  a.mail.every((items, actor) => items.join() === b.mail[actor]!.join());
