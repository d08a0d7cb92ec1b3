// What contracts speak of: for each function cells for its arguments, for what variables hold before it, for its result.

import type { Span } from '../../source/source.ts';
import { readTest } from '../program/contract-text.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell, ContractCells } from '../program/program.ts';
import type { Context } from './context.ts';
import { type Findings, isShared, keyOf, NoContracts } from './contract-body.ts';
import type { Contract } from './contracts.ts';
import { STANDARD_INPUT, stateOf } from './scanning.ts';
import type { FunctionEntity, Scope } from './scope.ts';

export interface Procedure extends Omit<ContractCells, 'through'> {
  readonly entity: FunctionEntity;
  /** What the arguments and shared variables were when the function was entered. */
  readonly entered: ReadonlyMap<Cell, Cell>;
  readonly requires: Expr;
  readonly ensures: Expr;
  /** Where calls enter it. */
  readonly entry: number;
}

/** What stays from call to call is there before the functions are read: variables of theirs, and what is known of the standard input. */
export function declareStaying(context: Context, { statics, shared }: Findings): void {
  for (const [declaration, { name, type, constant }] of statics) {
    const object = context.memory.object(name, 'local', type, constant);
    context.statics.set(declaration, object);
    context.awaited.add(object);
  }
  if ([...shared.keys()].some((key) => key.startsWith(STANDARD_INPUT))) stateOf(context);
}

export function sharedCells(context: Context, found: Findings): Cell[] {
  const cells = context.memory.cells.filter(
    (cell) => isShared(context, cell.object) && found.shared.has(keyOf(cell)),
  );
  if (new Set(cells.map(keyOf)).size < cells.length)
    throw new NoContracts('two variables have the same name');
  return cells;
}

export function procedureOf(
  context: Context,
  entity: FunctionEntity,
  globals: readonly Cell[],
  found: Findings,
  given: readonly Contract[] | null,
  span: Span,
): Procedure {
  const { memory, pool } = context;
  const { parameters, result, variadic } = entity.type;
  const kinds = found.mayUseAddresses ? ['int', 'pointer'] : ['int'];
  if (
    variadic ||
    parameters.some(({ kind }) => !kinds.includes(kind)) ||
    ![...kinds, 'void'].includes(result.kind)
  )
    throw new NoContracts('a function takes or returns something else than numbers');
  const cellFor = (what: string, { type }: Pick<Cell, 'type'>) =>
    memory.scalar(`(${what})`, 'temporary', type);
  const inputs = parameters.map((type, i) =>
    cellFor(`argument ${i + 1} of ${entity.name}`, { type: type as Cell['type'] }),
  );
  const before = globals.map((cell) => cellFor(`${cell.name} before ${entity.name}`, cell));
  const entered = new Map(
    [...inputs, ...before].map((cell) => [cell, cellFor(`${cell.name} on entry`, cell)] as const),
  );
  const returned =
    result.kind === 'void' ? null : cellFor(`result of ${entity.name}`, { type: result as Cell['type'] });
  const after = globals.filter((cell) => found.shared.get(keyOf(cell))!.written);
  const contract = given?.find((one) => one.function === entity.name);
  const known = [...inputs, ...before];
  const all = [...known, ...(returned === null ? [] : [returned]), ...after];
  const conjunction = (tests: readonly string[] = [], over: readonly Cell[] = []) =>
    tests.reduce((so, test) => {
      const read = readTest(pool, test, over);
      if (read === null) throw new NoContracts(`the test '${test}' is not understood`);
      return pool.and(so, read);
    }, pool.true);
  return {
    entity,
    function: entity.name,
    arguments: inputs,
    before,
    result: returned,
    after,
    entered,
    requires: conjunction(contract?.requires, known),
    ensures: conjunction(contract?.ensures, all),
    entry: context.location(span),
  };
}

export function onlyFunction(scopes: readonly Scope[], name: string): FunctionEntity {
  const found = new Set(
    scopes.map((scope) => scope.find(name)).filter((entity) => entity?.kind === 'function'),
  );
  const [entity] = found;
  if (found.size !== 1 || entity?.kind !== 'function' || entity.definition === null)
    throw new NoContracts(`there is no one function '${name}'`);
  return entity;
}
