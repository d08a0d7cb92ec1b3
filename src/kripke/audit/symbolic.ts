// A proof by decision diagrams, checked again. The set that the certificate calls reached must hold the beginning and be left by no step: then it holds all that can be
// reached. Freedom from deadlock: each member can go on. `G p`: no member violates p. Other formulas: an automaton of the negated formula watches
// along; each set of the certificate follows from the one before, in that every accepted path that stays in the one stays, from some time on, in the other
// (see `shrinks`), and the last one is empty.

import { conjunctsOf } from '../../ltl/conjuncts.ts';
import type { Syntax } from '../../ltl/syntax.ts';
import type { Kripke } from '../structure.ts';
import { eachEdge, stateCount } from '../structure.ts';
import type { SetsRecord, ShrinkRecord, SymbolicRecord, WatchedRecord } from '../symbolic/proof.ts';
import type { System } from '../system.ts';
import { propositionPlaces } from '../vocabulary.ts';
import { causesOf } from './causes.ts';
import { recurringEffects } from './recurring.ts';
import type { Effect } from './sets.ts';
import { ALL, NO_SET, NoTime, Sets } from './sets.ts';
import type { Watcher, WatcherLiteral } from './watcher.ts';
import { watcherOf } from './watcher.ts';

export type SymbolicAudit = 'holds' | 'violated' | 'limit' | 'bad sets';

export const auditSymbolicDeadlock = (
  system: System,
  { plain, proofs }: SymbolicRecord,
  timeLeft: () => boolean,
): SymbolicAudit =>
  inTime(() => {
    const known = plain === null || proofs.length > 0 ? null : inductive(system, plain, null, timeLeft);
    if (known === null) return 'bad sets';
    const { sets, effects } = known;
    const stuck = sets.refusing(plain!.reached, effects);
    return stuck === NO_SET ? 'holds' : 'violated';
  });

export const auditSymbolicFormula = (
  system: System,
  formula: Syntax,
  { plain, proofs }: SymbolicRecord,
  timeLeft: () => boolean,
): SymbolicAudit =>
  inTime(() => {
    const parts = conjunctsOf(formula);
    if (parts.length !== proofs.length) return 'bad sets';
    const known = plain === null ? null : inductive(system, plain, null, timeLeft);
    for (const [i, part] of parts.entries()) {
      const proof = proofs[i]!;
      const result =
        proof === null
          ? known === null
            ? 'bad sets'
            : auditInvariant(system, plain!, known, part)
          : auditWatched(system, part, proof, timeLeft);
      if (result !== 'holds') return result;
    }
    return 'holds';
  });

function inTime(work: () => SymbolicAudit): SymbolicAudit {
  try {
    return work();
  } catch (error) {
    if (error instanceof NoTime) return 'limit';
    throw error;
  }
}

interface Inductive {
  readonly sets: Sets;
  readonly effects: readonly Effect[];
}

/** Null unless the set holds the beginning and no step leaves it. */
function inductive(
  system: System,
  record: SetsRecord,
  watcher: Watcher | null,
  timeLeft: () => boolean,
): Inductive | null {
  const { order, reached } = record;
  const { components } = system;
  if (order.length !== components.length || new Set(order).size !== order.length) return null;
  if (order.some((component) => component >= components.length)) return null;
  const structures = order.map((component) => components[component]!);
  const sizes = [...structures.map(stateCount), ...(watcher === null ? [] : [watcher.states])];
  const sets = Sets.of(record, sizes, timeLeft);
  if (sets === null || !sets.isWhole(reached)) return null;
  const starts = structures.map(({ initial }) => initial);
  if (!sets.holdsAll(reached, watcher === null ? starts : [...starts, [watcher.initial]])) return null;
  const plain = effectsOf(structures);
  const effects =
    watcher === null ? [...plain.values()] : watchedEffects(system, order, structures, plain, watcher);
  return sets.allLeadInto(effects, reached, ALL, reached) ? { sets, effects } : null;
}

/** What each event does, by name: whoever knows it takes part. */
function effectsOf(structures: readonly Kripke[]): Map<string, Effect> {
  const effects = new Map<string, (Map<number, number[]> | undefined)[]>();
  structures.forEach((structure, level) => {
    const own = structure.events.map((name) => {
      const effect = effects.get(name) ?? structures.map(() => undefined);
      effects.set(name, effect);
      const relation = new Map<number, number[]>();
      effect[level] = relation;
      return relation;
    });
    for (let state = 0; state < stateCount(structure); state++)
      eachEdge(structure, state, (event, target) => {
        const targets = own[event]!.get(state) ?? [];
        own[event]!.set(state, targets);
        targets.push(target);
      });
  });
  return effects;
}

