// Shapes of channels for `infer`: a list of blocks. A block of one type is one message of it or a row of them; a block of several types
// is any mixture in which each of them occurs. No type occurs in two blocks, so there are finitely many shapes.

import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';

export interface Block {
  /** Sorted. */
  readonly types: readonly number[];
  /** Perhaps more than one message; always for several types. */
  readonly many: boolean;
}

export type Shape = readonly Block[];

/** The types, with `fine` also which blocks are rows: shapes with the same pattern are joined. */
export const patternOf = (shape: Shape, fine: boolean): string =>
  shape.map((block) => `${block.types.join('+')}${fine && block.many ? '!' : ''}`).join(' ');

export const joinShapes = (a: Shape, b: Shape): Shape =>
  a.map((block, i) => ({ types: block.types, many: block.many || b[i]!.many }));

export const typesOf = (shape: Shape): number[] => shape.flatMap((block) => block.types);

/** The shape after a message of this type was added at the end. */
export function appended(shape: Shape, type: number): Shape {
  const at = shape.findIndex((block) => block.types.includes(type));
  if (at < 0) return [...shape, { types: [type], many: false }];
  const types = [...new Set(typesOf(shape.slice(at)))].sort((a, b) => a - b);
  return [...shape.slice(0, at), { types, many: true }];
}

/** The shapes after a message of this type was taken from the front: `last` when it was the last of its type. */
export function consumed(shape: Shape, type: number): { shape: Shape; last: boolean }[] {
  const [first, ...rest] = shape;
  if (first === undefined || !first.types.includes(type)) return [];
  const others = first.types.filter((candidate) => candidate !== type);
  const without: Shape = others.length === 0 ? rest : [{ types: others, many: true }, ...rest];
  const last = { shape: without, last: true };
  return first.many ? [last, { shape, last: false }] : [last];
}

export function regexOf(shape: Shape): Regex {
  return shape.map(blockRegex).reduceRight((rest, first) => sequence(first, rest), EMPTY);
}

function blockRegex({ types, many }: Block): Regex {
  if (types.length === 1) return many ? plus(letter(types[0]!)) : letter(types[0]!);
  return eachOnce([], types);
}

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
