// What a program may do with the names of its threads (`pthread_t`): keep them, hand them on, give them to the library, ask whether two are equal. Their numbers are
// nobody's business, since they are others on a real machine; a run in which they matter is not followed any further. That goes for names of threads that are gone,
// too: the next thread may or may not get the same one.

import type { Expr } from '../program/expr.ts';
import { symbolNumber } from '../program/expr.ts';
import type { Interpreter } from '../program/interpreter.ts';
import type { Cell, Edge, Operation, Program } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { FREE, GONE, STARTING } from '../program/thread-states.ts';

/** A number that is read, and what it is compared with for equality; null: something else is done with it. */
interface Look {
  readonly at: Expr;
  readonly other: Expr | null;
}

const MATTERS =
  'what the program does depends on the number that a pthread_t is: only whether two of threads that still are there are equal is modelled';
const KEPT = 'the pthread_t of a thread that is gone is still kept when another thread may get the same one';
const BYTES = new TextDecoder('latin1');

export class ThreadNames {
  private readonly program: Program;
  private readonly first: bigint;
  private readonly last: bigint;
  private readonly width: number;
  private readonly states = new Map<bigint, Cell>();
  private readonly known = new Map<Operation, readonly Look[]>();

  constructor(program: Program) {
    const { threads, threadNames } = program;
    this.program = program;
    ({ first: this.first, width: this.width } = threadNames!);
    let last = this.first;
    for (const { number, state } of threads!) {
      const name = this.first + BigInt(number);
      this.states.set(name, state);
      if (name > last) last = name;
    }
    this.last = last;
  }

  /** Why the run must not be followed along this edge; null where it may. `memory`: what is in it without what no longer matters. */
  trouble(machine: Interpreter, { operation, atomic }: Edge, memory: () => Uint8Array): string | null {
    for (const look of this.looksOf(operation))
      if (!this.isHarmless(machine, look, atomic === true)) return MATTERS;
    return this.isTaken(operation) && this.isKept(operation.cell, memory()) ? KEPT : null;
  }

  private isHarmless(machine: Interpreter, { at, other }: Look, ofLibrary: boolean): boolean {
    if (at.width < this.width) return !this.isPart(machine, at);
    const name = machine.definedValue(at);
    if (name === null || !this.isName(name)) return true;
    const compared = other === null ? null : machine.definedValue(other);
    if (compared === null) return false;
    if (compared === 0n || (ofLibrary && other!.op === 'const')) return true;
    return this.isThere(machine, name) && this.isThere(machine, compared);
  }

  /** Is it read out of the midst of a name? */
  private isPart(machine: Interpreter, at: Expr): boolean {
    const { objects, cells } = this.program;
    const address = at.op === 'symbol' ? cells[symbolNumber(at)]!.address : machine.definedValue(at.args[0]!);
    const object = address === null ? null : objectAt(objects, address);
    if (object === null) return false;
    const bytes = this.width / 8;
    const start = Math.floor(Number(address! - object.address) / bytes) * bytes;
    if (start + bytes > object.size) return false;
    let value = 0n;
    for (let i = bytes - 1; i >= 0; i--) value = (value << 8n) | BigInt(machine.byteAt(object, start + i));
    return this.isName(value);
  }

  /** Memory that has room for a name in one piece. */
  private mayBePart(at: Expr): boolean {
    const { cells, sites } = this.program;
    const hasRoom = ({ width }: Cell) => width >= this.width;
    if (at.op === 'symbol') return cells[symbolNumber(at)]!.overlaps.some(hasRoom);
    const { objects } = sites[Number(at.value) - 1]!;
    return objects.some((object) => object.wide || [...object.cells.values()].some(hasRoom));
  }

  private isName(value: bigint): boolean {
    return value >= this.first && value <= this.last;
  }

  private isThere(machine: Interpreter, name: bigint): boolean {
    const state = this.states.get(name);
    if (state === undefined) return false;
    const value = machine.value(state);
    return value !== FREE && value !== GONE;
  }

  private isTaken(operation: Operation): operation is Extract<Operation, { kind: 'assign' }> {
    if (operation.kind !== 'assign' || operation.value.op !== 'const') return false;
    if (operation.value.value !== STARTING) return false;
    return [...this.states.values()].includes(operation.cell);
  }

  /** Is the name of the thread with this state anywhere? */
  private isKept(state: Cell, memory: Uint8Array): boolean {
    const [name] = [...this.states].find(([, cell]) => cell === state)!;
    const bytes = Array.from({ length: this.width / 8 }, (_, i) => Number((name >> BigInt(8 * i)) & 255n));
    return BYTES.decode(memory).includes(BYTES.decode(Uint8Array.from(bytes)));
  }

  private looksOf(operation: Operation): readonly Look[] {
    let found = this.known.get(operation);
    if (found === undefined) this.known.set(operation, (found = this.find(operation)));
    return found;
  }

  private find(operation: Operation): readonly Look[] {
    const looks: Look[] = [];
    switch (operation.kind) {
      case 'assign':
        this.copied(operation.value, looks);
        break;
      case 'store':
        this.used(operation.address, looks);
        this.copied(operation.value, looks);
        break;
      case 'assume':
      case 'defined':
        this.used(operation.test, looks);
        break;
      default:
    }
    return looks;
  }

  /** The value goes somewhere as it is. */
  private copied(expr: Expr, looks: Look[]): void {
    const [first, ...rest] = expr.args;
    if (expr.op === 'load' || expr.op === 'symbol') {
      if (this.isPartly(expr)) looks.push({ at: expr, other: null });
      if (first !== undefined) this.used(first, looks);
    } else if (expr.op === 'ite') {
      this.used(first!, looks);
      for (const side of rest) this.copied(side, looks);
    } else if (expr.op === 'zext' || (expr.op === 'trunc' && expr.width >= this.width))
      this.copied(first!, looks);
    else this.used(expr, looks);
  }

  private used(expr: Expr, looks: Look[]): void {
    if (this.isRead(expr) || this.isPartly(expr)) looks.push({ at: expr, other: null });
    if (expr.op === 'eq') {
      const [a, b] = expr.args as [Expr, Expr];
      this.compared(a, b, looks);
      this.compared(b, a, looks);
      return;
    }
    for (const arg of expr.args) this.used(arg, looks);
  }

  private compared(side: Expr, other: Expr, looks: Look[]): void {
    const bare = side.op === 'zext' ? side.args[0]! : side;
    if (!this.isRead(bare)) this.used(side, looks);
    else {
      looks.push({ at: bare, other });
      for (const arg of bare.args) this.used(arg, looks);
    }
  }

  private isPartly(expr: Expr): boolean {
    const { op, width } = expr;
    return (op === 'symbol' || op === 'load') && width < this.width && this.mayBePart(expr);
  }

  private isRead({ op, width }: Expr): boolean {
    return (op === 'symbol' || op === 'load') && width === this.width;
  }
}
