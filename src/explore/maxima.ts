// The greatest length each queue had in the last search, by the names reports use.

import type { Model } from './compile.ts';

export function queueMaxima({ machine, layout }: Model): Map<string, number> {
  const maxima = new Map<string, number>();
  layout.queueNames.forEach(({ name, capacity }, i) => {
    if (capacity > 0) maxima.set(name, Math.max(maxima.get(name) ?? 0, machine.peaks()[i]!));
  });
  return maxima;
}
