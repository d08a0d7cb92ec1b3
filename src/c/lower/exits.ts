// `atexit`: functions that are called, the last one first, when main returns or the program calls `exit`. They are kept in an array, with their number; one piece
// of the graph calls them, and all ends of the program lead there. Among threads each that ends the program has such a piece of its own; the array is one.

import type { Span } from '../../source/source.ts';
import type { Cell, MemoryObject } from '../program/program.ts';
import { type CType, INT, pointerIn, VOID } from '../program/types.ts';
import type { Expression } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';
import { someNode } from '../syntax/parts.ts';
import { read, write } from './access.ts';
import { call } from './calls.ts';
import { fork } from './conditions.ts';
import type { Context } from './context.ts';
import { newBlock, type OpenBlock } from './frames.ts';
import { at, type Place, type Value } from './places.ts';
import { Scope } from './scope.ts';
import { saved, value } from './values.ts';

type CallNode = Extract<Expression, { kind: 'call' }>;

/** As many as C promises. */
const MOST = 32;
const HANDLER: CType = { kind: 'function', result: VOID, parameters: [], variadic: false };

export class Exits {
  /** Where the functions are called, by the thread. */
  private readonly starts = new Map<number, number>();
  /** What is alive there, by the thread: what is where the program ends. */
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly list: MemoryObject;
  private readonly count: Cell;
  private readonly element: CType;

  constructor(context: Context) {
    this.element = pointerIn(context.sizes, HANDLER);
    this.list = context.memory.object('(atexit)', 'temporary', {
      kind: 'array',
      of: this.element,
      length: MOST,
    });
    this.count = context.memory.scalar('(atexit count)', 'temporary', INT);
    context.initial.set(this.count.id, context.pool.const(0n, 32));
    for (const cell of this.list.cells.values())
      context.initial.set(cell.id, context.pool.const(0n, cell.width));
  }

  /** `atexit(f)`: 0, there is room. */
  register(context: Context, node: CallNode): Value {
    const { pool } = context;
    const given = saved(context, node, value(context, node.args[0]!), node.span);
    context.atomically(node.span, () => {
      const [full, room] = [context.location(node.span), context.location(node.span)];
      fork(context, pool.eq(this.number(context), pool.const(MOST, 32)), full, room, node.span);
      context.here = full;
      context.stop('cut', `more than ${MOST} functions are given to 'atexit'`, node.span);
      context.here = room;
      write(context, this.slot(context), given, node.span);
      this.change(context, 1n, node.span);
    });
    return { type: INT, expr: pool.const(0n, 32) };
  }

  /** The program ends here. */
  leave(context: Context, span: Span): void {
    const thread = threadOf(context);
    if (!this.starts.has(thread)) {
      this.starts.set(thread, context.location(span));
      this.blocks.set(thread, newBlock());
    }
    if (context.here !== null) this.blocks.get(thread)!.outer.push(context.block);
    context.jump(this.starts.get(thread)!, span);
  }

  /** The calls themselves, once for each thread, when everything else of it is there. */
  finish(context: Context, span: Span): void {
    const { pool, scope, block } = context;
    const start = this.starts.get(threadOf(context));
    if (start === undefined) return;
    context.scope = new Scope(scope);
    context.block = this.blocks.get(threadOf(context))!;
    context.frame = context.newFrame('exit', 0, start, null, VOID);
    const handler = context.memory.object('(handler)', 'temporary', this.element);
    context.scope.names.set('(handler)', { kind: 'object', object: handler, type: this.element });
    const end = context.location(span);
    context.here = start;
    context.atomically(span, () => {
      const more = context.location(span);
      fork(context, pool.eq(this.number(context), pool.const(0n, 32)), end, more, span);
      context.here = more;
      this.change(context, -1n, span);
      write(
        context,
        at(context, this.element, handler.address),
        read(context, this.slot(context), span),
        span,
      );
    });
    call(context, { kind: 'call', callee: { kind: 'name', name: '(handler)', span }, args: [], span });
    context.jump(start, span);
    context.here = end;
    context.exit('the end', span);
    Object.assign(context, { scope, block });
  }

  private number({ pool }: Context) {
    return pool.symbol(this.count.id, 32);
  }

  private change(context: Context, by: bigint, span: Span): void {
    const changed = context.pool.binary('add', this.number(context), context.pool.const(by, 32));
    context.emit({ kind: 'assign', cell: this.count, value: changed }, span);
  }

  private slot(context: Context): Place {
    const { pool } = context;
    const size = pool.const(this.list.size / MOST, 64);
    const offset = pool.binary('mul', pool.zext(this.number(context), 64), size);
    return {
      type: this.element,
      address: pool.binary('add', pool.const(this.list.address, 64), offset),
      bits: null,
    };
  }
}

const threadOf = ({ threads }: Context): number => threads?.current.number ?? 0;

/** Does any of the files call it? */
export function callsAtexit(units: readonly Unit[], watch: () => void): boolean {
  const isCall = (node: object): boolean => {
    const { kind, callee } = node as { readonly kind?: unknown; readonly callee?: Expression };
    return kind === 'call' && callee?.kind === 'name' && callee.name === 'atexit';
  };
  return units.some(({ items }) => someNode(items, isCall, watch));
}
