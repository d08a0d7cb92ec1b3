// Predicates and functions on sequences of message parameters, as the user defines them.
//
// [QLive] section 3.2: "defined in terms of conditional rewriting rules and conditional inequalities". The paper trusts what the human
// writes. We do not: the rules for [], [x] and `s . x` (a message arrives at the end) are the definition, from which every value can be
// computed; the rules for `x . s` (the first message leaves) and the inequalities are lemmas, and are used only after `prove.ts` has
// derived them from the definition by induction over sequences.

import type { Span } from '../../source/source.ts';
import type { Comparison, Linear } from '../model.ts';

/** In a rule: the single element, or the value of the named function on the rest `s` (which is not empty). */
export type RuleVariable = typeof ELEMENT | string;
export const ELEMENT = '$element';

/** A conjunction: predicates of `s` and comparisons. */
export interface RuleBody {
  readonly predicates: readonly string[];
  readonly comparisons: readonly Comparison<RuleVariable>[];
}

export interface Rule<Body> {
  readonly condition: readonly Comparison<RuleVariable>[];
  readonly body: Body;
  readonly span: Span;
}

export interface PredicateDefinition {
  readonly name: string;
  readonly empty: boolean;
  readonly single: readonly Comparison<RuleVariable>[];
  /** The conditions cover all cases, and rules that overlap agree (checked by `prove.ts`). */
  readonly snoc: readonly Rule<RuleBody>[];
  readonly cons: readonly Rule<RuleBody>[];
  readonly span: Span;
}

export interface FunctionDefinition {
  readonly name: string;
  /** Null: the function has no value on the empty sequence. */
  readonly empty: number | null;
  readonly single: Linear<RuleVariable>;
  readonly snoc: readonly Rule<Linear<RuleVariable>>[];
  readonly cons: readonly Rule<Linear<RuleVariable>>[];
  readonly span: Span;
}

/** For every non-empty s: predicates and condition imply the conclusion. */
export interface Lemma {
  readonly predicates: readonly string[];
  readonly condition: readonly Comparison<RuleVariable>[];
  readonly conclusion: readonly Comparison<RuleVariable>[];
  readonly span: Span;
}

export interface Definitions {
  readonly predicates: ReadonlyMap<string, PredicateDefinition>;
  readonly functions: ReadonlyMap<string, FunctionDefinition>;
  readonly lemmas: readonly Lemma[];
}

/** The part of the definitions that a formula can touch: what it names, what the rules of those name, and the lemmas about them. */
export function vocabulary(definitions: Definitions, names: Iterable<string>): Definitions {
  const wanted = new Set<string>(['len']);
  const visit = (name: string): void => {
    if (wanted.has(name) || name === ELEMENT) return;
    wanted.add(name);
    for (const used of namesIn(definitions, name)) visit(used);
  };
  for (const name of names) visit(name);
  const known = (comparison: Comparison<RuleVariable>): boolean =>
    comparison.sum.terms.every(([variable]) => variable === ELEMENT || wanted.has(variable));
  return {
    predicates: new Map([...definitions.predicates].filter(([name]) => wanted.has(name))),
    functions: new Map([...definitions.functions].filter(([name]) => wanted.has(name))),
    lemmas: definitions.lemmas.filter(
      (lemma) =>
        lemma.predicates.every((name) => wanted.has(name)) &&
        [...lemma.condition, ...lemma.conclusion].every(known),
    ),
  };
}

function namesIn(definitions: Definitions, name: string): string[] {
  const ofComparison = (comparison: Comparison<RuleVariable>) => comparison.sum.terms.map(([used]) => used);
  const predicate = definitions.predicates.get(name);
  if (predicate !== undefined) {
    return [...predicate.snoc, ...predicate.cons].flatMap((rule) => [
      ...rule.condition.flatMap(ofComparison),
      ...rule.body.predicates,
      ...rule.body.comparisons.flatMap(ofComparison),
    ]);
  }
  const fn = definitions.functions.get(name);
  return fn === undefined
    ? []
    : [...fn.snoc, ...fn.cons].flatMap((rule) => [
        ...rule.condition.flatMap(ofComparison),
        ...rule.body.terms.map(([used]) => used),
      ]);
}
