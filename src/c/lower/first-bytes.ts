// Functions of the library that look at what they are given: a pointer to nothing is undefined, whatever else is known of the text.

import { CHAR, pointerIn } from '../program/types.ts';
import { read } from './access.ts';
import type { CallNode } from './call-pieces.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { dropped } from './dropped.ts';
import type { Value } from './places.ts';
import { printed } from './touches.ts';
import { saved } from './values.ts';

/** Which arguments they look at, and which says how many bytes, where one does: for 0 they look at nothing. */
const LOOKS: Readonly<Record<string, { readonly at: readonly number[]; readonly limit?: number }>> = {
  strlen: { at: [0] },
  strnlen: { at: [0], limit: 1 },
  strchr: { at: [0] },
  strrchr: { at: [0] },
  memchr: { at: [0], limit: 2 },
  strcmp: { at: [0, 1] },
  strncmp: { at: [0, 1], limit: 2 },
  strcasecmp: { at: [0, 1] },
  strcoll: { at: [0, 1] },
  memcmp: { at: [0, 1], limit: 2 },
  strstr: { at: [0, 1] },
  strspn: { at: [0, 1] },
  strcspn: { at: [0, 1] },
  strpbrk: { at: [0, 1] },
  strdup: { at: [0] },
  strcpy: { at: [0, 1] },
  strcat: { at: [0, 1] },
  strncpy: { at: [0, 1], limit: 2 },
  strncat: { at: [0] },
  puts: { at: [0] },
  fputs: { at: [0] },
  printf: { at: [0] },
  fprintf: { at: [1] },
  atoi: { at: [0] },
  atol: { at: [0] },
  atoll: { at: [0] },
  atof: { at: [0] },
  strtol: { at: [0] },
  strtoul: { at: [0] },
  strtoll: { at: [0] },
  strtoull: { at: [0] },
};

/** Of a call whose arguments have been computed. */
export function readFirstBytes(
  context: Context,
  name: string,
  node: CallNode,
  given: readonly Value[],
): void {
  const { pool } = context;
  const looks = Object.hasOwn(LOOKS, name) ? LOOKS[name]! : null;
  const texts = printed(name, node).flatMap(([i, use]) => (use === 'string' ? [i] : []));
  const pointers = [...(looks?.at ?? []), ...texts]
    .map((i) => given[i])
    .filter((pointer) => pointer?.type.kind === 'pointer' || pointer?.type.kind === 'int')
    .map((pointer) => convert(context, pointer!, pointerIn(context.sizes, CHAR), node.span));
  if (pointers.length === 0) return;
  const limit = looks?.limit === undefined ? null : given[looks.limit];
  if ((limit !== null && limit?.type.kind !== 'int') || context.here === null) return;
  const look = () => {
    for (const { expr: address } of pointers)
      dropped(context, node, read(context, { type: CHAR, address, bits: null }, node.span));
  };
  if (limit === null) {
    look();
    return;
  }
  const [some, end] = [0, 1].map(() => context.location(node.span)) as [number, number];
  const isSome = pool.test(saved(context, {}, limit, node.span).expr);
  fork(context, isSome, some, end, node.span, false);
  context.here = some;
  look();
  context.jump(end, node.span);
  context.here = end;
}
