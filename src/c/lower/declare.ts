// Types from specifiers and declarators, and the names that declarations introduce.

import { plain, qualified } from '../program/compatible.ts';
import { typeOfWords } from '../program/type-words.ts';
import type { CType, WordSizes } from '../program/types.ts';
import {
  CHAR,
  FLOAT,
  INT,
  INT128,
  isScalar,
  LONG,
  pointerIn,
  SCHAR,
  SHORT,
  UCHAR,
  UINT,
  UINT128,
  ULONG,
  USHORT,
  VOID,
} from '../program/types.ts';
import type { Declarator, Expression, TypeName, TypeSpec } from '../syntax/ast.ts';
import { nameOf } from '../syntax/declarators.ts';
import { Refusal, refuse } from '../text/codes.ts';
import { alignedTo } from './alignments.ts';
import { typeOfEvaluated } from './computed-sizes.ts';
import type { Context } from './context.ts';
import { enumeration, recordOf } from './tagged.ts';
import { constant, typeOf, value } from './values.ts';

/** One pointer, to the next argument (variable-arguments.ts); on x86-64 in an array, so that functions which are given it move it on. */
const listType = ({ name }: WordSizes): CType =>
  name === 'ILP32'
    ? { kind: 'pointer', to: CHAR, narrow: true }
    : { kind: 'array', of: { kind: 'pointer', to: VOID }, length: 1 };

export function specified(context: Context, spec: TypeSpec): CType {
  return qualified(unqualifiedType(context, spec), spec.qualifiers ?? '');
}

function unqualifiedType(context: Context, spec: TypeSpec): CType {
  switch (spec.kind) {
    case 'words': {
      const type = typeOfWords(spec.words, context.sizes);
      if (type !== null) return type;
      const isComplex = spec.words.some((word) => /^_{1,2}[Cc]omplex/.test(word));
      const help = isComplex ? 'use a struct of two numbers, and functions that compute with it' : undefined;
      return refuse('SPW5012', `the type '${spec.words.join(' ')}' is not supported`, spec.span, help);
    }
    case 'typedef': {
      const entity = context.scope.find(spec.name);
      if (entity?.kind === 'type') return entity.type;
      if (spec.name === '__builtin_va_list') return listType(context.sizes);
      return (
        typeOfWords([spec.name], context.sizes) ??
        refuse('SPW5010', `there is no type '${spec.name}'`, spec.span)
      );
    }
    case 'record':
      return { kind: 'record', record: recordOf(context, spec) };
    case 'enum':
      return enumeration(context, spec);
    case 'typeof':
      return !('kind' in spec.of)
        ? typeNamed(context, spec.of as TypeName)
        : typeOfEvaluated(context, spec.of as Expression);
    case 'atomic': {
      const type = specified(context, spec.of);
      if (isScalar(type)) return { ...type, atomic: true };
      if (context.threads !== null && !isFlag(type))
        refuse('SPW5012', 'an _Atomic struct among several threads is not modelled', spec.span);
      return type;
    }
    case 'mode': {
      const type = specified(context, spec.of);
      return qualified(moded(context, type, spec), type.qualifiers ?? '');
    }
    case 'auto':
      return refuse('SPW5011', '__auto_type needs an initialiser', spec.span);
  }
}

/** `atomic_flag` of <stdatomic.h>, of which only the library uses the member. */
const isFlag = (type: CType): boolean =>
  type.kind === 'record' && type.record.size === 1 && type.record.fields?.[0]?.name === '__val';

function moded(context: Context, type: CType, spec: Extract<TypeSpec, { kind: 'mode' }>): CType {
  const { mode, span } = spec;
  if (type.kind === 'float' && (mode === 'SF' || mode === 'DF'))
    return mode === 'SF' ? FLOAT : context.sizes.double;
  if (mode === 'pointer')
    return type.kind === 'pointer' ? type : moded(context, type, { ...spec, mode: 'word' });
  const widths: Readonly<Record<string, CType[]>> = {
    QI: [SCHAR, UCHAR],
    byte: [SCHAR, UCHAR],
    HI: [SHORT, USHORT],
    SI: [INT, UINT],
    DI: context.sizes.name === 'LP64' ? [LONG, ULONG] : [context.sizes.llong, context.sizes.ullong],
    TI: [INT128, UINT128],
    word: [context.sizes.long, context.sizes.ulong],
  };
  const found = type.kind === 'int' ? widths[mode]?.[type.signed ? 0 : 1] : undefined;
  return found ?? refuse('SPW5012', `the mode '${mode}' of a type is not supported`, span);
}

/** `__auto_type x = e;` has the type of e. */
export function specifiedFor(context: Context, spec: TypeSpec, value: Expression | null): CType {
  return spec.kind === 'auto' && value !== null
    ? plain(decayed(typeOf(context, value), context.sizes))
    : specified(context, spec);
}

export function declareTypedef(
  context: Context,
  name: string,
  type: CType,
  aligned: readonly Expression[],
): void {
  const last = aligned.at(-1);
  const align = last === undefined ? {} : { align: alignedTo(context, [last]) };
  context.scope.names.set(name, { kind: 'type', type: { ...type, ...align } });
}

export interface Declared {
  readonly name: string | null;
  readonly type: CType;
  /** Of the outermost function declarator: the names of the parameters. */
  readonly parameterNames: readonly (string | null)[];
}

