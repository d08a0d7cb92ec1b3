// What `randomModels({ wild: true })` adds: the corners of the language that meet seldom. Initial values that depend on parameters, other
// variables and the moment; declarations in the middle; inlines and macros; narrow types and wrap-around; typedefs in arrays, with
// channels; guards on lengths inside atomic; loops over ranges and arrays; jumps; processes started in odd places.

import fc from 'fast-check';

/** A statement as lines of text. */
export type Lines = readonly string[];

export const WILD_DECLARATIONS: Lines = [
  '#define NEXT(v) (((v) + 1) % 3)',
  'inline bump(v) { v = NEXT(v) }',
  'inline put(ch, e) { byte tmp = e; ch!tmp }',
  'mtype:colour = { red, green };',
  'mtype:colour hue = red;',
  'byte one = 1;',
  'byte two = one + 1;',
  'short sh = -1;',
  'int big;',
  'unsigned u3 : 3;',
  'typedef In { byte d[2]; bit f };',
  'typedef Out { In kin[2]; chan way };',
  'Out out;',
  'chan q4 = [2] of { short, bit, int };',
  'chan q5 = [2] of { R };',
  'byte wide[70];',
];

/** `x`, `m` and the channels of the wide models are declared before. */
export const WILD_LOCALS = `${[
  'byte y = count',
  'byte z = (flag -> 2 : slot[1])',
  'byte v[2] = { 1, 2 }',
  'byte t = y + 1',
  'chan ch = link[one]',
  'In r',
]
  .map((line) => `  ${line};`)
  .join('\n')}\n`;

/** In a process with the parameters `id` and `in`. */
export const WILD_WORKER_LOCALS = WILD_LOCALS.replace('y = count', 'y = id')
  .replace('(flag -> 2', '(flag -> id')
  .replace('link[one]', 'link[id % 2]');

export const WILD_STATEMENTS: Lines = [
  'y = NEXT(y)',
  'bump(z)',
  'bump(count)',
  'put(q2, z)',
  'q2!y',
  'q2!z',
  'q2!t',
  'link[z % 2]!m',
  'link[y % 2]!a',
  'link[t % 2]?m',
  'ch!m',
  'ch?m',
  'ch = link[z % 2]',
  'ch = q0',
  'z == 2',
  'y != 1',
  't < 3',
  'v[z % 2] = x',
  'v[1] == 2',
  'link[v[x % 2] % 2]!m',
  'hue = (flag -> red : green)',
  'hue == red',
  'two = one',
  'one = NEXT(one)',
  'sh--',
  'sh = -x / 2',
  'sh = sh * 3000',
  'sh < 0',
  'sh == -1',
  'big = (big + 1) * 70000',
  'big > 0',
  'u3 = u3 + 3',
  'u3 == 1',
  'x = x << 3',
  'x = (x ^ 3) & 7',
  'x = x * 100',
  'flag = x',
  'q4!x - 3,x,count * 300',
  'q4!-1,1,big',
  'q4!sh,z,y',
  'q4?sh,x,_',
  'q4?-1,_,big',
  'q4?eval(sh),1,_',
  'q4??-1,x,_',
  'q5!rec',
  'q5?rec',
  'q5?eval(x),m',
  'out.kin[x % 2].d[1] = z',
  'out.kin[0].d[z % 2] < 2',
  'out.kin[z % 2].f = y',
  'r.d[x % 2] = count',
  'r.d[0] == 1',
  'q2!out.kin[1].d[1]',
  'out.way = q0',
  'out.way = link[x % 2]',
  'out.way == q0',
  'out.way!a',
  'wide[len(q0)] = 2',
  'wide[x % 70] = 1',
  'wide[2] == 2',
  'link[wide[2] % 2]!b',
  'len(q0) < count',
  'len(link[x % 2]) <= one',
  'nempty(q0)',
  'full(q1)',
  'q1??[b,eval(x)]',
  '_nr_pr < 4',
  'x = _pid',
  'z = _nr_pr',
  '(flag -> x > 0 : count > 1)',
  'x = (count > 1 -> len(q0) : z)',
  'printf("%d", run W(z, link[0]))',
  'assert(run W(y, q0) >= 0)',
  'run W(z, ch)',
  'run W(y, link[z % 2])',
  'select(x : 0 .. 2)',
  'slot[len(q0) % 2] = 2',
];

const WILD_ATOMICS: Lines = [
  'atomic { empty(q1) -> q1!m,x }',
  'atomic { len(q0) < count -> q0!a; q0!m }',
  'atomic { len(link[x % 2]) < 1 -> link[z % 2]!m }',
  'atomic { q0?[a] -> q0?m; q0!b }',
  'atomic { q2?x; q2!z }',
  'atomic { flag -> flag = false; run W(x, q0); count = 2 }',
  'd_step { x = len(q0); if :: x == 1 -> wide[x] = 5; wide[1] == 5; q0!b :: else fi }',
  'd_step { if :: flag -> slot[0] = 1 :: else -> one = 1 fi }',
  'd_step { q0?m; if :: m == a -> q0!b :: else -> skip fi }',
  'd_step { z = NEXT(z); AGAIN: if :: z > 0 -> z--; goto AGAIN :: else fi }',
];

/** Blocks around bodies: FRESH and AGAIN are made unique in the finished text. */
export const wildBlocks = (body: fc.Arbitrary<Lines>): fc.Arbitrary<Lines>[] => [
  fc.constantFrom(...WILD_ATOMICS).map((text): Lines => ['skip;', text]),
  fc
    .tuple(fc.constantFrom('x + 1', 'count', 'z', '(flag -> 1 : y)', 'slot[x % 2]', 'len(q0)'), body)
    .map(
      ([value, rest]): Lines => [
        '{',
        `  byte FRESH = ${value};`,
        ...rest.map((line) => `  ${line}`),
        '  ; q2!FRESH }',
      ],
    ),
  fc
    .tuple(fc.constantFrom('x : 0 .. 2', 'z : 1 .. y', 'z in v'), body)
    .map(([range, inside]): Lines => [`for (${range}) {`, ...inside.map((line) => `  ${line}`), '}']),
  fc
    .tuple(body, fc.constantFrom('flag', 'x < 2', 'z == 1', 'count > 1'))
    .map(
      ([inside, condition]): Lines => [
        'skip; AGAIN: skip;',
        ...inside.slice(0, -1),
        `${inside[inside.length - 1]};`,
        `if :: ${condition} -> goto AGAIN :: else fi`,
      ],
    ),
];

/** FRESH and AGAIN stand for new names, properly nested: each block gets its own. */
export function withFreshNames(text: string): string {
  let next = 0;
  const open = { FRESH: [] as string[], AGAIN: [] as string[] };
  return text.replace(/(AGAIN:|byte FRESH)|(goto AGAIN|q2!FRESH)/g, (found, opens: string | undefined) => {
    const word = found.includes('FRESH') ? 'FRESH' : 'AGAIN';
    if (opens !== undefined) open[word].push(`${word.toLowerCase()}${next++}`);
    const name = opens === undefined ? open[word].pop()! : open[word][open[word].length - 1]!;
    return found.replace(word, name);
  });
}
