// An editor's side of a debug session, for tests: requests with their answers, and the stops that follow movements.

import { type Message, type ServerHere, WireClient } from './wire-client.ts';

type Framing = ConstructorParameters<typeof WireClient>[1];

export interface Frame {
  readonly id: number;
  readonly name: string;
  readonly line: number;
  readonly column: number;
  readonly source?: { readonly path: string };
}

export interface Shown {
  readonly name: string;
  readonly value: string;
  readonly variablesReference: number;
}

export class DebugClient {
  readonly wire: WireClient;
  private seq = 0;

  constructor(server: readonly [string, ...string[]] | ServerHere, framing: Framing, cwd: string) {
    this.wire = new WireClient(server, framing, { cwd });
  }

  /** The response as it came. */
  async ask(command: string, args: unknown = {}): Promise<Message> {
    const seq = ++this.seq;
    const from = this.wire.received.length;
    this.wire.send({ seq, type: 'request', command, arguments: args });
    return this.wire.waitFor(
      (message) => message['type'] === 'response' && message['request_seq'] === seq,
      from,
    );
  }

  /** The body of a response that must be a success. */
  async body<T = Message>(command: string, args: unknown = {}): Promise<T> {
    const response = await this.ask(command, args);
    if (response['success'] !== true) throw new Error(`${command}: ${String(response['message'])}`);
    return response['body'] as T;
  }

  /** Starts the session; its first stop. */
  async launch(args: unknown): Promise<Message> {
    await this.body('initialize', { adapterID: 'spillway', linesStartAt1: true, columnsStartAt1: true });
    await this.body('launch', args);
    await this.event('initialized', 0);
    return this.move('configurationDone');
  }

  event(name: string, from: number): Promise<Message> {
    return this.wire.waitFor((message) => message['type'] === 'event' && message['event'] === name, from);
  }

  /** A request after which the run stops somewhere: the body of that event. */
  async move(command: string, args: unknown = { threadId: 1 }): Promise<Message> {
    const from = this.wire.received.length;
    await this.body(command, args);
    return (await this.event('stopped', from))['body'] as Message;
  }

  async threads(): Promise<{ readonly id: number; readonly name: string }[]> {
    return (await this.body<{ threads: { id: number; name: string }[] }>('threads')).threads;
  }

  async frame(threadId: number): Promise<Frame> {
    return (await this.body<{ stackFrames: Frame[] }>('stackTrace', { threadId })).stackFrames[0]!;
  }

  /** What is typed into the console, when it moves the run. */
  console(expression: string): Promise<Message> {
    return this.move('evaluate', { expression, context: 'repl' });
  }

  /** The variables of a frame, flat, by scope and path. */
  async variables(
    frameId: number,
    wanted: (scope: string) => boolean = () => true,
  ): Promise<Map<string, string>> {
    const { scopes } = await this.body<{ scopes: Shown[] }>('scopes', { frameId });
    const found = new Map<string, string>();
    const walk = async (path: string, reference: number): Promise<void> => {
      const { variables } = await this.body<{ variables: Shown[] }>('variables', {
        variablesReference: reference,
      });
      for (const { name, value, variablesReference } of variables) {
        const whole = `${path}/${name}`;
        found.set(whole, value);
        if (variablesReference > 0) await walk(whole, variablesReference);
      }
    };
    for (const { name, variablesReference } of scopes) if (wanted(name)) await walk(name, variablesReference);
    return found;
  }
}
