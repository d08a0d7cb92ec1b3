// Expressions: their values, with side effects emitted in C's order. A value is a formula over cells, so it must be saved in a
// temporary whenever later side effects could change those cells before it is used.

import type { Span } from '../../source/source.ts';
import { isCompatible, plain, unqualified } from '../program/compatible.ts';
import { asSigned } from '../program/compute.ts';
import type { Expr } from '../program/expr.ts';
import {
  bitsType,
  type CType,
  INT,
  type IntType,
  isScalar,
  isVariable,
  LLONG,
  pointerIn,
  promote,
  SCHAR,
  SHORT,
  showType,
  UCHAR,
  UINT,
  ULLONG,
  USHORT,
  VOID,
} from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { read, settled, typeOfPlace, write } from './access.ts';
import { alignment } from './alignments.ts';
import { arithmetic } from './arithmetic.ts';
import { chosenExpression } from './builtins.ts';
import { copied } from './call-values.ts';
import { isBool } from './callable.ts';
import { call } from './calls.ts';
import { conditional, logical } from './choices.ts';
import { withSizes } from './computed-sizes.ts';
import type { Context } from './context.ts';
import { asHeld, convert, intValue } from './conversions.ts';
import { decayed, typeNamed } from './declare.ts';
import { dropped } from './dropped.ts';
import { comesBetween, hasEffects } from './effects.ts';
import { floatLiteral, isZero, negated, QUAD_NOTE } from './floats.ts';
import { labelAddress } from './labels.ts';
import { characterLiteral, integerLiteral } from './literals.ts';
import { markUnused } from './missing-values.ts';
import { requireFit } from './overflow.ts';
import { at, type Place, place, type Value } from './places.ts';
import type { Scope } from './scope.ts';
import { offset, size, sizeValue } from './sizes.ts';
import { statement } from './statements.ts';
import { nextArgument } from './variable-arguments.ts';

/** The value of an integer constant expression. */
export function constant(context: Context, node: Expression): bigint {
  const result = context.constantly(() => value(context, node));
  if (result.type.kind !== 'int' || result.expr.op !== 'const')
    return refuse('SPW5015', 'this must be an integer constant', node.span);
  return result.type.signed ? asSigned(result.expr.value, result.type.width) : result.expr.value;
}

/** Copies a scalar value into a temporary, so that later side effects do not touch it. */
export function saved(context: Context, key: unknown, source: Value, span: Span): Value {
  if (!isScalar(source.type) || (source.expr.symbols.length === 0 && !source.expr.hasLoad)) return source;
  const cell = context.temporary(key, source.type, 'saved');
  context.emit({ kind: 'assign', cell, value: source.expr }, span);
  return { type: source.type, expr: context.pool.symbol(cell.id, cell.width) };
}

export function value(context: Context, node: Expression): Value {
  const before = context.loads.made;
  const result = computed(context, node);
  if (context.loads.made > before) context.loads.keep(before, result.expr, node.span);
  return result;
}

function computed(context: Context, node: Expression): Value {
  const { pool } = context;
  switch (node.kind) {
    case 'number': {
      const literal = integerLiteral(node.text, node.span, context.sizes);
      if (literal !== null)
        return { type: literal.type, expr: pool.const(literal.value, literal.type.width) };
      const floating = floatLiteral(node.text, node.span, context.sizes);
      if (floating === null) return refuse('SPW5001', `'${node.text}' is no number`, node.span);
      return { type: floating.type, expr: pool.const(floating.bits, floating.type.width) };
    }
    case 'character': {
      const literal = characterLiteral(node.text, node.span, context.sizes);
      return { type: literal.type, expr: pool.const(literal.value, literal.type.width) };
    }
    case 'name': {
      const entity = context.scope.find(node.name);
      if (entity?.kind !== 'constant') return read(context, place(context, node), node.span);
      const type = entity.value === BigInt.asIntN(32, entity.value) ? INT : (entity.type ?? LLONG);
      return { type, expr: pool.const(entity.value, type.width) };
    }
    case 'string':
    case 'member':
    case 'index':
    case 'literal':
      return read(context, place(context, node), node.span);
    case 'unary':
      return unary(context, node);
    case 'label-address':
      return { type: pointerIn(context.sizes, VOID), expr: labelAddress(context, node.label, node.span) };
    case 'update':
      return update(context, node);
    case 'binary':
      return binary(context, node);
    case 'assign':
      return assign(context, node);
    case 'conditional':
      return conditional(context, node);
    case 'call':
      return call(context, node);
    case 'cast':
      return cast(context, node);
    case 'sizeof-type':
      return size(context, typeNamed(context, node.type), node.span);
    case 'sizeof': {
      const type = typeOf(context, node.arg);
      // What has a variable size is evaluated, though nothing is read.
      return size(context, isVariable(type) ? withSizes(context, node.arg, type) : type, node.span);
    }
    case 'offsetof':
      return offset(context, typeNamed(context, node.type), node.path, node.span);
    case 'alignof':
      return sizeValue(context, pool.const(alignment(context, node), 64));
    case 'statements':
      return statementsValue(context, node);
    case 'generic':
      return value(context, genericChoice(context, node));
    case 'types-compatible':
      return intValue(
        context,
        pool.bool(
          isCompatible(
            valueType(unqualified(typeNamed(context, node.left))),
            valueType(unqualified(typeNamed(context, node.right))),
          ),
        ),
      );
    case 'va-arg':
      return nextArgument(context, node, plain(typeNamed(context, node.type)));
    case 'comma':
      discard(context, node.left);
      return value(context, node.right);
    case 'list':
      return refuse('SPW5012', 'a list is only allowed as an initialiser', node.span);
  }
}