export function declared(context: Context, base: CType, declarator: Declarator): Declared {
  switch (declarator.kind) {
    case 'name':
      return { name: declarator.name, type: base, parameterNames: [] };
    case 'pointer':
      return declared(
        context,
        qualified(
          {
            ...pointerIn(context.sizes, base),
            ...(declarator.atomic === true ? { atomic: true as const } : {}),
          },
          declarator.qualifiers,
        ),
        declarator.inner,
      );
    case 'array':
      return declared(context, arrayOf(context, base, declarator.size), declarator.inner);
    case 'function': {
      const parameters = declarator.parameters
        .map(({ type, declarator: of }, i, all) => {
          const names = new Set(all.slice(0, i).map((earlier) => nameOf(earlier.declarator)));
          return declared(context, specified(context, type), withoutSizes(context, asPointer(of), names));
        })
        .map(({ name, type }) => ({ name, type: decayed(type, context.sizes) }))
        .filter(({ type }) => type.kind !== 'void');
      const type: CType = {
        kind: 'function',
        result: plain(base),
        parameters: parameters.map((parameter) => parameter.type),
        variadic: declarator.variadic || declarator.parameters.length === 0,
        ...(declarator.old === true ? { old: true as const } : {}),
      };
      const inner = declared(context, type, declarator.inner);
      return inner.type === type ? { ...inner, parameterNames: parameters.map((p) => p.name) } : inner;
    }
  }
}

/** A size that is not constant is computed here and now, where there is a program to do it. */
function arrayOf(context: Context, of: CType, size: Expression | null): CType {
  if (size === null) return { kind: 'array', of, length: null };
  const { pool } = context;
  const inner = of.kind === 'array' ? of.variable : undefined;
  const isFixed = context.frame.function === '' || context.constantMode || isConstant(context, size);
  if (isFixed) {
    const length = lengthOf(context, size);
    if (inner === undefined) return { kind: 'array', of, length };
    const variable = pool.binary('mul', inner, pool.const(length, 64));
    return { kind: 'array', of, length: null, variable };
  }
  const count = value(context, size);
  if (count.type.kind !== 'int')
    return context.wrongType('the length of an array is a whole number', count.type, size.span);
  const length = pool.resize(count.expr, 64, count.type.signed);
  const why = 'an array of no elements, or of fewer, is undefined';
  const isSome = count.type.signed
    ? pool.compare('slt', pool.const(0n, 64), length)
    : pool.not(pool.eq(length, pool.const(0n, 64)));
  if (isSome !== pool.true) context.emit({ kind: 'defined', test: isSome, why }, size.span);
  const all = inner === undefined ? length : pool.binary('mul', length, inner);
  if (all.op === 'const') return { kind: 'array', of, length: null, variable: all };
  const cell = context.temporary(size, ULONG, 'elements');
  context.emit({ kind: 'assign', cell, value: all }, size.span);
  return { kind: 'array', of, length: null, variable: pool.symbol(cell.id, 64) };
}

/** What sizes can be reckoned with. */
const MOST_ELEMENTS = 1n << 40n;

function lengthOf(context: Context, size: Expression): number {
  const value = constant(context, size);
  if (value < 0n || value > MOST_ELEMENTS)
    refuse('SPW5015', `an array cannot have ${value} elements`, size.span);
  return Number(value);
}

/** In a prototype a size that is not constant, or that is made of other parameters, is left open. */
function withoutSizes(
  context: Context,
  declarator: Declarator,
  names: ReadonlySet<string | null>,
): Declarator {
  if (declarator.kind === 'name') return declarator;
  const inner = withoutSizes(context, declarator.inner, names);
  if (declarator.kind !== 'array' || declarator.size === null) return { ...declarator, inner };
  const isOpen = mentionsAny(declarator.size, names) || !isConstant(context, declarator.size);
  return { ...declarator, inner, size: isOpen ? null : declarator.size };
}

function mentionsAny(node: unknown, names: ReadonlySet<string | null>): boolean {
  if (Array.isArray(node)) return node.some((part) => mentionsAny(part, names));
  if (typeof node !== 'object' || node === null) return false;
  const { kind, name } = node as { readonly kind?: unknown; readonly name?: string };
  if (kind === 'name' && name !== undefined && names.has(name)) return true;
  return Object.entries(node).some(([key, child]) => key !== 'span' && mentionsAny(child, names));
}

/** How long an array is that a parameter names does not matter: it is a pointer. */
export function asPointer(declarator: Declarator): Declarator {
  if (declarator.kind === 'name') return declarator;
  if (declarator.kind === 'array' && declarator.inner.kind === 'name') return { ...declarator, size: null };
  return { ...declarator, inner: asPointer(declarator.inner) };
}

/** Parameters of array and function type are pointers. */
export function decayed(type: CType, sizes: WordSizes): CType {
  if (type.kind === 'array') return pointerIn(sizes, type.of);
  if (type.kind === 'function') return pointerIn(sizes, type);
  return type;
}

/** Is there an array in it whose length is known only at run time? */
export function hasVariableSizes(context: Context, declarator: Declarator): boolean {
  if (declarator.kind === 'name') return false;
  if (declarator.kind === 'array' && declarator.size !== null && !isConstant(context, declarator.size))
    return true;
  return hasVariableSizes(context, declarator.inner);
}

function isConstant(context: Context, size: Expression): boolean {
  try {
    constant(context, size);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.diagnostic.code === 'SPW5015') return false;
    throw error;
  }
}

export const typeNamed = (context: Context, name: TypeName): CType =>
  declared(context, specified(context, name.type), name.declarator).type;

export const volatileNote = (name: string): string =>
  `'${name}' is volatile: it is taken to change only where the program changes it`;
