// Random Promela models in which small processes come and go one after the other, and numbers tell who is gone: the number of the process that was started last is kept
// in `p`, those of channels of a process are sometimes kept, compared, calculated with, sent, or handed on. Plain seeded text; no meaning is intended.

import type { Pick } from './random-semantics.ts';
import { Text } from './trap-text.ts';

export function randomNumbersModel(pick: Pick): string {
  const text = new Text(pick);
  const one = <T>(items: readonly T[]): T => text.one(items);
  const number = (): string => `${1 + pick(4)}`;
  /** In half of the models nobody looks. */
  const look = one<() => string>([
    ...Array.from({ length: 7 }, () => () => 'skip'),
    () => 'g = c',
    () => `g = (${one(['c', 'd'])} == ${number()} -> 1 : g)`,
    () => `assert(i == 1 || c != ${number()})`,
    () => 'if\n:: d < c -> g = i\n:: else\nfi',
    () => 'm!c',
    () => `m!${number()}; m?eval(c)`,
    () => 'run Q(c, c)',
    () => `a[c % 4] = i; g = a[${number()} % 4]`,
    () => 'd = g; d!1',
    () => 'd_step { g = i; h = d }',
  ]);
  const plain = (): string =>
    one([
      look,
      look,
      () => 'd = c',
      () => 'c!i; c?_',
      () => 'h = i',
      () => 'run Q(i, c)',
      () => 'g = 1 - g',
    ])();
  const start = (i: number): string => `${one(['', 'p = ', 'p = '])}run P(${i})`;
  const between = (): string =>
    one(['skip', 'h == 1', 'n > 0', 'h = 0', 'm?g', 'timeout', 'if\n:: n == 1\n:: else\nfi']);
  return [
    'byte g, h, n, p, a[4]; chan m = [1] of { byte };',
    'proctype Q(byte i; chan d) { h = i; n = 1 }',
    `proctype P(byte i) {\nchan c = [1] of { byte }; chan d;\n${text.sequence(plain, 1, 1 + pick(2))};\nn = 1\n}`,
    `init {\n${start(1)};\n${between()};\n${start(2)};\n${between()};\n${one([start(3), 'n = 0', `assert(g != ${number()})`])}\n}`,
    '',
  ].join('\n');
}
