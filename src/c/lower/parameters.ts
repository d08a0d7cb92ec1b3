// What a function that is being inlined has of its call: its parameters, and what stands for `...`.

import type { Span } from '../../source/source.ts';
import type { CType } from '../program/types.ts';
import type { Declarator, Expression, Parameter } from '../syntax/ast.ts';
import { functionPart } from '../syntax/declarators.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { changedIn } from './address-taken.ts';
import type { Context } from './context.ts';
import { convert } from './conversions.ts';
import { asPointer, decayed, declared, hasVariableSizes, specified } from './declare.ts';
import type { Value } from './places.ts';
import { at } from './places.ts';
import type { FunctionEntity } from './scope.ts';
import { discard } from './values.ts';
import { bindMore } from './variable-arguments.ts';

/** Gives the cells of those that hold constants. */
export function bindParameters(
  context: Context,
  entity: FunctionEntity,
  declarator: Declarator,
  values: readonly Value[],
  span: Span,
  isShared: boolean,
): number[] {
  const constants: number[] = [];
  const changed = changedIn(entity.definition!);
  const { parameterNames } = declared(context, specified(context, entity.definition!.type), declarator);
  const { parameters } = entity.type;
  const written = functionPart(declarator)?.parameters ?? [];
  if (values.length < parameters.length)
    refuse('SPW5011', `'${entity.name}' takes ${parameters.length} arguments, not ${values.length}`, span);
  parameters.forEach((type, i) => {
    const name = parameterNames[i] ?? `(parameter ${i})`;
    const object = context.frameObject(`parameter ${i}`, '', () =>
      context.memory.object(name, 'local', type),
    );
    const shown = sizedParameter(context, written[i]) ?? type;
    context.scope.names.set(name, { kind: 'object', object, type: shown });
    context.block.objects.add(object);
    write(context, at(context, type, object.address), values[i]!, span);
    const [cell] = object.cells.values();
    if (cell === undefined || isShared || context.threads !== null) return;
    if (type.kind !== 'int' || changed.has(name)) return;
    const { expr } = convert(context, values[i]!, type, span);
    if (expr.op !== 'const') return;
    context.constantParameters.set(cell.id, expr);
    constants.push(cell.id);
  });
  for (const { declarator: of } of written) {
    const size = outerSize(of);
    if (size !== null) discard(context, size);
  }
  bindMore(context, entity.definition!, values.slice(parameters.length), span);
  // Where it is not followed `va_arg` gives anything that can be reached, to the function itself and to where it hands its list.
  values.slice(parameters.length).forEach(({ type, expr }, i) => {
    if (type.kind !== 'pointer') return;
    const cell = context.temporary(entity.definition, type, `more ${i}`);
    context.emit({ kind: 'assign', cell, value: expr }, span);
    context.asNumbers.push(context.pool.symbol(cell.id, cell.width));
  });
  return constants;
}

/** `int a[n][m]`: the size of its rows is computed from the parameters before it. Null where all sizes are known. */
function sizedParameter(context: Context, parameter: Parameter | undefined): CType | null {
  if (parameter === undefined) return null;
  const pointer = asPointer(parameter.declarator);
  if (!hasVariableSizes(context, pointer)) return null;
  return decayed(declared(context, specified(context, parameter.type), pointer).type, context.sizes);
}

/** How long an array is that a parameter names is computed, though it does not matter. */
function outerSize(declarator: Declarator): Expression | null {
  if (declarator.kind === 'name') return null;
  if (declarator.kind === 'array' && declarator.inner.kind === 'name') return declarator.size;
  return outerSize(declarator.inner);
}
