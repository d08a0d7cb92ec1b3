// Random Promela models that walk around the places where a verdict was once wrong, one generator for each cause: structures with
// channels handed around, storage of every width with values beyond it, arithmetic near the ends of 32 bits, wrong numbers of message
// fields, errors in the middle of a run, labels and end states. Plain seeded text; no meaning is intended. SPIN accepts nearly all.

import type { Pick } from './random-semantics.ts';
import { arithmetic, widths } from './random-trap-values.ts';
import { capacity, Text } from './trap-text.ts';

export type Cause = 'structures' | 'widths' | 'arithmetic' | 'arities' | 'errors' | 'labels';

export const CAUSES: readonly Cause[] = ['structures', 'widths', 'arithmetic', 'arities', 'errors', 'labels'];

export function randomTrapModel(cause: Cause, pick: Pick): string {
  return GENERATORS[cause](new Text(pick));
}

const GENERATORS: Readonly<Record<Cause, (text: Text) => string>> = {
  structures,
  widths,
  arithmetic,
  arities,
  errors,
  labels,
};

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
      'printf("%d %d", x, a[i])',
      'printf("%d", 6 / d)',
      'printf("%d", len(c))',
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
