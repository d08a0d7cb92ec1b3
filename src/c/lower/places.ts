// Places (lvalues): which object in memory an expression denotes.

import type { Span } from '../../source/source.ts';
import { qualified } from '../program/compatible.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject, Part } from '../program/program.ts';
import { findField } from '../program/type-parts.ts';
import { type BitRange, CHAR, type CType } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { hasCompileTime } from '../text/predefined.ts';
import { unaliased } from './aliases.ts';
import { chosenExpression } from './builtins.ts';
import type { Context } from './context.ts';
import { typeNamed } from './declare.ts';
import { typeSaid } from './declared-types.ts';
import { comesBetween } from './effects.ts';
import { initialise, initialiseGlobal } from './initial.ts';
import { completed } from './initial-parts.ts';
import { elementOfString, stringLiteral } from './literals.ts';
import { type FunctionEntity, refuseDiffering } from './scope.ts';
import { bytesOf } from './sizes.ts';
import { insidePart } from './subscripts.ts';
import { genericChoice, saved, value } from './values.ts';

export interface Place {
  readonly type: CType;
  readonly address: Expr;
  readonly bits: BitRange | null;
  /** Where indices were tested: the place lies in this part of an object. */
  readonly within?: Part | undefined;
}

/** A value: a scalar, or a record by where it lies. Void has no expression that matters. */
export interface Value {
  readonly type: CType;
  readonly expr: Expr;
  /** Of an array: the place. */
  readonly within?: Part | undefined;
}

export function place(context: Context, node: Expression): Place {
  const { pool } = context;
  switch (node.kind) {
    case 'name': {
      const entity = context.scope.find(node.name);
      const target = entity?.kind === 'function' ? unaliased(entity) : entity;
      const isNowhere =
        (target?.kind === 'object' && context.elsewhere.has(target.object)) ||
        (target?.kind === 'function' && target.definition === null);
      if (isNowhere && target.weak === true)
        return refuse(
          'SPW5012',
          `the address of '${node.name}', which is weak and not defined, is not supported`,
          node.span,
          'define it, or leave out what is done where it is there',
        );
      if (entity?.kind === 'object' && entity.differs === true) return refuseDiffering(node.name, node.span);
      if (entity?.kind === 'object' && context.sizeless.has(entity.object))
        return at(context, entity.type, unsizedObject(context, entity.object).address);
      if (entity?.kind === 'object') return at(context, entity.type, entity.object.address);
      if (entity?.kind === 'array')
        return { type: entity.type, address: pool.symbol(entity.pointer.id, 64), bits: null };
      if (target?.kind === 'function')
        return { type: typeSaid(context, target), address: functionAddress(context, target), bits: null };
      if (FUNCTION_NAMES.has(node.name))
        return stringPlace(
          context,
          { ...node, kind: 'string', text: `"${context.frame.function}"` },
          'a function',
        );
      return refuse('SPW5010', `there is no variable '${node.name}'`, node.span);
    }
    case 'unary': {
      if (node.op !== '*') break;
      const pointer = value(context, node.arg);
      if (pointer.type.kind !== 'pointer')
        return context.wrongType('a pointer is needed', pointer.type, node.span);
      return { type: pointer.type.to, address: pointer.expr, bits: null };
    }
    case 'member': {
      const object = node.arrow ? pointedTo(context, node.object) : recordPlace(context, node.object);
      if (object.type.kind !== 'record')
        return context.wrongType('a struct is needed', object.type, node.span);
      const field = findField(object.type.record, node.name);
      if (field === null)
        return refuse('SPW5010', `'${object.type.record.tag}' has no field '${node.name}'`, node.span);
      return {
        // What is said of a struct is said of its members.
        type: qualified(field.type, object.type.qualifiers ?? ''),
        address: pool.binary('add', object.address, pool.const(field.offset, 64)),
        bits: field.bits,
        within: object.within,
      };
    }
    case 'index':
      return element(context, node);
    case 'string':
      return stringPlace(context, node);
    case 'literal': {
      const type = completed(context, typeNamed(context, node.type), node.value);
      if (context.constantMode) return globalLiteral(context, node, type);
      const object = context.frameObject(node, 'literal', () =>
        context.memory.object('(literal)', 'temporary', type),
      );
      context.block.objects.add(object);
      const target = at(context, type, object.address);
      initialise(context, target, node.value);
      return target;
    }
    case 'generic':
      return place(context, genericChoice(context, node));
    case 'call': {
      const chosen = chosenExpression(context, node);
      if (chosen !== null) return place(context, chosen);
      return ofValue(context, node);
    }
    case 'assign':
    case 'conditional':
    case 'statements':
    case 'cast':
    case 'comma':
    case 'va-arg':
      return ofValue(context, node);
  }
  return noPlace(node.span);
}

/** Nobody says how large it is: so much of it can be used, and holds anything. */
const UNSIZED: CType = { kind: 'array', of: CHAR, length: 1 << 16 };

function unsizedObject(context: Context, declared: MemoryObject): MemoryObject {
  let object = context.unsized.get(declared);
  if (object === undefined) {
    object = context.memory.object(declared.name, 'global', UNSIZED);
    object.unsized = true;
    context.unsized.set(declared, object);
    context.forgetToBegin(object);
    context.exported.add(object);
  }
  return object;
}

