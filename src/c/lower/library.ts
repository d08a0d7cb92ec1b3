// Functions whose meaning is known without a definition: the conventions of the verification community and a little of the C library.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { ScalarType, WordSizes } from '../program/types.ts';
import {
  BOOL,
  CHAR,
  DOUBLE,
  FLOAT,
  INT,
  isScalar,
  LLONG,
  LONG,
  pointerTo,
  SHORT,
  UCHAR,
  UINT,
  ULLONG,
  ULONG,
  USHORT,
  VOID,
  widthOf,
} from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { checkedFunction } from '../text/builtins.ts';
import { assertion, assumption } from './assertions.ts';
import { builtinCall } from './builtins.ts';
import { givenAway, nothing } from './call-values.ts';
import { fork } from './conditions.ts';
import { isNullConstant } from './constant-expressions.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { fail, halt, isErrorCall, isHalt, mayJump } from './endings.ts';
import { readFirstBytes } from './first-bytes.ts';
import { allocate, release } from './heap.ts';
import { mathCall } from './math.ts';
import { fillMemory } from './memory-calls.ts';
import { modelCall, modelValue } from './models.ts';
import { requireThat } from './overflow.ts';
import type { Value } from './places.ts';
import { mayCount } from './printing.ts';
import { threadCall } from './pthread.ts';
import { readCall } from './reading.ts';
import { reallocate } from './reallocate.ts';
import { staysWithin } from './room.ts';
import { scanCall } from './scanning.ts';
import type { FunctionEntity } from './scope.ts';
import { copyCall } from './string-copies.ts';
import { numberTypes, stringCall } from './strings.ts';
import { touchArguments } from './touches.ts';
import { value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

const NONDET: Readonly<Record<string, ScalarType>> = {
  bool: BOOL,
  _Bool: BOOL,
  char: CHAR,
  schar: CHAR,
  uchar: UCHAR,
  short: SHORT,
  ushort: USHORT,
  int: INT,
  uint: UINT,
  unsigned: UINT,
  unsigned_int: UINT,
  u8: UCHAR,
  u16: USHORT,
  u32: UINT,
  U8: UCHAR,
  U16: USHORT,
  U32: UINT,
  long: LONG,
  ulong: ULONG,
  longlong: LLONG,
  ulonglong: ULLONG,
  size_t: ULONG,
  loff_t: LONG,
  float: FLOAT,
  double: DOUBLE,
  pointer: pointerTo(VOID) as ScalarType,
};

const ASSUMPTIONS = new Set(['__VERIFIER_assume', '__CPROVER_assume', '__builtin_assume']);
const ALLOCATORS = new Set([
  'malloc',
  'calloc',
  'alloca',
  '__builtin_alloca',
  'kmalloc',
  'kzalloc',
  '__builtin_malloc',
]);
/** They end the life of what they are given. */
const RELEASES: ReadonlySet<string> = new Set(['free', 'kfree']);
/** They change no variable; what they return is taken as any value. */
const SILENT = new Set([
  ...[
    'isalnum',
    'isalpha',
    'isblank',
    'iscntrl',
    'isdigit',
    'isgraph',
    'islower',
    'isprint',
    'ispunct',
    'isspace',
  ],
  ...['isupper', 'isxdigit', 'tolower', 'toupper', 'strlen', 'strcmp', 'strncmp', 'memcmp', 'atoi', 'atol'],
  'printf',
  'puts',
  'putchar',
  'fprintf',
  'fflush',
  'perror',
  ...RELEASES,
  'srand',
  '__VERIFIER_atomic_begin',
  '__VERIFIER_atomic_end',
]);

/** As long as there are no threads, which may be about to write what these read. */
const SILENT_ALONE = new Set([
  ...['clock', 'difftime', 'getpid', 'getppid', 'sleep', 'usleep', 'getenv', 'strerror'],
  ...['fputs', 'fputc', 'putc', 'isascii', 'toascii'],
]);

function isSilent(context: Context, name: string, node: CallNode): boolean {
  if (SILENT.has(name)) return !mayCount(name, node);
  if (context.threads !== null) return false;
  const [first] = node.args;
  if (name === 'time') return first !== undefined && isNullConstant(context, first);
  return SILENT_ALONE.has(name);
}

/** Null when the function is not one of these, or the user defines it. */
export function libraryCall(
  context: Context,
  name: string,
  node: CallNode,
  entity: FunctionEntity | null,
): Value | null {
  if (isErrorCall(name)) {
    fail(context, name, node.span);
    return nothing(context);
  }
  if (entity?.definition != null) return null;
  if (name === 'assert' || name === '__VERIFIER_assert' || name === '__CPROVER_assert')
    return assertion(context, name, node, entity);
  if (name === '__assert_fail') {
    fail(context, name, node.span);
    return nothing(context);
  }
  const checked = checkedFunction(name);
  if (checked !== null) return libraryCall(context, checked.name, without(node, checked.more), entity);
  mayJump(context, name, node.span);
  const threaded = threadCall(context, name, node);
  if (threaded !== null) return threaded;
  const builtin = name.startsWith('__') ? builtinCall(context, name, node) : null;
  if (builtin !== null) return builtin;
  const computed = mathCall(context, name, node);
  if (computed !== null) return computed;
  const scanned = scanCall(context, name, node) ?? readCall(context, name, node);
  if (scanned !== null) return scanned;
  if (name === 'atexit' && context.exits !== null && node.args.length === 1)
    return context.exits.register(context, node);
  if (isHalt(name)) {
    givenAway(context, node);
    halt(context, name, node.span);
    return nothing(context);
  }
  if (ASSUMPTIONS.has(name)) return assumption(context, name, node, entity);
  if (name.startsWith('__VERIFIER_nondet_')) return nondet(context, name, node, entity);
  const plain = name.replace(/^__builtin_/, '');
  const looked = stringCall(context, plain, node) ?? copyCall(context, plain, node);
  if (looked !== null) return asDeclared(context, looked, entity, node);
  const modelled = modelCall(context, plain, node) ?? modelValue(context, name, node);
  if (modelled !== null) return asDeclared(context, modelled, entity, node);
  if (isSilent(context, name, node)) {
    const given = givenAway(context, node, numberTypes(context, plain));
    readFirstBytes(context, plain, node, given);
    staysWithin(context, plain, node, given);
    touchArguments(context, name, node, given);
    if (RELEASES.has(name) && given[0] !== undefined) release(context, given[0], node);
    const result =
      entity?.type.result ?? (name === 'strlen' ? context.sizes.size : RELEASES.has(name) ? VOID : INT);
    return isScalar(result)
      ? { type: result, expr: unmodelled(context, node, result, name) }
      : nothing(context);
  }
  if (name === 'rand' || name === 'random') return randomNumber(context, name, node);
  if (ALLOCATORS.has(name)) return allocate(context, name, node);
  if (name === 'realloc') return reallocate(context, node);
  if (plain === 'memset' || plain === 'memcpy' || plain === 'memmove')
    return fillMemory(context, plain, node);
  const magnitude = ABSOLUTE[plain];
  if (magnitude !== undefined) return absolute(context, node, magnitude(context.sizes));
  return null;
}

const shortened = new WeakMap<CallNode, CallNode>();

/** The call without some of its arguments: always the same one, since what it keeps is found by it. */
function without(node: CallNode, more: readonly number[]): CallNode {
  const known = shortened.get(node);
  if (known !== undefined) return known;
  const made = { ...node, args: node.args.filter((_, i) => !more.includes(i)) };
  shortened.set(node, made);
  return made;
}

/** With the type that the program's own declaration gives it. */
function asDeclared(context: Context, result: Value, entity: FunctionEntity | null, node: CallNode): Value {
  const type = entity?.type.result;
  return type?.kind === 'int' && result.type.kind === 'int'
    ? convert(context, result, type, node.span)
    : result;
}

const unmodelled = (context: Context, node: CallNode, type: ScalarType, name: string): Expr => {
  const cell = context.temporary(node, type, 'unknown');
  context.emit(
    { kind: 'havoc', cells: [cell], why: `the result of '${name}' is taken as any value`, exact: false },
    node.span,
  );
  return context.pool.symbol(cell.id, cell.width);
};

function nondet(context: Context, name: string, node: CallNode, entity: FunctionEntity | null): Value {
  const suffix = name.slice('__VERIFIER_nondet_'.length);
  const result = entity?.type.result;
  const known = NONDET[suffix] ?? INT;
  const named = known === LONG ? context.sizes.long : known === ULONG ? context.sizes.ulong : known;
  const type: ScalarType = result !== undefined && isScalar(result) ? result : named;
  if (type.kind === 'float' && type.width > 64)
    return {
      type,
      expr: context.unknown(node, type, 'an unknown long double is taken as any value', node.span),
    };
  if (type.kind === 'pointer') return anyPointer(context, name, node, type);
  const cell = context.temporary(node, type, 'input');
  context.emit({ kind: 'input', cell, source: name }, node.span);
  if (type.kind === 'int' && type.name === '_Bool')
    context.emit(
      {
        kind: 'assume',
        test: context.pool.compare('ule', context.pool.symbol(cell.id, 8), context.pool.const(1n, 8)),
        branch: null,
      },
      node.span,
    );
  return { type, expr: context.pool.symbol(cell.id, cell.width) };
}

/** Null for sure is one of them. */
function anyPointer(context: Context, name: string, node: CallNode, type: ScalarType): Value {
  const { pool } = context;
  const { span } = node;
  const [input, result] = [
    context.temporary(node, context.sizes.ulong, 'input'),
    context.temporary(node, type, 'pointer'),
  ];
  const set = (value: Expr) => context.emit({ kind: 'assign', cell: result, value }, span);
  const [none, some, join] = [0, 1, 2].map(() => context.location(span)) as [number, number, number];
  context.emit({ kind: 'input', cell: input, source: name }, span);
  const number = pool.symbol(input.id, input.width);
  fork(context, pool.eq(number, pool.const(0n, input.width)), none, some, span, false);
  context.here = none;
  set(pool.const(0n, 64));
  context.jump(join, span);
  context.here = some;
  const other = context.unknown(node, type, 'an unknown pointer is taken as any pointer', span);
  const isNone = pool.eq(other, pool.const(0n, 64));
  context.emit({ kind: 'assume', test: pool.not(isNone), branch: null }, span);
  set(other);
  context.jump(join, span);
  context.here = join;
  return { type, expr: pool.symbol(result.id, 64) };
}

/** C leaves open which numbers come: any that are not negative. */
function randomNumber(context: Context, name: string, node: CallNode): Value {
  const type = name === 'rand' ? INT : context.sizes.long;
  const cell = context.temporary(node, type, 'input');
  const expr = context.pool.symbol(cell.id, cell.width);
  const why = `'${name}' may give the same numbers again, because of a seed`;
  context.emit(
    context.areSeedsOpen
      ? { kind: 'input', cell, source: name }
      : { kind: 'havoc', cells: [cell], why, exact: false },
    node.span,
  );
  const test = context.pool.compare('ule', expr, context.pool.const(0x7fffffffn, cell.width));
  context.emit({ kind: 'assume', test, branch: null }, node.span);
  return { type, expr };
}

const ABSOLUTE: Readonly<Record<string, (sizes: WordSizes) => ScalarType>> = {
  abs: () => INT,
  labs: ({ long }) => long,
  llabs: () => LLONG,
  imaxabs: () => LLONG,
};

function absolute(context: Context, node: CallNode, type: ScalarType): Value {
  const { pool } = context;
  const { expr } = convert(context, value(context, node.args[0]!), type, node.span);
  const zero = pool.const(0n, widthOf(type));
  const isLeast = pool.eq(expr, pool.const(1n << BigInt(widthOf(type) - 1), widthOf(type)));
  requireThat(context, pool.not(isLeast), 'the absolute value of the least number does not fit', node.span);
  return { type, expr: pool.ite(pool.compare('slt', expr, zero), pool.binary('sub', zero, expr), expr) };
}

export type { Span };
