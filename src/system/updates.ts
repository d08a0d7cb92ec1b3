// What executing statements asks to be changed outside: the transfer function (`transfer.ts`) only looks at the tables, and says here what
// it looked at and what it would like to see. Whoever called it applies that (`world.ts`), or leaves it.

import type { Span } from '../source/source.ts';
import type { Queue } from './queues.ts';

/** Something the abstraction cannot see through: no verdict may rest on the net then. */
export interface Unknown {
  readonly reason: string;
  readonly reasonCode: 'embedded-c' | 'unknown-channel' | 'too-large' | 'time-limit' | 'runtime-error';
  readonly at: Span | null;
}

export type Wish =
  | { readonly kind: 'unknown'; readonly unknown: Unknown }
  /** A send is taken to find room in this queue. */
  | { readonly kind: 'never-full'; readonly queue: Queue }
  /** A pattern asks for this value of a field. */
  | { readonly kind: 'ask'; readonly queue: Queue; readonly field: number; readonly value: number }
  /** Messages with this value are to be told apart from the others. */
  | {
      readonly kind: 'distinguish';
      readonly queue: Queue;
      readonly field: number;
      readonly value: number;
      /** Until now such messages may have counted among the others. */
      readonly countedBefore: boolean;
    }
  | { readonly kind: 'split' | 'give-up-splitting'; readonly queue: Queue; readonly field: number }
  /** A d_step to be taken apart, as the plan names it. */
  | { readonly kind: 'open'; readonly dstep: string }
  | { readonly kind: 'drop-token'; readonly cell: number };

export class Updates {
  /** Cells whose possible values were looked at: whoever looked is called again when there are more. */
  readonly reads = new Set<number>();
  /** Queues that were looked at, in the same sense. */
  readonly uses = new Set<Queue>();
  readonly wishes: Wish[] = [];
  /** Some step may end in a runtime error, as far as can be seen. */
  mayFail = false;

  wish(wish: Wish): void {
    this.wishes.push(wish);
  }

  unknown(reasonCode: Unknown['reasonCode'], reason: string, at: Span | null): void {
    this.wish({ kind: 'unknown', unknown: { reason, reasonCode, at } });
  }

  /** Wished for already? */
  has(kind: 'ask' | 'distinguish', queue: Queue, field: number, value: number): boolean {
    return this.valuesOf(kind, queue, field).includes(value);
  }

  /** Values of the field that were wished for so far. */
  valuesOf(kind: 'ask' | 'distinguish', queue: Queue, field: number): readonly number[] {
    if (this.wishes.length === 0) return NONE;
    const found = this.wishes.flatMap((wish) =>
      wish.kind === kind && wish.queue === queue && wish.field === field ? [wish.value] : [],
    );
    return found;
  }
}

const NONE: readonly number[] = [];
