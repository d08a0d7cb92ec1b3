// A Redis of a test's own: Debian's redis-server on a free port, with its data in a folder of the test's.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestRedis {
  readonly url: string;
  /** Ends it as a crash would, and starts it again with what it had written down. */
  restart(): Promise<void>;
  /** It neither answers nor closes its connections. */
  freeze(): void;
  thaw(): void;
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export async function startRedis(): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-redis-'));
  const port = await freePort();
  let server: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const persist = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    server = spawn(
      'redis-server',
      ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, ...persist],
      {
        stdio: 'ignore',
      },
    );
    while (!(await answers(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  const kill = async (): Promise<void> => {
    const ending = server;
    server = null;
    if (ending === null || ending.exitCode !== null) return;
    const gone = new Promise((resolve) => ending.once('exit', resolve));
    ending.kill('SIGKILL');
    await gone;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    restart: async () => {
      await kill();
      await start();
    },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Has it read its data, and answers? */
const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = new Socket();
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    socket.once('error', () => end(false));
    socket.once('close', () => resolve(false));
    socket.on('data', (data) => end(String(data).startsWith('+PONG')));
    socket.connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
  });
