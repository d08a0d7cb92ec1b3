// Derives, from the definition of the predicates and functions, everything about them that the induction will use.
//
// The definition is what [], [x] and `s . x` say. Proved here, by induction over the length of s:
//   1. the conditions of a definition cover all cases and overlapping rules agree, so that it defines something;
//   2. every inequality: for [x], and for `s . y` from all inequalities for s;
//   3. every rule for `x . s`: for s = [y], and for `s . y` from the rules for `x . s`, since x . (s . y) = (x . s) . y.
// The second uses only the definition, the third also the second, so there is no circle. A rule that is not derived is an error. Sums
// that are not differences (a total of parameters) become questions for the SMT solver, which the caller must put.

import type { Span } from '../../source/source.ts';
import type { Linear } from '../model.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import { and, equalTo, implies, not, or } from '../solver/linear.ts';
import { Search } from '../solver/search.ts';
import type { Definitions, Lemma, Rule, RuleBody, RuleVariable } from './definition.ts';
import { ELEMENT } from './definition.ts';
import type { View } from './views.ts';
import {
  body,
  Context,
  conjunction,
  consView,
  evaluate,
  singleView,
  snocView,
  stateLemmas,
  unknownView,
} from './views.ts';

export interface Underived {
  readonly kind: 'not-covered' | 'disagree' | 'lemma' | 'cons';
  readonly name: string;
  readonly span: Span;
  /** Where difference constraints do not settle it: it is derived if these questions have no solution. Empty where it is refuted. */
  readonly open: readonly OpenQuestion[];
}

export interface OpenQuestion {
  readonly formulas: readonly Formula[];
  readonly variables: number;
}

type Answer = 'yes' | 'no' | OpenQuestion;

export function proveDefinitions(definitions: Definitions, isNew: (span: Span) => boolean): Underived[] {
  return [
    ...checkDefinitions(definitions, isNew),
    ...checkLemmas(definitions, isNew),
    ...checkConsRules(definitions, isNew),
  ];
}

/** Does the claim follow from the facts of the context? */
function follows(context: Context, claim: Formula): Answer {
  const search = new Search({ bellmanFord: 0, decisions: 0, simplex: 0 });
  search.grow(context.variables);
  for (const fact of context.facts) search.assert(fact);
  const answer = search.solve(not(claim));
  if (!answer.satisfiable) return 'yes';
  if (!answer.assumed) return 'no';
  return { formulas: [...context.facts, not(claim)], variables: context.variables };
}

/** What is left to report when all of these must be `yes`. */
function problemsOf(
  kind: Underived['kind'],
  name: string,
  span: Span,
  answers: readonly Answer[],
): Underived[] {
  if (answers.includes('no')) return [{ kind, name, span, open: [] }];
  const open = answers.filter((answer) => typeof answer !== 'string');
  return open.length === 0 ? [] : [{ kind, name, span, open }];
}

function checkDefinitions(definitions: Definitions, isNew: (span: Span) => boolean): Underived[] {
  const problems: Underived[] = [];
  for (const { name, snoc, span } of [
    ...definitions.predicates.values(),
    ...definitions.functions.values(),
  ]) {
    if (!isNew(span)) continue;
    const context = new Context(definitions);
    const element = context.natural();
    const rest = unknownView(context);
    const look = looker(rest, element);
    const conditions = snoc.map((rule) => conjunction(rule.condition, look));
    problems.push(...problemsOf('not-covered', name, span, [follows(context, or(conditions))]));
    snoc.forEach((second, j) => {
      for (const [i, first] of snoc.slice(0, j).entries()) {
        const same = agree(first, second, rest, look);
        const claim = implies(and([conditions[i]!, conditions[j]!]), same);
        problems.push(...problemsOf('disagree', name, second.span, [follows(context, claim)]));
      }
    });
  }
  return problems;
}

type Look = (name: RuleVariable) => Sum;
type AnyRule = Rule<RuleBody> | Rule<Linear<RuleVariable>>;

const isPredicateRule = (rule: AnyRule): rule is Rule<RuleBody> => 'predicates' in rule.body;

function agree(first: AnyRule, second: AnyRule, rest: View, look: Look): Formula {
  if (isPredicateRule(first) && isPredicateRule(second))
    return same(body(first, rest, look), body(second, rest, look));
  if (!isPredicateRule(first) && !isPredicateRule(second))
    return equalTo(evaluate(first.body, look), evaluate(second.body, look));
  throw new Error('impossible: a definition is of a predicate or of a function');
}

const same = (a: Formula, b: Formula): Formula => and([implies(a, b), implies(b, a)]);

const looker =
  (rest: View, element: Sum): Look =>
  (name) =>
    name === ELEMENT ? element : rest.value(name)!;

function checkLemmas(definitions: Definitions, isNew: (span: Span) => boolean): Underived[] {
  const shows = (lemma: Lemma, make: (context: Context) => View): Answer => {
    const context = new Context(definitions);
    const view = make(context);
    const look = (name: RuleVariable): Sum => view.value(name)!;
    const premises = [
      ...lemma.predicates.map((name) => view.holds(name)),
      conjunction(lemma.condition, look),
    ];
    return follows(context, implies(and(premises), conjunction(lemma.conclusion, look)));
  };
  const single = (context: Context): View => singleView(context, context.natural());
  const longer = (context: Context): View => {
    const rest = unknownView(context);
    stateLemmas(context, rest);
    return snocView(context, rest, context.natural());
  };
  return definitions.lemmas
    .filter((lemma) => isNew(lemma.span))
    .flatMap((lemma) =>
      problemsOf('lemma', 'lemma', lemma.span, [shows(lemma, single), shows(lemma, longer)]),
    );
}

function checkConsRules(definitions: Definitions, isNew: (span: Span) => boolean): Underived[] {
  const shows = (rule: AnyRule, name: string, make: (context: Context, x: Sum) => [View, View]): Answer => {
    const context = new Context(definitions);
    const x = context.natural();
    const [rest, whole] = make(context, x);
    const look = looker(rest, x);
    const claim = isPredicateRule(rule)
      ? same(whole.holds(name), body(rule, rest, look))
      : equalTo(whole.value(name)!, evaluate(rule.body, look));
    return follows(context, implies(conjunction(rule.condition, look), claim));
  };
  const base = (context: Context, x: Sum): [View, View] => {
    const y = context.natural();
    return [singleView(context, y), snocView(context, singleView(context, x), y)];
  };
  const step = (context: Context, x: Sum): [View, View] => {
    const middle = unknownView(context);
    stateLemmas(context, middle);
    const front = consView(context, x, middle);
    stateLemmas(context, front);
    const y = context.natural();
    return [snocView(context, middle, y), snocView(context, front, y)];
  };
  const problems: Underived[] = [];
  for (const { name, cons } of [...definitions.predicates.values(), ...definitions.functions.values()]) {
    for (const rule of cons) {
      if (!isNew(rule.span)) continue;
      const answers = [shows(rule, name, base), shows(rule, name, step)];
      problems.push(...problemsOf('cons', name, rule.span, answers));
    }
  }
  return problems;
}
