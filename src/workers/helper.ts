// The script of a thread that helps another one with its search (explore/helping.ts). It ends when the search does.

import { workerData } from 'node:worker_threads';
import { help } from '../explore/helping.ts';
import type { HelperData } from './help.ts';

const { job, free } = workerData as HelperData;
try {
  help(job);
} finally {
  Atomics.add(free, 0, 1);
}
