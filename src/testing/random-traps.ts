// Random Promela models that walk around the places where a verdict was once wrong, one generator for each cause: structures with
// channels handed around, storage of every width with values beyond it, arithmetic near the ends of 32 bits, wrong numbers of message
// fields, errors in the middle of a run, labels and end states. Plain seeded text; no meaning is intended. SPIN accepts nearly all.

import type { Pick } from './random-semantics.ts';

export type Cause = 'structures' | 'widths' | 'arithmetic' | 'arities' | 'errors' | 'labels';

export const CAUSES: readonly Cause[] = ['structures', 'widths', 'arithmetic', 'arities', 'errors', 'labels'];

export function randomTrapModel(cause: Cause, pick: Pick): string {
  return GENERATORS[cause](new Text(pick));
}

/** Choices, and control structures around the statements of one generator. */
class Text {
  readonly pick: Pick;
  private labels = 0;

  constructor(pick: Pick) {
    this.pick = pick;
  }

  one<T>(items: readonly T[]): T {
    return items[this.pick(items.length)]!;
  }

  label(...prefixes: string[]): string {
    return `${this.one(prefixes)}${this.labels++}`;
  }

  sequence(statement: () => string, depth: number, length: number): string {
    return Array.from({ length }, () => this.block(statement, depth)).join(';\n');
  }

  /** One statement, or a control structure around some. */
  block(statement: () => string, depth: number): string {
    const inner = (length = 1 + this.pick(2)) => this.sequence(statement, depth - 1, length);
    switch (this.pick(depth > 0 ? 14 : 8)) {
      case 8:
      case 9:
        return `if\n:: ${inner()}\n:: ${inner()}\nfi`;
      case 10:
        return `atomic { ${inner()} }`;
      case 11:
        return `if\n:: ${inner(1)}\n:: else -> ${inner(1)}\nfi`;
      case 12:
        return `do\n:: ${inner()}\n:: ${inner(1)}; break\nod`;
      case 13:
        return `{ ${inner()} } unless { ${inner(1)} }`;
      default:
        return statement();
    }
  }
}

const GENERATORS: Readonly<Record<Cause, (text: Text) => string>> = {
  structures,
  widths,
  arithmetic,
  arities,
  errors,
  labels,
};

const capacity = (text: Text): string => text.one(['0', '0', '1', '2']);

function structures(text: Text): string {
  const struct = (from: readonly string[]) => text.one(from);
  const statementOn =
    (cs: readonly string[], ds: readonly string[], bits: readonly string[]) => (): string => {
      const c = struct(cs);
      const d = ds.length > 0 ? struct(ds) : null;
      const any = [
        // No value beyond a bool, which the channel would keep: what SPIN's verifier puts back when it takes back a receive into x is x, cut.
        `${c}.s!${text.one(['1', '0', '1', 'x'])}`,
        `${c}.s!1`,
        `${c}.s?x`,
        `${c}.s?x`,
        `${c}.s?1`,
        `${c}.t!y,${text.one(['1', 'x', '2'])}`,
        `${c}.t?y,x`,
        `${c}.t?y,x`,
        `${c}.t?eval(y),_`,
        `${c}.v = y`,
        `y = ${c}.v`,
        `y++`,
        `${c}.s = ${struct(cs)}.s`,
        `assert(${c}.v < 2)`,
        `assert(${c}.s != ${struct(cs)}.s)`,
        `len(${c}.t) == 0`,
        `pass!${c}`,
        `pass?${c}`,
        `_nr_pr < 5 -> run leaf(${c}, ${text.one(['1', 'y'])})`,
        `_nr_pr < 5 -> run leaf(${c}, 0)`,
        'x = 1 - x',
        ...bits.map((bit) => `${bit} = ${text.one(['1', '2', 'y'])}`),
        ...bits.map((bit) => `assert(${bit} < 2)`),
      ];
      const whole =
        d === null
          ? []
          : [`pass2!${d},y`, `pass2?${d},y`, `${d}.w = y`, `_nr_pr < 5 -> run mid(${d})`, `${d}.z = y + 1`];
      return text.one([...any, ...whole]);
    };
  const leaf = statementOn(['p', 'gd.c'], [], []);
  const mid = statementOn(['p.c', 'own'], ['p'], ['p.z']);
  const main = statementOn(
    ['c', 'd.c', 'a.c[1]', 'a.c[x]', 'ga[1].c[0]', 'gd.c'],
    ['d', 'gd'],
    ['a.b[1]', 'd.z'],
  );
  const end = () => text.one(['', 'end: ']);
  return `typedef C { chan s = [${capacity(text)}] of { bool }; byte v; chan t = [${capacity(text)}] of { byte, bit } };
typedef D { C c; byte w = 1; bit z };
typedef A { C c[2]; bit b[2] };
chan pass = [${capacity(text)}] of { C };
chan pass2 = [${capacity(text)}] of { D, byte };
D gd; A ga[2];
proctype leaf(C p; byte n) { bool x; byte y = n; ${end()}${text.sequence(leaf, 1, 1 + text.pick(3))} }
proctype mid(D p) { bool x; byte y; C own; ${end()}${text.sequence(mid, 1, 1 + text.pick(3))} }
active proctype main() { C c; D d; A a; bool x; byte y; ${text.sequence(main, 2, 2 + text.pick(3))} }
${text.one(['', 'init { bool x; byte y; C c; pass?c; c.s!1 }', 'init { byte y; run mid(gd); gd.c.t!1,1 }'])}
`;
}

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