/** An expression for what it does: nobody asks for its value. */
export function discard(context: Context, node: Expression): void {
  if (node.kind === 'assign') assign(context, node, false);
  else if (node.kind === 'update') update(context, node, false);
  else {
    markUnused(context, node);
    dropped(context, node, value(context, node));
  }
}

/** By scope, because what a name means differs: expressions within expressions are asked for their types again and again. */
const types = new WeakMap<Scope, Map<Expression, CType>>();

/** The type of an expression, without its effects; arrays are not decayed. */
export function typeOf(context: Context, node: Expression): CType {
  let known = types.get(context.scope);
  if (known === undefined) types.set(context.scope, (known = new Map()));
  const type = known.get(node) ?? context.onTrial(() => typeOnTrial(context, node));
  known.set(node, type);
  return type;
}

function typeOnTrial(context: Context, node: Expression): CType {
  if (node.kind === 'generic') return typeOf(context, genericChoice(context, node));
  const chosen = node.kind === 'call' ? chosenExpression(context, node) : null;
  if (chosen !== null) return typeOf(context, chosen);
  return isPlace(context, node) ? typeOfPlace(place(context, node)) : value(context, node).type;
}

export function isPlace(context: Context, node: Expression): boolean {
  if (node.kind === 'name') return context.scope.find(node.name)?.kind !== 'constant';
  return (
    ['member', 'index', 'string', 'literal'].includes(node.kind) || (node.kind === 'unary' && node.op === '*')
  );
}

/** A block in an expression: its last statement is its value. */
type Statements = Extract<Expression, { kind: 'statements' }>;

function statementsValue(context: Context, node: Statements): Value {
  return withLast(context, node, (last) =>
    last === null
      ? { type: VOID, expr: context.pool.const(0n, 32) }
      : handedOut(context, node, value(context, last)),
  );
}

/** What stands before the last expression, if it ends with one; and then, still in the block, `use`. */
function withLast<T>(context: Context, { body: block }: Statements, use: (last: Expression | null) => T): T {
  if (block.kind !== 'block') throw new Error('impossible: a statement expression is a block');
  let last = block.body.at(-1);
  const { body } = block;
  return context.inBlock(() => {
    for (const inner of body.slice(0, -1)) statement(context, inner);
    // A label stands before the value.
    for (; last?.kind === 'label'; last = last.body ?? undefined)
      statement(context, { ...last, body: { kind: 'expression', expression: null, span: last.span } });
    if (last?.kind === 'expression' && last.expression !== null) return use(last.expression);
    if (last !== undefined) statement(context, last);
    return use(null);
  });
}

/** Out of the block: a struct must not be looked for where it is no more, and a pointer to what has ended is no name of it. */
function handedOut(context: Context, node: Expression, result: Value): Value {
  const { type, expr } = result;
  if (type.kind === 'record' && expr.op !== 'const') return copied(context, node, result, node.span);
  if (type.kind !== 'pointer' || context.constantMode) return saved(context, node, result, node.span);
  const cell = context.temporary(node, type, 'saved');
  context.emit({ kind: 'assign', cell, value: expr }, node.span);
  return { type, expr: context.pool.symbol(cell.id, cell.width) };
}

