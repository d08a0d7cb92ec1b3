// Random formulas and random ultimately periodic words, for the tests of this room.

import fc from 'fast-check';
import type { Formula, FormulaFactory } from './formula.ts';
import type { EventStructure } from './structure.ts';
import type { Word } from './words.ts';

/** A formula as a function of the factory it is made in, so that cases print and shrink well. */
export interface Recipe {
  build(factory: FormulaFactory): Formula;
  toString(): string;
}

export const PROPOSITIONS = ['p', 'q', 'r'];
export const EVENTS = ['a', 'b'];

type Unary = 'not' | 'always' | 'eventually' | 'next';
type Binary = 'and' | 'or' | 'implies' | 'equivalent' | 'until' | 'release' | 'weakUntil';

export interface RecipeOptions {
  readonly events: boolean;
  readonly next: boolean;
  /** Debian's `spin -f` knows no W. */
  readonly weak?: boolean;
  readonly depth?: number;
}

export function recipes(options: RecipeOptions): fc.Arbitrary<Recipe> {
  const names = [
    ...PROPOSITIONS.map((name, id) => ({ kind: 'proposition' as const, id, name })),
    ...(options.events ? EVENTS.map((name, id) => ({ kind: 'event' as const, id, name })) : []),
  ];
  const leaf = fc
    .constantFrom(...names)
    .map((atom): Recipe => ({ build: (factory) => factory.atom(atom), toString: () => atom.name }));
  const unary: Unary[] = ['not', 'always', 'eventually'];
  if (options.next) unary.push('next');
  const binary: Binary[] = ['and', 'or', 'implies', 'equivalent', 'until', 'release'];
  if (options.weak !== false) binary.push('weakUntil');
  const spelling = {
    not: '!',
    always: '[]',
    eventually: '<>',
    next: 'X',
    and: '&&',
    or: '||',
    implies: '->',
    equivalent: '<->',
    until: 'U',
    release: 'V',
    weakUntil: 'W',
  };
  return fc.letrec<{ formula: Recipe }>((tie) => ({
    formula: fc.oneof(
      { maxDepth: options.depth ?? 4, depthSize: 'medium', withCrossShrink: true },
      leaf,
      fc.tuple(fc.constantFrom(...unary), tie('formula')).map(
        ([operator, operand]): Recipe => ({
          build: (factory) => factory[operator](operand.build(factory)),
          toString: () => `${spelling[operator]} (${operand})`,
        }),
      ),
      fc.tuple(fc.constantFrom(...binary), tie('formula'), tie('formula')).map(
        ([operator, left, right]): Recipe => ({
          build: (factory) => {
            const [l, r] = [left.build(factory), right.build(factory)];
            return operator === 'and' || operator === 'or'
              ? factory[operator]([l, r])
              : factory[operator](l, r);
          },
          toString: () => `(${left}) ${spelling[operator]} (${right})`,
        }),
      ),
    ),
  })).formula;
}

/** Per position: the true propositions as bits, and the event (EVENTS.length: some other event). */
export interface Letters {
  readonly letters: readonly { readonly bits: number; readonly event: number }[];
  readonly loopStart: number;
}

export const words: fc.Arbitrary<Letters> = fc
  .array(fc.record({ bits: fc.nat(2 ** PROPOSITIONS.length - 1), event: fc.nat(EVENTS.length) }), {
    minLength: 1,
    maxLength: 7,
  })
  .chain((letters) => fc.nat(letters.length - 1).map((loopStart) => ({ letters, loopStart })));

/** The structure with this one path. */
export function pathStructure({ letters, loopStart }: Letters): EventStructure {
  return {
    initialStates: () => [0],
    eachSuccessor: (state, visit) =>
      visit(letters[state]!.event, state + 1 < letters.length ? state + 1 : loopStart),
    holds: (state, proposition) => ((letters[state]!.bits >> proposition) & 1) === 1,
  };
}

export function asWord({ letters, loopStart }: Letters, factory: FormulaFactory): Word {
  return {
    length: letters.length,
    loopStart,
    holds: (position, index) => {
      const atom = factory.atoms[index]!;
      const letter = letters[position]!;
      return atom.kind === 'event' ? letter.event === atom.id : ((letter.bits >> atom.id) & 1) === 1;
    },
  };
}
