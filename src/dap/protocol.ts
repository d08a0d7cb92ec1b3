// The Debug Adapter Protocol's envelope: numbered requests, responses and events over `Content-Length` frames. What a handler throws is
// the response's error; nothing that arrives ends the session.

import { type Channel, type ChannelEnd, openChannel, type Streams } from '../wire/channel.ts';
import { CONTENT_LENGTH } from '../wire/framing.ts';

export type Arguments = Readonly<Record<string, unknown>>;

/** A refusal in words for the user; `show` puts it in a dialog. */
export class DapError extends Error {
  readonly show: boolean;

  constructor(message: string, show = false) {
    super(message);
    this.show = show;
  }
}

export interface DapHandlers {
  /** The body of the response; `after` is called when the response has been sent: the place for events that must follow it. */
  request(command: string, args: Arguments, after: (then: () => void) => void): unknown;
}

export class DapConnection {
  private readonly channel: Channel;
  private lastSeq = 0;

  constructor(streams: Streams) {
    this.channel = openChannel(streams, CONTENT_LENGTH);
  }

  serve(handlers: DapHandlers): Promise<ChannelEnd> {
    return this.channel.listen({
      message: (value) => {
        const { type, seq, command, arguments: args } = (value ?? {}) as Arguments;
        if (type !== 'request' || typeof command !== 'string') return;
        const given = typeof args === 'object' && args !== null ? (args as Arguments) : {};
        void this.answer(handlers, Number(seq), command, given);
      },
      garbage: () => this.event('output', { category: 'stderr', output: 'a message that is not JSON\n' }),
    });
  }

  event(event: string, body: Arguments = {}): void {
    this.send({ type: 'event', event, body });
  }

  close(): void {
    this.channel.close();
  }

  private async answer(handlers: DapHandlers, seq: number, command: string, args: Arguments): Promise<void> {
    const afterwards: (() => void)[] = [];
    const response = { type: 'response', request_seq: seq, command };
    try {
      const body = await handlers.request(command, args, (then) => void afterwards.push(then));
      this.send({ ...response, success: true, ...(body === undefined ? {} : { body }) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const showUser = error instanceof DapError && error.show;
      this.send({
        ...response,
        success: false,
        message,
        body: { error: { id: 1, format: message.replaceAll('{', '('), showUser } },
      });
    }
    try {
      for (const then of afterwards) then();
    } catch (error) {
      this.event('output', {
        category: 'stderr',
        output: `${error instanceof Error ? error.message : error}\n`,
      });
    }
  }

  private send(message: Arguments): void {
    this.channel.send({ seq: ++this.lastSeq, ...message });
  }
}