/**
 * To _Generic a bit-field, and what is assigned to one, has the type of its width: the declared one where that has as many bits, else one of C's, else one of its
 * own, which no name means (gcc).
 */
export function bitFieldType(context: Context, node: Expression): CType | null {
  if (node.kind === 'assign') return bitFieldType(context, node.left);
  if (node.kind === 'update') return bitFieldType(context, node.arg);
  if (node.kind === 'comma') return bitFieldType(context, node.right);
  if (node.kind === 'statements')
    return context.onTrial(() =>
      withLast(context, node, (last) => (last === null ? null : bitFieldType(context, last))),
    );
  if (node.kind !== 'member') return null;
  const { bits, type } = context.onTrial(() => place(context, node));
  if (bits === null || type.kind !== 'int') return null;
  const { long, ulong } = context.sizes;
  const known = [INT, UINT, SCHAR, UCHAR, SHORT, USHORT, long, ulong, LLONG, ULLONG];
  const isAsWide = ({ width, signed }: IntType) => width === bits.width && signed === type.signed;
  if (bits.width === (isBool(type) ? 1 : type.width)) return valueType(type);
  return known.find(isAsWide) ?? bitsType(bits.width, type.signed);
}

export function genericChoice(context: Context, node: Extract<Expression, { kind: 'generic' }>): Expression {
  const type =
    bitFieldType(context, node.control) ?? valueType(decayed(typeOf(context, node.control), context.sizes));
  const chosen =
    node.choices.find(
      (choice) => choice.type !== null && isCompatible(typeNamed(context, choice.type), type),
    ) ?? node.choices.find((choice) => choice.type === null);
  return chosen?.value ?? refuse('SPW5011', `_Generic has no choice for ${showType(type)}`, node.span);
}

/** What is read from an `_Atomic` place is a plain value. */
function valueType(type: CType): CType {
  if (!isScalar(type) || type.atomic !== true) return plain(type);
  const { atomic: _, ...rest } = plain(type);
  return rest;
}

function unary(context: Context, node: Extract<Expression, { kind: 'unary' }>): Value {
  const { pool } = context;
  if (node.op === '&') {
    if (node.arg.kind === 'index') context.unused.add(node.arg);
    const target = place(context, node.arg);
    if (target.bits !== null) refuse('SPW5012', 'a bit-field has no address', node.span);
    return { type: pointerIn(context.sizes, target.type), expr: target.address };
  }
  if (node.op === '*') return read(context, place(context, node), node.span);
  const arg = value(context, node.arg);
  if (node.op === '!') return intValue(context, pool.not(truth(context, arg, node.span)));
  if (arg.type.kind === 'float') {
    if (node.op === '~') return context.wrongType('a whole number is needed', arg.type, node.span);
    return { type: arg.type, expr: node.op === '-' ? negated(context, arg.expr) : arg.expr };
  }
  if (arg.type.kind !== 'int') return context.wrongType('a number is needed', arg.type, node.span);
  const type = promote(arg.type);
  const { expr } = convert(context, arg, type, node.span);
  if (node.op === '+') return { type, expr };
  const base = pool.const(node.op === '-' ? 0n : -1n, type.width);
  if (node.op === '-') requireFit(context, '-', type, base, expr, node.span);
  return { type, expr: pool.binary(node.op === '-' ? 'sub' : 'xor', base, expr) };
}

/** A value as a test: not zero. */
export function truth(context: Context, source: Value, span: Span): Expr {
  if (source.type.kind === 'float')
    return source.type.quad
      ? context.pool.test(context.unknown(span, INT, QUAD_NOTE, span))
      : context.pool.not(isZero(context, source.expr));
  if (!isScalar(source.type)) return context.wrongType('a condition is a scalar', source.type, span);
  return context.pool.test(asHeld(context, source));
}

function update(context: Context, node: Extract<Expression, { kind: 'update' }>, isUsed = true): Value {
  const found = foundBefore(context, place(context, node.arg), node.arg);
  const target = node.prefix && isUsed ? settled(context, node, found, node.span) : found;
  return inOnePiece(context, target.type, node.span, () => {
    const current = read(context, target, node.span);
    const old = node.prefix ? current : saved(context, node, current, node.span);
    const one: Value = { type: INT, expr: context.pool.const(1n, 32) };
    const changed = arithmetic(context, node.op === '++' ? '+' : '-', old, one, node.span, node);
    const written = write(context, target, changed, node.span);
    return node.prefix ? written : old;
  });
}

