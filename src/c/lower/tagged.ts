// Types with tags: structs and unions with the places of their fields, enumerations with their constants.

import type { Unplaced } from '../program/layout.ts';
import { layOut } from '../program/layout.ts';
import type { CType, IntType, RecordInfo } from '../program/types.ts';
import { INT, isVariable, SCHAR, SHORT, showType, UCHAR, UINT, USHORT } from '../program/types.ts';
import type { Declaration, StaticAssertion, TypeSpec } from '../syntax/ast.ts';
import { someNode } from '../syntax/parts.ts';
import { Refusal, refuse } from '../text/codes.ts';
import { alignedTo } from './alignments.ts';
import type { Context } from './context.ts';
import { declared, specified } from './declare.ts';
import { constant } from './values.ts';

/** A declaration without a declarator: `struct S;` is a struct of this scope, whatever an outer one calls so. */
export function declareTag(context: Context, { type, storage, asserted }: Declaration): void {
  if (asserted !== undefined) {
    checkStatic(context, asserted);
    return;
  }
  const isNew =
    type.kind === 'record' &&
    type.tag !== null &&
    type.fields === null &&
    !context.scope.records.has(type.tag);
  if (isNew && storage === null && type.qualifiers === undefined) newRecord(context, type.tag!, type.union);
  specified(context, type);
}

/** What is no constant to us says nothing, nor what the compiler is asked (`__builtin_constant_p`). */
function checkStatic(context: Context, { test, text, span }: StaticAssertion): void {
  const asksCompiler = someNode(
    test,
    (node) => 'kind' in node && node.kind === 'call',
    () => {},
  );
  if (asksCompiler) return;
  try {
    if (constant(context, test) !== 0n) return;
  } catch (error) {
    if (error instanceof Refusal) return;
    throw error;
  }
  refuse('SPW5016', `the static assertion fails${text === null ? '' : `: ${text}`}`, span);
}

function newRecord(context: Context, tag: string, union: boolean): RecordInfo {
  const record = { tag, union, fields: null, size: 0, align: 1 };
  context.scope.records.set(tag, record);
  return record;
}

type RecordSpec = Extract<TypeSpec, { kind: 'record' }>;

export function recordOf(context: Context, spec: RecordSpec): RecordInfo {
  const tag = spec.tag ?? `(anonymous ${context.anonymous++})`;
  // A definition always belongs to the innermost scope; a mere mention finds an outer one.
  let record =
    spec.fields === null ? context.scope.findRecord(tag) : (context.scope.records.get(tag) ?? null);
  record ??= newRecord(context, tag, spec.union);
  if (spec.fields === null) return record;
  // The same header in two files: the same definition again.
  if (record.fields !== null) record = newRecord(context, tag, spec.union);
  const fields: Unplaced[] = [];
  const settled: CType[] = [];
  for (const field of spec.fields) {
    const base = specified(context, field.type);
    if (field.declarators.length === 0 && field.type.kind === 'record' && field.type.tag === null)
      fields.push({
        name: null,
        type: base,
        bits: null,
        packed: false,
        aligned: alignedTo(context, field.aligned),
      });
    for (const { declarator, bits, packed, aligned, type: own } of field.declarators) {
      const written = declared(context, own === undefined ? base : specified(context, own), declarator);
      const { name } = written;
      const type = settledArray(written.type);
      if (isVariable(type)) noVariableMember(spec);
      if (type !== written.type) settled.push(type);
      const width = bits === null ? null : Number(constant(context, bits));
      if (width !== null && (type.kind !== 'int' || width < 0 || width > type.width))
        refuse('SPW5011', 'a bit-field is wider than its type', spec.span);
      if (name !== null || width !== null)
        fields.push({
          name,
          type,
          bits: width,
          packed,
          aligned: alignedTo(context, aligned),
        });
    }
  }
  for (const asserted of spec.asserted) checkStatic(context, asserted);
  if (settled.length > 0) keepLengths(context, spec, settled);
  const { packed, aligned } = spec;
  const tightness = {
    packed,
    aligned: aligned === null ? 1 : alignedTo(context, [aligned]),
    most: spec.pack ?? Number.POSITIVE_INFINITY,
  };
  if (!layOut(record, fields, tightness)) refuse('SPW5011', 'a field of this type has no size', spec.span);
  return record;
}

/** GNU C: an array as long as a variable says. Where that holds one number as long as its function runs, the array is as long as that. */
function settledArray(type: CType): CType {
  if (type.kind !== 'array' || type.variable?.op !== 'const') return type;
  const inner = type.of.kind === 'array' ? type.of.variable : undefined;
  const each = inner === undefined ? 1n : inner.value;
  if (inner !== undefined && (inner.op !== 'const' || each === 0n)) return type;
  const length = BigInt.asIntN(64, type.variable.value) / each;
  if (length < 0n || length > MOST_ELEMENTS) return type;
  return { kind: 'array', of: settledArray(type.of), length: Number(length) };
}

const MOST_ELEMENTS = 1n << 24n;

/** Variables of such a type are found again in every copy of their function: all of them must be of one size. */
function keepLengths(context: Context, spec: RecordSpec, settled: readonly CType[]): void {
  const lengths = settled.map(showType).join();
  if ((context.settledLengths.get(spec) ?? lengths) !== lengths) noVariableMember(spec);
  context.settledLengths.set(spec, lengths);
}

const noVariableMember = ({ span }: RecordSpec): never =>
  refuse(
    'SPW5012',
    'a member of variable size is not supported, unless its size is always the same',
    span,
    'use a pointer and malloc',
  );

export function enumeration(context: Context, spec: Extract<TypeSpec, { kind: 'enum' }>): CType {
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
  const number = types.find((one) => (spec.packed || one.width >= 32) && holds(one)) ?? types[3]!;
  const type: IntType = { ...number, enumeration: spec };
  spec.items.forEach((item, i) => {
    context.scope.names.set(item.name, { kind: 'constant', value: values[i]!, type });
  });
  if (spec.tag !== null) context.scope.names.set(`enum ${spec.tag}`, { kind: 'type', type });
  return type;
}
