// Takes a recorded run again on the concrete semantics: the model may have changed since, so every step is checked.

import type { Run, Step } from '../verdict/run.ts';
import type { Model } from './compile.ts';
import { describe } from './describe.ts';

export interface Replayed {
  /** As it happens on this model now. */
  readonly run: Run;
  /** Index of the first step that this model does not allow; null when the whole run is possible. */
  readonly failedAt: number | null;
}

export function replay(model: Model, recorded: Run): Replayed {
  const choices = recorded.steps.flatMap((step) => choiceOf(step));
  const result = describe(model, choices, { title: recorded.title, loopStart: recorded.loopStart });
  const growth = recorded.growth === undefined ? {} : { growth: recorded.growth };
  const failedAt = result.ok ? null : result.failedAt;
  // A run that ends in a runtime error ends with a step that has no successor.
  if (failedAt === recorded.steps.length - 1 && recorded.steps[failedAt]!.events.length === 0) {
    const failing = describe(model, choices, {
      title: recorded.title,
      loopStart: recorded.loopStart,
      failing: true,
    });
    if (failing.ok) return { run: { ...failing.run, ...growth }, failedAt: null };
  }
  return { run: { ...result.run, ...growth }, failedAt };
}

const choiceOf = ({ choice }: Step): number[] => [
  choice[0] ?? -1,
  choice[1] ?? -1,
  choice[2] ?? -1,
  choice[3] ?? -1,
];