function assign(context: Context, node: Extract<Expression, { kind: 'assign' }>, isUsed = true): Value {
  const target = (): Place => {
    const found = place(context, node.left);
    return isUsed ? settled(context, node, found, node.span) : found;
  };
  if (node.op === '=') {
    // The right side first: nothing that it changes may lie between finding the place and writing to it.
    if (node.right.kind === 'call') context.expectPointee(typeOf(context, node.left));
    const source = value(context, node.right);
    if (!hasEffects(node.left) && context.threads === null)
      return write(context, target(), source, node.span);
    const kept = saved(context, node, source, node.span);
    return write(context, target(), kept, node.span);
  }
  const right = saved(context, node, value(context, node.right), node.span);
  const to = foundBefore(context, target(), node.left);
  return inOnePiece(context, to.type, node.span, () => {
    const left = read(context, to, node.span);
    const changed = arithmetic(context, node.op.slice(0, -1), left, right, node.span, node);
    return write(context, to, changed, node.span);
  });
}

/** Where an `_Atomic` object lies is found out before the one access to it. */
function foundBefore(context: Context, target: Place, node: Expression): Place {
  if (!isScalar(target.type) || target.type.atomic !== true || context.threads === null) return target;
  const pointer = { type: pointerIn(context.sizes, target.type), expr: target.address };
  return { ...target, address: saved(context, node, pointer, node.span).expr };
}

/** `x++` and `x += 1` of an `_Atomic x` are one access. */
const inOnePiece = <T>(context: Context, type: CType, span: Span, work: () => T): T =>
  isScalar(type) && type.atomic === true ? context.atomically(span, work) : work();

function cast(context: Context, node: Extract<Expression, { kind: 'cast' }>): Value {
  const type = plain(typeNamed(context, node.type));
  if (node.arg.kind === 'call') context.expectPointee(type);
  if (type.kind === 'void') markUnused(context, node.arg);
  const arg = value(context, node.arg);
  if (type.kind === 'void') {
    dropped(context, node.arg, arg);
    return { type: VOID, expr: context.pool.const(0n, 32) };
  }
  if (type.kind === 'record' && arg.type.kind === 'record') return arg;
  if (type.kind === 'record' && type.record.union) return unionOf(context, node, type, arg);
  if (!isScalar(type)) return context.wrongType('a cast makes a scalar', type, node.span);
  return convert(context, arg, type, node.span);
}

/** GNU C: a cast to a union makes one whose member of that type has the value, as a list for that member does: bytes beside it are 0. */
function unionOf(
  context: Context,
  node: Extract<Expression, { kind: 'cast' }>,
  type: Extract<CType, { kind: 'record' }>,
  arg: Value,
): Value {
  const member = type.record.fields?.find(
    (field) => field.bits === null && isCompatible(valueType(field.type), valueType(arg.type)),
  );
  if (member === undefined)
    return context.wrongType(`'${type.record.tag}' has no member of this type`, arg.type, node.span);
  const object = context.frameObject(node, 'union', () =>
    context.memory.object('(union)', 'temporary', type),
  );
  if (object.wide)
    context.forget(object, 'bytes of a large union beside its member are not followed', node.span);
  for (const cell of object.cells.values())
    context.emit({ kind: 'assign', cell, value: context.pool.const(0n, cell.width) }, node.span);
  write(context, at(context, member.type, object.address + BigInt(member.offset)), arg, node.span);
  return { type, expr: context.pool.const(object.address, 64) };
}

function binary(context: Context, node: Extract<Expression, { kind: 'binary' }>): Value {
  if (node.op === '&&' || node.op === '||') return logical(context, node);
  let left = value(context, node.left);
  if (comesBetween(node.right, context.threads !== null)) left = saved(context, node, left, node.span);
  const right = value(context, node.right);
  const result = arithmetic(context, node.op, apart(context, node, left, right), right, node.span, node);
  // `x * 0` reads x, and others may write it at that moment.
  if (context.threads !== null && result.expr.op === 'const')
    for (const side of [left, right]) saved(context, side, side, node.span);
  return result;
}

/** Among threads `x + x` reads x twice, and may read two values. */
function apart(context: Context, node: Expression, first: Value, second: Value): Value {
  if (context.threads === null) return first;
  const both = first.expr.symbols.some((symbol) => second.expr.symbols.includes(symbol));
  return both ? saved(context, node, first, node.span) : first;
}
