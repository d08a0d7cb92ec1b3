// A moment of a program with threads: its memory and where each thread stands, and what can be said of it: who can go on, who waits, whose next accesses
// race with each other.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Interpreter } from '../program/interpreter.ts';
import type { Edge, Program } from '../program/program.ts';
import { cellAt, objectAt } from '../program/program.ts';
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
}

/** Two threads that both are about to use the same bytes, one of them to write, and not both in one of the ways that C orders. */
export function raceAt(machine: Interpreter, graph: ThreadGraph, at: ArrayLike<number>): Race | null {
  for (let one = 0; one < at.length; one++)
    for (let other = one + 1; other < at.length; other++) {
      if (!conflict(graph.now[at[one]!]!, graph.now[at[other]!]!)) continue;
      if (!acts(graph, at[one]!) || !acts(graph, at[other]!)) continue;
      const race = between(machine, graph, one, other, at);
      if (race !== null) return race;
    }
  return null;
}

const acts = ({ program }: ThreadGraph, location: number): boolean => {
  const { waits, idle } = program.locations[location]!;
  return waits === undefined && idle !== true;
};

function between(
  machine: Interpreter,
  graph: ThreadGraph,
  one: number,
  other: number,
  at: ArrayLike<number>,
): Race | null {
  for (const first of graph.outgoing[at[one]!]!)
    for (const second of graph.outgoing[at[other]!]!) {
      const theirs = accesses(machine, second);
      for (const mine of accesses(machine, first))
        for (const yours of theirs)
          if (
            (mine.writes || yours.writes) &&
            !(mine.atomic && yours.atomic) &&
            mine.from < yours.to &&
            yours.from < mine.to
          )
            return {
              threads: [one, other],
              edges: [first, second],
              name: nameAt(graph.program, mine.from, yours.from),
            };
    }
  return null;
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
}

/** The bytes that a step touches now. */
function accesses(machine: Interpreter, edge: Edge): Range[] {
  const { program } = machine;
  const ranges: Range[] = [];
  const add = (address: bigint, width: number, writes: boolean) => {
    const type = cellAt(program.objects, address, width)?.type;
    const atomic = edge.atomic === true || type?.atomic === true;
    ranges.push({ from: address, to: address + BigInt(bytesIn(width)), writes, atomic });
  };
  const read = (expr: Expr): void => {
    if (expr.op === 'symbol') {
      const cell = program.cells[symbolNumber(expr)]!;
      add(cell.address, cell.width, false);
    }
    if (expr.op === 'load') {
      const address = machine.valueOf(expr.args[0]!);
      if (address !== null) add(address, expr.width, false);
    }
    for (const arg of expr.args) read(arg);
  };
  const { operation } = edge;
  switch (operation.kind) {
    case 'assign':
      read(operation.value);
      add(operation.cell.address, operation.cell.width, true);
      break;
    case 'store': {
      read(operation.address);
      read(operation.value);
      const address = machine.valueOf(operation.address);
      if (address !== null) add(address, operation.value.width, true);
      break;
    }
    case 'assume':
    case 'defined':
      read(operation.test);
      break;
    case 'input':
      add(operation.cell.address, operation.cell.width, true);
      break;
    case 'havoc':
      // What a function that nobody defines may do is not yet done.
      if (!operation.exact) break;
      for (const cell of operation.cells) add(cell.address, cell.width, true);
      break;
    default:
  }
  return ranges;
}