/** Each event with each edge of the watcher that it can be taken with; edges with equal conditions together. */
function watchedEffects(
  system: System,
  order: readonly number[],
  structures: readonly Kripke[],
  plain: ReadonlyMap<string, Effect>,
  watcher: Watcher,
): Effect[] {
  const isTrue = truthOf(system, order, structures);
  const effects: Effect[] = [];
  system.events.forEach((name, event) => {
    const ways = new Map<string, { literals: readonly WatcherLiteral[]; moves: Map<number, number[]> }>();
    for (const { from, to, event: only, except, literals } of watcher.edges) {
      if (only === null ? except.has(event) : only !== event) continue;
      const key = JSON.stringify(literals);
      const way = ways.get(key) ?? { literals, moves: new Map<number, number[]>() };
      ways.set(key, way);
      way.moves.set(from, [...(way.moves.get(from) ?? []), to]);
    }
    for (const { literals, moves } of ways.values()) {
      const effect = plain.get(name)!.map((own, level) => {
        const tests = literals.filter((literal) => isTrue.level(literal) === level);
        if (tests.length === 0) return own;
        const passes = (state: number): boolean => tests.every((literal) => isTrue.in(literal, state));
        const pairs = own ?? new Map(structures[level]!.labels.map((_, state) => [state, [state]]));
        return new Map([...pairs].filter(([state]) => passes(state)));
      });
      effects.push([...effect, moves]);
    }
  });
  return effects;
}

function truthOf(system: System, order: readonly number[], structures: readonly Kripke[]) {
  const places = propositionPlaces(system);
  const level = ({ proposition }: WatcherLiteral): number => order.indexOf(places[proposition]!.component);
  return {
    level,
    in: (literal: WatcherLiteral, state: number): boolean =>
      structures[level(literal)]!.labels[state]!.includes(places[literal.proposition]!.local) ===
      literal.positive,
  };
}

/** No member of the set shows one of the ways to violate the formula. */
function auditInvariant(
  system: System,
  { order, reached }: SetsRecord,
  { sets }: Inductive,
  formula: Syntax,
): SymbolicAudit {
  const causes = causesOf(formula);
  if (causes === null) return 'bad sets';
  const structures = order.map((component) => system.components[component]!);
  const plain = effectsOf(structures);
  const isTrue = truthOf(system, order, structures);
  const found = causes.some(({ literals, event }) => {
    const effect = event === null ? undefined : plain.get(system.events[event]!);
    return sets.meets(reached, (level, value) => {
      if (effect?.[level] !== undefined && !effect[level].has(value)) return false;
      return literals.every((literal) => isTrue.level(literal) !== level || isTrue.in(literal, value));
    });
  });
  return found ? 'violated' : 'holds';
}

function auditWatched(
  system: System,
  formula: Syntax,
  proof: WatchedRecord,
  timeLeft: () => boolean,
): SymbolicAudit {
  const watcher = watcherOf(formula);
  if (watcher === null) return 'limit';
  const known = inductive(system, proof, watcher, timeLeft);
  if (known === null) return 'bad sets';
  const { sets } = known;
  let { effects } = known;
  let set = proof.reached;
  for (const step of proof.steps) {
    if (!sets.isWhole(step.set)) return 'bad sets';
    if ('recurring' in step) {
      if (step.set !== set) return 'bad sets';
      effects = recurringEffects(sets, effects, set);
    } else if (!shrinks({ sets, effects }, watcher, set, step)) return 'bad sets';
    set = step.set;
  }
  return set === NO_SET ? 'holds' : 'bad sets';
}

/**
 * Take an accepted path that stays in `set` for ever and, from some time on, takes no steps but these. `fair`: some time it is in the fair states, which the next set
 * holds, and no step inside `set` leaves that one. `followed`: each of its configurations but the first follows another inside `set`, so the next set holds it.
 */
function shrinks(
  { sets, effects }: Inductive,
  watcher: Watcher,
  set: number,
  step: Exclude<ShrinkRecord, { recurring: true }>,
): boolean {
  const stays = (from: number): boolean => sets.allLeadInto(effects, from, set, step.set);
  if (!('fair' in step)) return stays(set);
  const states = watcher.fair[step.fair];
  if (states === undefined) return false;
  const onlyFair: Effect = Array.from({ length: sets.levels }, (_, level) =>
    level === sets.levels - 1 ? new Map([...states].map((state) => [state, [state]])) : undefined,
  );
  return sets.allLeadInto([onlyFair], set, ALL, step.set) && stays(step.set);
}
