// The script of a worker thread of Node.

import { parentPort } from 'node:worker_threads';
import { helpFrom } from './help.ts';
import type { WorkMessage } from './messages.ts';
import { work } from './work.ts';

/** Between two looks, and while lists grow, a little more is taken. */
const ALMOST = 0.97;

const port = parentPort;
if (port === null) throw new Error('impossible: this file is run as a worker thread');
port.on('message', (message: WorkMessage) => {
  const help = helpFrom(new URL('./helper.js', import.meta.url), new Int32Array(message.free));
  const maxMemory = stateMemory(message.maxMemory);
  const isMemoryOver = (): boolean => process.memoryUsage.rss() > ALMOST * message.maxMemory;
  void work({ ...message, maxMemory }, help, (answer) => port.postMessage(answer), isMemoryOver);
});

/** The limit is one for the whole process: what the program itself takes now is not left for states (what it takes later: `isMemoryOver`). But half of it always is. */
function stateMemory(limit: number): number {
  return Math.max(limit / 2, limit - process.memoryUsage.rss());
}