function widths(text: Text): string {
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

function arithmetic(text: Text): string {
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

/** Several numbers of fields, channels by name and through variables; errors that SPIN's verifier passes, and those where it gives up. */
function arities(text: Text): string {
  const channels = ['one', 'two', 'three', 'r1', 'r2', 'w', 'w', 'v'];
  const values = () =>
    Array.from({ length: 1 + text.pick(3) }, () => text.one(['0', '1', 'x', 'y'])).join(',');
  const pattern = () => text.one(['x', 'y', '_', '0', '1', 'eval(y)', 'x']);
  const patterns = () =>
    Array.from({ length: 1 + text.pick(3) }, pattern)
      .join(',')
      .replace(/x(.*)x/, 'x$1_')
      .replace(/y(.*)\by\b(?!\))/, 'y$1_');
  const statement = (): string => {
    const c = text.one(channels);
    return text.one([
      `${c}!${values()}`,
      `${c}!${values()}`,
      `${c}!${values()}`,
      `${c}?${patterns()}`,
      `${c}?${patterns()}`,
      `${c}?${patterns()}`,
      `${c}??${patterns()}`,
      `${c}?<${patterns()}>`,
      `${c}!!${values()}`,
      `${c}?[${patterns()}]`,
      `w = ${text.one(channels)}`,
      `v = ${text.one(channels)}`,
      'x = 1 - x',
      `d_step { ${text.one(['one', 'two', 'w'])}?${patterns()}; y = 0 }`,
      `d_step { x == 0; ${text.one(['one', 'two', 'three'])}!${values()} }`,
      `len(${c}) < 2`,
    ]);
  };
  const locals = () =>
    `byte x, y; chan w = ${text.one(['one', 'two', 'r2'])}; chan v = ${text.one(['three', 'two', 'r1'])};`;
  return `chan one = [${text.one(['1', '2'])}] of { byte }; chan two = [2] of { byte, bit }; chan three = [1] of { byte, byte, byte };
chan r1 = [0] of { bit }; chan r2 = [0] of { byte, byte };
active proctype P() { ${locals()}\n${text.sequence(statement, 2, 2 + text.pick(4))} }
active proctype Q() { ${locals()}\ndo\n:: ${statement()}\n:: ${text.sequence(statement, 1, 1 + text.pick(2))}\n:: ${statement()}\nod }
`;
}

function errors(text: Text): string {
  const statement = (): string =>
    text.one([
      'i++',
      'i = 0',
      'd++',
      'd = 0',
      'a[i] = 1',
      'x = a[i]',
      'x = 6 / d',
      'x = 6 % d',
      'q!a[i]',
      'q!1',
      'q?x',
      'q?a[i]',
      'c!1',
      'c = q',
      'c?x',
      'len(c) > 0',
      'assert(x < 6)',
      'i < 2 -> a[i] = 2',
      'd > 0 -> x = 7 / d',
      'd_step { i < 3; a[i] = 1; i++ }',
      'd_step { x = 1; q!1 }',
      'atomic { q?x; x = 5 / x }',
      'skip',
    ]);
  return `byte a[2], i, d = 1; chan q = [2] of { byte };
active proctype P() { byte x; chan c; ${text.one(['', 'end: '])}${text.sequence(statement, 2, 2 + text.pick(4))} }
active proctype Q() { byte x; chan c = q; ${text.sequence(statement, 1, 1 + text.pick(3))} }
`;
}

function labels(text: Text): string {
  const statement = (): string => {
    const simple = text.one([
      'x = (x + 1) % 3',
      'y = (y + 1) % 2',
      'g = 1 - g',
      'g == 1',
      'x != 1',
      'q!x',
      'q?x',
      'q?1',
      'r!x',
      'r?y',
      'skip',
      'timeout',
      'skip',
    ]);
    const labelled =
      text.pick(3) === 0 ? `${text.label('end', 'progress', 'accept', 'endProgress', 'L')}: ` : '';
    return labelled + simple;
  };
  const process = (head: string, depth: number, length: number): string => {
    const outer = text.pick(3) === 0 ? `${text.label('end', 'progress', 'accept')}: ` : '';
    const body = text.sequence(statement, depth, length);
    const looped = text.pick(2) === 0 ? `do\n:: ${body}\n:: ${statement()}\nod` : body;
    return `${head} { byte x, y; ${outer}${looped} }`;
  };
  return `byte g; chan q = [${text.one(['1', '2'])}] of { byte }; chan r = [0] of { byte };
${process('active proctype P()', 2, 2 + text.pick(3))}
${process(`active ${text.one(['', '[2] '])}proctype Q()`, 1, 1 + text.pick(3))}
`;
}
