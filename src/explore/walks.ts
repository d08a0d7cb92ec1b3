// Random walks through the concrete semantics, in search of loops that repeat with longer queues. A walk keeps the control
// part of every state it passed; coming back to one with more messages around is a candidate.

import type { Budget } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import type { Offer, Wanted } from './ancestors.ts';
import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import type { ConfirmOptions } from './confirm.ts';
import { hashOf, hashWithoutCounters, totalLength } from './control.ts';
import { FRAME, HEADER } from './layout.ts';

const WALKS = 60;
const LENGTH = 600;
const PREFER = 0.9;

interface Successor {
  readonly words: Int32Array;
  readonly choices: readonly Choice[];
  readonly preferred: boolean;
}

/** Offers candidates until `offer` says enough, the walks are over, or the time is. */
export function walkForLoops(
  model: Model,
  options: ConfirmOptions,
  budget: Budget,
  offer: Offer,
  isWanted: Wanted,
): void {
  // Without progress, loops that grow nothing count, too.
  const wanted = options.progress === undefined ? isWanted : () => true;
  const random = new Random(options.seed ?? 1);
  const guided = (options.preferred ?? []).some((edges) => edges.size > 0);
  for (let i = 0; i < WALKS && budget.timeLeft(); i++) {
    const useGuide = guided && i % 3 !== 2;
    if (walk(model, useGuide ? (options.preferred ?? null) : null, random, budget, offer, wanted)) return;
  }
}

type Preferred = readonly ReadonlySet<number>[] | null;

function walk(
  model: Model,
  preferred: Preferred,
  random: Random,
  budget: Budget,
  offer: Offer,
  isWanted: Wanted,
): boolean {
  const { machine } = model;
  const taken: Choice[] = [];
  const seen = new Map<number, { position: number; total: number; lengths: readonly number[] }[]>();
  if (machine.initial() !== 0) return false;
  let words: Int32Array = machine.copy();
  const looseHash = hashWithoutCounters(model);
  for (let step = 0; step < LENGTH; step++) {
    machine.unpack(words, 0);
    machine.pack();
    const key = looseHash?.() ?? hashOf(machine.words(), 0, machine.controlWords());
    const total = totalLength(model);
    const lengths = lengthsOf(model);
    const earlier = seen.get(key) ?? [];
    const smaller = earlier.filter(
      (entry) =>
        entry.total < total && lengths.some((length, j) => length > (entry.lengths[j] ?? 0) && isWanted(j)),
    );
    for (const entry of new Set([smaller[smaller.length - 1], smaller[0]])) {
      if (entry === undefined) continue;
      if (offer(taken.slice(entry.position), () => taken.slice(0, entry.position))) return true;
      machine.unpack(words, 0);
    }
    earlier.push({ position: taken.length, total, lengths });
    seen.set(key, earlier);
    const next = pick(successors(model, preferred), random);
    if (next === null || (step % 256 === 255 && !budget.timeLeft())) return false;
    taken.push(...next.choices);
    words = next.words;
  }
  return false;
}

/** By channel number − 1. */
function lengthsOf({ machine }: Model): number[] {
  const memory = machine.queues();
  return Array.from({ length: machine.cells[HEADER.channels]! }, (_, j) => memory[memory[j]!]!);
}

function successors(model: Model, preferred: Preferred): Successor[] {
  const { machine } = model;
  const result: Successor[] = [];
  const types = new Map<number, number>();
  const cursor = machine.open({
    step: (words, length) => {
      const choices = machine.choices().copy();
      const isIn = (process: number, edge: number): boolean => {
        if (process < 0) return false;
        let type = types.get(process);
        if (type === undefined) {
          type = machine.cells[machine.frames[process]! + FRAME.type]!;
          types.set(process, type);
        }
        return preferred?.[type]?.has(edge) ?? false;
      };
      const isPreferred =
        preferred !== null &&
        choices.some(
          ([process, edge, partner, partnerEdge]) => isIn(process, edge) || isIn(partner, partnerEdge),
        );
      result.push({ words: words.slice(0, length), choices, preferred: isPreferred });
    },
  });
  cursor.expand();
  return result;
}

function pick(all: readonly Successor[], random: Random): Successor | null {
  if (all.length === 0) return null;
  const good = all.filter((successor) => successor.preferred);
  const from = good.length > 0 && random.next() < PREFER ? good : all;
  return from[Math.floor(random.next() * from.length)]!;
}
