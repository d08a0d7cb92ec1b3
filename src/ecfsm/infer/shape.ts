// Shapes of channels for `infer`: a list of blocks. A block of one type is one message of it or a row of them; a block of several types
// is any mixture in which each of them occurs. No type occurs in two blocks, so there are finitely many shapes. Usually a row is one
// message or more; `fine` shapes keep exactly one and at least two apart, so that no state has two shapes.

import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';

export interface Block {
  /** Sorted. */
  readonly types: readonly number[];
  /** Exactly one message, one or more (always for several types), or at least two. */
  readonly count: 'one' | 'some' | 'more';
}

export type Shape = readonly Block[];

/** Shapes with the same pattern are joined. */
export const patternOf = (shape: Shape, fine: boolean): string =>
  shape.map(({ types, count }) => `${types.join('+')}${fine ? count : ''}`).join(' ');

export const joinShapes = (a: Shape, b: Shape): Shape =>
  a.map(({ types, count }, i) => ({ types, count: count === b[i]!.count ? count : 'some' }));

export const coversShape = (a: Shape, b: Shape): boolean =>
  a.every(({ count }, i) => count === 'some' || count === b[i]!.count);

export const typesOf = (shape: Shape): number[] => shape.flatMap((block) => block.types);

/** The shape after a message of this type was added at the end. */
export function appended(shape: Shape, type: number, fine: boolean): Shape {
  const at = shape.findIndex((block) => block.types.includes(type));
  if (at < 0) return [...shape, { types: [type], count: 'one' }];
  const types = [...new Set(typesOf(shape.slice(at)))].sort((a, b) => a - b);
  return [...shape.slice(0, at), { types, count: fine && types.length === 1 ? 'more' : 'some' }];
}

/** What is left of the type of a message taken from the front. */
export type Left = 'none' | 'one' | 'some';

/** The shapes after a message of this type was taken from the front. */
export function consumed(shape: Shape, type: number): { shape: Shape; left: Left }[] {
  const [first, ...rest] = shape;
  if (first === undefined || !first.types.includes(type)) return [];
  const others = first.types.filter((candidate) => candidate !== type);
  const without: Shape = others.length === 0 ? rest : [{ types: others, count: 'some' }, ...rest];
  switch (first.count) {
    case 'one':
      return [{ shape: without, left: 'none' }];
    case 'some':
      return [
        { shape: without, left: 'none' },
        { shape, left: 'some' },
      ];
    case 'more':
      return [
        { shape: [{ types: first.types, count: 'one' }, ...rest], left: 'one' },
        { shape, left: 'some' },
      ];
  }
}

export function regexOf(shape: Shape): Regex {
  return shape.map(blockRegex).reduceRight((rest, first) => sequence(first, rest), EMPTY);
}

function blockRegex({ types, count }: Block): Regex {
  if (types.length > LARGEST_MIXTURE) return plus(choice(types.map(letter)));
  if (types.length > 1) return eachOnce([], types);
  const only = letter(types[0]!);
  return count === 'one' ? only : count === 'some' ? plus(only) : sequence(only, plus(only));
}

/** The expression for a mixture in which each type occurs grows with the factorial; larger ones are any mixture. */
const LARGEST_MIXTURE = 4;

/** Words over both sets in which each of the missing types occurs. */
function eachOnce(seen: readonly number[], missing: readonly number[]): Regex {
  const loop = star(choice(seen.map(letter)));
  if (missing.length === 0) return loop;
  return sequence(
    loop,
    choice(
      missing.map((type) =>
        sequence(
          letter(type),
          eachOnce(
            [...seen, type],
            missing.filter((candidate) => candidate !== type),
          ),
        ),
      ),
    ),
  );
}
