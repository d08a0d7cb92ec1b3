// The script of a worker thread of Node.

import { parentPort } from 'node:worker_threads';
import type { WorkMessage } from './messages.ts';
import { work } from './work.ts';

const port = parentPort;
if (port === null) throw new Error('impossible: this file is run as a worker thread');
port.on('message', (message: WorkMessage) => {
  void work(message, (answer) => port.postMessage(answer));
});
