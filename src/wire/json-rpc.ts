// JSON-RPC 2.0, both directions: requests are answered in the order they are finished, may be cancelled while they are worked on, and
// whatever a handler throws becomes an answer. Nothing that arrives ends the session.

import type { Channel, ChannelEnd } from './channel.ts';

export const RPC_ERRORS = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** LSP: the client wanted no answer any more. */
  cancelled: -32800,
} as const;

/** What a handler throws to answer with an error of its own. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

export type RpcId = string | number;

export interface RpcHandlers {
  /** May throw RpcError; `undefined` is answered as null. */
  request(method: string, params: unknown, call: RpcCall): unknown;
  notification(method: string, params: unknown): void;
}

export interface RpcCall {
  readonly id: RpcId;
  /** Aborted by `cancel(id)`, and at the end of the session. */
  readonly signal: AbortSignal;
}

interface Awaited {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class RpcPeer {
  private readonly channel: Channel;
  private readonly handlers: RpcHandlers;
  private readonly running = new Map<RpcId, AbortController>();
  private readonly awaited = new Map<RpcId, Awaited>();
  private lastId = 0;

  constructor(channel: Channel, handlers: RpcHandlers) {
    this.channel = channel;
    this.handlers = handlers;
  }

  /** Until the input ends or `close`; what is still being worked on is aborted then. */
  async serve(): Promise<ChannelEnd> {
    const end = await this.channel.listen({
      message: (value) => this.receive(value),
      garbage: () => this.fail(null, RPC_ERRORS.parse, 'this is not JSON'),
    });
    for (const controller of this.running.values()) controller.abort();
    for (const { reject } of this.awaited.values()) reject(new Error('the session has ended'));
    this.awaited.clear();
    return end;
  }

  close(): void {
    this.channel.close();
  }

  notify(method: string, params?: unknown): void {
    this.channel.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  request(method: string, params?: unknown): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.awaited.set(id, { resolve, reject });
      this.channel.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    });
  }

  /** The other side does not want the answer to this request any more. */
  cancel(id: RpcId): void {
    this.running.get(id)?.abort();
  }

  private receive(value: unknown): void {
    // Version 1 of JSON-RPC and older MCP send several messages at once.
    if (Array.isArray(value)) {
      for (const one of value) this.receive(one);
      return;
    }
    const { id, method, params, result, error } = (typeof value === 'object' ? (value ?? {}) : {}) as Record<
      string,
      unknown
    >;
    const isId = typeof id === 'string' || typeof id === 'number';
    if (typeof method === 'string') {
      if (isId) void this.answer(id, method, params);
      else if (id === undefined) this.hear(method, params);
      else this.fail(null, RPC_ERRORS.invalidRequest, 'an id is a text or a number');
    } else if (isId && (result !== undefined || error !== undefined)) this.settle(id, result, error);
    else this.fail(isId ? id : null, RPC_ERRORS.invalidRequest, 'a message has a method or a result');
  }

  private async answer(id: RpcId, method: string, params: unknown): Promise<void> {
    if (this.running.has(id)) {
      this.fail(id, RPC_ERRORS.invalidRequest, 'a request of this id is not answered yet');
      return;
    }
    const controller = new AbortController();
    this.running.set(id, controller);
    try {
      const result = await this.handlers.request(method, params, { id, signal: controller.signal });
      this.channel.send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      if (error instanceof RpcError) this.fail(id, error.code, error.message, error.data);
      else this.fail(id, RPC_ERRORS.internal, messageOf(error));
    } finally {
      this.running.delete(id);
    }
  }

  private hear(method: string, params: unknown): void {
    try {
      this.handlers.notification(method, params);
    } catch {
      // Nobody waits for an answer: what a notification could not do is left undone.
    }
  }

  private settle(id: RpcId, result: unknown, error: unknown): void {
    const waiting = this.awaited.get(id);
    this.awaited.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else {
      const { code, message, data } = error as { code?: number; message?: string; data?: unknown };
      waiting?.reject(new RpcError(code ?? RPC_ERRORS.internal, message ?? 'an error without words', data));
    }
  }

  private fail(id: RpcId | null, code: number, message: string, data?: unknown): void {
    this.channel.send({
      jsonrpc: '2.0',
      id,
      error: { code, message, ...(data === undefined ? {} : { data }) },
    });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
