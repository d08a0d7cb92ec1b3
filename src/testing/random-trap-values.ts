// Random models around values: storage of every width with values beyond it, arithmetic near the ends of 32 bits.

import type { Text } from './trap-text.ts';

const BEYOND = [
  '0',
  '1',
  '2',
  '3',
  '7',
  '8',
  '127',
  '128',
  '255',
  '256',
  '257',
  '-1',
  '-2',
  '32767',
  '32768',
];

const LARGE = ['65535', '65536', '2147483647', '-2147483647', '(-2147483647 - 1)', '1073741824', '46341'];

export function widths(text: Text): string {
  const places = ['b', 'o', 'y', 's', 'i', 'u1', 'u5', 'u31', 'm', 'pd', 'ab[1]', 'ao[0]', 'am[1]'].concat([
    'st.f',
    'st.g[1]',
    'st.h',
    'st.k',
    'sa[1].f',
    'sa[1].g[0]',
    'lb',
    'lo[1]',
    'lu',
    'ls',
    'li',
    'ly',
  ]);
  const scalar = () => text.one(places);
  const value = () =>
    text.one([
      text.one(BEYOND),
      text.one(BEYOND),
      text.one(LARGE),
      scalar(),
      `${scalar()} + 1`,
      `- ${scalar()}`,
    ]);
  const singles = ['cbit', 'cbool', 'cbyte', 'cshort', 'cint', 'cm', 'cs1', 'rbit', 'rshort'];
  const statement = (): string => {
    const single = text.one(singles);
    return text.one([
      `${scalar()} = ${value()}`,
      `${scalar()} = ${value()}`,
      `${scalar()} = ${scalar()}`,
      `${scalar()}++`,
      `${scalar()}--`,
      `${single}!${value()}`,
      `${single}!${value()}`,
      `${single}?${scalar()}`,
      `${single}?${scalar()}`,
      `${single}?eval(${scalar()})`,
      `${single}?${text.one(['0', '1', '2', '255'])}`,
      `cbit!!${value()}`,
      `cbyte!!${value()}`,
      `cbit??${text.one(['1', '2', '3'])}`,
      `c2!${value()},${value()}`,
      `c2?b,${text.one(['ly', 'li', 'ab[0]'])}`,
      `c2!!${value()},${value()}`,
      `c3!${value()},${value()},${value()}`,
      `c3?ly,ls,li`,
      `cs3!st`,
      `cs3?sa[1]`,
      `rst!st,${value()}`,
      `rst?sa[0],${text.one(['li', 'lb'])}`,
      `assert(${scalar()} ${text.one(['<', '<=', '==', '!='])} ${value()})`,
      `if :: ${scalar()} > 1 -> ${scalar()} = 0 :: else fi`,
      `_nr_pr < 4 -> run W(${value()}, ${value()}, ${value()}, ${value()})`,
      `d_step { ${scalar()} = ${value()}; ${scalar()} = ${scalar()} }`,
    ]);
  };
  return `mtype = { alpha, beta };
typedef S { bit f; bit g[2]; byte h; short k };
typedef S1 { bool f };
chan cbit = [2] of { bit }; chan cbool = [1] of { bool }; chan cbyte = [2] of { byte }; chan cshort = [1] of { short };
chan cint = [1] of { int }; chan cm = [1] of { mtype }; chan cs1 = [1] of { S1 }; chan rbit = [0] of { bit }; chan rshort = [0] of { short };
chan c2 = [2] of { bit, bool }; chan c3 = [1] of { bit, short, int }; chan cs3 = [1] of { S }; chan rst = [0] of { S, bit };
bit b; bool o; byte y; short s; int i; unsigned u1 : 1; unsigned u5 : 5; unsigned u31 : 31; mtype m; pid pd;
bit ab[2]; bool ao[1] = ${text.one(BEYOND)}; mtype am[2]; S st; S sa[2]; bit bi = ${text.one(BEYOND)};
proctype W(bit w1; short w2; bool w3; int w4) { s = w2; i = w4; b = w1; ab[1] = w3; assert(w4 == w2) }
active [${text.one(['1', '1', '2'])}] proctype P() {
bit lb = ${text.one(BEYOND)}; bool lo[2] = ${text.one(BEYOND)}; unsigned lu : 4 = ${text.one(BEYOND)}; short ls = ${text.one(BEYOND)}; int li; byte ly;
${text.sequence(statement, 2, 3 + text.pick(4))} }
active proctype Q() { bit lb; bool lo[2]; unsigned lu : 4; short ls; int li; byte ly; ${text.sequence(statement, 1, 2 + text.pick(2))} }
`;
}

export function arithmetic(text: Text): string {
  const operators = ['+', '-', '*', '/', '%', '<<', '>>', '&', '|', '^'];
  const atom = () => text.one(['i', 'j', 'x', 's', text.one(LARGE), text.one(BEYOND), 'i', 'j']);
  const shiftable = (operator: string) =>
    operator === '<<' || operator === '>>' ? text.one(['1', '8', '31', '(x & 31)']) : atom();
  const value = (depth = 2): string => {
    if (depth === 0) return atom();
    const operator = text.one(operators);
    return text.one([
      `(${value(depth - 1)} ${operator} ${shiftable(operator)})`,
      `(${value(depth - 1)} ${operator} ${shiftable(operator)})`,
      `(- ${value(depth - 1)})`,
      `(~${atom()})`,
      atom(),
    ]);
  };
  const comparison = () => text.one(['<', '<=', '>', '>=', '==', '!=']);
  const test = () => text.one([`${value()} ${comparison()} ${value(1)}`, `${value()}`, `!(${value(1)})`]);
  const statement = (): string =>
    text.one([
      `i = ${value()}`,
      `j = ${value()}`,
      `s = ${value()}`,
      `x = ${value()}`,
      `assert(${test()})`,
      `if :: ${test()} -> x = 1 :: else -> x = 0 fi`,
      `k < 3 -> k++; i = i ${text.one(['+', '-', '*'])} ${atom()}`,
      `q!${value(1)}`,
      'q?i',
      'q?j',
      `q?eval(${value(1)})`,
      `i = (${test()} -> ${value(1)} : j)`,
      `d_step { i = ${value(1)}; j = ${value(1)} }`,
      'skip',
    ]);
  return `int i = ${text.one(LARGE)}, j = ${text.one(LARGE)}; short s = ${text.one(BEYOND)}; byte x = ${text.one(BEYOND)}, k;
chan q = [1] of { int };
active proctype P() { ${text.sequence(statement, 2, 3 + text.pick(4))} }
active proctype Q() { ${text.sequence(statement, 1, 1 + text.pick(3))} }
`;
}
