// What the audit says of `bounded` where a certificate has to settle every queue or place: one that leaves some out proves something, but
// not the property it is said to prove.

import type { Audited } from '../engine/language.ts';

interface Bound {
  readonly name: string;
  readonly bound: bigint | number;
}

/** `names`: everything that the property asks about. */
export function acceptedBounds(bounds: readonly Bound[], names: readonly string[]): Audited {
  const claimed = new Set(bounds.map(({ name }) => name));
  const open = names.filter((name) => !claimed.has(name));
  if (open.length > 0)
    return { kind: 'rejected', reason: `the certificate gives no bound for ${open.slice(0, 4).join(', ')}` };
  const says = bounds.map(({ name, bound }) => `${name} never holds more than ${bound}`);
  return { kind: 'accepted', says: says.length > 0 ? says : ['there is nothing that could grow'], bounds };
}
