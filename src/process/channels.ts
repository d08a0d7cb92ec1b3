import type { ChannelSite, Program, ScalarType, Type, VariableId } from './program.ts';

/** The allocation site of a chan variable, or of a chan inside a variable of a structured type. */
export function channelSiteOf(
  program: Program,
  variable: VariableId,
  fieldPath: readonly string[] = [],
): ChannelSite | null {
  const path = fieldPath.join('.');
  const found = program.channelSites.find(
    (site) => site.variable === variable && site.fieldPath.join('.') === path,
  );
  return found ?? null;
}

/** A scalar inside a variable: the fields and indices that lead to it, in the order in which SPIN lays them out. */
export interface FlatCell {
  readonly path: readonly (string | number)[];
  readonly type: ScalarType;
}

/** All scalars of a type (with `length` for arrays). Messages, run arguments and parameters use this order. */
export function flatten(
  structs: Program['structs'],
  type: Type,
  length: number | null = null,
  path: readonly (string | number)[] = [],
): FlatCell[] {
  if (length !== null) {
    const cells: FlatCell[] = [];
    for (let i = 0; i < length; i++) cells.push(...flatten(structs, type, null, [...path, i]));
    return cells;
  }
  if (type.kind !== 'struct') return [{ path, type }];
  return structs[type.struct]!.fields.flatMap((field) =>
    flatten(structs, field.type, field.length, [...path, field.name]),
  );
}
