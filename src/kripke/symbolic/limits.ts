// Decision diagrams grow in the middle of recursive functions: a limit that is met there ends them all at once.

import { OutOfLimits } from './diagram.ts';

export function withinLimits<T>(work: () => T, otherwise: (limit: 'time' | 'memory') => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof OutOfLimits) return otherwise(error.limit);
    throw error;
  }
}
