// Random Promela models around values that live shortly: locals of several widths that are written here and read there, or never, with long gaps, loops and jumps in
// between, and every kind of read that is easily forgotten: patterns, indices of what is written, escapes, d_steps, arguments of `run`, remote references, `enabled`,
// initial values, errors in what is stored in vain. Plain seeded text; no meaning is intended.

import type { Pick } from './random-semantics.ts';
import { Text } from './trap-text.ts';

export interface LivesOptions {
  /** Constructs that look at other processes: remote references, `enabled`, numbers. */
  readonly looks?: boolean;
}

const SCALARS = ['x', 'y', 'z', 'n', 'f', 'u'];

export function randomLivesModel(pick: Pick, options: LivesOptions = {}): string {
  const text = new Text(pick);
  const one = <T>(items: readonly T[]): T => text.one(items);
  const looks = options.looks === true;
  const local = (): string => one(SCALARS);
  const cell = (): string =>
    one([local(), local(), local(), 'a[0]', 'a[1]', 's.m', 'a[x % 2]', 's.k[y & 1]']);
  const remote = (): string => (looks ? one(['P[0]:x', 'P[0]:y', 'P[1]:n', 'P[0]:a[1]']) : one(['g', 'h']));
  const value = (): string =>
    one([
      '0',
      '1',
      '2',
      cell(),
      cell(),
      cell(),
      `${local()} + 1`,
      'g',
      `(${local()} -> ${local()} : 3)`,
      'i',
      remote(),
    ]);
  const small = (): string => `(${value()}) % 3`;
  const compare = (): string => `${cell()} ${one(['==', '!=', '<', '>'])} ${value()}`;
  const look = (): string =>
    looks
      ? one([`${remote()} == 1`, 'enabled(0)', 'P[0]@here', 'P[1]@here', `pc_value(1) > 3`, '_nr_pr < 4'])
      : compare();
  const test = (): string =>
    one([
      compare(),
      compare(),
      `g == ${local()}`,
      `c[${local()} & 1]?[eval(${local()}),_]`,
      `q??[eval(${cell()})]`,
      `len(c[${local()} & 1]) < 1`,
      `nempty(d)`,
      look(),
      'timeout',
    ]);
  const channel = (): string => one(['c[0]', 'c[1]', `c[${local()} & 1]`]);
  const pattern = (): string => one([cell(), cell(), local(), '_', `eval(${cell()})`, '1']);
  const send = (): string =>
    one([
      `${channel()}!${small()},${small()}`,
      `${channel()}!!${small()},${small()}`,
      `q!${small()}`,
      `r!${small()}`,
      `r!${small()}`,
      `d!${small()}`,
    ]);
  const receive = (): string =>
    one([
      `${channel()}?${pattern()},${pattern()}`,
      `${channel()}??eval(${local()}),${pattern()}`,
      `q?${pattern()}`,
      `q?<${pattern()}>`,
      `r?${pattern()}`,
      `r?${pattern()}`,
      `d?${pattern()}`,
    ]);
  const assign = (): string => `${cell()} = ${one([small(), small(), small(), `6 / (${local()} + 1)`])}`;
  const guess = (): string => {
    const name = local();
    return one([
      `if\n:: ${name} = 0\n:: ${name} = 1\n:: ${name} = 2\nfi`,
      `select(${one(['x', 'y'])} : 0 .. 2)`,
    ]);
  };
  const shared = (): string => `${one(['g', 'h'])} = ${small()}`;
  const claim = (): string =>
    `assert(${compare()} || ${compare()} || ${local()} ${one(['!=', '<'])} ${one(['1', '2', local()])})`;
  const rare = (): string =>
    one([
      `run C(${local()}, ${one(['q', 'r', 'd'])})`,
      'd = q',
      'd = r',
      'g = 1',
      `a[${local()}] = 1`,
      `x = 2 / ${local()}`,
      `printf("%d", ${local()})`,
      'skip',
    ]);
  const quiet = (): string =>
    one([assign(), shared(), `if\n:: ${compare()} -> ${assign()}\n:: else\nfi`, claim()]);
  /** Most things can be passed by: models in which everybody is stuck soon see little. */
  const maybe = (): string =>
    `if\n:: ${one([receive(), receive(), send(), test(), compare()])} -> ${one([assign(), shared(), claim()])}\n:: ${one(['else', 'else', 'skip', 'timeout'])}\nfi`;
  const plain = (): string =>
    one([
      assign,
      assign,
      assign,
      guess,
      guess,
      shared,
      maybe,
      maybe,
      maybe,
      maybe,
      send,
      receive,
      test,
      claim,
      rare,
      dstep,
    ])();
  function dstep(): string {
    return `d_step { ${one([compare(), assign(), `q?${local()}`, `r?${local()}`])}; ${quiet()}; ${quiet()} }`;
  }
  const jump = (): string =>
    `if\n:: ${compare()} -> goto ${one(['here', 'there'])}\n:: ${one(['else', 'skip'])}\nfi`;
  const body = (): string => {
    const middle = `${text.sequence(plain, 2, 1 + pick(3))};\nhere: ${assign()};\n${text.sequence(plain, 1, 1 + pick(2))}`;
    const looped = one([
      middle,
      `do\n:: ${middle}\n:: ${one([compare(), 'else', test()])} -> break\nod`,
      `{ ${middle} } unless { ${one([compare(), receive(), `${local()} == 2 && ${compare()}`])}; ${plain()} }`,
      `atomic { ${middle} }`,
    ]);
    return `${looped};\nthere: ${plain()};\n${pick(2) === 0 ? `${jump()};\n` : ''}${claim()}`;
  };
  const locals = (start: string): string =>
    `byte x${start}, y; short z = ${one(['0', '-1', '1'])}; int n; bool f; unsigned u : 2; byte a[2]; S s;`;
  const process = (head: string): string =>
    `${head} {\n${locals('')} byte i = ${one(['1', '2'])}; chan d = ${one(['q', 'r', '[1] of { byte }'])};\n${body()}\n}`;
  return [
    'typedef S { byte m; bit k[2] };',
    `chan c[2] = [${1 + pick(2)}] of { byte, byte }; chan q = [1] of { byte }; chan r = [0] of { byte };`,
    'byte g, h;',
    process(`active ${one(['', '[2] '])}proctype P()${pick(6) === 0 ? ' provided (g != 2)' : ''}`),
    ...(pick(3) > 0 ? [process('active proctype Q()')] : []),
    `proctype C(byte i; chan d) {\n${locals(' = i')}\n${text.sequence(plain, 1, 1 + pick(2))};\n${claim()}\n}`,
    '',
  ].join('\n');
}
