// Shapes of channels for `infer`: a list of blocks. A block of one type is a row of messages of it, so many or at least so many; a block of several types
// is any mixture in which each of them occurs. How long a row is told exactly, and in how many blocks a type may occur, is limited by the grain, so
// there are finitely many shapes: `D+ R D+` is one where two blocks are allowed; where only one is, it becomes a mixture.

import type { Regex } from '../language/regex.ts';
import { choice, EMPTY, letter, plus, sequence, star } from '../language/regex.ts';

export interface Block {
  /** Sorted. */
  readonly types: readonly number[];
  /** How many messages; a mixture has no upper limit. */
  readonly least: number;
  readonly most: number;
}

export type Shape = readonly Block[];

/** What the shapes of one channel keep apart, per type of message. */
export interface Grain {
  /** Rows up to this length are told exactly; 0: one message or more are the same. */
  readonly exact: readonly number[];
  /** In how many blocks a type may occur. */
  readonly blocks: readonly number[];
}

/** Shapes with the same pattern are joined. */
export const patternOf = (shape: Shape, { exact }: Grain): string =>
  shape.map(({ types, least }) => `${types.join('+')}${exact[types[0]!]! > 0 ? `:${least}` : ''}`).join(' ');

export const joinShapes = (a: Shape, b: Shape): Shape =>
  a.map(({ types, least, most }, i) => ({
    types,
    least: Math.min(least, b[i]!.least),
    most: Math.max(most, b[i]!.most),
  }));

export const coversShape = (a: Shape, b: Shape): boolean =>
  a.every(({ least, most }, i) => least <= b[i]!.least && b[i]!.most <= most);

export const typesOf = (shape: Shape): number[] => [...new Set(shape.flatMap((block) => block.types))];

const holding = (shape: Shape, type: number): Shape => shape.filter(({ types }) => types.includes(type));

/** Is exactly one message of this type in the channel? */
export function isSingle(shape: Shape, type: number): boolean {
  const [only, ...more] = holding(shape, type);
  return only?.most === 1 && more.length === 0;
}

/** The shape after a message of this type was added at the end. */
export function appended(shape: Shape, type: number, grain: Grain): Shape {
  const last = shape.at(-1);
  const exact = grain.exact[type]!;
  if (last?.types.includes(type)) {
    const whole = last.types.length > 1 ? last : row(type, last.most + 1, exact);
    return [...shape.slice(0, -1), whole];
  }
  if (holding(shape, type).length < grain.blocks[type]!)
    return [...shape, { types: [type], least: 1, most: 1 }];
  const at = shape.findLastIndex((block) => block.types.includes(type));
  const types = typesOf(shape.slice(at)).sort((a, b) => a - b);
  return [...shape.slice(0, at), { types, least: 1, most: Number.POSITIVE_INFINITY }];
}

const row = (type: number, count: number, exact: number): Block =>
  count <= exact
    ? { types: [type], least: count, most: count }
    : { types: [type], least: exact + 1, most: Number.POSITIVE_INFINITY };

/** What is left of the type of a message taken from the front. */
export type Left = 'none' | 'one' | 'some';

function leftOf(shape: Shape, type: number): Left {
  if (isSingle(shape, type)) return 'one';
  return holding(shape, type).length === 0 ? 'none' : 'some';
}

/** The shapes after a message of this type was taken from the front. */
export function consumed(shape: Shape, type: number): { shape: Shape; left: Left }[] {
  const [first, ...rest] = shape;
  if (first === undefined || !first.types.includes(type)) return [];
  return firstTaken(first, type).map((blocks) => {
    const result = [...blocks, ...rest];
    return { shape: result, left: leftOf(result, type) };
  });
}

/** What the first block may have become. */
function firstTaken(first: Block, type: number): Shape[] {
  const { types, least, most } = first;
  if (types.length > 1) return [[{ ...first, types: types.filter((one) => one !== type) }], [first]];
  if (most === Number.POSITIVE_INFINITY)
    return [least === 1 ? [] : [{ types, least: least - 1, most: least - 1 }], [first]];
  return [most === 1 ? [] : [{ types, least: Math.max(1, least - 1), most: most - 1 }]];
}

export function regexOf(shape: Shape): Regex {
  return shape.map(blockRegex).reduceRight((rest, first) => sequence(first, rest), EMPTY);
}

function blockRegex({ types, least, most }: Block): Regex {
  if (types.length > LARGEST_MIXTURE) return plus(choice(types.map(letter)));
  if (types.length > 1) return eachOnce([], types);
  const only = letter(types[0]!);
  const surely = Array.from({ length: least - 1 }, () => only);
  const rest =
    most === Number.POSITIVE_INFINITY
      ? plus(only)
      : Array.from({ length: most - least }, () => choice([EMPTY, only])).reduce(sequence, only);
  return [...surely, rest].reduceRight((after, before) => sequence(before, after));
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
