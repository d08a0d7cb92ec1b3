// The timers of one actor, as part of its state.
//
// Time itself is not modelled: a timer fires at any moment after it was set. But two timers of one actor have one clock: a timer that was
// set no later and is no longer than another fires before it. So the pending timers are kept in the order of their steps, and a
// timer may fire when none before it is due first. That is what the timers of JavaScript guarantee, and all that is used.

import type { ActorName, Effect, EventValue } from './behaviour.ts';

/**
 * What a second timer with the id of a pending one means. `all`: both are pending, `cancel` takes back both (SCXML). `latest`: only the last one can
 * be cancelled from now on, and not even that one once the first has fired (XState 5's scheduler). `replaced`: the first is taken back (XState 6).
 */
export type TimerRule = 'all' | 'latest' | 'replaced';

export interface PendingTimer {
  readonly id: string | null;
  /** Can `cancel` reach it? */
  readonly attached: boolean;
  readonly to: ActorName | null;
  readonly target: string;
  readonly event: EventValue;
  /** Milliseconds; negative where it is not known. */
  readonly delay: number;
  /** Timers set in one step have the same number; later steps have greater ones. */
  readonly batch: number;
  /** Stands for any number of timers that are alike: it stays when it fires. */
  readonly many: boolean;
}

/** Timers of one kind that are told apart. */
const ALIKE = 2;

export function afterStep(
  timers: readonly PendingTimer[],
  effects: readonly Effect[],
  rule: TimerRule,
): readonly PendingTimer[] {
  let pending = [...timers];
  const batch = Math.max(-1, ...timers.map((timer) => timer.batch)) + 1;
  for (const effect of effects) {
    if (effect.kind === 'cancel')
      pending = pending.filter((timer) => timer.many || !timer.attached || timer.id !== effect.id);
    if (effect.kind !== 'send' || effect.delay === null) continue;
    const { id, to, target, event, delay } = effect;
    if (rule === 'latest' && id !== null)
      pending = pending.map((timer) => (timer.id === id ? { ...timer, attached: false } : timer));
    if (rule === 'replaced' && id !== null) pending = pending.filter((timer) => timer.id !== id);
    pending.push({ id, attached: id !== null, to, target, event, delay, batch, many: false });
  }
  return normalised(mergeAlike(pending));
}

/** More than a few timers that are alike become one that stands for any number. */
function mergeAlike(timers: readonly PendingTimer[]): PendingTimer[] {
  const kinds = new Map<string, PendingTimer[]>();
  for (const timer of timers) {
    const kind = kindOf(timer);
    kinds.set(kind, [...(kinds.get(kind) ?? []), timer]);
  }
  const dropped = new Set<PendingTimer>();
  const merged = new Map<PendingTimer, PendingTimer>();
  for (const alike of kinds.values()) {
    if (alike.length <= ALIKE && !alike.some((timer) => timer.many)) continue;
    merged.set(alike[0]!, { ...alike[0]!, many: true });
    for (const timer of alike.slice(1)) dropped.add(timer);
  }
  return timers.filter((timer) => !dropped.has(timer)).map((timer) => merged.get(timer) ?? timer);
}

const kindOf = ({ id, to, event, delay }: PendingTimer): string => JSON.stringify([id, to, event.key, delay]);

/** Batches are renumbered: only their order matters. */
function normalised(timers: readonly PendingTimer[]): readonly PendingTimer[] {
  const batches = [...new Set(timers.map((timer) => timer.batch))].sort((a, b) => a - b);
  return timers.map((timer) => ({ ...timer, batch: batches.indexOf(timer.batch) }));
}

/** The timers that may fire next, each with what is pending afterwards. */
export function firing(
  timers: readonly PendingTimer[],
): { readonly timer: PendingTimer; readonly rest: readonly PendingTimer[] }[] {
  return timers
    .filter((timer) => !timers.some((other) => isDueBefore(other, timer)))
    .map((timer) => ({ timer, rest: timer.many ? timers : normalised(without(timers, timer)) }));
}

function isDueBefore(first: PendingTimer, second: PendingTimer): boolean {
  if (first === second || first.many || second.many || first.delay < 0 || second.delay < 0) return false;
  return first.batch < second.batch
    ? first.delay <= second.delay
    : first.batch === second.batch && first.delay < second.delay;
}

/** A timer that was cut off from its id takes the entry of its successor with it. */
function without(timers: readonly PendingTimer[], fired: PendingTimer): PendingTimer[] {
  const rest = timers.filter((timer) => timer !== fired);
  if (fired.id === null || fired.attached) return rest;
  return rest.map((timer) => (timer.id === fired.id ? { ...timer, attached: false } : timer));
}

export const timersKey = (timers: readonly PendingTimer[]): string =>
  timers.length === 0
    ? ''
    : JSON.stringify(
        timers.map((t) => [t.id, t.attached, t.to, t.event.key, t.delay, t.batch, t.many ? 1 : 0]),
      );
