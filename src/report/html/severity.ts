// What is wrong comes first.

import type { Verdict } from '../../verdict/verdict.ts';

export type Standing = Verdict | 'errors';

export const ORDER: readonly Standing[] = ['errors', 'refuted', 'unknown', 'proved'];

/** Refuted, unknown, proved; otherwise as asked. The index is the place in the report, for anchors. */
export function bySeverity<Property extends { readonly verdict: Verdict }>(
  properties: readonly Property[],
): { readonly property: Property; readonly index: number }[] {
  return properties
    .map((property, index) => ({ property, index }))
    .sort(
      (a, b) => ORDER.indexOf(a.property.verdict) - ORDER.indexOf(b.property.verdict) || a.index - b.index,
    );
}
