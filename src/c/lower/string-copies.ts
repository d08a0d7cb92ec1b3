// strcpy, strcat and the like, where both places are known and small: each byte of the target becomes a formula over the bytes of both. Elsewhere they stay functions
// that nobody defines. Texts that may overlap, which is undefined, are left to that rule, too.

import type { Expr } from '../program/expr.ts';
import { CHAR, pointerIn, UCHAR } from '../program/types.ts';
import { writeScalar } from './access.ts';
import { args } from './call-values.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { type CallNode, MOST, type Text, textAt } from './strings.ts';
import { saved } from './values.ts';

/** `limited`: the third argument says how many bytes count. */
const COPIES: Readonly<Record<string, { readonly appends: boolean; readonly limited: boolean }>> = {
  strcpy: { appends: false, limited: false },
  stpcpy: { appends: false, limited: false },
  strncpy: { appends: false, limited: true },
  strcat: { appends: true, limited: false },
  strncat: { appends: true, limited: true },
};
/** Of a target behind whose end something is put: each byte may come from as many. */
const MOST_APPENDED = 32;

interface Copy {
  readonly context: Context;
  readonly to: Text;
  readonly from: readonly Expr[];
  readonly limit: number | null;
}

interface Written {
  readonly bytes: readonly Expr[];
  /** All that is read and written lies inside. */
  readonly isInside: Expr;
}

/** Null when it is none of these, or not known by its place. */
export function copyCall(context: Context, name: string, node: CallNode): Value | null {
  const kind = Object.hasOwn(COPIES, name) ? COPIES[name]! : null;
  if (kind === null || context.threads !== null || node.args.length !== (kind.limited ? 3 : 2)) return null;
  const types = [null, null, kind.limited ? context.sizes.size : null];
  const plan = context.onTrial(() => planOf(context, kind, args(context, node, types)));
  if (plan === null) return null;
  args(context, node, types);
  const { pool } = context;
  const { to, from } = plan;
  const { bytes, isInside } = kind.appends ? appended(plan) : kind.limited ? padded(plan) : copied(plan);
  const why = `${name} beyond the end of '${to.object.name}', or of what is copied, is undefined`;
  const end = name === 'stpcpy' ? lengthOf(context, from) : pool.const(0n, 64);
  const result = saved(
    context,
    node,
    { type: pointerIn(context.sizes, CHAR), expr: pool.binary('add', to.address, end) },
    node.span,
  );
  if (isInside !== pool.true) context.emit({ kind: 'defined', test: isInside, why }, node.span);
  // All are computed before the first is written: those that are appended hang on where the target ended.
  const changed = bytes.flatMap((byte, i) => {
    if (byte === to.bytes[i]) return [];
    const cell = context.temporary(node, UCHAR, `byte ${i}`);
    context.emit({ kind: 'assign', cell, value: byte }, node.span);
    return [{ address: to.address.value + BigInt(i), value: pool.symbol(cell.id, 8) }];
  });
  for (const { address, value } of changed)
    writeScalar(context, pool.const(address, 64), 8, value, node.span);
  return result;
}

function planOf(
  context: Context,
  { appends, limited }: (typeof COPIES)[string],
  given: readonly Value[],
): Copy | null {
  const bound = limited ? given[2]!.expr : null;
  if (bound !== null && (bound.op !== 'const' || bound.value > BigInt(MOST))) return null;
  const limit = bound === null ? null : Number(bound.value);
  const from = textAt(context, given[1]!.expr, limit ?? MOST + 1);
  if (from === null) return null;
  const to = textAt(context, given[0]!.expr, appends ? MOST_APPENDED + 1 : (limit ?? from.bytes.length));
  if (to === null || to.object === from.object) return null;
  return appends && to.bytes.length > MOST_APPENDED ? null : { context, to, from: from.bytes, limit };
}

/** For each byte: is there a zero before it? One more for the end. */
function endsBefore({ pool }: Context, bytes: readonly Expr[]): Expr[] {
  const ends: Expr[] = [pool.false];
  for (const byte of bytes) ends.push(pool.or(ends.at(-1)!, pool.eq(byte, pool.const(0n, 8))));
  return ends;
}

function lengthOf(context: Context, bytes: readonly Expr[]): Expr {
  const { pool } = context;
  return bytes.reduceRight(
    (more, byte, i) => pool.ite(pool.eq(byte, pool.const(0n, 8)), pool.const(i, 64), more),
    pool.const(bytes.length, 64),
  );
}

function copied({ context, to, from }: Copy): Written {
  const { pool } = context;
  const ends = endsBefore(context, from);
  return {
    bytes: to.bytes.map((old, i) => pool.ite(ends[i]!, old, from[i] ?? old)),
    isInside: ends[Math.min(to.bytes.length, from.length)]!,
  };
}

/** Zeros fill up what is left of the limit. */
function padded({ context, to, from, limit }: Copy): Written {
  const { pool } = context;
  const ends = endsBefore(context, from);
  const zero = pool.const(0n, 8);
  const isRead = from.length >= limit! ? pool.true : ends[from.length]!;
  return {
    bytes: to.bytes.map((_, i) => pool.ite(ends[Math.min(i, from.length)]!, zero, from[i] ?? zero)),
    isInside: pool.and(isRead, pool.bool(to.bytes.length >= limit!)),
  };
}

/** Behind the first zero of the target; a limit puts a zero there. */
function appended({ context, to, from, limit }: Copy): Written {
  const { pool } = context;
  const text = limit !== null && from.length >= limit ? [...from, pool.const(0n, 8)] : from;
  const ends = endsBefore(context, text);
  const over = endsBefore(context, to.bytes);
  const startsAt = to.bytes.map((byte, j) => pool.and(pool.not(over[j]!), pool.eq(byte, pool.const(0n, 8))));
  const bytes = to.bytes.map((old, i) =>
    startsAt.slice(0, i + 1).reduce((so, starts, j) => {
      const k = i - j;
      return k >= text.length ? so : pool.ite(pool.and(starts, pool.not(ends[k]!)), text[k]!, so);
    }, old),
  );
  const fits = startsAt.map((starts, j) =>
    pool.and(starts, ends[Math.min(text.length, to.bytes.length - j)]!),
  );
  return { bytes, isInside: fits.reduce(pool.or.bind(pool), pool.false) };
}
