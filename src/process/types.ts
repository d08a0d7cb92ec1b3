import type { Program, Type } from './program.ts';

export function typeName(program: Program, type: Type): string {
  if (type.kind === 'struct') return program.structs[type.struct]!.name;
  if (type.kind === 'mtype') return type.set === '' ? 'mtype' : `mtype:${type.set}`;
  return type.kind === 'unsigned' ? `unsigned : ${type.bits}` : type.kind;
}
