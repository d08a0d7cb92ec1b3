// Cycles that need messages ([CycleDeps] section 5). SC: a cycle that receives needs cycles that send. FC: when it also tests what
// it received, and the cycles around are fastened, senders whose message cannot satisfy the test are dropped.

import type { NetCycle } from '../net/cycles.ts';
import type { CodeContext } from './context.ts';
import {
  isDetermined,
  type MessageClaim,
  type MessageDetermined,
  placeReceived,
  slipsPast,
} from './fastened.ts';
import { cycleAt, type Facts, type RayRow } from './rows.ts';
import { maySatisfy, sendersOf, type WayToSend, wayToSend } from './senders.ts';

/**
 * Times the test was passed ≤ fitting messages sent: the row of a message-determined condition in fastened cycles. Every
 * pass of the test has a receive of its own before it, whatever cycle it is part of, so that the row needs no cycles.
 */
export function messageRow(facts: Facts, claim: MessageClaim): RayRow | null {
  const { context } = facts;
  const { net, instances } = context;
  const cycle = cycleAt(context, claim.cycle);
  if (cycle === null || !Number.isFinite(instances[cycle.class]!)) return null;
  if (!isDetermined(context, cycle, claim)) return null;
  if (placeReceived(context, cycle.transitions[claim.receive.step]!) !== claim.place) return null;
  const slips = slipsPast(context, cycle, claim);
  if (slips === null) return null;
  const coefficients = new Map<number, bigint>();
  const add = (transition: number, change: number): void => {
    coefficients.set(transition, (coefficients.get(transition) ?? 0n) + BigInt(change));
  };
  let constant = BigInt(net.places[claim.place]!.initial) + BigInt(slips * instances[cycle.class]!);
  for (const { transition, change } of sendersOf(context, claim.place)) {
    const good = goodEntrances(facts, cycle, claim, wayToSend(context, transition));
    if (good === 'all') add(transition, change);
    else {
      // Each arrival where the way begins is followed by one send at most: arrivals are counted, each with what it brings.
      for (const entrance of good.entrances) add(entrance, change);
      const started = good.isStart ? instances[net.transitions[transition]!.class]! : 0;
      if (!Number.isFinite(started)) return null;
      constant += BigInt(change) * BigInt(started);
    }
  }
  add(cycle.transitions[claim.test.step]!, -1);
  for (const [transition, coefficient] of coefficients)
    if (coefficient === 0n) coefficients.delete(transition);
  return { claim, coefficients, cycle: null, constant };
}

/** Over which of its entrances the way can bring a fitting message. */
function goodEntrances(
  facts: Facts,
  cycle: NetCycle,
  claim: MessageDetermined,
  way: WayToSend,
): 'all' | { readonly entrances: readonly number[]; readonly isStart: boolean } {
  if (!maySatisfy(facts, cycle, claim, way.transitions)) return { entrances: [], isStart: false };
  const good = way.entrances.filter((entrance) =>
    maySatisfy(facts, cycle, claim, wayOver(facts.context, way, entrance)),
  );
  return good.length === way.entrances.length ? 'all' : { entrances: good, isStart: way.isStart };
}

/** The way, begun with the entrance, and with what always comes before that. */
export function wayOver(context: CodeContext, way: WayToSend, entrance: number): readonly number[] {
  return [...wayToSend(context, entrance).transitions, ...way.transitions];
}
