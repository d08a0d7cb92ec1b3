// Functions that call themselves, by contracts (Hoare's rule of recursion, "Procedures and parameters", 1971): what a call requires of its arguments and of the
// shared variables, and what it then ensures of these, of its result and of the variables afterwards. The program is read as one without recursion: its run is
// either one of main, or one of any such function with any arguments that are as required. A call does not enter the function: it may not require what does
// not hold (else the way is cut off), forgets the result and all shared variables that such functions write, and goes on with what is ensured.
// Where such a function ends what it ensures must hold, else the way is cut off.
//
// Whether runs end is asked of a program in which a call may also enter the function, for good: no way leads back from there (Cook, Podelski and Rybalchenko, "Summarization
// for termination: no return!", FMSD 2009). A run without end either makes calls that never end inside of each other without end, or goes on for ever in one activation, whose calls all end;
// so does a run of that program, which goes into each call that never ends and takes the others as their contracts say. It has loops in the place of recursion, and arguments
// are what they are: nothing is required. With calls that only enter, every run is one of the real program, up to where a function would return; there it ends.
//
// Soundness: if no error and no cut of that program is reached, then none of the real one, by induction over the length of a run: up to its first error each
// activation is a run of the read program, as calls inside of it that have ended ensured what is written, and those that have not began as required. Nothing is said
// about whether calls end. It rests on what contract-body.ts checks.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { ANY_FUNCTION, type Cell, type ContractCells, type ContractMark } from '../program/program.ts';
import { INT } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import { write } from './access.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { Body, type Findings, moreFound, NoContracts, writtenThroughAddresses } from './contract-body.ts';
import { declareStaying, onlyFunction, type Procedure, procedureOf, sharedCells } from './contract-cells.ts';
import { newBlock } from './frames.ts';
import type { Returned } from './missing-values.ts';
import { at, type Value } from './places.ts';
import type { FunctionEntity, Scope } from './scope.ts';

/** Tests in prefix notation over the cells of the function's `ContractCells`. */
export interface Contract {
  readonly function: string;
  readonly requires: readonly string[];
  readonly ensures: readonly string[];
}

/**
 * How calls are read. `apart`: by contracts, and each function by itself; `entered`: by contracts, or into the function for good; `only entered`: never by contracts.
 * Open and `entered` is for machines with a stack of calls.
 */
export type Calling = 'apart' | 'entered' | 'only entered';

/** Thrown when a function turns out to call itself, or shared variables turn out to be used: the program is read again. */
export class NeedsContract extends Error {
  readonly plan: ContractPlan;
  constructor(plan: ContractPlan) {
    super();
    this.plan = plan;
  }
}

export class ContractPlan {
  private readonly found: Findings;
  private readonly given: readonly Contract[] | null;
  private readonly calling: Calling;
  private procedures = new Map<FunctionEntity, Procedure>();
  private start = 0;
  private choice: Cell | null = null;
  /** Compared with everything whose values are wanted at a place. */
  private token: Cell | null = null;
  private sites = 0;

  /** What calls write through addresses, by the points-to analysis. */
  private readonly writes: { kind: 'havoc'; cells: Cell[]; why: string; exact: false }[] = [];
  private through: Cell[] = [];
  /** The functions lie in the blocks of all who call them from elsewhere: of these, variables are alive in them. */
  private around = newBlock();
  private isInside = false;
  private firstSite = 0;
  private firstEdge = 0;

  /** Without contracts the program is open: only the places are marked, at which they would speak. */
  constructor(found: Findings, given: readonly Contract[] | null = null, calling: Calling = 'apart') {
    this.found = found;
    this.given = given;
    this.calling = calling;
  }

  get cells(): readonly ContractCells[] {
    return [...this.procedures.values()].map((procedure) => ({
      function: procedure.function,
      arguments: procedure.arguments,
      before: procedure.before,
      result: procedure.result,
      after: procedure.after,
      through: this.through,
    }));
  }

  get isOpen(): boolean {
    return this.given === null;
  }

  has(entity: FunctionEntity): boolean {
    return this.procedures.has(entity);
  }

  withFunction(name: string): ContractPlan {
    return this.with({ ...this.found, names: [...this.found.names, name] });
  }

  private with(found: Findings): ContractPlan {
    return new ContractPlan(found, this.given, this.calling);
  }

  withContracts(given: readonly Contract[], calling: Calling): ContractPlan {
    return new ContractPlan(this.found, given, calling);
  }

