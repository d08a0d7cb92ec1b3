// Work on one program with an oracle of its own.

import { type Budget, watchOf } from '../../base/budget.ts';
import type { CellSet } from '../program/cell-set.ts';
import type { Program } from '../program/program.ts';
import { liveCells } from './liveness.ts';
import { Oracle } from './oracle.ts';

export async function withOracle<T>(
  program: Program,
  budget: Budget,
  work: (live: readonly CellSet[], oracle: Oracle) => Promise<T>,
): Promise<T> {
  const oracle = new Oracle(budget);
  try {
    return await program.pool.watched(watchOf(budget), () => work(liveCells(program, []), oracle));
  } finally {
    oracle.dispose();
  }
}
