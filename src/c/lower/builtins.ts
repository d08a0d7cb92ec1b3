// Functions that gcc knows without a header: bits of numbers, arithmetic that tells whether it overflowed, atomic accesses (which one
// thread by itself cannot tell from plain ones).

import type { Expr } from '../program/expr.ts';
import {
  BOOL,
  type CType,
  INT,
  type IntType,
  LLONG,
  pointerIn,
  type ScalarType,
  UINT,
  ULLONG,
  VOID,
} from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { argumentsOf, isBuiltinName } from '../text/builtins.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { atomicCall } from './builtin-atomics.ts';
import { bitsCall } from './builtin-bits.ts';
import { args, givenAway, nothing } from './call-values.ts';
import { isConstant } from './constant-expressions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { hasEffects } from './effects.ts';
import type { Place, Value } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { bitFieldType, constant, discard, saved, typeOf, value } from './values.ts';
import { copyList, startList } from './variable-arguments.ts';

export type CallNode = Extract<Expression, { kind: 'call' }>;

/** Of a function that is defined nowhere: refused where gcc refuses the call, and where nobody here knows what a builtin does. */
export function checkCall(name: string, entity: FunctionEntity | null, node: CallNode): void {
  const known = argumentsOf(name);
  if (known === null && isBuiltinName(name) && entity === null)
    refuse('SPW5012', `the builtin '${name}' is not supported`, node.span, 'write what it does in C');
  const count = entity === null ? null : entity.type.parameters.length;
  const declared =
    count === null ? null : ([count, entity?.type.variadic ? Number.POSITIVE_INFINITY : count] as const);
  for (const range of [known, declared]) if (range !== null) checkCount(name, range, node);
}

function checkCount(
  name: string,
  [least, most]: readonly [least: number, most: number],
  { args: given, span }: CallNode,
): void {
  if (given.length >= least && given.length <= most) return;
  const wanted = most === least ? least : given.length < least ? `at least ${least}` : `at most ${most}`;
  refuse(
    'SPW5011',
    `'${name}' takes ${wanted} argument${wanted === 1 ? '' : 's'}, not ${given.length}`,
    span,
  );
}

/** What `__builtin_choose_expr` stands for; null where it is another call. */
export function chosenExpression(context: Context, { callee, args: given }: CallNode): Expression | null {
  const [test, yes, no] = given;
  if (callee.kind !== 'name' || callee.name !== '__builtin_choose_expr') return null;
  if (test === undefined || yes === undefined || no === undefined) return null;
  return constant(context, test) === 0n ? no : yes;
}

/** Null when it is none of these. */
export function builtinCall(context: Context, name: string, node: CallNode): Value | null {
  const { pool, sizes } = context;
  const unknown = (type: ScalarType): Value => {
    const why = `what '${name}' gives is taken as any value`;
    return { type, expr: context.unknown(node, type, why, node.span) };
  };
  switch (name) {
    case '__builtin_expect':
    case '__builtin_expect_with_probability':
      return args(context, node, [sizes.long, sizes.long])[0]!;
    case '__builtin_assume_aligned':
      return convert(context, args(context, node)[0]!, pointerIn(sizes, VOID), node.span);
    case '__builtin_constant_p':
      return isConstant(context, node.args[0]!, node);
    case '__builtin_choose_expr':
      return value(context, chosenExpression(context, node)!);
    case '__builtin_unreachable':
      context.emit(
        { kind: 'defined', test: pool.false, why: '__builtin_unreachable() is undefined' },
        node.span,
      );
      return nothing(context);
    case '__builtin_return_address':
    case '__builtin_frame_address':
      givenAway(context, node);
      return unknown(pointerIn(sizes, VOID));
    // Nothing is done for their arguments.
    case '__builtin_object_size':
    case '__builtin_dynamic_object_size':
      return unknown(sizes.size);
    case '__builtin_va_start':
      startList(context, node.args[0]!, node.span);
      return nothing(context);
    case '__builtin_va_copy':
      copyList(context, node.args[0]!, node.args[1]!, node.span);
      return nothing(context);
    case '__builtin_va_end':
      for (const arg of node.args) if (hasEffects(arg)) discard(context, arg);
      return nothing(context);
    case '__sync_synchronize':
    case '__atomic_thread_fence':
    case '__atomic_signal_fence':
    case '__builtin_prefetch':
      givenAway(context, node);
      return nothing(context);
    default:
  }
  return (
    bitsCall(context, name, node) ?? overflowCall(context, name, node) ?? atomicCall(context, name, node)
  );
}

// ---- bits of numbers ----

const FIXED: Readonly<Record<string, IntType>> = { s: INT, sll: LLONG, u: UINT, ull: ULLONG };

const OPERATIONS = { add: 'add', sub: 'sub', mul: 'mul' } as const;

function overflowCall(context: Context, name: string, node: CallNode): Value | null {
  const match = /^__builtin_(?:(s|u)?(add|sub|mul)(l|ll|)_overflow(_p)?)$/.exec(name);
  const [a, b, target] = node.args;
  if (match === null || a === undefined || b === undefined || target === undefined) return null;
  const [, sign, op, size, asks] = match;
  const { pool } = context;
  const { long, ulong } = context.sizes;
  const fixed =
    sign === undefined ? null : size === 'l' ? (sign === 's' ? long : ulong) : FIXED[sign + size!]!;
  const given = (node: Expression): Value => {
    const number = value(context, node);
    return saved(
      context,
      node,
      fixed === null ? number : convert(context, number, fixed, node.span),
      node.span,
    );
  };
  const [left, held] = [given(a), given(b)];
  const pointer = asks === undefined ? saved(context, target, value(context, target), target.span) : null;
  const result: CType | null =
    fixed ??
    (pointer === null
      ? (bitFieldType(context, target) ?? typeOf(context, target))
      : pointer.type.kind === 'pointer'
        ? pointer.type.to
        : null);
  // Of the last argument only the type counts, but it is evaluated.
  if (asks !== undefined) discard(context, target);
  if (result?.kind !== 'int' || left.type.kind !== 'int' || held.type.kind !== 'int')
    return context.wrongType('whole numbers are needed', result ?? left.type, node.span);
  // Wide enough for the exact result of any operands.
  const wide = 2 * Math.max(left.type.width, held.type.width, result.width) + 2;
  const exactOf = ({ expr, type }: Value): Expr =>
    pool.resize(expr, wide, type.kind === 'int' && type.signed);
  const exact = pool.binary(OPERATIONS[op as 'add'], exactOf(left), exactOf(held));
  const cut = pool.trunc(exact, result.width);
  const overflowed = pool.not(pool.eq(pool.resize(cut, wide, result.signed), exact));
  const flag = saved(context, node, { type: BOOL, expr: pool.number(overflowed, 8) }, node.span);
  if (pointer !== null) {
    const place: Place = { type: result, address: pointer.expr, bits: null };
    write(context, place, { type: result, expr: cut }, node.span);
  }
  return flag;
}

// ---- atomic accesses ----
