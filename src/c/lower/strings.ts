// strlen, strcmp, memchr and the like, where what they look at is known by its place and small: formulas over its bytes.

import { bytesAt } from '../program/bytes.ts';
import type { Expr } from '../program/expr.ts';
import { type MemoryObject, objectAt } from '../program/program.ts';
import { holdsFloats } from '../program/type-parts.ts';
import { BOOL, CHAR, type CType, INT, pointerIn, type ScalarType } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { args } from './call-values.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

export type CallNode = Extract<Expression, { kind: 'call' }>;

/** Bytes that are looked at one by one. */
export const MOST = 64;

export interface Text {
  readonly address: Expr;
  readonly object: MemoryObject;
  readonly bytes: readonly Expr[];
}

interface Kind {
  /** How many texts come first; what is compared has two. */
  readonly texts: 1 | 2;
  /** Which argument says what character it looks for. */
  readonly character?: number;
  /** Which argument limits how far it looks. */
  readonly limit: number | null;
  /** A zero ends it. */
  readonly ends: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  strlen: { texts: 1, limit: null, ends: true },
  strnlen: { texts: 1, limit: 1, ends: true },
  strchr: { texts: 1, character: 1, limit: null, ends: true },
  strrchr: { texts: 1, character: 1, limit: null, ends: true },
  memchr: { texts: 1, character: 1, limit: 2, ends: false },
  strcmp: { texts: 2, limit: null, ends: true },
  strncmp: { texts: 2, limit: 2, ends: true },
  memcmp: { texts: 2, limit: 2, ends: false },
};

/** Of the arguments, by the functions' prototypes; null for the texts, which are taken as they are. */
export function numberTypes({ sizes }: Context, name: string): (ScalarType | null)[] {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name]! : null;
  return [0, 1, 2].map((i) => (i === kind?.character ? INT : i === kind?.limit ? sizes.size : null));
}

/** Null when it is none of these, or not known by its place. Among threads a formula would look at bytes that the function does not get to. */
export function stringCall(context: Context, name: string, node: CallNode): Value | null {
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name]! : null;
  if (
    kind === null ||
    context.threads !== null ||
    node.args.length < kind.texts + (kind.limit === null ? 0 : 1)
  )
    return null;
  const types = numberTypes(context, name);
  const plan = context.onTrial(() => textsOf(context, kind, args(context, node, types)));
  if (plan === null) return null;
  const given = args(context, node, types);
  const { texts, limit } = plan;
  const call: Look = { context, name, node, kind, texts, limit };
  const [text] = texts as [Text];
  if (kind.texts === 2) return compared(call);
  if (name === 'strlen' || name === 'strnlen') return length(call);
  const wanted = context.pool.trunc(given[1]!.expr, 8);
  return name === 'strrchr' ? lastFound(call, text, wanted) : found(call, text, wanted);
}

interface Look {
  readonly context: Context;
  readonly name: string;
  readonly node: CallNode;
  readonly kind: Kind;
  readonly texts: readonly Text[];
  /** How many bytes it looks at, if nothing ends it before. */
  readonly limit: number | null;
}

function textsOf(
  context: Context,
  { texts, limit: limitAt }: Kind,
  given: readonly Value[],
): { readonly texts: readonly Text[]; readonly limit: number | null } | null {
  const bound = limitAt === null ? null : given[limitAt]!.expr;
  if (bound !== null && bound.op !== 'const') return null;
  const limit = bound === null ? null : Number(bound.value);
  const found = given.slice(0, texts).map(({ expr }) => textAt(context, expr, limit ?? MOST + 1));
  return found.every((text) => text !== null) ? { texts: found, limit } : null;
}

/** Null where the place is not known, or too much may be looked at. */
export function textAt(context: Context, address: Expr, limit: number): Text | null {
  const { pool, memory } = context;
  const object = address.op === 'const' ? objectAt(memory.objects, address.value) : null;
  if (object === null || object.wide || object.kind === 'function' || holdsPointers(object)) return null;
  const count = Math.min(limit, object.size - Number(address.value - object.address));
  if (count > MOST) return null;
  if (holdsFloats(object.type)) context.seesFloatBits();
  const bytes: Expr[] = [];
  for (let i = 0; i < count; i++) {
    const byte = bytesAt(pool, memory.objects, address.value + BigInt(i), 8, ({ id, width }) =>
      pool.symbol(id, width),
    );
    if (byte === null) return null;
    bytes.push(byte);
  }
  return { address, object, bytes };
}

/** Their bytes are not those of the addresses that the machine uses. */
const holdsPointers = ({ cells }: MemoryObject): boolean =>
  [...cells.values()].some(({ type, mayBePointer }) => type.kind === 'pointer' || mayBePointer);

