// Functions and predicates on concrete sequences, computed from their definition: [], [x], then one element after the other.
// Definitions are compiled to arrays once, because random walks evaluate them on every state.

import type { Comparison, Linear } from '../model.ts';
import type { Definitions, Rule, RuleBody, RuleVariable } from '../sequence/definition.ts';
import { ELEMENT } from '../sequence/definition.ts';

/** The values of all functions and predicates on one sequence of parameters. */
export interface Valuation {
  /** Null where the function has no value: only on the empty sequence. */
  value(name: string): number | null;
  holds(name: string): boolean;
}

/** Σ factors[i] · slots[slot[i]] + constant; slot 0 is the element, the functions follow. */
interface CompiledSum {
  readonly slots: readonly number[];
  readonly factors: readonly number[];
  readonly constant: number;
}

interface CompiledTest {
  readonly sum: CompiledSum;
  readonly equality: boolean;
}

interface Compiled {
  readonly functionIndex: ReadonlyMap<string, number>;
  readonly predicateIndex: ReadonlyMap<string, number>;
  readonly emptyValues: readonly (number | null)[];
  readonly emptyTruths: readonly boolean[];
  readonly singleValues: readonly CompiledSum[];
  readonly singleTests: readonly (readonly CompiledTest[])[];
  readonly values: readonly (readonly { condition: readonly CompiledTest[]; sum: CompiledSum }[])[];
  readonly truths: readonly (readonly {
    condition: readonly CompiledTest[];
    predicates: readonly number[];
    tests: readonly CompiledTest[];
  }[])[];
}

const compiled = new WeakMap<Definitions, Compiled>();

function compile(definitions: Definitions): Compiled {
  const known = compiled.get(definitions);
  if (known !== undefined) return known;
  const functions = [...definitions.functions.values()];
  const predicates = [...definitions.predicates.values()];
  const functionIndex = new Map(functions.map(({ name }, i) => [name, i]));
  const predicateIndex = new Map(predicates.map(({ name }, i) => [name, i]));
  const sumOf = ({ terms, constant }: Linear<RuleVariable>): CompiledSum => ({
    slots: terms.map(([name]) => (name === ELEMENT ? 0 : 1 + functionIndex.get(name)!)),
    factors: terms.map(([, factor]) => factor),
    constant,
  });
  const testsOf = (comparisons: readonly Comparison<RuleVariable>[]): CompiledTest[] =>
    comparisons.map(({ sum, relation }) => ({ sum: sumOf(sum), equality: relation === '=' }));
  const result: Compiled = {
    functionIndex,
    predicateIndex,
    emptyValues: functions.map(({ empty }) => empty),
    emptyTruths: predicates.map(({ empty }) => empty),
    singleValues: functions.map(({ single }) => sumOf(single)),
    singleTests: predicates.map(({ single }) => testsOf(single)),
    values: functions.map(({ snoc }) =>
      snoc.map(({ condition, body }) => ({ condition: testsOf(condition), sum: sumOf(body) })),
    ),
    truths: predicates.map(({ snoc }) =>
      snoc.map(({ condition, body }: Rule<RuleBody>) => ({
        condition: testsOf(condition),
        predicates: body.predicates.map((name) => predicateIndex.get(name)!),
        tests: testsOf(body.comparisons),
      })),
    ),
  };
  compiled.set(definitions, result);
  return result;
}

/** Beyond this a value may have lost precision: it becomes NaN, and every comparison with it counts as true, so that nothing is refuted. */
const EXACT = 2 ** 51;

function add({ slots, factors, constant }: CompiledSum, values: readonly number[]): number {
  let total = constant;
  for (let i = 0; i < slots.length; i++) total += factors[i]! * values[slots[i]!]!;
  return Math.abs(total) <= EXACT ? total : Number.NaN;
}

function passes(tests: readonly CompiledTest[], values: readonly number[]): boolean {
  for (const { sum, equality } of tests) {
    const total = add(sum, values);
    if (Number.isNaN(total)) continue;
    if (equality ? total !== 0 : total > 0) return false;
  }
  return true;
}

function applicable<R extends { readonly condition: readonly CompiledTest[] }>(
  rules: readonly R[],
  values: readonly number[],
): R {
  for (const rule of rules) if (passes(rule.condition, values)) return rule;
  throw new Error('impossible: the rules of a definition cover all cases');
}

export function evaluateSequence(definitions: Definitions, parameters: readonly number[]): Valuation {
  const code = compile(definitions);
  const lookup = (values: readonly (number | null)[], truths: readonly boolean[]): Valuation => ({
    value: (name) => values[code.functionIndex.get(name)!]!,
    holds: (name) => truths[code.predicateIndex.get(name)!]!,
  });
  if (parameters.length === 0) return lookup(code.emptyValues, code.emptyTruths);
  let values = [parameters[0]!, ...code.singleValues.map((sum) => add(sum, [parameters[0]!]))];
  let truths = code.singleTests.map((tests) => passes(tests, values));
  for (let i = 1; i < parameters.length; i++) {
    values[0] = parameters[i]!;
    const before = values;
    const held = truths;
    truths = code.truths.map((rules) => {
      const { predicates, tests } = applicable(rules, before);
      return predicates.every((index) => held[index]!) && passes(tests, before);
    });
    values = [before[0]!, ...code.values.map((rules) => add(applicable(rules, before).sum, before))];
  }
  return lookup(values.slice(1), truths);
}
