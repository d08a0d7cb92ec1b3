// What the bodies of functions with contracts may do: anything with numbers in variables of their own and in shared ones; calls of functions that nobody defines, which may change what they
// can reach wherever such a function is called; and, where only the ends of runs are asked about, use variables outside of functions and of main through addresses.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Cell, MemoryObject, Operation } from '../program/program.ts';
import { ownerAt } from '../program/program.ts';
import type { Context } from './context.ts';

/** Thrown where functions do what contracts cannot say. */
export class NoContracts extends Error {}

/** How a variable outside of functions is named from one reading of the program to the next. */
export const keyOf = ({ object, offset, width }: Cell): string => `${object.name} ${offset}:${width}`;

/** A variable outside of functions, one of a function that stays, or what is known of the standard input: all of them are as the last call left them. */
export const isShared = ({ statics, standardInput }: Context, object: MemoryObject): boolean =>
  !object.constant &&
  (object.kind === 'global' ||
    (object.kind === 'local' && [...statics.values()].includes(object)) ||
    object === standardInput?.object);

/** What was found out about functions that call themselves, by reading them. */
export interface Findings {
  readonly names: readonly string[];
  /** Shared variables that they use, by name and place. */
  readonly shared: ReadonlyMap<string, { readonly written: boolean }>;
  /** Variables of theirs that stay, by declaration. */
  readonly statics: ReadonlyMap<unknown, Pick<MemoryObject, 'name' | 'type' | 'constant'>>;
  /** They call functions that nobody defines. */
  readonly outside: boolean;
  /** They may use memory through addresses; they do. */
  readonly mayUseAddresses: boolean;
  readonly throughAddresses: boolean;
}

export const nothingFound = (mayUseAddresses: boolean): Findings => ({
  ...{ names: [], shared: new Map(), statics: new Map() },
  ...{ outside: false, mayUseAddresses, throughAddresses: false },
});

/** Null where all was known. */
export function moreFound(
  known: Findings,
  shared: ReadonlyMap<string, { readonly written: boolean }>,
  bodies: readonly Body[],
): Findings | null {
  const statics = new Map([...known.statics, ...bodies.flatMap((body) => [...body.newStatics])]);
  const outside = known.outside || bodies.some((body) => body.callsOutside);
  const throughAddresses = known.throughAddresses || bodies.some((body) => body.usesAddresses);
  const isNew =
    statics.size > known.statics.size ||
    outside !== known.outside ||
    throughAddresses !== known.throughAddresses ||
    [...shared].some(([key, { written }]) => {
      const one = known.shared.get(key);
      return one === undefined || (written && !one.written);
    });
  return isNew ? { ...known, shared, statics, outside, throughAddresses } : null;
}

const OWN: ReadonlySet<MemoryObject['kind']> = new Set<MemoryObject['kind']>(['local', 'temporary']);

/** What the reading of a function's body added to the program. */
export class Body {
  private readonly context: Context;
  private readonly edges: number;
  private readonly objects: number;
  private readonly others: string;
  private readonly clobbers: number;

  constructor(context: Context) {
    this.context = context;
    this.edges = context.edges.length;
    this.objects = context.memory.objects.length;
    this.others = othersIn(context);
    this.clobbers = context.clobbers.length;
  }

  /** Variables of its own, and of what it calls, that it uses. */
  locals(): Set<Cell> {
    const { edges, memory, statics } = this.context;
    const staying = new Set(statics.values());
    const found = new Set<Cell>();
    for (const { operation } of edges.slice(this.edges))
      for (const { symbols } of expressionsOf(operation))
        for (const symbol of symbols) {
          const cell = memory.cells[symbolNumber(symbol)]!;
          if (cell.object.kind === 'local' && !staying.has(cell.object)) found.add(cell);
        }
    return found;
  }

  readonly newStatics = new Map<unknown, MemoryObject>();
  callsOutside = false;
  usesAddresses = false;

