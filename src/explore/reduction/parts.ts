// Parts of variables, told apart as far as a program's text does: a variable, or a field of a structure; the elements of an array are one part.

import type { LValue } from '../../process/expression.ts';
import type { Field, Proctype, Program, VariableId } from '../../process/program.ts';
import { walkProgram } from '../../process/walk.ts';

/** Variable and fields, without indices. */
export type Part = string;

export const partOf = ({ variable, path }: LValue): Part =>
  path.reduce((part, step) => (step.kind === 'field' ? `${part}.${step.name}` : part), `${variable}`);

/** Of the cells of a variable, in the order in which they are stored; and whether they hold channels. */
export function cellParts(
  { variables, structs }: Pick<Program, 'variables' | 'structs'>,
  id: VariableId,
): { readonly part: Part; readonly isChannel: boolean }[] {
  const cells = (
    part: Part,
    { type, length }: Pick<Field, 'type' | 'length'>,
  ): { part: Part; isChannel: boolean }[] => {
    const one =
      type.kind === 'struct'
        ? structs[type.struct]!.fields.flatMap((field) => cells(`${part}.${field.name}`, field))
        : [{ part, isChannel: type.kind === 'chan' }];
    return Array.from({ length: length ?? 1 }, () => one).flat();
  };
  return cells(`${id}`, variables[id]!);
}

/** Parts that some statement may change after they came to life. */
export function writtenParts(program: Program, claim: Proctype | null): ReadonlySet<Part> {
  const written = new Set<Part>();
  walkProgram(program, claim, { write: (cell) => void written.add(partOf(cell)) });
  return written;
}
