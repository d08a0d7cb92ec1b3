// The other end of a server over standard input and output: starts the program, writes messages, waits for those that answer.

import { type ChildProcess, spawn } from 'node:child_process';

/** Looks like the framings of `wire`; declared by shape, because this room stands below it. */
interface Framing {
  encode(message: unknown): string;
  decoder(): { push(piece: Uint8Array): string[] };
}

export type Message = Readonly<Record<string, unknown>>;

export class WireClient {
  /** Everything that has arrived, in order. */
  readonly received: Message[] = [];
  /** What the program said on standard error. */
  errors = '';
  /** The exit code, when it has ended. */
  readonly ended: Promise<number | null>;
  readonly process: ChildProcess;
  private readonly framing: Framing;
  private waiting: (() => void)[] = [];
  private isOver = false;
  private lastId = 0;

  constructor(
    command: readonly [string, ...string[]],
    framing: Framing,
    options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
  ) {
    const [program, ...words] = command;
    this.framing = framing;
    this.process = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], ...options });
    const decoder = framing.decoder();
    this.process.stdout!.on('data', (piece: Uint8Array) => {
      for (const text of decoder.push(piece)) this.received.push(JSON.parse(text) as Message);
      this.wake();
    });
    this.process.stderr!.on('data', (piece: Uint8Array) => {
      this.errors += new TextDecoder().decode(piece);
    });
    // A server that has gone must not take the test with it: `waitFor` says that it has.
    this.process.stdin!.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.process.on('close', (code) => {
        this.isOver = true;
        this.wake();
        resolve(code);
      });
    });
  }

  send(message: unknown): void {
    this.process.stdin!.write(this.framing.encode(message));
  }

  sendRaw(bytes: string | Uint8Array): void {
    this.process.stdin!.write(bytes);
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
    this.process.stdin!.end();
    return this.ended;
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}
