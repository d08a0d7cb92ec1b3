// Facts about quotients and remainders, here and in the audit, are true of all numbers of four bits, also of those by 0; and they say something.

import { expect, test } from 'vitest';
import * as t from '../../smt/term.ts';
import { factsOf as factsOfAudit, withoutDivisions } from '../audit/divisions.ts';
import { Formulas } from '../audit/formula.ts';
import { factsOf } from './divisions.ts';

const WIDTH = 4;
const NUMBERS = Array.from({ length: 1 << WIDTH }, (_, i) => BigInt(i));
const signed = (x: bigint) => BigInt.asIntN(WIDTH, x);
const cut = (x: bigint) => BigInt.asUintN(WIDTH, x);

/** As SMT-LIB defines them. */
const EXACT = {
  udiv: (a: bigint, b: bigint) => (b === 0n ? cut(-1n) : a / b),
  urem: (a: bigint, b: bigint) => (b === 0n ? a : a % b),
  sdiv: (a: bigint, b: bigint) => (b === 0n ? cut(signed(a) < 0n ? 1n : -1n) : cut(signed(a) / signed(b))),
  srem: (a: bigint, b: bigint) => (b === 0n ? a : cut(signed(a) % signed(b))),
} as const;

type Op = keyof typeof EXACT;

/** The value of a term without variables. */
function value(term: t.Term): bigint {
  const { op, name } = term;
  const args = term.args as readonly t.Term[];
  const of = (i: number) => value(args[i]!);
  const truth = (is: boolean) => (is ? 1n : 0n);
  if (op === 'literal')
    return name === 'true'
      ? 1n
      : name === 'false'
        ? 0n
        : BigInt(/bv(\d+)/.exec(name)?.[1] ?? name.replace('#x', '0x').replace('#b', '0b'));
  switch (op) {
    case 'not':
      return truth(of(0) === 0n);
    case 'and':
      return truth(args.every((arg) => value(arg) !== 0n));
    case '=>':
      return truth(of(0) === 0n || of(1) !== 0n);
    case '=':
      return truth(of(0) === of(1));
    case 'ite':
      return of(0) !== 0n ? of(1) : of(2);
    case 'bvneg':
      return cut(-of(0));
    case 'bvsub':
      return cut(of(0) - of(1));
    case 'bvlshr':
      return of(0) >> of(1);
    case 'bvult':
      return truth(of(0) < of(1));
    case 'bvule':
      return truth(of(0) <= of(1));
    case 'bvslt':
      return truth(signed(of(0)) < signed(of(1)));
    case 'bvsle':
      return truth(signed(of(0)) <= signed(of(1)));
    default:
      throw new Error(`'${op}' is not expected here`);
  }
}

const holdsHere = (op: Op, a: bigint, b: bigint, result: bigint): boolean =>
  factsOf(op, t.bv(a, WIDTH), t.bv(b, WIDTH), t.bv(result, WIDTH)).every((fact) => value(fact) === 1n);

function holdsInAudit(op: Op, a: bigint, b: bigint, result: bigint): boolean {
  const formulas = new Formulas();
  const number = (x: bigint) => formulas.constant(x, WIDTH);
  return factsOfAudit(formulas, op, number(a), number(b), number(result)).every(
    (fact) => fact === formulas.true,
  );
}

test.each(Object.keys(EXACT) as Op[])('%s', (op) => {
  const wrong: string[] = [];
  const possible = [0, 0];
  for (const a of NUMBERS)
    for (const b of NUMBERS) {
      const exact = EXACT[op](a, b);
      if (!holdsHere(op, a, b, exact)) wrong.push(`here ${a} ${b}`);
      if (!holdsInAudit(op, a, b, exact)) wrong.push(`audit ${a} ${b}`);
      for (const other of NUMBERS) {
        if (holdsHere(op, a, b, other)) possible[0]!++;
        if (holdsInAudit(op, a, b, other)) possible[1]!++;
      }
    }
  expect(wrong).toEqual([]);
  // Of 16 results for each pair at most a third is left open.
  for (const count of possible) expect(count).toBeLessThan((16 * 16 * 16) / 3);
});

test('the audit puts one value in the place of one division', () => {
  const formulas = new Formulas();
  const [x, y] = [formulas.variable(1n, 32), formulas.variable(2n, 32)];
  const rest = formulas.apply('urem', 32, [x, y]);
  const tests = [formulas.equal(rest, y), formulas.not(formulas.equal(y, formulas.constant(0n, 32)))];
  expect(withoutDivisions(formulas, tests)).toHaveLength(2 + 4);
  expect(withoutDivisions(formulas, [formulas.equal(x, y)])).toBe(null);
});
