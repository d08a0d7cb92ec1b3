// Random Promela models with values that go nowhere, or nearly so: counters, arrays by process number, fields of structures and locals that are written, added up
// and copied into each other, and in some of the models one of them is looked at in a way that is easily overlooked: as an index, a divisor, a pattern, by a
// remote reference, as what decides whether an index is looked at. Plain seeded text; no meaning is intended.

import type { Pick } from './random-semantics.ts';
import { Text } from './trap-text.ts';

/** All of two bits: spaces stay small although everybody counts. */
const GLOBALS = ['t', 'v', 'w'];
const LOCALS = ['x', 'y', 'z'];

export function randomIdleValuesModel(pick: Pick): string {
  const text = new Text(pick);
  const one = <T>(items: readonly T[]): T => text.one(items);
  const idle = (): string =>
    one([
      ...GLOBALS,
      ...LOCALS,
      'a[_pid & 1]',
      'a[1]',
      's.n',
      's.k[0]',
      's.k[1]',
      'e[1].n',
      'e[_pid & 1].m',
      'b',
    ]);
  const value = (): string =>
    one([
      '1',
      idle(),
      idle(),
      `${idle()} + 1`,
      `${idle()} + 1`,
      `${idle()} - ${idle()}`,
      `(${idle()} > 1 -> ${idle()} : ${one(['g', '0', idle()])})`,
      `(${idle()} && ${idle()} || g == 1)`,
      `!${idle()}`,
      `${idle()} % 2`,
      `${idle()} / 2`,
      'len(c)',
      'g',
      'h',
      '_pid',
      's.m',
    ]);
  const count = (): string => one([`${idle()}++`, `${idle()} = ${value()}`, `${idle()} = ${value()}`]);
  const looked = idle();
  /** At most one kind of look in a model: with more of them nothing is idle. */
  const looks = one<() => string>([
    ...Array.from({ length: 6 }, () => count),
    () => `a[${looked} & 1] = 1`,
    () => `a[${looked}] = 1`,
    () => `t = a[${looked}]`,
    () => `y = a[(${looked} > 0 -> 1 : 0)]`,
    () => `v = (${looked} > 1 -> a[g] : 0)`,
    () => `v = (${looked} > 1 -> a[2] : 0)`,
    () => `v = (${looked} > 0 && a[h] > 1)`,
    () => `w = 3 / ${looked}`,
    () => `w = ${looked} / (h - 1)`,
    () => `x = 3 % (${looked} + 1)`,
    () => `c!${looked}`,
    () => `c?eval(${looked})`,
    () => `if\n:: ${looked} > 1 -> g = 1\n:: else\nfi`,
    () => `if\n:: c?[eval(${looked})] -> g = 1\n:: else\nfi`,
    () => `assert(${looked} != 3)`,
    () => `run C(${looked})`,
    () => `d_step { ${looked} = 1; g = ${looked} }`,
    () => `g = ${looked}`,
    () => `h = (P[0]:${one(LOCALS)} > 0 -> 1 : 0)`,
    () => `if\n:: _nr_pr > ${looked} + 1 -> h = 1\n:: else\nfi`,
  ]);
  const busy = (): string =>
    one([
      'g = 1 - g',
      'h = (h + 1) % 3',
      'g = h % 2',
      's.m = 1 - s.m',
      `c!${one(['0', '1', 'g'])}`,
      `c?${one([idle(), idle(), '_', '1'])}`,
      `r!${one(['0', '1'])}`,
      `r?${one([idle(), '_'])}`,
      'assert(g == 0 || h < 2)',
      'assert(s.m == 0)',
      'g == 1',
      'h != 2',
      'nempty(c)',
      'run C(1)',
      `printf("%d %d", ${idle()}, ${idle()})`,
    ]);
  const maybe = (): string => `if\n:: ${busy()} -> ${count()}\n:: ${one(['else', 'skip', 'timeout'])}\nfi`;
  const plain = (): string => one([count, count, count, busy, maybe, maybe, looks, together])();
  function together(): string {
    const inside = `${one([count(), 'g == 0', 'h < 2'])}; ${count()}; ${one([count(), 'h = 1', looks()])}`;
    return `${one(['atomic', 'atomic', 'd_step'])} { ${inside} }`;
  }
  const body = (): string => {
    const middle = text.sequence(plain, 2, 1 + pick(3));
    return one([
      middle,
      `do\n:: ${middle}\n:: ${one(['g == 1', 'else', 'h == 2'])} -> break\nod;\n${busy()}`,
      `do\n:: ${count()}\n:: ${count()}; ${busy()}\nod`,
      `{ ${middle} } unless { ${one(['h == 2', 'c?_', 'g == 1 && h == 1'])} }`,
    ]);
  };
  const process = (head: string): string =>
    `${head} {\nunsigned x : 2 = ${one(['0', '1'])}, y : 2, z : 2; bit b; S s;\n${body()}\n}`;
  return [
    'typedef S { unsigned n : 2; bit m; bit k[2] };',
    'unsigned t : 2, v : 2 = 1, w : 2; byte g, h; bit a[2]; S e[2];',
    `chan c = [${1 + pick(2)}] of { byte }; chan r = [0] of { byte };`,
    process(`active ${one(['', '[2] '])}proctype P()${pick(8) === 0 ? ' provided (h != 2)' : ''}`),
    process('active proctype Q()'),
    'proctype C(byte i) { byte n; n = i; t = i; g = 0 }',
    ...(pick(6) === 0 ? [`ltl f { [] (${one(['t < 3', 'e[0].n == 0', 'P[0]:x < 2'])}) }`] : []),
    '',
  ].join('\n');
}
