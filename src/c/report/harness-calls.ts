// Calls of inputs in one statement: C leaves open which comes first, and gcc often begins with the last argument. There each call of the text has a function of its own,
// with the values that the run gave this call; so they are the same in whatever order the compiler takes them. Calls in functions that are called so are not told apart.

import type { SourceFile, Span } from '../../source/source.ts';
import type { Input } from '../program/confirmed.ts';

/** An input, and where the call stands that gave it. */
export type PlacedInput = Input & { readonly span: Span | null };

/** A call of the text, and what the run gave it, in order. */
export interface NamedCall {
  readonly name: string;
  /** What stands in the text, and where. */
  readonly source: string;
  readonly start: number;
  readonly inputs: readonly PlacedInput[];
}

/** The calls that have functions of their own. */
export function callsOf(file: SourceFile, inputs: readonly PlacedInput[]): readonly NamedCall[] {
  const byPlace = new Map<number, PlacedInput[]>();
  for (const input of inputs) {
    const start = placeOf(file, input);
    if (start !== null) byPlace.set(start, [...(byPlace.get(start) ?? []), input]);
  }
  const places = [...byPlace.keys()].sort((a, b) => a - b);
  const isBeside = (one: number | undefined, other: number | undefined): boolean =>
    one !== undefined && other !== undefined && !file.text.slice(one, other).includes(';');
  return places
    .filter((place, i) => isBeside(places[i - 1], place) || isBeside(place, places[i + 1]))
    .map((start, i) => {
      const own = byPlace.get(start)!;
      return { name: `spillway_call_${i + 1}`, source: own[0]!.source, start, inputs: own };
    });
}

/** Null where the call does not stand in the text as it is: in another file, in a macro. */
function placeOf(file: SourceFile, { span, source }: PlacedInput): number | null {
  if (span === null || span.file.path !== file.path) return null;
  const rest = file.text.slice(span.start, span.end);
  return rest.startsWith(source) && /^\s*\(/.test(rest.slice(source.length)) ? span.start : null;
}
