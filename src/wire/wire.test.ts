import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openChannel } from './channel.ts';
import { BrokenFrame, CONTENT_LENGTH, type Framing, LINES } from './framing.ts';
import { RPC_ERRORS, RpcError, type RpcHandlers, RpcPeer } from './json-rpc.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const FRAMINGS: readonly (readonly [string, Framing])[] = [
  ['headers', CONTENT_LENGTH],
  ['lines', LINES],
];

describe.each(FRAMINGS)('messages told apart by %s', (_, framing) => {
  test('arrive whole, wherever the stream is cut', () => {
    const messages = fc.array(fc.record({ text: fc.string({ unit: 'grapheme' }), number: fc.integer() }));
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 20 })), (sent, cuts) => {
        const stream = bytesOf(sent.map((message) => framing.encode(message)).join(''));
        const decoder = framing.decoder();
        const received: string[] = [];
        let at = 0;
        for (let i = 0; at < stream.length; i++) {
          const size = cuts[i % cuts.length] ?? stream.length;
          received.push(...decoder.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(received.map((text) => JSON.parse(text))).toEqual(sent);
      }),
    );
  });
});

test.each(['Content-Type: x\r\n\r\n{}', 'Content-Length: 99999999999\r\n\r\n', 'x'.repeat(5000)])(
  'a header that is none is told: %.20s',
  (text) => {
    expect(() => CONTENT_LENGTH.decoder().push(bytesOf(text))).toThrow(BrokenFrame);
  },
);

/** A session in memory: what is sent to the peer, and all that it says until its input ends. */
async function session(handlers: Partial<RpcHandlers>, sent: readonly string[]): Promise<unknown[]> {
  const said: unknown[] = [];
  async function* input(): AsyncGenerator<Uint8Array> {
    for (const text of sent) {
      yield bytesOf(`${text}\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const channel = openChannel({ input: input(), write: (text) => void said.push(JSON.parse(text)) }, LINES);
  const peer = new RpcPeer(channel, {
    request: () => null,
    notification: (method, params) => {
      if (method === 'cancel') peer.cancel((params as { id: number }).id);
    },
    ...handlers,
  });
  await peer.serve();
  await new Promise((resolve) => setImmediate(resolve));
  return said;
}

describe('JSON-RPC', () => {
  test('answers requests, and says what cannot be answered', async () => {
    const handlers: Partial<RpcHandlers> = {
      request: (method, params) => {
        if (method === 'add') return (params as number[]).reduce((a, b) => a + b);
        if (method === 'bug') throw new TypeError('oh');
        throw new RpcError(RPC_ERRORS.methodNotFound, `no ${method}`);
      },
    };
    const answers = await session(handlers, [
      '{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}',
      '{"jsonrpc":"2.0","id":"a","method":"bug"}',
      '{"jsonrpc":"2.0","id":2,"method":"sub"}',
      'no JSON',
      '{"jsonrpc":"2.0","id":3}',
      'null',
      '[{"jsonrpc":"2.0","id":4,"method":"add","params":[3]}]',
      '{"jsonrpc":"2.0","method":"a notification"}',
    ]);
    const codes = answers.map((answer) => {
      const { id, result, error } = answer as { id: unknown; result?: unknown; error?: { code: number } };
      return [id, result ?? error?.code];
    });
    expect(codes).toEqual([
      [1, 3],
      ['a', RPC_ERRORS.internal],
      [2, RPC_ERRORS.methodNotFound],
      [null, RPC_ERRORS.parse],
      [3, RPC_ERRORS.invalidRequest],
      [null, RPC_ERRORS.invalidRequest],
      [4, 3],
    ]);
  });

  test('a request that is cancelled hears of it', async () => {
    const answers = await session(
      {
        request: (_method, _params, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new RpcError(RPC_ERRORS.cancelled, 'stopped')));
          }),
      },
      ['{"jsonrpc":"2.0","id":1,"method":"long"}', '{"jsonrpc":"2.0","method":"cancel","params":{"id":1}}'],
    );
    expect(answers).toMatchObject([{ id: 1, error: { code: RPC_ERRORS.cancelled } }]);
  });

  test('asks the other side, too', async () => {
    const said: string[] = [];
    let deliver: (text: string) => void = () => {};
    async function* input(): AsyncGenerator<Uint8Array> {
      yield bytesOf(await new Promise<string>((resolve) => (deliver = resolve)));
    }
    const channel = openChannel({ input: input(), write: (text) => void said.push(text) }, LINES);
    const peer = new RpcPeer(channel, { request: () => null, notification: () => {} });
    const served = peer.serve();
    const asked = peer.request('roots/list');
    const never = peer.request('never').catch((error: Error) => error.message);
    const { id } = JSON.parse(said[0]!) as { id: number };
    deliver(`{"jsonrpc":"2.0","id":${id},"result":[7]}\n`);
    expect(await asked).toEqual([7]);
    expect(await served).toEqual({ kind: 'closed' });
    expect(await never).toBe('the session has ended');
  });
});
