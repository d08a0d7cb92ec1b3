// Threads of a program that calls `pthread_create`. Each function that is started gets a few instances, each a graph of its own with locals of its own;
// an instance waits at its entry until somebody starts it, and comes back there when it has ended. Everything that threads know of each other
// (who runs, who waits for which condition, who holds what) lies in memory like the program's own variables, so that the concrete machine needs no
// further notions: starting is a write, joining is a test.

import type { Span } from '../../source/source.ts';
import type { Cell } from '../program/program.ts';
import { FREE, firstName, RUNNING } from '../program/thread-states.ts';
import type { ScalarType, WordSizes } from '../program/types.ts';
import { INT, pointerTo, VOID } from '../program/types.ts';
import type { Context } from './context.ts';
import type { FunctionEntity } from './scope.ts';

/** Threads of one function that run at the same time. */
export const MOST_INSTANCES = 8;

/** What a program sees of a thread, its `pthread_t`. */
export const nameOfThread = (number: number, { ulong }: WordSizes): bigint =>
  firstName(ulong.width) + BigInt(number);

export interface Instance {
  /** From 1; main is 1. */
  readonly number: number;
  readonly name: string;
  /** Null for main. */
  readonly function: string | null;
  readonly state: Cell;
  readonly argument: Cell;
  readonly result: Cell;
  /** The condition variable that it waits for, 0 for none. */
  readonly waitsFor: Cell;
  /** Where it goes when it ends. */
  end: number;
  entry: number;
}

/** Thrown where a thread is started when nothing was prepared for it: the lowering begins anew with the function among those that are started. */
export class StartsThread extends Error {
  readonly function: string;

  constructor(name: string) {
    super(`impossible: nobody prepared for threads of '${name}'`);
    this.function = name;
  }
}

const plainName = (own: string): string => own.replace(/ .*/, '');

export class ThreadPlan {
  /** By the names that no others have (`ownName` of the context). */
  readonly functions: readonly string[];
  readonly instances: Instance[] = [];
  /** As they are found where threads are started. */
  readonly entities = new Map<string, FunctionEntity>();
  current!: Instance;
  /** The thread that alone may go on (`__VERIFIER_atomic_begin`). */
  holder!: Cell;
  /** What is read now lies in a function `__VERIFIER_atomic_…`. */
  isInSection = false;
  /** … or in one that `pthread_once` calls. */
  isInOnce = false;

  constructor(functions: readonly string[]) {
    this.functions = functions;
  }

  /** The cells of all instances; main first. */
  prepare(context: Context, span: Span): void {
    this.holder = this.cell(context, '(atomic section)', INT, 0n);
    this.add(context, 'main', null, RUNNING);
    for (const name of this.functions) {
      // The file is told where two of them have functions of that name.
      const isOnly = this.functions.filter((other) => plainName(other) === plainName(name)).length === 1;
      for (let k = 1; k <= MOST_INSTANCES; k++)
        this.add(context, `${isOnly ? plainName(name) : name}#${k}`, name, FREE);
    }
    this.current = this.instances[0]!;
    this.current.end = context.location(span);
  }

  private add(context: Context, name: string, function_: string | null, state: bigint): void {
    const pointer = pointerTo(VOID) as ScalarType;
    this.instances.push({
      number: this.instances.length + 1,
      name,
      function: function_,
      state: this.cell(context, `(state of ${name})`, INT, state),
      argument: this.cell(context, `(argument of ${name})`, pointer, 0n),
      result: this.cell(context, `(result of ${name})`, pointer, 0n),
      waitsFor: this.cell(context, `(condition of ${name})`, pointer, 0n),
      end: -1,
      entry: -1,
    });
  }

  private cell(context: Context, name: string, type: ScalarType, value: bigint): Cell {
    const cell = context.memory.scalar(name, 'temporary', type);
    context.initial.set(cell.id, context.pool.const(value, cell.width));
    return cell;
  }
}
