// Functions that call themselves, by contracts (Hoare's rule of recursion, "Procedures and parameters", 1971): what a call requires of its arguments and of the
// shared variables, and what it then ensures of these, of its result and of the variables afterwards. The program is read as one without recursion: its run is
// either one of main, or one of any such function with any arguments that are as required. A call does not enter the function: it may not require what does
// not hold (else the way is cut off), forgets the result and all shared variables that such functions write, and goes on with what is ensured.
// Where such a function ends what it ensures must hold, else the way is cut off.
//
// Soundness: if no error and no cut of that program is reached, then none of the real one, by induction over the length of a run: up to its first error each
// activation is a run of the read program, as calls inside of it that have ended ensured what is written, and those that have not began as required. Nothing is said
// about whether calls end. It rests on what is checked here: such functions use numbers only, variables of their own and variables outside of functions, no
// memory through addresses, nothing that nobody defines.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Cell, ContractCells, ContractMark } from '../program/program.ts';
import { INT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { Body, isGlobal, keyOf, NoContracts } from './contract-body.ts';
import { readTest } from './contract-text.ts';
import type { Returned } from './missing-values.ts';
import { at, type Value } from './places.ts';
import type { FunctionEntity, Scope } from './scope.ts';

/** Tests in prefix notation over the cells of the function's `ContractCells`. */
export interface Contract {
  readonly function: string;
  readonly requires: readonly string[];
  readonly ensures: readonly string[];
}

/** Thrown when a function turns out to call itself, or shared variables turn out to be used: the program is read again. */
export class NeedsContract extends Error {
  readonly plan: ContractPlan;
  constructor(plan: ContractPlan) {
    super();
    this.plan = plan;
  }
}

/** A variable outside of functions that functions with contracts use, by its name and place. */
type Shared = ReadonlyMap<string, { readonly written: boolean }>;

interface Procedure extends ContractCells {
  readonly entity: FunctionEntity;
  /** What the arguments and shared variables were when the function was entered. */
  readonly entered: ReadonlyMap<Cell, Cell>;
  readonly requires: Expr;
  readonly ensures: Expr;
}

export class ContractPlan {
  private readonly names: readonly string[];
  private readonly shared: Shared;
  private readonly given: readonly Contract[] | null;
  private procedures = new Map<FunctionEntity, Procedure>();
  private start = 0;
  private choice: Cell | null = null;
  /** Compared with everything whose values are wanted at a place. */
  private token: Cell | null = null;
  private sites = 0;

  /** Without contracts the program is open: only the places are marked, at which they would speak. */
  constructor(
    names: readonly string[] = [],
    shared: Shared = new Map(),
    given: readonly Contract[] | null = null,
  ) {
    this.given = given;
    this.names = names;
    this.shared = shared;
  }

  get cells(): readonly ContractCells[] {
    return [...this.procedures.values()].map((procedure) => ({
      function: procedure.function,
      arguments: procedure.arguments,
      before: procedure.before,
      result: procedure.result,
      after: procedure.after,
    }));
  }

  get isOpen(): boolean {
    return this.given === null;
  }

  has(entity: FunctionEntity): boolean {
    return this.procedures.has(entity);
  }

  withFunction(name: string): ContractPlan {
    return new ContractPlan([...this.names, name], this.shared);
  }

  withContracts(given: readonly Contract[]): ContractPlan {
    return new ContractPlan(this.names, this.shared, given);
  }

  /** All cells of contracts come before those of any function's body: they have the same numbers whatever the contracts say. */
  begin(context: Context, scopes: readonly Scope[], span: Span): void {
    const { memory, pool } = context;
    this.procedures = new Map();
    this.sites = 0;
    this.choice = memory.scalar('(which function)', 'temporary', INT);
    this.token = memory.scalar('(token)', 'temporary', INT);
    const globals = this.sharedCells(memory.cells);
    for (const name of this.names) {
      const entity = onlyFunction(scopes, name);
      this.procedures.set(entity, this.procedureOf(context, entity, globals));
    }
    const cells = [this.choice, this.token];
    context.emit({ kind: 'havoc', cells, why: 'any function is looked at', exact: false }, span);
    this.start = context.here!;
    const isMain = pool.eq(pool.symbol(this.choice.id, 32), pool.const(0n, 32));
    context.emit({ kind: 'assume', test: isMain, branch: null }, span);
  }

  private sharedCells(cells: readonly Cell[]): Cell[] {
    const found = cells.filter((cell) => isGlobal(cell.object) && this.shared.has(keyOf(cell)));
    if (new Set(found.map(keyOf)).size < found.length)
      throw new NoContracts('two variables have the same name');
    return found;
  }

  private procedureOf(context: Context, entity: FunctionEntity, globals: readonly Cell[]): Procedure {
    const { memory, pool } = context;
    const { parameters, result, variadic } = entity.type;
    if (variadic || parameters.some(({ kind }) => kind !== 'int') || !['int', 'void'].includes(result.kind))
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
      result.kind === 'int' ? memory.scalar(`(result of ${entity.name})`, 'temporary', result) : null;
    const after = globals.filter((cell) => this.shared.get(keyOf(cell))!.written);
    const contract = this.given?.find((one) => one.function === entity.name);
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
    };
  }

  /** A call, which does not enter the function. */
  call(context: Context, entity: FunctionEntity, values: readonly Value[], span: Span): Value {
    const { pool } = context;
    const procedure = this.procedures.get(entity)!;
    const { result } = entity.type;
    if (values.length < procedure.arguments.length)
      refuse(
        'SPW5011',
        `'${entity.name}' takes ${procedure.arguments.length} arguments, not ${values.length}`,
        span,
      );
    procedure.arguments.forEach((cell, i) => {
      write(context, at(context, cell.type, cell.address), values[i]!, span);
    });
    this.rememberShared(context, procedure, span);
    const site = this.sites++;
    this.mark(context, { function: entity.name, role: 'before', site }, span);
    this.watch(context, [...procedure.arguments, ...procedure.before], span);
    this.mustHold(context, procedure.requires, `'${entity.name}' is called with something else`, span);
    const forgotten = [...(procedure.result === null ? [] : [procedure.result]), ...procedure.after];
    const why = `what '${entity.name}' does is known by its contract`;
    context.emit({ kind: 'havoc', cells: forgotten, why, exact: false }, span);
    if (this.given !== null) context.emit({ kind: 'assume', test: procedure.ensures, branch: null }, span);
    this.mark(context, { function: entity.name, role: 'after', site }, span);
    return procedure.result === null
      ? { type: result, expr: pool.const(0n, 32) }
      : { type: result, expr: pool.symbol(procedure.result.id, procedure.result.width) };
  }

  /** The functions themselves, by what enters one and gives its result. */
  finish(
    context: Context,
    expand: (entity: FunctionEntity, values: readonly Value[], span: Span) => Returned,
  ) {
    const used = new Map<string, { written: boolean }>();
    [...this.procedures.values()].forEach((procedure, i) => {
      this.body(context, procedure, i + 1, expand).check(used);
    });
    const isNew = [...used].some(([key, { written }]) => {
      const known = this.shared.get(key);
      return known === undefined || (written && !known.written);
    });
    if (isNew) throw new NeedsContract(new ContractPlan(this.names, used));
  }

  private body(
    context: Context,
    procedure: Procedure,
    number: number,
    expand: (entity: FunctionEntity, values: readonly Value[], span: Span) => Returned,
  ): Body {
    const { pool } = context;
    const { entity, arguments: inputs, before, entered, result } = procedure;
    const { span: whole, body } = entity.definition!;
    const span = { ...whole, end: body.span.start };
    const symbol = (cell: Cell) => pool.symbol(cell.id, cell.width);
    context.copies.startThread();
    context.here = this.start;
    const isThis = pool.eq(symbol(this.choice!), pool.const(number, 32));
    context.emit({ kind: 'assume', test: isThis, branch: null }, span);
    const open = [...inputs, ...this.sharedCells(context.memory.cells)];
    context.emit({ kind: 'havoc', cells: open, why: 'any call is looked at', exact: false }, span);
    this.rememberShared(context, procedure, span);
    this.mark(context, { function: entity.name, role: 'entry', site: 0 }, span);
    const seen = new Body(context);
    if (this.given !== null) context.emit({ kind: 'assume', test: procedure.requires, branch: null }, span);
    for (const [cell, kept] of entered)
      context.emit({ kind: 'assign', cell: kept, value: symbol(cell) }, span);
    const values = inputs.map((cell) => ({ type: cell.type, expr: symbol(cell) }));
    const value = expand(entity, values, span);
    if (value.isThere !== undefined) throw new NoContracts('a function that may end without a value');
    for (const [cell, kept] of entered) context.emit({ kind: 'assign', cell, value: symbol(kept) }, span);
    if (result !== null) context.emit({ kind: 'assign', cell: result, value: value.expr }, span);
    this.mark(context, { function: entity.name, role: 'exit', site: 0 }, span);
    const last = [...inputs, ...before, ...(result === null ? [] : [result]), ...procedure.after];
    this.watch(context, last, span);
    this.mustHold(context, procedure.ensures, `'${entity.name}' returns something else`, span);
    context.stop('end', `${entity.name} returns`, span);
    return seen;
  }

  private rememberShared(context: Context, { before }: Procedure, span: Span): void {
    this.sharedCells(context.memory.cells).forEach((cell, i) => {
      const value = context.pool.symbol(cell.id, cell.width);
      context.emit({ kind: 'assign', cell: before[i]!, value }, span);
    });
  }

  private mark(context: Context, contract: ContractMark, span: Span): void {
    context.emit({ kind: 'skip' }, span);
    if (context.here !== null) context.locations[context.here]!.contract = contract;
  }

  private mustHold(context: Context, test: Expr, why: string, span: Span): void {
    if (context.here === null || this.given === null) return;
    const [good, bad] = [context.location(span), context.location(span)];
    fork(context, test, good, bad, span);
    context.here = bad;
    context.stop('cut', why, span);
    context.here = good;
  }

  /** A way that ends, and on the way looks at these: so their values count here. */
  private watch(context: Context, cells: readonly Cell[], span: Span): void {
    const { here, pool } = context;
    if (here === null || this.given !== null) return;
    const { id } = this.token!;
    for (const cell of cells) {
      const width = Math.max(32, cell.width);
      const test = pool.eq(
        pool.resize(pool.symbol(id, 32), width, false),
        pool.resize(pool.symbol(cell.id, cell.width), width, false),
      );
      context.here = here;
      context.emit({ kind: 'assume', test, branch: null }, span);
      context.stop('end', 'seen', span);
    }
    context.here = here;
  }
}

function onlyFunction(scopes: readonly Scope[], name: string): FunctionEntity {
  const found = new Set(
    scopes.map((scope) => scope.find(name)).filter((entity) => entity?.kind === 'function'),
  );
  const [entity] = found;
  if (found.size !== 1 || entity?.kind !== 'function' || entity.definition === null)
    throw new NoContracts(`there is no one function '${name}'`);
  return entity;
}
