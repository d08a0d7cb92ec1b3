// Lines of the listing as targets of links: one id for each line of each file of each model.

import type { Position } from '../../source/source.ts';
import type { ModelReport } from '../../verdict/verdict.ts';

/** Null where the text is not part of the report. */
export type PlaceId = (at: Position | null | undefined) => string | null;

export function placeIds({ sources }: Pick<ModelReport, 'sources'>, model: number): PlaceId {
  const files = new Map(Object.keys(sources).map((file, index) => [file, index]));
  return (at) => {
    const file = at === null || at === undefined ? undefined : files.get(at.file);
    return file === undefined ? null : `m${model}-f${file}-${at!.line}`;
  };
}
