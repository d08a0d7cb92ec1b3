// A sequence of parameters seen symbolically: what its functions are worth and when its predicates hold, as sums and formulas.
//
// A view is empty, one element, a view with an element added at either end, or unknown. Values of an unknown sequence are fresh variables,
// its predicates fresh propositions. Adding an element applies the rewriting rules ([QLive] 3.2, 3.4); what the rules say becomes facts
// of the context. Everything a context states is true of every concrete sequence that the view can stand for (after `prove.ts` has
// accepted the lemmas), so what follows from the facts is sound; views built from known elements only are exact.

import type { Comparison, Linear } from '../model.ts';
import type { Formula, Sum } from '../solver/linear.ts';
import {
  and,
  constantSum,
  equalTo,
  FALSE,
  implies,
  lessOrEqual,
  not,
  or,
  plusTimes,
  proposition,
  TRUE,
  variableSum,
} from '../solver/linear.ts';
import type { Definitions, Rule, RuleBody, RuleVariable } from './definition.ts';
import { ELEMENT } from './definition.ts';

/** Numbers variables and propositions, and gathers what is known about them. Variable 0 is the number zero. */
export class Context {
  readonly definitions: Definitions;
  readonly facts: Formula[] = [];
  variables = 1;
  private propositions = 0;

  constructor(definitions: Definitions) {
    this.definitions = definitions;
  }

  fresh(): Sum {
    return variableSum(this.variables++);
  }

  /** A fresh variable for a natural number: a register or a parameter. */
  natural(): Sum {
    const value = this.fresh();
    this.facts.push(lessOrEqual(constantSum(0), value));
    return value;
  }

  freshProposition(): Formula {
    return proposition(this.propositions++);
  }
}

export interface View {
  readonly isEmpty: boolean;
  /** Null where the function has no value: only on the empty sequence. */
  value(name: string): Sum | null;
  holds(name: string): Formula;
}

export function emptyView(definitions: Definitions): View {
  return {
    isEmpty: true,
    value: (name) => {
      const worth = definitions.functions.get(name)!.empty;
      return worth === null ? null : constantSum(worth);
    },
    holds: (name) => (definitions.predicates.get(name)!.empty ? TRUE : FALSE),
  };
}

export function singleView(context: Context, element: Sum): View {
  const look = (): Sum => element;
  return remembering({
    value: (name) => evaluate(context.definitions.functions.get(name)!.single, look),
    holds: (name) => conjunction(context.definitions.predicates.get(name)!.single, look),
  });
}

/** The sequence with one more element at its end: by definition. */
export function snocView(context: Context, rest: View, element: Sum): View {
  if (rest.isEmpty) return singleView(context, element);
  const { functions, predicates } = context.definitions;
  const look = lookAt(rest, element);
  return remembering({
    value: (name) => choose(context, functions.get(name)!.snoc, look),
    holds: (name) =>
      or(
        predicates
          .get(name)!
          .snoc.map((rule) => and([conjunction(rule.condition, look), body(rule, rest, look)])),
      ),
  });
}

/** The sequence with one more element at its front: by lemmas, which need not say everything. */
export function consView(context: Context, element: Sum, rest: View): View {
  if (rest.isEmpty) return singleView(context, element);
  const { functions, predicates } = context.definitions;
  const look = lookAt(rest, element);
  const view = remembering({
    value: (name) => choose(context, functions.get(name)!.cons, look),
    holds: (name) => {
      const rules = predicates.get(name)!.cons;
      if (rules.length === 1 && rules[0]!.condition.length === 0) return body(rules[0]!, rest, look);
      const truth = context.freshProposition();
      for (const rule of rules) {
        const says = body(rule, rest, look);
        const same = or([and([truth, says]), and([not(truth), not(says)])]);
        context.facts.push(implies(conjunction(rule.condition, look), same));
      }
      return truth;
    },
  });
  return view;
}

/** Some non-empty sequence about which only the lemmas are known. */
export function unknownView(context: Context): View {
  const view = remembering({ value: () => context.fresh(), holds: () => context.freshProposition() });
  return view;
}

/** States every lemma of the vocabulary about a non-empty sequence. */
export function stateLemmas(context: Context, view: View): void {
  const look = (name: RuleVariable): Sum => view.value(name)!;
  for (const lemma of context.definitions.lemmas) {
    const premises = [
      ...lemma.predicates.map((name) => view.holds(name)),
      conjunction(lemma.condition, look),
    ];
    context.facts.push(or([...premises.map(not), conjunction(lemma.conclusion, look)]));
  }
}

export function explicitView(context: Context, elements: readonly Sum[]): View {
  return elements.reduce<View>(
    (view, element) => snocView(context, view, element),
    emptyView(context.definitions),
  );
}

type Look = (name: RuleVariable) => Sum;

const lookAt =
  (rest: View, element: Sum): Look =>
  (name) =>
    name === ELEMENT ? element : rest.value(name)!;

export function evaluate(linear: Linear<RuleVariable>, look: Look): Sum {
  return linear.terms.reduce<Sum>(
    (sum, [name, factor]) => plusTimes(sum, look(name), factor),
    constantSum(linear.constant),
  );
}

export function conjunction(comparisons: readonly Comparison<RuleVariable>[], look: Look): Formula {
  return and(
    comparisons.map(({ sum, relation }) => {
      const value = evaluate(sum, look);
      return relation === '=' ? equalTo(value, constantSum(0)) : lessOrEqual(value, constantSum(0));
    }),
  );
}

export const body = (rule: Rule<RuleBody>, rest: View, look: Look): Formula =>
  and([...rule.body.predicates.map((name) => rest.holds(name)), conjunction(rule.body.comparisons, look)]);

function choose(context: Context, rules: readonly Rule<Linear<RuleVariable>>[], look: Look): Sum {
  if (rules.length === 1 && rules[0]!.condition.length === 0) return evaluate(rules[0]!.body, look);
  const value = context.fresh();
  for (const rule of rules) {
    const says = equalTo(value, evaluate(rule.body, look));
    context.facts.push(implies(conjunction(rule.condition, look), says));
  }
  return value;
}

/** Each value and each predicate is worked out once, so that its fresh variables and facts appear once. */
function remembering(view: { value(name: string): Sum | null; holds(name: string): Formula }): View {
  const values = new Map<string, Sum | null>();
  const truths = new Map<string, Formula>();
  return {
    isEmpty: false,
    value: (name) => {
      if (!values.has(name)) values.set(name, view.value(name));
      return values.get(name)!;
    },
    holds: (name) => {
      if (!truths.has(name)) truths.set(name, view.holds(name));
      return truths.get(name)!;
    },
  };
}
