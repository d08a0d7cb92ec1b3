// Types from specifiers and declarators, and the names that declarations introduce.

import type { Unplaced } from '../program/layout.ts';
import { layOut } from '../program/layout.ts';
import type { CType, RecordInfo, WordSizes } from '../program/types.ts';
import {
  alignOf,
  FLOAT,
  INT,
  INT128,
  isScalar,
  LONG,
  pointerIn,
  SCHAR,
  SHORT,
  typeOfWords,
  UCHAR,
  UINT,
  UINT128,
  ULONG,
  USHORT,
  VOID,
} from '../program/types.ts';
import type { Declarator, Expression, TypeName, TypeSpec } from '../syntax/ast.ts';
import { Refusal, refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { constant, typeOf } from './values.ts';

/** One pointer that nothing is known of: what the arguments of a variadic function are is not modelled. */
const VA_LIST: CType = { kind: 'array', of: { kind: 'pointer', to: VOID }, length: 1 };

export function specified(context: Context, spec: TypeSpec): CType {
  switch (spec.kind) {
    case 'words': {
      const type = typeOfWords(spec.words, context.sizes);
      return type ?? refuse('SPW5012', `the type '${spec.words.join(' ')}' is not supported`, spec.span);
    }
    case 'typedef': {
      const entity = context.scope.find(spec.name);
      if (entity?.kind === 'type') return entity.type;
      if (spec.name === '__builtin_va_list') return VA_LIST;
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
        : typeOf(context, spec.of as Expression);
    case 'atomic': {
      const type = specified(context, spec.of);
      if (isScalar(type)) return { ...type, atomic: true };
      if (context.threads !== null && !isFlag(type))
        refuse('SPW5012', 'an _Atomic struct among several threads is not modelled', spec.span);
      return type;
    }
    case 'mode':
      return moded(context, specified(context, spec.of), spec);
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
    ? decayed(typeOf(context, value), context.sizes)
    : specified(context, spec);
}

export function declareTypedef(
  context: Context,
  name: string,
  type: CType,
  spec: TypeSpec,
  given: Expression | null,
): void {
  const aligned = given === null ? alignmentOfTypedef(context, spec) : alignedTo(context, given);
  context.scope.names.set(name, { kind: 'type', type, ...(aligned === null ? {} : { aligned }) });
}

/** What a typedef says about the alignment of members of its type; null for nothing. */
function alignmentOfTypedef(context: Context, spec: TypeSpec): number | null {
  const entity = spec.kind === 'typedef' ? context.scope.find(spec.name) : null;
  return entity?.kind === 'type' ? (entity.aligned ?? null) : null;
}

/** Of a member: its own, and that of its typedef, unless it only points to such. */
function alignmentOfMember(context: Context, spec: TypeSpec, type: CType, own: Expression | null): number {
  const ofType = type.kind === 'pointer' ? null : alignmentOfTypedef(context, spec);
  if (ofType !== null && ofType < alignOf(type))
    refuse(
      'SPW5012',
      'a typedef that makes the alignment of its type smaller is not supported in a struct',
      spec.span,
    );
  return Math.max(alignedTo(context, own), ofType ?? 1);
}

const alignedTo = (context: Context, aligned: Expression | null): number =>
  aligned === null ? 1 : Number(constant(context, aligned));

function recordOf(context: Context, spec: Extract<TypeSpec, { kind: 'record' }>): RecordInfo {
  const tag = spec.tag ?? `(anonymous ${context.anonymous++})`;
  // A definition always belongs to the innermost scope; a mere mention finds an outer one.
  let record =
    spec.fields === null ? context.scope.findRecord(tag) : (context.scope.records.get(tag) ?? null);
  if (record === null) {
    record = { tag, union: spec.union, fields: null, size: 0, align: 1 };
    context.scope.records.set(tag, record);
  }
  if (spec.fields === null) return record;
  if (record.fields !== null) {
    // The same header in two files: the same definition again.
    record = { tag, union: spec.union, fields: null, size: 0, align: 1 };
    context.scope.records.set(tag, record);
  }
  const fields: Unplaced[] = [];
  for (const field of spec.fields) {
    const base = specified(context, field.type);
    if (field.declarators.length === 0)
      fields.push({
        name: null,
        type: base,
        bits: null,
        packed: false,
        aligned: alignedTo(context, field.aligned),
      });
    for (const { declarator, bits, packed, aligned, type: own } of field.declarators) {
      const { name, type } = declared(
        context,
        own === undefined ? base : specified(context, own),
        declarator,
      );
      const width = bits === null ? null : Number(constant(context, bits));
      if (width !== null && (type.kind !== 'int' || width < 0 || width > type.width))
        refuse('SPW5011', 'a bit-field is wider than its type', spec.span);
      if (name !== null || width !== null)
        fields.push({
          name,
          type,
          bits: width,
          packed,
          aligned: alignmentOfMember(context, field.type, type, aligned),
        });
    }
  }
  if (!layOut(record, fields, spec.packed, alignedTo(context, spec.aligned)))
    refuse('SPW5011', 'a field of this type has no size', spec.span);
  return record;
}

function enumeration(context: Context, spec: Extract<TypeSpec, { kind: 'enum' }>): CType {
  let next = 0n;
  let negative = false;
  const values: bigint[] = [];
  for (const item of spec.items ?? []) {
    if (item.value !== null) next = constant(context, item.value);
    context.scope.names.set(item.name, { kind: 'constant', value: next });
    negative ||= next < 0n;
    values.push(next);
    next++;
  }
  // gcc: an enumeration without negative values is unsigned.
  if (spec.items === null) {
    const known = context.scope.find(`enum ${spec.tag}`);
    return known?.kind === 'type' ? known.type : UINT;
  }
  const { name, long, ulong, llong, ullong } = context.sizes;
  const widest = name === 'LP64' ? [long, ulong] : [llong, ullong];
  const types = negative ? [SCHAR, SHORT, INT, widest[0]!] : [UCHAR, USHORT, UINT, widest[1]!];
  const holds = ({ width }: { readonly width: number }) =>
    values.every(
      (value) => (negative ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value)) === value,
    );
  const type = types.find((one) => (spec.packed || one.width >= 32) && holds(one)) ?? types[3]!;
  spec.items.forEach((item, i) => {
    context.scope.names.set(item.name, { kind: 'constant', value: values[i]!, type });
  });
  if (spec.tag !== null) context.scope.names.set(`enum ${spec.tag}`, { kind: 'type', type });
  return type;
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
        {
          ...pointerIn(context.sizes, base),
          ...(declarator.atomic === true ? { atomic: true as const } : {}),
        },
        declarator.inner,
      );
    case 'array':
      return declared(
        context,
        { kind: 'array', of: base, length: lengthOf(context, declarator.size) },
        declarator.inner,
      );
    case 'function': {
      const parameters = declarator.parameters
        .map(({ type, declarator: of }) => declared(context, specified(context, type), asPointer(of)))
        .map(({ name, type }) => ({ name, type: decayed(type, context.sizes) }))
        .filter(({ type }) => type.kind !== 'void');
      const type: CType = {
        kind: 'function',
        result: base,
        parameters: parameters.map((parameter) => parameter.type),
        variadic: declarator.variadic || declarator.parameters.length === 0,
      };
      const inner = declared(context, type, declarator.inner);
      return inner.type === type ? { ...inner, parameterNames: parameters.map((p) => p.name) } : inner;
    }
  }
}

function lengthOf(context: Context, size: Expression | null): number | null {
  if (size === null) return null;
  const value = constant(context, size);
  if (value < 0n || value > 100_000_000n)
    refuse('SPW5015', `an array cannot have ${value} elements`, size.span);
  return Number(value);
}

/** How long an array is that a parameter names does not matter: it is a pointer. */
function asPointer(declarator: Declarator): Declarator {
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

/** Is it an array whose length is known only at run time? */
export function isVariable(context: Context, declarator: Declarator): boolean {
  if (declarator.kind === 'name') return false;
  if (declarator.kind === 'array' && declarator.size !== null && !isConstant(context, declarator.size))
    return true;
  return isVariable(context, declarator.inner);
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
