// Is a list of choices a run of the model that ends in the violation? Taken statement by statement, as every run that is reported.

import type { Model } from './compile.ts';
import { FLAG } from './machine.ts';
import type { Violation } from './search.ts';
import { applyChoice, possibleSteps } from './trail.ts';

export function replays(model: Model, choices: readonly number[], { kind, fault }: Violation): boolean {
  const { machine } = model;
  machine.initial();
  const isFailing = kind !== 'invalid-end-state';
  const last = isFailing ? choices.length - 4 : choices.length;
  for (let i = 0; i < last; i += 4) if (!applyChoice(model, choices.slice(i, i + 4))) return false;
  if (!isFailing) return possibleSteps(model).length === 0 && (machine.flags() & FLAG.validEnd) === 0;
  let found = false;
  const words = machine.copy();
  const wanted = choices.slice(last).join();
  const cursor = machine.open({
    micro: true,
    step: () => {},
    fault: (code, failing, length) => {
      found ||= code === fault && Array.from(failing.subarray(0, length)).join() === wanted;
    },
  });
  machine.unpack(words, 0);
  cursor.expand();
  return found;
}
