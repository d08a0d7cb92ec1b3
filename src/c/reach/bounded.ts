// Bounded unrolling: paths from the start, shortest first, executed symbolically; a way is followed as long as the solver allows it. Cheap
// for errors that few decisions lead to, where the abstraction would need many rounds. It only ever refutes: a path to an error is handed to
// the concrete machine like any other.

import type { Budget } from '../../base/budget.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Block, BlockGraph } from './blocks.ts';
import { confirm } from './confirm.ts';
import type { Oracle } from './oracle.ts';
import { checkPath } from './path.ts';
import { FRESH, Symbolic } from './symbolic.ts';

/** Symbolic states that are kept, and how many constraints make a path too dear to ask about. */
const MOST_STATES = 3000;
const MOST_VALUES = 3_000_000;
const MOST_CONSTRAINTS = 150;
/** Questions to the solver. */
const MOST_QUESTIONS = 150;

/** Of which the solver gives up so many. */
const MOST_HARD = 2;

interface Way {
  readonly location: number;
  readonly symbolic: Symbolic;
  readonly block: Block | null;
  readonly parent: Way | null;
}

export async function boundedSearch(
  graph: BlockGraph,
  isError: (location: number) => boolean,
  oracle: Oracle,
  budget: Budget,
  mostQuestions = MOST_QUESTIONS,
): Promise<Confirmed | null> {
  const { program } = graph;
  const first = new Symbolic(program, FRESH, true);
  for (const [cell, value] of program.initial) first.env.set(cell, value);
  const queue: Way[] = [{ location: program.entry, symbolic: first, block: null, parent: null }];
  const start = oracle.asked;
  let rejected = 0;
  let hard = 0;
  const most = Math.min(MOST_STATES, MOST_VALUES / (1 + program.cells.length));
  for (let head = 0; head < queue.length && head < most; head++) {
    if (!budget.timeLeft() || oracle.asked - start > mostQuestions) return null;
    const way = queue[head]!;
    if (isError(way.location)) {
      const path = await checkPath(program, edgesOf(way), oracle);
      const run = path.kind === 'feasible' ? confirm(program, path, isError) : null;
      if (run?.kind === 'confirmed') return run;
      // What the program does not show stands in the way: the abstraction will say so.
      if (++rejected > 8) return null;
      continue;
    }
    const outgoing = graph.outgoing[way.location]!;
    for (const block of outgoing) {
      const symbolic = way.symbolic.clone();
      const before = symbolic.constraints.length;
      symbolic.run(block.operations);
      if (symbolic.dead !== null || symbolic.constraints.length > MOST_CONSTRAINTS) continue;
      const asks = symbolic.constraints.length > before;
      if (asks) {
        const answer = await oracle.satisfiable(symbolic.constraints.map(({ test }) => test));
        // Questions that the solver gives up are dear, and there will be more of them.
        if (answer === 'unknown' && ++hard > MOST_HARD) return null;
        if (answer !== 'sat') continue;
      }
      queue.push({ location: block.to, symbolic, block, parent: way });
    }
    // What lies behind is not needed any more; a long queue of environments would take all the memory.
    if (queue.length > 4 * most) return null;
  }
  return null;
}

function edgesOf(way: Way) {
  const blocks: Block[] = [];
  for (let at: Way | null = way; at?.block != null; at = at.parent) blocks.push(at.block);
  return blocks.reverse().flatMap((block) => block.edges);
}
