// Random Promela models for the comparison of the concrete semantics with SPIN: every construct whose executability or effect is
// subtle occurs (rendezvous in and out of atomic, unless, d_step, else, timeout, provided, sorted and random queue operations,
// channels in messages, process creation and death, wrap-around). Plain seeded text; no meaning is intended.

import { Random } from '../base/random.ts';

/** A generator of numbers below a limit. */
export type Pick = (limit: number) => number;

export function seededPick(seed: number): Pick {
  const random = new Random(seed);
  return (limit) => random.below(limit);
}

export function randomSemanticsModel(pick: Pick): string {
  const one = <T>(items: readonly T[]): T => items[pick(items.length)]!;
  let labels = 0;

  const value = (): string =>
    one(['0', '1', '2', 'x', 'g', 'x+1', '3-g', 'arr[g%2]', 'b2', '_pid', 'n*x', 's.f', '-x']);
  const test = (): string =>
    one([
      'x > 0',
      'g < 2',
      'g == x',
      'b2',
      '!b2',
      'len(q) < 2',
      'empty(q)',
      'nfull(q)',
      'full(p)',
      'nempty(p)',
      'q?[1,_]',
      'p??[eval(x)]',
      '(g -> x : b2)',
      'arr[1] == 0',
      '_nr_pr < 4',
      'timeout',
      's.f != 1',
      'x < 2 && g != 1',
      'x == 0 || b2',
    ]);
  const assign = (): string =>
    one(['x = ', 'g = ', 'b2 = ', 'arr[g%2] = ', 'n = ', 's.f = ', 's.a[1] = ']) + value();
  const send = (): string =>
    one([
      `q!${one(['1', '2', value()])},${value()}`,
      `q!!${value()},${value()}`,
      `p!${value()}`,
      `p!!${value()}`,
      `r!${value()}`,
      `r!${value()}`,
      'c!r',
      `w!${value()}`,
    ]);
  const receive = (): string =>
    one([
      'q?x,g',
      'q?1,x',
      'q?eval(x),_',
      'q??2,x',
      'q??x,eval(g)',
      'q?<x,_>',
      'p?x',
      'p??1',
      'p??<eval(g)>',
      'r?x',
      'r?1',
      'r?eval(g)',
      'r?x',
      'c?w',
      'w?x',
      'w?g',
    ]);
  const simple = (): string => {
    const kind = pick(12);
    if (kind < 3) return assign();
    if (kind < 5) return send();
    if (kind < 7) return receive();
    if (kind < 9) return test();
    if (kind === 9)
      return one(['x++', 'g--', 'skip', 'n = n * 100', 'x--', 'printf("%d", x)', 'assert(g < 3 || x < 200)']);
    if (kind === 10) return one(['run W(x)', 'run W(1)', 'g = g + 1', 'g = (g + x) % 3']);
    return one(['x = 255; x++', 'n = 32767; n++', 'break_', 'skip']);
  };
  const plain = (): string => simple().replace('break_', 'skip');
  const inDstep = (): string => one([assign(), 'x++', 'g = (g+1)%3', 'if :: b2 -> x = 1 :: else fi', 'skip']);

  const sequence = (depth: number, length: number): string =>
    Array.from({ length }, () => statement(depth)).join(';\n');
  const statement = (depth: number): string => {
    const kind = pick(depth > 0 ? 18 : 9);
    if (kind < 9) return plain();
    if (kind < 11)
      return `if\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${sequence(depth - 1, 1 + pick(2))}\nfi`;
    if (kind === 11)
      return `if\n:: ${one(['x > 1', 'b2', 'g == 0'])} -> ${sequence(depth - 1, 1)}\n:: else -> ${plain()}\nfi`;
    if (kind < 14) return `atomic { ${sequence(depth - 1, 1 + pick(3))} }`;
    if (kind === 14)
      return `d_step { ${one([test().replace('timeout', 'b2'), assign(), one(['r?x', 'r?1', 'p?x', 'w?x'])])}; ${inDstep()}; ${inDstep()} }`;
    if (kind === 15)
      return `{ ${sequence(depth - 1, 1 + pick(2))} } unless { ${one([test(), receive(), 'b2'])}; ${plain()} }`;
    if (kind === 16)
      return `do\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${one(['x >= 1', 'b2', 'g > 1', 'else'])} -> break\nod`;
    return `${one(['end', 'L', 'progress'])}${labels++}: ${plain()}`;
  };

  const process = (head: string): string =>
    `${head} {\nbyte x; short n; chan w = ${one(['r', 'p', '[1] of { byte }'])};\n${one(['', 'do\n:: '])}`;
  const body = (head: string, length: number): string => {
    const opened = process(head);
    const loops = opened.endsWith(':: ');
    return `${opened}${sequence(2, length)}${loops ? `\n:: ${sequence(1, 1)}\nod` : ''}\n}`;
  };
  const provided = pick(6) === 0 ? ' provided (g != 2)' : '';
  return [
    'typedef S { byte f; bit a[2] };',
    `chan q = [${1 + pick(2)}] of { byte, byte };`,
    `chan p = [${1 + pick(2)}] of { byte };`,
    'chan r = [0] of { byte };',
    'chan c = [1] of { chan };',
    'byte g; bool b2; bit arr[2]; S s;',
    body(`active proctype A()${provided}`, 1 + pick(3)),
    body(`active ${one(['', '[2] '])}proctype B()`, 1 + pick(3)),
    `proctype W(byte y) {\nbyte x = y; short n; chan w = p;\n${sequence(1, 1 + pick(2))}\n}`,
    '',
  ].join('\n');
}
