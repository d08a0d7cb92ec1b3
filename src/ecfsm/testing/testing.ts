// Helpers of this room's tests.

import { UNLIMITED } from '../../base/budget.ts';
import { render } from '../../source/diagnostic.ts';
import { SourceFile } from '../../source/source.ts';
import type { Model } from '../model.ts';
import { readModel } from '../resolve/read.ts';
import { prepare } from '../safety/formula.ts';
import type { InductionResult } from '../safety/induction.ts';
import { Induction } from '../safety/induction.ts';
import { Decider } from '../solver/decider.ts';

/** The model of a text without errors. */
export function modelOf(text: string, path = 'test.ecfsm'): Model {
  const { model, diagnostics } = readModel(new SourceFile(path, text));
  if (model === null) throw new Error(diagnostics.map(render).join('\n'));
  return model;
}

export async function induct(model: Model, maxFailures = 100): Promise<InductionResult> {
  const decider = new Decider();
  try {
    const induction = new Induction(prepare(model.protocol, model.invariant), decider);
    return await induction.run(UNLIMITED, maxFailures, () => {});
  } finally {
    decider.dispose();
  }
}
