// `spillway dap`: one debug session over standard input and output.

import type { ChannelEnd, Streams } from '../wire/channel.ts';
import type { DapHost } from './launch.ts';
import { DapConnection } from './protocol.ts';
import { DebugSession } from './session.ts';

export async function serveDap(streams: Streams, host: DapHost): Promise<ChannelEnd> {
  const connection = new DapConnection(streams);
  const session = new DebugSession(
    { event: (event, body) => connection.event(event, body), finish: () => connection.close() },
    host,
  );
  const end = await connection.serve({
    request: (command, args, after) => session.request(command, args, after),
  });
  session.dispose();
  return end;
}
