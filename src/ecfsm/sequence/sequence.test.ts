// The built-in predicates and functions: their lemmas are proved, and the proofs can fail. What views say is true of concrete sequences.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SourceFile } from '../../source/source.ts';
import { evaluateSequence } from '../concrete/evaluate.ts';
import { resolveDefinitions } from '../resolve/definitions.ts';
import { readModel, readModelWith } from '../resolve/read.ts';
import { Decider } from '../solver/decider.ts';
import type { Formula } from '../solver/linear.ts';
import { and, constantSum, equalTo, not } from '../solver/linear.ts';
import { Search } from '../solver/search.ts';
import { proveDefinitions } from './prove.ts';
import { Context, consView, explicitView, snocView, stateLemmas, unknownView } from './views.ts';

const BUILT_IN = resolveDefinitions([], []);
const sequences = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 6 });

const MACHINES = `
machine A { states s; registers x; init s where x = 0; a: s send M(n) when n = x do x := x + 1; }
machine B { states t; init t; b: t receive M(n); }
`;
const codesOf = (definition: string): string[] =>
  readModel(new SourceFile('t.ecfsm', MACHINES + definition)).diagnostics.map(({ code }) => code);

describe('definitions', () => {
  test('every rule and inequality of the prelude follows from the definitions', () => {
    expect(proveDefinitions(BUILT_IN, () => true)).toEqual([]);
  });

  test('mean what their names say', () => {
    fc.assert(
      fc.property(sequences, (numbers) => {
        const pairs = numbers.slice(1).map((next, i) => [numbers[i]!, next] as const);
        const valuation = evaluateSequence(BUILT_IN, numbers);
        expect(valuation.holds('step1')).toBe(pairs.every(([a, b]) => b === a + 1));
        expect(valuation.holds('st-inc')).toBe(pairs.every(([a, b]) => b > a));
        expect(valuation.holds('inc')).toBe(pairs.every(([a, b]) => b >= a));
        expect(valuation.holds('const')).toBe(pairs.every(([a, b]) => b === a));
        expect(valuation.value('len')).toBe(numbers.length);
        expect(valuation.value('firstp')).toBe(numbers[0] ?? null);
        expect(valuation.value('lastp')).toBe(numbers.at(-1) ?? null);
        expect(valuation.value('minp')).toBe(numbers.length === 0 ? null : Math.min(...numbers));
        expect(valuation.value('maxp')).toBe(numbers.length === 0 ? null : Math.max(...numbers));
      }),
      { seed: 1, numRuns: 200 },
    );
  });

  test('rules for the first message agree with the definition on concrete sequences', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), sequences, (first, rest) => {
        const whole = evaluateSequence(BUILT_IN, [first, ...rest]);
        const context = new Context(BUILT_IN);
        const view = consView(context, constantSum(first), explicitView(context, rest.map(constantSum)));
        for (const name of BUILT_IN.predicates.keys()) {
          const truth = view.holds(name);
          if (isConstant(truth)) expect(truth.kind === 'true').toBe(whole.holds(name));
        }
        for (const name of ['firstp', 'lastp', 'len'])
          expect(view.value(name)).toEqual(constantSum(whole.value(name)!));
        const other = snocView(
          context,
          explicitView(context, [first, ...rest.slice(0, -1)].map(constantSum)),
          constantSum(rest.at(-1) ?? 0),
        );
        if (rest.length > 0 && isConstant(other.holds('step1')))
          expect(other.holds('step1').kind === 'true').toBe(whole.holds('step1'));
      }),
      { seed: 2, numRuns: 120 },
    );
  });

  test('what a view of an unknown sequence says is true of every concrete one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), sequences, fc.boolean(), (element, known, front) => {
        if (known.length === 0) return;
        const context = new Context(BUILT_IN);
        const rest = unknownView(context);
        stateLemmas(context, rest);
        const whole = front
          ? consView(context, constantSum(element), rest)
          : snocView(context, rest, constantSum(element));
        stateLemmas(context, whole);
        const facts: Formula[] = [];
        for (const [view, numbers] of [
          [rest, known],
          [whole, front ? [element, ...known] : [...known, element]],
        ] as const) {
          const real = evaluateSequence(BUILT_IN, numbers);
          for (const name of BUILT_IN.functions.keys())
            facts.push(equalTo(view.value(name)!, constantSum(real.value(name)!)));
          for (const name of BUILT_IN.predicates.keys())
            facts.push(real.holds(name) ? view.holds(name) : not(view.holds(name)));
        }
        const search = new Search({ bellmanFord: 0, decisions: 0, simplex: 0 });
        search.grow(context.variables);
        for (const fact of context.facts) search.assert(fact);
        expect(search.solve(and(facts))).toMatchObject({ satisfiable: true, assumed: false });
      }),
      { seed: 3, numRuns: 150 },
    );
  });

  test('a user defines by rules and inequalities', async () => {
    const definition = `
      function total(s) { total([]) = 0; total([x]) = x; total(s . x) = total(s) + x; total(x . s) = x + total(s); lemma total(s) >= 0; }
      predicate by2(s) {
        by2(s . x) = by2(s), x = lastp(s) + 2;
        by2(x . s) = by2(s), firstp(s) = x + 2;
        lemma by2(s), len(s) >= 2 => lastp(s) >= firstp(s) + 2;
      }`;
    // A total is no difference; its inequality is derived all the same, without the SMT solver.
    expect(codesOf(definition)).toEqual([]);
    expect(codesOf(definition.replace('total(s) >= 0', 'total(s) >= 1'))).toEqual(['SPW4306']);
    const decider = new Decider();
    const { model, diagnostics } = await readModelWith(
      decider,
      new SourceFile('t.ecfsm', MACHINES + definition),
    );
    const wrong = definition.replace('total(s) >= 0', 'total(s) >= 1');
    const refused = await readModelWith(decider, new SourceFile('t.ecfsm', MACHINES + wrong));
    decider.dispose();
    expect(diagnostics).toEqual([]);
    expect(refused.model).toBeNull();
    const { definitions } = model!.protocol;
    expect(evaluateSequence(definitions, [1, 3, 5]).holds('by2')).toBe(true);
    expect(evaluateSequence(definitions, [1, 3, 4]).holds('by2')).toBe(false);
    expect(evaluateSequence(definitions, [1, 3, 4]).value('total')).toBe(8);
  });

  test.each([
    [
      'a wrong rule for the first message',
      'predicate p(s) { p(s . x) = p(s), x = lastp(s) + 1; p(x . s) = p(s), firstp(s) = x + 2; }',
      'SPW4305',
    ],
    ['a wrong function rule', 'function f(s) { f([x]) = x; f(s . x) = x; f(x . s) = x; }', 'SPW4305'],
    [
      'a wrong inequality',
      'predicate p(s) { p(s . x) = p(s), x >= lastp(s); lemma p(s), len(s) >= 2 => lastp(s) > firstp(s); }',
      'SPW4306',
    ],
    [
      'an inequality without its premise',
      'predicate p(s) { p(s . x) = p(s); lemma lastp(s) >= firstp(s); }',
      'SPW4306',
    ],
    ['cases left open', 'function f(s) { f([x]) = x; f(s . x) = x if x > f(s); }', 'SPW4303'],
    [
      'rules that disagree',
      'function f(s) { f([x]) = x; f(s . x) = x if x >= f(s); f(s . x) = f(s) + 1 if x <= f(s); }',
      'SPW4304',
    ],
    ['no rule for one element', 'function f(s) { f(s . x) = x; }', 'SPW4302'],
    ['no rule for longer sequences', 'function f(s) { f([x]) = x; }', 'SPW4302'],
    ['a rule about something else', 'function f(s) { f([x]) = x; g(s . x) = x; }', 'SPW4301'],
    ['a name that is built in', 'function lastp(s) { lastp([x]) = x; lastp(s . x) = x; }', 'SPW4102'],
    ['an unknown function', 'function f(s) { f([x]) = x; f(s . x) = g(s); }', 'SPW4201'],
    ['a predicate as a number', 'function f(s) { f([x]) = x; f(s . x) = step1(s); }', 'SPW4209'],
  ])('%s is refused', (_, definition, code) => {
    expect(codesOf(definition)).toContain(code);
  });
});

const isConstant = (formula: Formula): boolean => formula.kind === 'true' || formula.kind === 'false';
