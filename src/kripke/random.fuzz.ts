// Random small compositions, and the composition built in the most naive way: for the tests of kripke and deadlock.

import fc from 'fast-check';
import type { Kripke } from './structure.ts';
import { KripkeBuilder } from './structure.ts';

/** A component as plain data, so that cases print and shrink well. */
export interface Recipe {
  readonly alphabet: readonly string[];
  readonly states: number;
  readonly initial: readonly number[];
  readonly edges: readonly (readonly [number, string, number])[];
  /** For each of the two propositions of the component, the states where it holds. */
  readonly holds: readonly (readonly number[])[];
}

const EVENTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

/** `events` to choose from, and how many of them one component has at most. */
export function recipes(
  maxComponents: number,
  maxStates: number,
  events = 5,
  maxAlphabet = events,
): fc.Arbitrary<readonly Recipe[]> {
  const component = fc
    .record({
      alphabet: fc.subarray(EVENTS.slice(0, events), { minLength: 1, maxLength: maxAlphabet }),
      states: fc.integer({ min: 1, max: maxStates }),
    })
    .chain(({ alphabet, states }) => {
      const state = fc.nat({ max: states - 1 });
      return fc.record({
        alphabet: fc.constant(alphabet),
        states: fc.constant(states),
        initial: fc.oneof(
          { weight: 4, arbitrary: fc.constant([0]) },
          { weight: 1, arbitrary: fc.constant([0, states - 1]) },
        ),
        edges: fc.array(fc.tuple(state, fc.constantFrom(...alphabet), state), {
          minLength: states - 1,
          maxLength: states * 3,
        }),
        holds: fc.tuple(fc.array(state, { maxLength: 2 }), fc.array(state, { maxLength: 2 })),
      });
    });
  return fc.array(component, { minLength: 1, maxLength: maxComponents });
}

export const propositionName = (component: number, index: number): string => `p${component}_${index}`;

export function build(all: readonly Recipe[]): Kripke[] {
  return all.map((recipe, index) => {
    const builder = new KripkeBuilder(`C${index}`);
    for (let state = 0; state < recipe.states; state++) {
      const names = recipe.holds.flatMap((states, i) =>
        states.includes(state) ? [propositionName(index, i)] : [],
      );
      builder.state(`s${state}`, names);
    }
    for (const i of [0, 1]) builder.proposition(propositionName(index, i));
    for (const event of recipe.alphabet) builder.event(event);
    for (const state of recipe.initial) builder.initial(state);
    for (const [from, event, to] of recipe.edges) builder.edge(from, event, to);
    return builder.build()!;
  });
}

export interface NaiveState {
  readonly states: readonly number[];
  readonly next: readonly { readonly event: string; readonly target: number }[];
}

/** M1 ‖ … ‖ Mn by the definition, on the recipes themselves: reachable states only, the first ones initial. */
export function naiveProduct(all: readonly Recipe[]): { states: readonly NaiveState[]; initial: number } {
  const ids = new Map<string, number>();
  const tuples: number[][] = [];
  const idOf = (tuple: number[]): number => {
    const key = tuple.join();
    if (!ids.has(key)) ids.set(key, tuples.push(tuple) - 1);
    return ids.get(key)!;
  };
  const combine = (choices: number[][]): number[][] =>
    choices.reduce<number[][]>(
      (done, next) => done.flatMap((head) => next.map((item) => [...head, item])),
      [[]],
    );
  for (const tuple of combine(all.map(({ initial }) => [...new Set(initial)]))) idOf(tuple);
  const initial = tuples.length;
  const states: NaiveState[] = [];
  for (let at = 0; at < tuples.length; at++) {
    const tuple = tuples[at]!;
    const next: { event: string; target: number }[] = [];
    for (const event of EVENTS) {
      if (!all.some(({ alphabet }) => alphabet.includes(event))) continue;
      const targets = all.map(({ alphabet, edges }, index) =>
        alphabet.includes(event)
          ? [
              ...new Set(
                edges.filter(([from, name]) => from === tuple[index] && name === event).map((e) => e[2]),
              ),
            ]
          : [tuple[index]!],
      );
      for (const target of combine(targets)) next.push({ event, target: idOf(target) });
    }
    states.push({ states: tuple, next });
  }
  return { states, initial };
}

/** Formulas over these atoms, as texts. */
export function formulaTexts(...atoms: readonly string[]): fc.Arbitrary<string> {
  return fc.letrec<{ formula: string }>((tie) => ({
    formula: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(...atoms),
      fc.tuple(fc.constantFrom('!', 'X', 'F', 'G'), tie('formula')).map(([op, f]) => `${op} (${f})`),
      fc
        .tuple(tie('formula'), fc.constantFrom('&&', '||', '->', '<->', 'U', 'W', 'R', 'M'), tie('formula'))
        .map(([f, op, g]) => `((${f}) ${op} (${g}))`),
    ),
  })).formula;
}
