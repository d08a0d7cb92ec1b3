// Is a list of choices a run of the model that ends in the violation? Taken statement by statement, as every run that is reported.

import type { Choice } from './choices.ts';
import type { Model } from './compile.ts';
import { FLAG } from './machine.ts';
import type { Violation } from './search.ts';
import { applyChoice, possibleSteps } from './trail.ts';

export function replays(model: Model, choices: readonly Choice[], { kind, fault }: Violation): boolean {
  const { machine } = model;
  machine.initial();
  const isFailing = kind !== 'invalid-end-state';
  const before = isFailing ? choices.slice(0, -1) : choices;
  for (const choice of before) if (!applyChoice(model, choice)) return false;
  if (!isFailing) return possibleSteps(model).length === 0 && (machine.flags() & FLAG.validEnd) === 0;
  let found = false;
  const words = machine.copy();
  const wanted = JSON.stringify(choices.slice(-1));
  const cursor = machine.open({
    micro: true,
    step: () => {},
    fault: (code, failing) => {
      found ||= code === fault && JSON.stringify(failing.copy()) === wanted;
    },
  });
  machine.unpack(words, 0);
  cursor.expand();
  return found;
}
