// How much memory functions of the library need behind the pointers that they are given: more than there is is undefined. Where it depends on what they read or
// print how much they use, nobody sees whether they stay inside: whoever asks for undefined behaviour is told so (undefined.ts).

import type { Expr } from '../program/expr.ts';
import { pointerTo, type ScalarType, sizeOf, VOID } from '../program/types.ts';
import type { CallNode } from './call-pieces.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

interface Room {
  readonly at: number;
  /** The arguments whose product is the number of bytes; absent: nobody says how many. */
  readonly bytes?: readonly number[];
  /** Are all of them used for sure? */
  readonly all?: true;
  readonly writes: boolean;
}

const any: Room = { at: 0, writes: true };
const upTo = (at: number, ...bytes: readonly number[]): Room => ({ at, bytes, writes: true });
const from = (at: number, ...bytes: readonly number[]): Room => ({ at, bytes, writes: false });

const whole = (room: Room): Room => ({ ...room, all: true });

/** `memcpy` and `memset` are here for calls through pointers: by their names they are loops over bytes. */
const ROOMS: Readonly<Record<string, readonly Room[]>> = {
  ...{ strcpy: [any], stpcpy: [any], strcat: [any], strncat: [any] },
  ...{ sprintf: [any], vsprintf: [any], gets: [any] },
  ...{ strncpy: [whole(upTo(0, 2))], stpncpy: [whole(upTo(0, 2))], memset: [whole(upTo(0, 2))] },
  ...Object.fromEntries(
    ['memcpy', 'memmove', 'mempcpy'].map((name) => [name, [whole(upTo(0, 2)), whole(from(1, 2))]]),
  ),
  ...{ bzero: [whole(upTo(0, 1))], bcopy: [whole(from(0, 2)), whole(upTo(1, 2))] },
  ...{ snprintf: [upTo(0, 1)], vsnprintf: [upTo(0, 1)], strftime: [upTo(0, 1)], fgets: [upTo(0, 1)] },
  ...{ fread: [upTo(0, 1, 2)], read: [upTo(1, 2)], recv: [upTo(1, 2)] },
  ...{ fwrite: [from(0, 1, 2)], write: [from(1, 2)], send: [from(1, 2)] },
  memcmp: [whole(from(0, 2)), whole(from(1, 2))],
};

const FORMAT_AT: Readonly<Record<string, number>> = { scanf: 0, fscanf: 1, sscanf: 1 };
/** A conversion that writes a text. */
const TEXT = /%\*?\d*m?l?[s[]/;

/** Texts that `scanf` reads may be of any length, as far as this is seen. */
function scanned(name: string, node: CallNode, given: readonly Value[]): readonly Room[] {
  const format = FORMAT_AT[name.replace(/^__isoc99_/, '')];
  const written = format === undefined ? undefined : node.args[format];
  if (written === undefined || (written.kind === 'string' && !TEXT.test(written.text))) return [];
  return given.flatMap(({ type }, at) =>
    at > format! && type.kind === 'pointer' && sizeOf(type.to) === 1 ? [{ at, writes: true }] : [],
  );
}

/** Of a call whose arguments have been computed. */
export function staysWithin(context: Context, name: string, node: CallNode, given: readonly Value[]): void {
  if (context.threads !== null || context.here === null) return;
  const { pool } = context;
  const { span } = node;
  const rooms = Object.hasOwn(ROOMS, name) ? ROOMS[name]! : scanned(name, node, given);
  const number = (i: number): Expr =>
    pool.resize(saved(context, node.args[i], given[i]!, span).expr, 64, false);
  for (const { at, bytes, all, writes } of rooms) {
    const pointer = given[at];
    if (pointer?.type.kind !== 'pointer') continue;
    if (bytes?.some((i) => given[i]?.type.kind !== 'int')) continue;
    const cell = context.temporary(node, pointerTo(VOID) as ScalarType, `room ${at}`);
    context.emit({ kind: 'assign', cell, value: pointer.expr }, span);
    const address = pointer.expr.op === 'const' ? pointer.expr : pool.symbol(cell.id, 64);
    const extent = bytes?.map(number).reduce((a, b) => pool.binary('mul', a, b)) ?? 'object';
    const site = context.memory.site(address, 8, span);
    const within = all === true ? 'all' : 'some';
    context.emit({ kind: 'touch', site, address, extent, writes, within }, span);
  }
}
