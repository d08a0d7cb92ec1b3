// Random Promela models in which several processes of one kind differ in nothing but what they hold: for symmetry. What could tell them apart all
// the same occurs now and then: typedefs and arrays among their own variables, channels as parameters and in messages, channels of other processes,
// processes that start others, that die, that wait for each other, that hold control, that are provided for;
// and about every second model has an assertion that may fail.

import type { Pick } from './random-semantics.ts';

/** `numbers`: constructs that see the numbers of processes or their priorities, too, which must switch symmetry off. */
export function randomTwinsModel(pick: Pick, { numbers }: { readonly numbers: boolean }): string {
  const one = <T>(items: readonly T[]): T => items[pick(items.length)]!;
  const chance = (percent: number): boolean => pick(100) < percent;
  const fails = chance(70);
  const starts = chance(40);
  const seen = (): string => (numbers ? one(['_pid', '_nr_pr', 'x']) : 'x');
  const index = (): string => one(['0', '1', 'x%2', 'l.f%2', 'w[1]%2']);
  const own = (): string => one(['x', 'x', 'k', `w[${index()}]`, 'l.f', `l.a[${index()}]`]);
  const shared = (): string => one(['g', 'g', 'h', `a[${index()}]`, 's.f']);
  const value = (): string => one(['0', '1', '2', own(), own(), shared(), `(${own()}+1)%3`, 'y', seen()]);
  const compare = (): string =>
    `${one([own(), shared()])} ${one(['==', '!=', '<', '>='])} ${one(['0', '1', 'y', own()])}`;
  const buffer = (): string => one(['p', 'p', 'q', 'c', 'l.c']);
  /** May be a rendezvous: nobody looks into it. */
  const channel = (): string => one([buffer(), 'p', 'r', 'r']);
  const test = (): string =>
    one([
      compare(),
      compare(),
      compare(),
      'm == blue',
      'm != l.m',
      `len(${one(['p', 'q'])}) < 1`,
      `empty(${one(['p', 'q'])})`,
      `nfull(${one(['p', 'q'])})`,
      'p?[1]',
      `q??[eval(${own()})]`,
      'timeout',
      `${compare()} || ${compare()}`,
      `(${compare()} -> ${own()} : ${shared()})`,
      ...(numbers ? ['_nr_pr < 4', 'P[1]@here', 'P[1]:x > 0', 'enabled(1)'] : []),
    ]);
  const send = (): string =>
    one([
      `${channel()}!${value()}`,
      `${channel()}!${value()}`,
      `${buffer()}!!${value()}`,
      'n!c',
      'n!q',
      'u!m,x',
    ]);
  const argument = (): string => one([own(), own(), shared(), '1', `eval(${own()})`, '_']);
  const receive = (): string =>
    one([
      `${channel()}?${argument()}`,
      `${channel()}?${argument()}`,
      `${buffer()}??${argument()}`,
      `p?<${argument()}>`,
      'n?c',
      'n?l.c',
      'u?m,x',
      'u?red,x',
      'u?eval(m),_',
    ]);
  const assign = (): string =>
    one([
      `${own()} = ${value()}`,
      `${own()} = ${value()}`,
      `${shared()} = ${value()}`,
      'g = (g+1)%3',
      'm = blue',
      'l.m = m',
      'd_step { hid = x; x = hid; hid = 0 }',
      'a[x] = 1',
      'select(x : 0 .. 1)',
      'x = h/g',
    ]);
  const run = (): string =>
    starts
      ? one([
          `run W(${value()}, ${one(['p', 'c', 'l.c', 'r'])})`,
          'kept = run W(x, p)',
          ...(numbers ? ['x = run W(0, p)'] : []),
        ])
      : assign();
  const check = (): string =>
    fails
      ? one([
          `assert(${compare()})`,
          `assert(${own()} < 2 || ${shared()} != 1)`,
          `assert(!(${test().replace('timeout', 'true')}))`,
        ])
      : 'skip';
  const plain = (): string =>
    one([
      assign,
      assign,
      send,
      send,
      receive,
      receive,
      test,
      check,
      check,
      check,
      chance(50) ? run : check,
    ])();
  const quiet = (): string =>
    one([assign(), 'skip', `if :: ${compare()} -> k = 1 :: else fi`]).replace(/^(select|d_step).*/, 'skip');
  const sequence = (depth: number, length: number): string =>
    Array.from({ length }, () => statement(depth)).join(';\n');
  const statement = (depth: number): string => {
    const kind = pick(depth > 0 ? 16 : 7);
    if (kind < 7) return plain();
    if (kind < 9)
      return `if\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${sequence(depth - 1, 1 + pick(2))}\nfi`;
    if (kind === 9)
      return `if\n:: ${one([compare(), receive()])} -> ${sequence(depth - 1, 1)}\n:: else -> ${plain()}\nfi`;
    if (kind < 12) return `atomic { ${sequence(depth - 1, 1 + pick(3))} }`;
    if (kind === 12)
      return `d_step { ${one([compare(), assign(), 'p?x', 'r?x']).replace(/^(select|d_step).*/, 'skip')}; ${quiet()}; ${quiet()} }`;
    if (kind === 13)
      return `{ ${sequence(depth - 1, 1 + pick(2))} } unless { ${one([compare(), receive()])}; ${plain()} }`;
    if (kind === 14)
      return `atomic { do :: x < ${one(['2', '40'])} -> x++ :: ${one(['break', 'else -> break'])} od; ${sequence(depth - 1, 1)} }`;
    return `do\n:: ${sequence(depth - 1, 1 + pick(2))}\n:: ${one(['x >= 1', compare(), 'else'])} -> break\nod`;
  };
  const locals = `byte x, k; byte w[2]; L l; mtype m = red; ${one(['chan c = p;', 'chan c = q;'])}`;
  const ownChannel = chance(12) ? 'chan c2 = [1] of { byte };' : '';
  const provided = (): string => (chance(20) ? ` provided (${one(['g != 2', 'h < 2', 's.f == 0'])})` : '');
  const exclusive = chance(15) ? one(['xr p;', 'xs q;']) : '';
  const head = `${locals} ${ownChannel} ${exclusive}\nl.c = ${one(['p', 'q', 'p'])};`;
  const main = (length: number): string => {
    const inner = `${sequence(2, length)};\n${chance(50) ? check() : 'skip'};\n${numbers ? 'here: ' : ''}${plain()}`;
    return chance(35) ? `${one(['', 'end: '])}do\n:: ${inner}\n:: ${test()} -> break\nod` : inner;
  };
  const parts = [
    'mtype = { red, blue };',
    'typedef L { byte f; bit a[2]; chan c; mtype m };',
    'typedef S { byte f };',
    `chan p = [${1 + pick(2)}] of { byte }; chan q = [1] of { byte }; chan r = [0] of { byte };`,
    'chan n = [1] of { chan }; chan u = [1] of { mtype, byte };',
    'byte g, h; byte a[2]; S s; hidden byte hid; short kept;',
  ];
  const byRun = chance(40);
  const priority = numbers && chance(20) ? ' priority 2' : '';
  const count = 2 + pick(2);
  const P = `${byRun ? '' : `active [${count}] `}proctype P(${byRun ? 'byte y' : ''})${priority}${provided()} {\n${byRun ? '' : 'byte y;\n'}${head}\n${main(1 + pick(3))}\n}`;
  const W = `proctype W(byte y; chan c)${provided()} {\n${locals.replace(/chan c = .;/, '')}\nl.c = c;\n${sequence(1, 1 + pick(2)).replaceAll('run W', 'skip; run V')}\n}`;
  const V = 'proctype V(byte y; chan c) { c!y }';
  const runs = Array.from({ length: count }, (_, i) => `run P(${one(['0', '0', '1', `${i}`])})`);
  const init = byRun ? `init {\n${chance(50) ? `atomic { ${runs.join('; ')} }` : runs.join(';\n')}\n}` : '';
  const other = chance(40) ? `active proctype Q() {\nbyte y; ${head}\n${main(1)}\n}` : '';
  return [...parts, P, W, V, init, other, ''].join('\n');
}
