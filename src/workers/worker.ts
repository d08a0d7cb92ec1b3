// The script of a worker thread of Node.

import { parentPort } from 'node:worker_threads';
import { helpFrom } from './help.ts';
import type { WorkMessage } from './messages.ts';
import { work } from './work.ts';

const port = parentPort;
if (port === null) throw new Error('impossible: this file is run as a worker thread');
port.on('message', (message: WorkMessage) => {
  const help = helpFrom(new URL('./helper.js', import.meta.url), new Int32Array(message.free));
  void work(message, help, (answer) => port.postMessage(answer));
});
