// What earlier readings of a program have found out about its heap: how many elements runs ask for where the text does not tell, and in which widths the bytes of an
// allocation are used whose type it does not tell; also which large variables are used at known places only. A plan decides how much is followed, and nothing about a verdict: a size that is no case is cut off, or decided at run time.

import type { Span } from '../../source/source.ts';
import type { CType } from '../program/types.ts';

export interface HeapPlan {
  /** By place: numbers of elements, beyond those that are always told apart. */
  readonly counts: ReadonlyMap<string, readonly number[]>;
  /** By place, size and type that would be taken: what the object consists of. */
  readonly layouts: ReadonlyMap<string, CType>;
  /** Runs ask for more sizes somewhere than can be told apart. */
  readonly isOpen: boolean;
  /** Places at which sizes are decided at run time, instead of told apart by cases. */
  readonly sized: ReadonlySet<string>;
  /** Large variables that are used at known places only: those are worth following part by part. */
  readonly large: ReadonlySet<string>;
}

export const NO_PLAN: HeapPlan = {
  ...{ counts: new Map(), layouts: new Map(), large: new Set() },
  ...{ isOpen: false, sized: new Set() },
};

export const variableOf = ({ name, size }: { readonly name: string; readonly size: number }): string =>
  `${name} ${size}`;

export const placeOf = ({ file, start }: Span): string => `${file.path}:${start}`;

/** Numbers of elements that are always told apart: up to this. */
export const MOST_ELEMENTS = 8;
/** Where inputs decide: up to this, when no input leads beyond it. */
const MOST_OPEN = 40;
/** Of one place. */
const MOST_CASES = 64;

/** The plan with more cases; the same one where there is nothing to add. */
export function withCounts(plan: HeapPlan, wanted: ReadonlyMap<string, ReadonlySet<number>>): HeapPlan {
  const added = [...wanted].flatMap(([place, asked]): [string, readonly number[]][] => {
    const known = plan.counts.get(place) ?? [];
    const all = [...new Set([...known, ...casesFor([...asked], known)])];
    return all.length > known.length && all.length <= MOST_CASES ? [[place, all]] : [];
  });
  const isOpen = plan.isOpen || [...wanted.values()].some((asked) => isMore([...asked]));
  if (added.length === 0 && isOpen === plan.isOpen) return plan;
  return { ...plan, isOpen, counts: new Map([...plan.counts, ...added]) };
}

/** More than can be told apart. */
const isMore = (asked: readonly number[]): boolean =>
  Math.min(...asked) !== Math.max(...asked) && Math.max(...asked) > MOST_OPEN;

/** The sizes at these places are decided at run time. */
export const withSized = (plan: HeapPlan, places: ReadonlySet<string>): HeapPlan => ({
  ...plan,
  sized: places,
});

function casesFor(asked: readonly number[], known: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...asked), Math.max(...asked)];
  if (least === most) return asked;
  // No proof can be had by cases; one size is enough for what goes wrong with any.
  if (isMore(asked)) return known.length === 0 ? [least] : [];
  return Array.from({ length: most - MOST_ELEMENTS }, (_, i) => MOST_ELEMENTS + 1 + i);
}

export function withLarge(plan: HeapPlan, found: ReadonlySet<string>): HeapPlan {
  const large = new Set([...plan.large, ...found]);
  return large.size === plan.large.size ? plan : { ...plan, large };
}

export function withLayouts(plan: HeapPlan, found: ReadonlyMap<string, CType>): HeapPlan {
  const added = [...found].filter(([kind]) => !plan.layouts.has(kind));
  return added.length === 0 ? plan : { ...plan, layouts: new Map([...plan.layouts, ...added]) };
}