/** On the runs that go on, something has ended the search before the end of the object. */
function requireEnd(call: Look, isEnded: Expr): void {
  const { context, name, node, texts, limit } = call;
  const isInside = limit !== null && texts.every(({ bytes }) => bytes.length >= limit);
  const names = texts.map(({ object }) => `'${object.name}'`).join(' or ');
  if (isInside || isEnded === context.pool.true) return;
  context.emit(
    { kind: 'defined', test: isEnded, why: `${name} beyond the end of ${names} is undefined` },
    node.span,
  );
}

function length(call: Look): Value {
  const { context, node, texts } = call;
  const { pool, sizes } = context;
  const [{ bytes }] = texts as [Text];
  const isZero = bytes.map((byte) => pool.eq(byte, pool.const(0n, 8)));
  requireEnd(call, isZero.reduce(pool.or.bind(pool), pool.false));
  const expr = isZero.reduceRight(
    (more, zero, i) => pool.ite(zero, pool.const(i, sizes.size.width), more),
    pool.const(bytes.length, sizes.size.width),
  );
  return saved(context, node, { type: sizes.size, expr }, node.span);
}

function found(call: Look, { address, bytes }: Text, wanted: Expr): Value {
  const { context, kind } = call;
  const { pool } = context;
  const isHere = bytes.map((byte) => pool.eq(byte, wanted));
  const isEnd = bytes.map((byte) => (kind.ends ? pool.eq(byte, pool.const(0n, 8)) : pool.false));
  requireEnd(call, [...isHere, ...isEnd].reduce(pool.or.bind(pool), pool.false));
  const none = pool.const(0n, 64);
  const expr = bytes.reduceRight(
    (more, _, i) =>
      pool.ite(isHere[i]!, pool.const(address.value + BigInt(i), 64), pool.ite(isEnd[i]!, none, more)),
    none,
  );
  return pointer(call, expr);
}

function lastFound(call: Look, { address, bytes }: Text, wanted: Expr): Value {
  const { context } = call;
  const { pool } = context;
  const zero = pool.const(0n, 8);
  const none = pool.const(0n, 64);
  requireEnd(call, bytes.map((byte) => pool.eq(byte, zero)).reduce(pool.or.bind(pool), pool.false));
  const expr = bytes.reduceRight((later, byte, i) => {
    const here = pool.ite(pool.eq(byte, wanted), pool.const(address.value + BigInt(i), 64), none);
    return pool.ite(pool.eq(byte, zero), here, pool.ite(pool.eq(later, none), here, later));
  }, none);
  return pointer(call, expr);
}

function pointer({ context, name, node }: Look, expr: Expr): Value {
  const to: CType = name === 'memchr' ? { kind: 'void' } : CHAR;
  return saved(context, node, { type: pointerIn(context.sizes, to), expr }, node.span);
}

/** C tells only the sign. What gcc works out itself is -1, 0 or 1; the library gives the difference of the bytes. */
function compared(call: Look): Value {
  const { context, node, kind, texts, limit } = call;
  const { pool } = context;
  const [left, right] = texts.map(({ bytes }) => bytes) as [readonly Expr[], readonly Expr[]];
  const count = Math.min(left.length, right.length);
  const pairs = left.slice(0, count).map((a, i) => ({ a, b: right[i]! }));
  const isOver = pairs.map(({ a }) => (kind.ends ? pool.eq(a, pool.const(0n, 8)) : pool.false));
  const differ = pairs.map(({ a, b }) => pool.not(pool.eq(a, b)));
  requireEnd(call, [...isOver, ...differ].reduce(pool.or.bind(pool), pool.bool(limit === count)));
  const difference = pairs.reduceRight(
    (more, { a, b }, i) => {
      const here = pool.binary('sub', pool.zext(a, 32), pool.zext(b, 32));
      return pool.ite(differ[i]!, here, pool.ite(isOver[i]!, pool.const(0n, 32), more));
    },
    pool.const(0n, 32),
  );
  const result = context.temporary(node, INT, 'order');
  const set = (value: Expr) => context.emit({ kind: 'assign', cell: result, value }, node.span);
  const [sure, open, join] = [0, 1, 2].map(() => context.location(node.span)) as [number, number, number];
  const held = saved(context, node, { type: INT, expr: difference }, node.span).expr;
  const isItsSign = pool.compare('ule', pool.binary('add', held, pool.const(1n, 32)), pool.const(2n, 32));
  fork(context, isItsSign, sure, open, node.span, false);
  context.here = sure;
  set(held);
  context.jump(join, node.span);
  context.here = open;
  const why = `what number ${call.name} gives is left open, but for its sign`;
  const way = context.temporary(node, BOOL, 'way');
  context.emit({ kind: 'havoc', cells: [way], why, exact: false }, node.span);
  const isLess = pool.compare('slt', held, pool.const(0n, 32));
  const sign = pool.ite(isLess, pool.const(-1n, 32), pool.const(1n, 32));
  set(pool.ite(pool.test(pool.symbol(way.id, 8)), sign, held));
  context.jump(join, node.span);
  context.here = join;
  return { type: INT as ScalarType, expr: pool.symbol(result.id, 32) };
}