  /** All cells of contracts come before those of any function's body: they have the same numbers whatever the contracts say. */
  begin(context: Context, scopes: readonly Scope[], span: Span): void {
    const { memory, pool } = context;
    this.procedures = new Map();
    this.through = [];
    this.around = newBlock();
    this.isInside = false;
    this.sites = 0;
    this.choice = memory.scalar('(which function)', 'temporary', INT);
    this.token = memory.scalar('(token)', 'temporary', INT);
    declareStaying(context, this.found);
    const globals = sharedCells(context, this.found);
    for (const name of this.found.names) {
      const entity = onlyFunction(scopes, name);
      this.procedures.set(entity, procedureOf(context, entity, globals, this.found, this.given, span));
    }
    if (this.calling !== 'apart') return;
    const cells = [this.choice, this.token];
    context.emit({ kind: 'havoc', cells, why: ANY_FUNCTION, exact: false }, span);
    this.start = context.here!;
    const isMain = pool.eq(pool.symbol(this.choice.id, 32), pool.const(0n, 32));
    context.emit({ kind: 'assume', test: isMain, branch: null }, span);
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
    if (!this.isInside) this.around.outer.push(context.block);
    const site = this.sites++;
    this.mark(context, { function: entity.name, role: 'before', site }, span);
    if (this.calling !== 'apart') this.enter(context, procedure, span);
    this.watch(context, [...procedure.arguments, ...procedure.before], span);
    if (this.calling === 'apart')
      this.mustHold(context, procedure.requires, `'${entity.name}' is called with something else`, span);
    const forgotten = [...(procedure.result === null ? [] : [procedure.result]), ...procedure.after];
    const why = `what '${entity.name}' does is known by its contract`;
    context.emit({ kind: 'havoc', cells: forgotten, why, exact: false }, span);
    this.forgetMemory(context, why, span);
    if (this.given !== null) context.emit({ kind: 'assume', test: procedure.ensures, branch: null }, span);
    this.mark(context, { function: entity.name, role: 'after', site }, span);
    return procedure.result === null
      ? { type: result, expr: pool.const(0n, 32) }
      : { type: result, expr: pool.symbol(procedure.result.id, procedure.result.width) };
  }

  /** Into the function, for good; or, where contracts say what calls do, past it. */
  private enter(context: Context, { entry }: Procedure, span: Span): void {
    if (this.calling === 'only entered') {
      context.jump(entry, span);
      return;
    }
    const { pool } = context;
    const choice = this.choice!;
    context.emit({ kind: 'havoc', cells: [choice], why: 'a call may not end', exact: true }, span);
    const past = context.location(span);
    const isPast = pool.eq(pool.symbol(choice.id, choice.width), pool.const(0n, choice.width));
    fork(context, isPast, past, entry, span);
    context.here = past;
  }

  /** What calls may do through addresses, and what functions that nobody defines do in them. */
  private forgetMemory(context: Context, why: string, span: Span): void {
    if (this.found.outside) {
      const clobber = { kind: 'havoc', cells: [], why, exact: false, outside: true } as const;
      context.clobbers.push(clobber);
      context.emit(clobber, span);
    }
    if (!this.found.throughAddresses) return;
    const written = { kind: 'havoc' as const, cells: [], why, exact: false as const };
    this.writes.push(written);
    context.emit(written, span);
  }

  /** The functions themselves, by what enters one and gives its result. */
  finish(
    context: Context,
    expand: (entity: FunctionEntity, values: readonly Value[], span: Span) => Returned,
  ) {
    this.firstSite = context.memory.sites.length;
    this.firstEdge = context.edges.length;
    const shared = new Map<string, { written: boolean }>();
    const { block } = context;
    if (this.around.outer.length > 0) context.block = this.around;
    this.isInside = true;
    const bodies = [...this.procedures.values()].map((procedure, i) => {
      const body = this.body(context, procedure, i + 1, expand);
      body.check(shared, this.found);
      return body;
    });
    context.block = block;
    const more = moreFound(this.found, shared, bodies);
    if (more !== null) throw new NeedsContract(this.with(more));
    if (this.found.throughAddresses && this.calling === 'apart' && !this.isOpen)
      throw new NoContracts('memory through addresses');
  }

  /** Sites know their cells. */
  fillIn(context: Context): void {
    if (!this.found.throughAddresses) return;
    const isExecuted = this.isOpen && this.calling === 'entered';
    const first = { site: this.firstSite, edge: this.firstEdge };
    const cells = writtenThroughAddresses(context, this.found, first, isExecuted);
    this.through.push(...cells);
    for (const operation of this.writes) operation.cells.push(...cells);
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
    const locals: Cell[] = [];
    if (this.calling === 'apart') this.lookApart(context, procedure, number, span);
    else {
      context.here = procedure.entry;
      const why = `variables of '${entity.name}' are new`;
      context.emit({ kind: 'havoc', cells: locals, why, exact: true }, span);
    }
    this.mark(context, { function: entity.name, role: 'entry', site: 0 }, span);
    const seen = new Body(context);
    if (this.given !== null && this.calling === 'apart')
      context.emit({ kind: 'assume', test: procedure.requires, branch: null }, span);
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
    if (this.calling !== 'only entered')
      this.mustHold(context, procedure.ensures, `'${entity.name}' returns something else`, span);
    context.stop('end', `${entity.name} returns`, span);
    locals.push(...seen.locals());
    return seen;
  }

  /** With anything that is as required. */
  private lookApart(context: Context, procedure: Procedure, number: number, span: Span): void {
    const { pool } = context;
    context.here = this.start;
    const isThis = pool.eq(pool.symbol(this.choice!.id, 32), pool.const(number, 32));
    context.emit({ kind: 'assume', test: isThis, branch: null }, span);
    const open = [...procedure.arguments, ...sharedCells(context, this.found)];
    context.emit({ kind: 'havoc', cells: open, why: 'any call is looked at', exact: false }, span);
    this.rememberShared(context, procedure, span);
  }

  private rememberShared(context: Context, { before }: Procedure, span: Span): void {
    sharedCells(context, this.found).forEach((cell, i) => {
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
