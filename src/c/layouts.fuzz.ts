// Random structs and unions: members of all kinds, bit-fields, `packed`, `aligned`, `_Alignas`, typedefs with an alignment of their own, #pragma pack. The program has
// one input that makes it fail, which tells sizes, offsets and alignments.

import fc from 'fast-check';

const TYPES = [
  ...[
    'char',
    'short',
    'int',
    'long',
    'long long',
    'double',
    'long double',
    'void *',
    'int',
    'small',
    'large',
  ],
  ...['_Atomic long long', 'enum { NAME }', 'struct { char a; double b; }', 'union { char a; short b; }'],
];
/** What a bit-field may be of. */
const NUMBERS = ['char', 'short', 'int', 'long long', 'unsigned', 'small', 'large', 'apart'];

const ALIGNED = [1, 2, 4, 8, 16];
const attribute = (text: string): string => `__attribute__((${text}))`;

type Pick = (below: number) => number;

function member(name: string, pick: Pick): { text: string; isBits: boolean } {
  const of = <T>(list: readonly T[]): T => list[pick(list.length)]!;
  const attributes = [
    ...(pick(5) === 0 ? [attribute('packed')] : []),
    ...(pick(4) === 0 ? [attribute(`aligned(${of(ALIGNED)})`)] : []),
    ...(pick(8) === 0 ? [attribute(`aligned(${of(ALIGNED)}), aligned(${of(ALIGNED)})`)] : []),
  ].join(' ');
  if (pick(3) === 0) {
    const width = pick(8) === 0 ? 0 : 1 + pick(8);
    const isNamed = width > 0 && pick(4) > 0;
    return {
      text: `${of(NUMBERS)} ${isNamed ? name : ''} : ${width} ${isNamed ? attributes : ''};`,
      isBits: true,
    };
  }
  const array = pick(5) === 0 ? `[${1 + pick(3)}]` : '';
  const type = array === '' ? of(TYPES) : of(['char', 'short', 'double', 'void *']);
  const stronger = pick(8) === 0 ? '_Alignas(16) ' : '';
  return {
    text: `${stronger}${type.replace('NAME', `e${name}`)} ${name}${array} ${attributes};`,
    isBits: false,
  };
}

function record(tag: string, pick: Pick): { readonly text: string; readonly tests: readonly string[] } {
  const packs = [
    '',
    '',
    '',
    '#pragma pack(1)\n',
    '#pragma pack(push, 2)\n',
    '#pragma pack(4)\n',
    '_Pragma("pack(8)")',
    '#pragma pack(16)\n',
  ];
  const members = Array.from({ length: 1 + pick(5) }, (_, i) => member(`${tag}${i}`, pick));
  const around = [
    ...(pick(5) === 0 ? [attribute('packed')] : []),
    ...(pick(5) === 0 ? [attribute(`aligned(${ALIGNED[pick(5)]})`)] : []),
  ].join(' ');
  const kind = pick(5) === 0 ? 'union' : 'struct';
  const text = `${packs[pick(packs.length)]}
${kind} ${tag} { ${members.map((one) => one.text).join(' ')} } ${around};
#pragma pack()
${kind} ${tag} v${tag}, *p${tag} = &v${tag}; typedef ${kind} ${tag} ${attribute(`aligned(${ALIGNED[pick(5)]})`)} T${tag};`;
  const named = members.flatMap((one, i) => (one.isBits ? [] : [`${tag}${i}`]));
  return {
    text,
    tests: [
      ...[`sizeof(${kind} ${tag})`, `_Alignof(${kind} ${tag})`, `_Alignof(T${tag})`, `__alignof__(v${tag})`],
      ...named.flatMap((name) => [
        `__builtin_offsetof(${kind} ${tag}, ${name})`,
        `_Alignof(v${tag}.${name})`,
        `__alignof__(p${tag}->${name})`,
        `_Alignof(__typeof__(v${tag}.${name}))`,
      ]),
    ],
  };
}

export const layouts = fc.array(fc.nat(1_000_000), { minLength: 90, maxLength: 90 }).map((numbers) => {
  let next = 0;
  const pick: Pick = (below) => numbers[next++ % numbers.length]! % below;
  const records = ['x', 'y', 'z'].map((tag) => record(tag, pick));
  const sum = records.flatMap(({ tests }) => tests).map((test, i) => `${(i % 7) + 1} * (int)${test}`);
  return `typedef int small ${attribute('aligned(2)')}; typedef int large ${attribute('aligned(16)')}; typedef short apart ${attribute('aligned(4)')};
${records.map(({ text }) => text).join('\n')}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  __VERIFIER_assume(!((a | b | c) & ~3));
  assert((${sum.join(' + ')}) % 64 != a + 4 * b + 16 * c);
  return 0;
}
`;
});
