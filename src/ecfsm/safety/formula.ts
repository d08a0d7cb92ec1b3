// A whole invariant, prepared for proofs: disjuncts by control states, the sequences they speak about, the definitions they need.

import type { Disjunct, Protocol, Subsequence } from '../model.ts';
import { keyOf } from '../model.ts';
import type { Definitions } from '../sequence/definition.ts';
import { vocabulary } from '../sequence/definition.ts';

export interface PreparedFormula {
  readonly protocol: Protocol;
  readonly disjuncts: readonly Disjunct[];
  readonly definitions: Definitions;
  /** Indexes of the disjuncts at these control states. */
  at(control: readonly number[]): readonly number[];
}

export function prepare(protocol: Protocol, disjuncts: readonly Disjunct[]): PreparedFormula {
  const byControl = new Map<string, number[]>();
  disjuncts.forEach((disjunct, i) => {
    const key = disjunct.control.join(',');
    const group = byControl.get(key);
    if (group === undefined) byControl.set(key, [i]);
    else group.push(i);
  });
  return {
    protocol,
    disjuncts,
    definitions: vocabulary(protocol.definitions, namesIn(disjuncts)),
    at: (control) => byControl.get(control.join(',')) ?? [],
  };
}

function* namesIn(disjuncts: readonly Disjunct[]): Generator<string> {
  for (const { predicates, relations } of disjuncts) {
    for (const { predicate } of predicates) yield predicate;
    for (const { sum } of relations)
      for (const [variable] of sum.terms) if (variable.kind === 'function') yield variable.name;
  }
}

/** The subsequences that these disjuncts speak about, per channel. */
export function sequencesOf(
  { channels }: Protocol,
  disjuncts: readonly Disjunct[],
): readonly (readonly Subsequence[])[] {
  const known = new Map<string, Subsequence>();
  for (const disjunct of disjuncts) for (const [key, of] of spokenOf(disjunct)) known.set(key, of);
  const result: Subsequence[][] = channels.map(() => []);
  for (const of of known.values()) result[of.channel]!.push(of);
  return result;
}

const spoken = new WeakMap<Disjunct, ReadonlyMap<string, Subsequence>>();

/** Asked for every step to every disjunct: worked out once. */
function spokenOf(disjunct: Disjunct): ReadonlyMap<string, Subsequence> {
  const before = spoken.get(disjunct);
  if (before !== undefined) return before;
  const known = new Map<string, Subsequence>();
  for (const { of } of disjunct.predicates) known.set(keyOf(of), of);
  for (const { sum } of disjunct.relations)
    for (const [variable] of sum.terms)
      if (variable.kind === 'function') known.set(keyOf(variable.of), variable.of);
  spoken.set(disjunct, known);
  return known;
}
