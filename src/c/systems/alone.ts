// One thread by itself, with every event allowed: what it never reaches there it reaches in no system ([MAGIC] Theorem 1: a composition has no
// behaviour that the projection on a component lacks). Assertions are mostly of this kind, and then no composition is needed.

import type { Budget } from '../../base/budget.ts';
import { refineUntilSettledAsync } from '../../base/cegar.ts';
import { project } from '../../kripke/path.ts';
import { Product } from '../../kripke/product.ts';
import { breadthFirst } from '../../kripke/search.ts';
import { compose } from '../../kripke/system.ts';
import type { Oracle } from '../reach/oracle.ts';
import type { Thread } from './thread.ts';
import { validate } from './validate.ts';

/** Refines the thread until none of the propositions is left in its structure; false when one can be reached, or it is not known. */
export async function neverAlone(
  thread: Thread,
  names: readonly string[],
  oracle: Oracle,
  budget: Budget,
): Promise<boolean> {
  const end = await refineUntilSettledAsync<LocalPath, boolean>(
    {
      look: async () => {
        const extracted = await thread.structure(budget);
        if (extracted === null) return { kind: 'answer', answer: false };
        const { kripke } = extracted;
        const isBad = (state: number) =>
          kripke.labels[state]!.some((label) => names.includes(kripke.propositions[label]!));
        const system = compose([kripke]);
        const product = new Product(system);
        const found = breadthFirst(product, budget, (state) => isBad(product.stateOf(state, 0)));
        return found.kind === 'found'
          ? { kind: 'counterexample', counterexample: project(system, found.path, 0) }
          : { kind: 'answer', answer: found.kind === 'none' };
      },
      learn: async (path) => {
        const validation = await validate(thread, path, false, oracle);
        const isRuledOut =
          validation.kind === 'spurious' && budget.timeLeft() && thread.exclude(validation.path);
        return { kind: isRuledOut ? 'refined' : 'nothing' };
      },
    },
    { budget },
  );
  return end.kind === 'answer' && end.answer;
}

type LocalPath = ReturnType<typeof project>;
