// The other end of a server over standard input and output: starts the program, writes messages, waits for those that answer. Or a server in this
// process, which has everything loaded: a program of its own takes half a second of processor time before it can answer.

import { spawn } from 'node:child_process';
import { PassThrough, type Writable } from 'node:stream';

/** Looks like the framings of `wire`; declared by shape, because this room stands below it. */
interface Framing {
  encode(message: unknown): string;
  decoder(): { push(piece: Uint8Array): string[] };
}

export type Message = Readonly<Record<string, unknown>>;

/** Where the server reads and writes; looks like that part of the CLI's Io. */
export interface ServerEnds {
  input(): AsyncIterable<Uint8Array>;
  closeInput(): void;
  out(text: string): void;
  err(text: string): void;
}

/** A server in this process, until its exit code. */
export type ServerHere = (ends: ServerEnds) => Promise<number>;

export class WireClient {
  /** Everything that has arrived, in order. */
  readonly received: Message[] = [];
  /** What the program said on standard error. */
  errors = '';
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>;
  /** Ends the server, whatever it is doing; one in this process with the end of its input. */
  readonly kill: () => void;
  private readonly framing: Framing;
  private readonly toServer: Writable;
  private waiting: (() => void)[] = [];
  private isOver = false;
  private lastId = 0;

  constructor(
    server: readonly [string, ...string[]] | ServerHere,
    framing: Framing,
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ) {
    this.framing = framing;
    const decoder = framing.decoder();
    const heard = (piece: Uint8Array): void => {
      for (const text of decoder.push(piece)) this.received.push(JSON.parse(text) as Message);
      this.wake();
    };
    let code: Promise<number | null>;
    if (typeof server === 'function') {
      const input = new PassThrough();
      this.toServer = input;
      this.kill = () => void input.end();
      code = server({
        input: () => input,
        closeInput: () => void input.destroy(),
        out: (text) => heard(new TextEncoder().encode(text)),
        err: (text) => void (this.errors += text),
      });
    } else {
      const [program, ...words] = server;
      const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
      this.toServer = child.stdin;
      this.kill = () => void child.kill();
      child.stdout.on('data', heard);
      child.stderr.on('data', (piece: Uint8Array) => {
        this.errors += new TextDecoder().decode(piece);
      });
      code = new Promise((resolve) => {
        child.on('close', resolve);
      });
    }
    // A server that has gone must not take the test with it: `waitFor` says that it has.
    this.toServer.on('error', () => {});
    this.ended = code.finally(() => {
      this.isOver = true;
      this.wake();
    });
  }

  send(message: unknown): void {
    this.toServer.write(this.framing.encode(message));
  }

  sendRaw(bytes: string | Uint8Array): void {
    this.toServer.write(bytes);
  }

  /** The first message, from the given place in `received` on, that is wanted. */
  async waitFor(wanted: (message: Message) => boolean, from = 0): Promise<Message> {
    for (let at = from; ; ) {
      for (; at < this.received.length; at++) if (wanted(this.received[at]!)) return this.received[at]!;
      if (this.isOver) throw new Error(`the server has ended: ${this.errors}`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** A JSON-RPC request; its answer as it came, with `result` or `error`. */
  request(method: string, params?: unknown): Promise<Message> {
    const id = ++this.lastId;
    const from = this.received.length;
    this.send({ jsonrpc: '2.0', id, method, params });
    return this.waitFor((message) => message['id'] === id && message['method'] === undefined, from);
  }

  notify(method: string, params?: unknown): void {
    this.send({ jsonrpc: '2.0', method, params });
  }

  /** Closes the server's input and waits for its end. */
  async close(): Promise<number | null> {
    this.toServer.end();
    return this.ended;
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
