// Messages in and out over two streams of bytes. What they mean is known to the protocol above (json-rpc, dap).

import { BrokenFrame, type Framing } from './framing.ts';

/** The two ends of a server: standard input and output, or what a test puts in their place. */
export interface Streams {
  readonly input: AsyncIterable<Uint8Array>;
  write(text: string): void;
}

export interface Channel {
  send(message: unknown): void;
  /** Hands over every message that arrives; ends with the input, at `close`, or where it cannot be understood any more. */
  listen(receive: Receiver): Promise<ChannelEnd>;
  /** No further message is handed over. */
  close(): void;
}

export interface Receiver {
  message(value: unknown): void;
  /** A whole message that is no JSON. */
  garbage(text: string): void;
}

export type ChannelEnd = { readonly kind: 'closed' } | { readonly kind: 'broken'; readonly reason: string };

export function openChannel({ input, write }: Streams, framing: Framing): Channel {
  let finish: () => void = () => {};
  let isOpen = true;
  const closing = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const pump = async ({ message, garbage }: Receiver): Promise<ChannelEnd> => {
    const decoder = framing.decoder();
    try {
      for await (const piece of input) {
        for (const text of decoder.push(piece)) {
          if (!isOpen) return { kind: 'closed' };
          const parsed = parse(text);
          if (parsed === undefined) garbage(text);
          else message(parsed.value);
        }
      }
    } catch (error) {
      if (!(error instanceof BrokenFrame)) throw error;
      return { kind: 'broken', reason: error.message };
    }
    return { kind: 'closed' };
  };
  return {
    send: (message) => write(framing.encode(message)),
    listen: (receive) => Promise.race([pump(receive), closing.then((): ChannelEnd => ({ kind: 'closed' }))]),
    close: () => {
      isOpen = false;
      finish();
    },
  };
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
