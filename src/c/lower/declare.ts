// Types from specifiers and declarators, and the names that declarations introduce.

import { refuse } from '../codes.ts';
import type { Declarator, Expression, TypeName, TypeSpec } from '../syntax/ast.ts';
import type { CType, Field, RecordInfo } from '../types.ts';
import { INT, layOut, typeOfWords, UINT } from '../types.ts';
import type { Context } from './context.ts';
import { constant } from './values.ts';

export function specified(context: Context, spec: TypeSpec): CType {
  switch (spec.kind) {
    case 'words': {
      const type = typeOfWords(spec.words);
      return type ?? refuse('SPW5012', `the type '${spec.words.join(' ')}' is not supported`, spec.span);
    }
    case 'typedef': {
      const entity = context.scope.find(spec.name);
      if (entity?.kind === 'type') return entity.type;
      return typeOfWords([spec.name]) ?? refuse('SPW5010', `there is no type '${spec.name}'`, spec.span);
    }
    case 'record':
      return { kind: 'record', record: recordOf(context, spec) };
    case 'enum':
      return enumeration(context, spec);
  }
}

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
  const fields: Omit<Field, 'offset'>[] = [];
  for (const field of spec.fields) {
    const base = specified(context, field.type);
    if (field.declarators.length === 0) fields.push({ name: null, type: base, bits: null });
    for (const { declarator, bits } of field.declarators) {
      const { name, type } = declared(context, base, declarator);
      const width = bits === null ? null : Number(constant(context, bits));
      // Beyond int, gcc computes with a type of just that width, which the standard does not have.
      if (width !== null && width > 32) refuse('SPW5012', 'a bit-field wider than 32 bits', spec.span);
      if (name !== null) fields.push({ name, type, bits: width });
    }
  }
  if (!layOut(record, fields)) refuse('SPW5011', 'a field of this type has no size', spec.span);
  return record;
}

function enumeration(context: Context, spec: Extract<TypeSpec, { kind: 'enum' }>): CType {
  let next = 0n;
  let negative = false;
  for (const item of spec.items ?? []) {
    if (item.value !== null) next = constant(context, item.value);
    context.scope.names.set(item.name, { kind: 'constant', value: next });
    negative ||= next < 0n;
    next++;
  }
  // gcc: an enumeration without negative values is unsigned.
  if (spec.items === null) {
    const known = context.scope.find(`enum ${spec.tag}`);
    return known?.kind === 'type' ? known.type : UINT;
  }
  const type = negative ? INT : UINT;
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
      return declared(context, { kind: 'pointer', to: base }, declarator.inner);
    case 'array':
      return declared(
        context,
        { kind: 'array', of: base, length: lengthOf(context, declarator.size) },
        declarator.inner,
      );
    case 'function': {
      const parameters = declarator.parameters
        .map((parameter) => declared(context, specified(context, parameter.type), parameter.declarator))
        .map(({ name, type }) => ({ name, type: decayed(type) }))
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

/** Parameters of array and function type are pointers. */
export function decayed(type: CType): CType {
  if (type.kind === 'array') return { kind: 'pointer', to: type.of };
  if (type.kind === 'function') return { kind: 'pointer', to: type };
  return type;
}

export const typeNamed = (context: Context, name: TypeName): CType =>
  declared(context, specified(context, name.type), name.declarator).type;

export const volatileNote = (name: string): string =>
  `'${name}' is volatile: it is taken to change only where the program changes it`;