  /** Throws where contracts cannot say what the body does; else adds the variables it shares with others. */
  check(used: Map<string, { written: boolean }>, { statics, mayUseAddresses }: Findings): void {
    const { context } = this;
    if (othersIn(context) !== this.others) throw new NoContracts('calls that are not known');
    this.callsOutside = context.clobbers.length > this.clobbers;
    if (context.memory.objects.slice(this.objects).some(({ kind }) => kind === 'heap'))
      throw new NoContracts('allocated memory');
    for (const [declaration, object] of context.statics)
      if (object.kind === 'local' && !statics.has(declaration)) this.newStatics.set(declaration, object);
    const use = (cell: Cell, written: boolean) => {
      const { object } = cell;
      if (object.wide || object.kind === 'heap') throw new NoContracts(`'${object.name}'`);
      if (!isShared(context, object)) return;
      const kinds = mayUseAddresses ? ['int', 'pointer'] : ['int'];
      if (!kinds.includes(cell.type.kind) || cell.overlaps.length > 0)
        throw new NoContracts(`'${object.name}'`);
      const known = used.get(keyOf(cell));
      used.set(keyOf(cell), { written: written || known?.written === true });
    };
    const seen = new Set<Expr>();
    const useAddress = () => {
      if (!mayUseAddresses) throw new NoContracts('memory through addresses');
      this.usesAddresses = true;
    };
    for (const { operation } of context.edges.slice(this.edges)) {
      if (operation.kind === 'event' || operation.kind === 'release' || hasObject(operation))
        throw new NoContracts('memory through addresses');
      if (operation.kind === 'store') useAddress();
      for (const cell of writtenBy(operation)) use(cell, true);
      for (const expr of expressionsOf(operation)) {
        if (expr.hasLoad) useAddress();
        for (const symbol of expr.symbols) use(context.memory.cells[symbolNumber(symbol)]!, false);
        this.looksAtNoAddress(expr, seen);
      }
    }
  }

  /** Each activation has variables of its own, at addresses of their own, where there is one here: such an address says nothing. */
  private looksAtNoAddress(expr: Expr, seen: Set<Expr>): void {
    if (seen.has(expr)) return;
    seen.add(expr);
    const object = expr.op === 'const' ? ownerAt(this.context.memory.objects, expr.value) : null;
    if (object !== null && OWN.has(object.kind) && !isShared(this.context, object))
      throw new NoContracts(`the address of '${object.name}'`);
    for (const arg of expr.args) this.looksAtNoAddress(arg, seen);
  }
}

/**
 * The cells that functions write through addresses. All that they use so are variables outside of functions or of main: of variables of their own there
 * is one for each activation, which one cell cannot be. `isExecuted`: the program is only executed, so that more may be among them.
 */
export function writtenThroughAddresses(
  context: Context,
  { names }: Findings,
  first: { readonly site: number; readonly edge: number },
  isExecuted: boolean,
): Set<Cell> {
  if (names.includes('main')) throw new NoContracts('variables of main, which calls itself');
  const ofMain = new Set(
    [...(context.frameObjects.get('main#0')?.values() ?? [])].flatMap((objects) => [...objects.values()]),
  );
  const isOne = (object: MemoryObject) =>
    !object.wide && (object.kind === 'global' || object.kind === 'string' || ofMain.has(object));
  for (const { objects, foreign } of context.memory.sites.slice(first.site))
    if (foreign || !objects.every(isOne)) throw new NoContracts('memory through addresses');
  const found = new Set<Cell>();
  for (const { operation } of context.edges.slice(first.edge)) {
    if (operation.kind !== 'store') continue;
    const { cells, blurred, many, vague, objects } = operation.site;
    if (vague && !isExecuted) throw new NoContracts('memory through addresses');
    const all = vague ? objects.flatMap((object) => [...object.cells.values()]) : [];
    for (const cell of [...cells, ...blurred, ...many, ...all])
      for (const one of [cell, ...cell.overlaps]) found.add(one);
  }
  return found;
}

/** Calls through pointers, and functions of ours that others may call. */
const othersIn = ({ otherCallees, callBacks }: Context): string =>
  [otherCallees.length, callBacks.length].join();

const hasObject = (operation: Operation): boolean =>
  operation.kind === 'havoc' && (operation.objects?.length ?? 0) > 0;

function writtenBy(operation: Operation): readonly Cell[] {
  if (operation.kind === 'assign' || operation.kind === 'input') return [operation.cell];
  return operation.kind === 'havoc' ? operation.cells : [];
}
