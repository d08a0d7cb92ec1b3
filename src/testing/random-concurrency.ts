// Random Promela models for partial-order reduction: several processes that mostly mind their own business (variables and channels chosen
// by a parameter or by their number) and now and then touch what others touch, in every way that makes steps dependent:
// handshakes in and out of atomic, d_step, timeout, else beside channel operations, polls, lengths, run and death, `_nr_pr`, remote
// references, provided, unless, sorted and random operations, channels in messages and in parameters.

import type { Pick } from './random-semantics.ts';

export interface ConcurrencyOptions {
  /** Constructs that look at other processes: `_nr_pr`, remote references. */
  readonly looks?: boolean;
}

export function randomConcurrentModel(pick: Pick, options: ConcurrencyOptions = {}): string {
  const one = <T>(items: readonly T[]): T => items[pick(items.length)]!;
  const chance = (percent: number): boolean => pick(100) < percent;
  const workers = 2 + pick(3);
  /** Its own thing, its neighbour's, one for all, or one that cannot be told from the text. */
  const index = (): string => one(['i', 'i', 'i', 'i', 'i', `(i+1)%${workers}`, '0', `x%${workers}`]);
  /** Half of the models can see the numbers of processes. */
  const numbered = chance(50);
  const byOwn = chance(50) ? 55 : 85;

  /** A look into a channel that may be a rendezvous is an error of its own: `w` is only sent to and received from. */
  const looked = (): string => (chance(byOwn) ? `own[${index()}]` : 'q');
  const buffer = (): string => (chance(byOwn) ? `own[${index()}]` : one(['q', 'q', 'w']));
  const meeting = (): string => (chance(byOwn) ? `rv[${index()}]` : one(['r', 'w']));
  const cell = (): string => (chance(byOwn) ? `a[${index()}]` : one(['g', 'g', 'h', 's.f']));
  const value = (): string => one(['0', '1', '2', 'x', 'x+1', cell(), 'i', numbered ? '_pid' : 'i']);
  const compare = (): string => `${cell()} ${one(['==', '!=', '<', '>'])} ${one(['0', '1', 'x'])}`;
  const look = (): string =>
    options.looks ? one(['_nr_pr < 4', 'P[1]@here', 'P[2]@here', 'P[1]:x > 0', '!P[2]@here']) : compare();
  const test = (): string =>
    one([
      compare(),
      compare(),
      'x > 0',
      'x == i',
      `len(${looked()}) < 1`,
      `empty(${looked()})`,
      `nempty(${looked()})`,
      `full(${looked()})`,
      `nfull(${looked()})`,
      `${looked()}?[1]`,
      `${looked()}??[eval(x)]`,
      'timeout',
      `${compare()} && ${compare()}`,
      look(),
    ]);
  const send = (): string =>
    one([
      `${buffer()}!${value()}`,
      `${buffer()}!${value()}`,
      `${buffer()}!!${value()}`,
      `${meeting()}!${value()}`,
      'cc!w',
    ]);
  const receive = (): string => {
    const argument = one(['x', 'x', '1', 'eval(x)', '_', `a[${index()}]`]);
    return one([
      `${buffer()}?${argument}`,
      `${buffer()}?${argument}`,
      `${buffer()}??${one(['1', 'eval(x)'])}`,
      `${looked()}?<${one(['x', '1'])}>`,
      `${meeting()}?${argument}`,
      `${meeting()}?${argument}`,
      'cc?w',
    ]);
  };
  const assign = (): string =>
    one([`x = ${value()}`, `${cell()} = ${value()}`, `x = (x + 1) % 3`, `g = (g + 1) % 3`]);
  const plain = (): string =>
    one([
      assign(),
      assign(),
      send(),
      send(),
      receive(),
      receive(),
      test(),
      one([`assert(${compare()} || x < 2)`, 'skip', `a[x] = 1`, 'run C(i)', 'run C(x)', 'x = 2 / g']),
    ]);
  const quiet = (): string => one([assign(), 'skip', `if :: ${compare()} -> x = 1 :: else fi`]);
  const sequence = (depth: number, length: number): string =>
    Array.from({ length }, () => statement(depth)).join(';\n');
  const statement = (depth: number): string => {
    const kind = pick(depth > 0 ? 16 : 7);
    if (kind < 7) return plain();
    if (kind < 9)
      return `if\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${sequence(depth - 1, 1 + pick(2))}\nfi`;
    if (kind === 9)
      return `if\n:: ${one([compare(), receive(), send(), test().replace('timeout', 'x > 1')])} -> ${sequence(depth - 1, 1)}\n:: else -> ${plain()}\nfi`;
    if (kind < 12) return `atomic { ${sequence(depth - 1, 1 + pick(3))} }`;
    if (kind === 12)
      return `d_step { ${one([compare(), assign(), `${buffer()}?x`, `${meeting()}?x`])}; ${quiet()}; ${quiet()} }`;
    if (kind === 13)
      return `{ ${sequence(depth - 1, 1 + pick(2))} } unless { ${one([compare(), receive(), send()])}; ${plain()} }`;
    return `do\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${one(['x >= 1', compare(), 'else'])} -> break\nod`;
  };
  const own = (): string => one(['w = q', 'w = own[i]', 'w = rv[i]', 'skip', 'skip']);
  const body = (length: number): string => {
    const inner = `${own()};\n${sequence(2, length)};\n${options.looks ? 'here: ' : ''}${plain()};\n${sequence(1, 1)}`;
    return chance(30) ? `do\n:: ${inner}\n:: ${test()} -> break\nod` : inner;
  };
  const provided = pick(8) === 0 ? ' provided (g != 2)' : '';
  const mine = one(['', '', 'chan m = [1] of { byte };', 'chan m = [0] of { byte };']);
  const start = Array.from(
    { length: workers },
    (_, i) => `run P(${i}, ${one(['q', 'r', `own[${i}]`, mine === '' ? 'q' : 'm'])})`,
  );
  const bothEnd = mine === '' ? [] : [one(['m!1', 'm?_', 'skip'])];
  return [
    'typedef S { byte f };',
    `#define N ${workers}`,
    `chan own[N] = [${1 + pick(2)}] of { byte };`,
    'chan rv[N] = [0] of { byte };',
    `chan q = [${1 + pick(2)}] of { byte }; chan r = [0] of { byte }; chan cc = [1] of { chan };`,
    'byte a[N]; byte g, h; S s;',
    `proctype P(byte i; chan w)${provided} {\nbyte x;\n${body(1 + pick(3))}\n}`,
    `proctype C(byte i) {\nbyte x; chan w = q;\nif :: i < N -> ${sequence(1, 1 + pick(2))} :: else fi\n}`,
    `init {\n${mine}\n${chance(60) ? `atomic { ${start.join('; ')} }` : start.join(';\n')}${bothEnd.map((text) => `;\n${text}`).join('')}\n}`,
    '',
  ].join('\n');
}
