// A moment of a program with threads: its memory and where each thread stands, and what can be said of it: who can go on, who waits, whose next accesses
// race with each other.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import { expressionsOf } from '../program/expressions.ts';
import type { Interpreter } from '../program/interpreter.ts';
import type { Cell, Edge, Operation, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import type { ThreadGraph } from './graph.ts';
import { conflict } from './graph.ts';

/** `lost`: an assumption of the program's fails; nobody waits. */
export type Standing = 'enabled' | 'waiting' | 'idle' | 'lost';

/** Edges that the values allow; those that are undefined among them. */
export const openEdges = (machine: Interpreter, edges: readonly Edge[]): readonly Edge[] =>
  edges.filter(({ operation }) => operation.kind !== 'assume' || machine.holds(operation.test) !== false);

export function standingOf(machine: Interpreter, graph: ThreadGraph, location: number): Standing {
  const open = openEdges(machine, graph.outgoing[location]!);
  if (open.some(({ spurious }) => spurious !== true)) return 'enabled';
  const { waits, idle } = graph.program.locations[location]!;
  return idle === true ? 'idle' : waits === undefined ? 'lost' : 'waiting';
}

/** Nobody can go on, somebody waits. */
export function isDeadlock(machine: Interpreter, graph: ThreadGraph, at: ArrayLike<number>): boolean {
  const standings = Array.from(at, (location) => standingOf(machine, graph, location));
  return standings.includes('waiting') && !standings.includes('enabled') && !standings.includes('lost');
}

export interface Race {
  readonly threads: readonly [number, number];
  readonly edges: readonly [Edge, Edge];
  /** What both use. */
  readonly name: string;
  /** Both use the same bytes for certain. */
  readonly sure: boolean;
}

/**
 * Two threads that both are about to use the same bytes, one of them to write, and not both in one of the ways that C orders. With `moving`: in the midst of what
 * that thread does in one piece, so that it is one of the two.
 */
export function raceAt(
  machine: Interpreter,
  graph: ThreadGraph,
  at: ArrayLike<number>,
  moving: number | null = null,
): Race | null {
  let found: Race | null = null;
  for (let one = 0; one < at.length; one++)
    for (let other = one + 1; other < at.length; other++) {
      if (moving !== null && one !== moving && other !== moving) continue;
      if (!conflict(graph.now[at[one]!]!, graph.now[at[other]!]!)) continue;
      if (!acts(graph, at[one]!) || !acts(graph, at[other]!)) continue;
      const race = between(machine, graph, one, other, at);
      if (race?.sure === true) return race;
      found ??= race;
    }
  return found;
}

const acts = ({ program }: ThreadGraph, location: number): boolean =>
  program.locations[location]!.idle !== true;

function between(
  machine: Interpreter,
  graph: ThreadGraph,
  one: number,
  other: number,
  at: ArrayLike<number>,
): Race | null {
  let found: Race | null = null;
  for (const first of graph.outgoing[at[one]!]!)
    for (const second of graph.outgoing[at[other]!]!) {
      const theirs = accesses(machine, second);
      for (const mine of accesses(machine, first))
        for (const yours of theirs) {
          const together = mine.from < yours.to && yours.from < mine.to;
          if (!together || !(mine.writes || yours.writes) || (mine.atomic && yours.atomic)) continue;
          const name = nameAt(graph.program, mine.from, yours.from);
          const sure = mine.sure && yours.sure;
          const race: Race = { threads: [one, other], edges: [first, second], name, sure };
          if (sure) return race;
          found ??= race;
        }
    }
  return found;
}

function nameAt(program: Program, a: bigint, b: bigint): string {
  const address = a > b ? a : b;
  const object = objectAt(program.objects, address);
  const cell =
    object === null ? undefined : [...object.cells.values()].find((one) => one.address === address);
  return cell?.name ?? object?.name ?? 'memory';
}

interface Range {
  readonly from: bigint;
  readonly to: bigint;
  readonly writes: boolean;
  readonly atomic: boolean;
  /** All of these bytes; else some of them, perhaps. */
  readonly sure: boolean;
}

/** The bytes that a step touches now. */
function accesses(machine: Interpreter, edge: Edge): Range[] {
  const { program } = machine;
  const ranges: Range[] = [];
  const add = (address: bigint, width: number, writes: boolean, atomic: true | undefined) => {
    const isAtomic = edge.atomic === true || atomic === true;
    ranges.push({
      from: address,
      to: address + BigInt(bytesIn(width)),
      writes,
      atomic: isAtomic,
      sure: true,
    });
  };
  const addCell = (cell: Cell, writes: boolean) => add(cell.address, cell.width, writes, cell.type.atomic);
  const read = (expr: Expr): void => {
    if (expr.op === 'symbol') {
      addCell(program.cells[symbolNumber(expr)]!, false);
    }
    if (expr.op === 'load') {
      const address = machine.definedValue(expr.args[0]!);
      const { atomic } = program.sites[Number(expr.value) - 1]!;
      if (address !== null) add(address, expr.width, false, atomic);
    }
    for (const arg of expr.args) read(arg);
  };
  const { operation } = edge;
  switch (operation.kind) {
    case 'assign':
      read(operation.value);
      addCell(operation.cell, true);
      break;
    case 'store': {
      read(operation.address);
      read(operation.value);
      const address = machine.definedValue(operation.address);
      if (address !== null) add(address, operation.value.width, true, operation.site.atomic);
      break;
    }
    case 'assume':
    case 'defined':
      read(operation.test);
      break;
    case 'input':
      addCell(operation.cell, true);
      break;
    case 'havoc':
      // What a function that nobody defines may do is not yet done.
      if (!operation.exact) break;
      for (const cell of operation.cells) addCell(cell, true);
      break;
    case 'touch': {
      for (const expr of expressionsOf(operation)) read(expr);
      const range = touched(machine, operation);
      if (range !== null) ranges.push(range);
      break;
    }
    default:
  }
  return ranges;
}

function touched(machine: Interpreter, operation: Extract<Operation, { kind: 'touch' }>): Range | null {
  const { address, extent, writes } = operation;
  const from = machine.definedValue(address);
  const object = from === null ? null : objectAt(machine.program.objects, from);
  if (from === null || object === null) return null;
  const end = object.address + BigInt(object.size);
  const like = { from, writes, atomic: false, sure: extent !== 'object' };
  if (extent === 'object') return { ...like, from: writes ? object.address : from, to: end };
  if (extent === 'string') {
    let to = from;
    while (to < end && machine.byteAt(object, Number(to - object.address)) !== 0) to++;
    return { ...like, to: to < end ? to + 1n : end };
  }
  const bytes = machine.definedValue(extent);
  if (bytes === null) return null;
  return from + bytes > end ? { ...like, to: end } : { ...like, to: from + bytes };
}
