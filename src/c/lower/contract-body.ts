// What the bodies of functions with contracts may do: anything with numbers in variables of their own and outside of functions, and nothing else.

import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Cell, MemoryObject, Operation } from '../program/program.ts';
import type { Context } from './context.ts';

/** Thrown where functions do what contracts cannot say. */
export class NoContracts extends Error {}

/** How a variable outside of functions is named from one reading of the program to the next. */
export const keyOf = ({ object, offset, width }: Cell): string => `${object.name} ${offset}:${width}`;

export const isGlobal = ({ kind, constant }: MemoryObject): boolean => kind === 'global' && !constant;

/** What the reading of a function's body added to the program. */
export class Body {
  private readonly context: Context;
  private readonly edges: number;
  private readonly objects: number;
  private readonly counts: string;

  constructor(context: Context) {
    this.context = context;
    this.edges = context.edges.length;
    this.objects = context.memory.objects.length;
    this.counts = countsOf(context);
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

  /** Throws where contracts cannot say what the body does; else adds the variables it shares with others. */
  check(used: Map<string, { written: boolean }>): void {
    const { context } = this;
    if (countsOf(context) !== this.counts) throw new NoContracts('memory through addresses');
    if (context.memory.objects.slice(this.objects).some(({ kind }) => kind === 'heap'))
      throw new NoContracts('allocated memory');
    const statics = new Set(context.statics.values());
    const use = (cell: Cell, written: boolean) => {
      const { object } = cell;
      if (object.wide || object.kind === 'heap' || (object.kind === 'local' && statics.has(object)))
        throw new NoContracts(`'${object.name}'`);
      if (!isGlobal(object)) return;
      if (cell.type.kind !== 'int' || cell.overlaps.length > 0) throw new NoContracts(`'${object.name}'`);
      const known = used.get(keyOf(cell));
      used.set(keyOf(cell), { written: written || known?.written === true });
    };
    for (const { operation } of context.edges.slice(this.edges)) {
      if (operation.kind === 'store' || operation.kind === 'event' || hasObject(operation))
        throw new NoContracts('memory through addresses');
      for (const cell of writtenBy(operation)) use(cell, true);
      for (const expr of expressionsOf(operation)) {
        if (expr.hasLoad) throw new NoContracts('memory through addresses');
        for (const symbol of expr.symbols) use(context.memory.cells[symbolNumber(symbol)]!, false);
      }
    }
  }
}

const countsOf = ({ memory, clobbers, otherCallees }: Context): string =>
  [memory.sites.length, clobbers.length, otherCallees.length].join();

const hasObject = (operation: Operation): boolean =>
  operation.kind === 'havoc' && operation.object !== undefined;

function writtenBy(operation: Operation): readonly Cell[] {
  if (operation.kind === 'assign' || operation.kind === 'input') return [operation.cell];
  return operation.kind === 'havoc' ? operation.cells : [];
}