/** A struct that is computed lies somewhere. */
function ofValue(context: Context, node: Expression): Place {
  const { type, expr } = value(context, node);
  return type.kind === 'record' ? { type, address: expr, bits: null } : noPlace(node.span);
}

const noPlace = (span: Span): never => refuse('SPW5011', 'this does not denote a place in memory', span);

export const at = (context: Context, type: CType, address: bigint): Place => ({
  type,
  address: context.pool.const(address, 64),
  bits: null,
});

function pointedTo(context: Context, node: Expression): Place {
  const pointer = value(context, node);
  if (pointer.type.kind !== 'pointer')
    return context.wrongType('a pointer is needed', pointer.type, node.span);
  return { type: pointer.type.to, address: pointer.expr, bits: null };
}

const recordPlace = (context: Context, node: Expression): Place => place(context, node);

function element(context: Context, node: Extract<Expression, { kind: 'index' }>): Place {
  const { pool } = context;
  let array = value(context, node.array);
  if (comesBetween(node.index, context.threads !== null)) array = saved(context, node, array, node.span);
  let index = value(context, node.index);
  if (array.type.kind === 'int') [array, index] = [index, array];
  if (array.type.kind !== 'pointer') return context.wrongType('an array is needed', array.type, node.span);
  if (index.type.kind !== 'int')
    return context.wrongType('an index is a whole number', index.type, node.span);
  const isSigned = index.type.signed;
  const tested = insidePart(context, node, index, isSigned);
  index = tested.index;
  const size = bytesOf(context, array.type.to);
  if (size === null) return refuse('SPW5011', 'the elements of this array have no size', node.span);
  const wide = pool.resize(index.expr, 64, isSigned);
  const offset = context.farOffset(pool.binary('mul', wide, size), node.span);
  const address = pool.binary('add', array.expr, offset);
  return { type: array.type.to, address, bits: null, within: partOf(array, tested.length, size) };
}

function partOf(array: Value, length: bigint | null, size: Expr): Part | undefined {
  if (length === null || size.op !== 'const') return undefined;
  return { start: array.expr, bytes: Number(length * size.value), outer: array.within };
}

/** Outside of functions a literal lives as long as the program. */
function globalLiteral(context: Context, node: Extract<Expression, { kind: 'literal' }>, type: CType): Place {
  const object = context.frameObject(node, 'literal', () => {
    const made = context.memory.object('(literal)', 'global', type);
    initialiseGlobal(context, made, type, node.value);
    return made;
  });
  return at(context, type, object.address);
}

/** Strings that every function declares. */
const FUNCTION_NAMES = new Set(['__func__', '__FUNCTION__', '__PRETTY_FUNCTION__']);

function stringPlace(context: Context, node: Extract<Expression, { kind: 'string' }>, owner = ''): Place {
  const object = literalObject(context, node, `${owner}${context.fileNumber()}`);
  if (hasCompileTime(node.text)) {
    if (context.constantMode) refuseCompileTime(node.span);
    const open = object.wide ? { objects: [object] } : {};
    const cells = [...object.cells.values()];
    context.emit({ kind: 'havoc', cells, why: COMPILE_TIME, exact: false, ...open }, node.span);
  }
  return at(context, object.type, object.address);
}

/** Equal literals are one object, as gcc has it: of one owner (a file, or a function that has its name there). */
export function literalObject(
  context: Context,
  node: Extract<Expression, { kind: 'string' }>,
  owner: string,
): MemoryObject {
  const bytes = stringLiteral(node.text, node.span, context.sizes);
  const element = elementOfString(node.text, node.span, context.sizes);
  const type: CType = { kind: 'array', of: element, length: bytes.length };
  const size = element.width / 8;
  const key = `${owner} ${size}:${bytes.join()}`;
  const known = context.statics.get(key);
  const object = known ?? context.memory.object('"…"', 'string', type, true);
  if (known === undefined) {
    context.statics.set(key, object);
    const raw = new Uint8Array(bytes.length * size);
    bytes.forEach((unit, i) => {
      for (let k = 0; k < size; k++) raw[i * size + k] = (unit >> (8 * k)) & 255;
    });
    context.initialBytes.set(object.id, raw);
    for (const cell of object.cells.values())
      context.initial.set(cell.id, context.pool.const(bytes[cell.offset / size]!, element.width));
  }
  return object;
}

const COMPILE_TIME = 'when the program is compiled is not known: the text is taken as any';

export const refuseCompileTime = (span: Span): never =>
  refuse(
    'SPW5012',
    '__DATE__ and __TIME__ as initial values are not supported',
    span,
    'write a text of your own',
  );

/** Static functions of two files may have the same name, so the name alone does not tell which one is meant. */
export function functionAddress(context: Context, entity: FunctionEntity): Expr {
  let object = context.functionObjects.get(entity);
  if (object === undefined) {
    object = context.memory.object(entity.name, 'function', { kind: 'void' });
    context.functionObjects.set(entity, object);
  }
  return context.pool.const(object.address, 64);
}
