// Quotients and remainders, which solvers spell out bit by bit, as values of which only a few facts are known: a remainder is smaller than what it is a remainder by, a quotient not
// larger than what is divided. What contradicts these facts contradicts the exact values, too; the other way round it need not be so, then the exact question is asked.
// The facts are those of SMT-LIB's operations, division by 0 included (divisions.test.ts tries them all on small numbers).

import { FIRST_UNKNOWN, type Formula, type Formulas } from './formula.ts';

const DIVISIONS = new Set(['udiv', 'urem', 'sdiv', 'srem']);

/** Unknown values of quotients and remainders: apart from all others. */
const FIRST_RESULT = FIRST_UNKNOWN << 1n;

/** The tests with unknown values in the place of quotients and remainders, and the facts; null where there is none. */
export function withoutDivisions(formulas: Formulas, tests: readonly Formula[]): readonly Formula[] | null {
  const facts: Formula[] = [];
  const done = new Map<Formula, Formula>();
  const walk = (node: Formula): Formula => {
    if (node.args.length === 0) return node;
    let result = done.get(node);
    if (result === undefined) {
      const args = node.args.map(walk);
      // By constants they are no trouble.
      if (DIVISIONS.has(node.op) && args[1]!.op !== 'const') {
        result = formulas.variable(FIRST_RESULT + BigInt(node.id), node.width);
        facts.push(...factsOf(formulas, node.op, args[0]!, args[1]!, result));
      } else result = formulas.apply(node.op, node.width, args);
      done.set(node, result);
    }
    return result;
  };
  const open = tests.map(walk);
  return facts.length === 0 ? null : [...open, ...facts];
}

/** What is true of the result of an operation. */
export function factsOf(formulas: Formulas, op: string, a: Formula, b: Formula, result: Formula): Formula[] {
  const { width } = result;
  const zero = formulas.constant(0n, width);
  const one = formulas.constant(1n, width);
  const test = (name: string, x: Formula, y: Formula) => formulas.apply(name, 0, [x, y]);
  const any = (...tests: Formula[]) => tests.reduce((x, y) => formulas.apply('disj', 0, [x, y]));
  const { not, equal } = formulas;
  const size = (x: Formula) =>
    formulas.apply('ite', width, [test('slt', x, zero), formulas.apply('sub', width, [zero, x]), x]);
  const half = (x: Formula) => formulas.apply('lshr', width, [x, one]);
  const byZero = equal(b, zero);
  switch (op) {
    case 'urem':
      return [
        any(byZero, test('ult', result, b)),
        test('ule', result, a),
        any(not(test('ult', a, b)), equal(result, a)),
        any(byZero, test('ult', a, b), test('ule', result, formulas.apply('sub', width, [a, b]))),
      ];
    case 'udiv':
      return [
        any(byZero, equal(b, one), test('ule', result, half(a))),
        any(not(equal(b, one)), equal(result, a)),
        any(not(test('ult', a, b)), equal(result, zero)),
        any(byZero, test('ult', a, b), test('ule', one, result)),
      ];
    case 'srem':
      return [
        any(byZero, test('ult', size(result), size(b))),
        any(test('slt', a, zero), test('sle', zero, result)),
        any(test('slt', a, zero), test('sle', result, a)),
        any(test('sle', zero, a), test('sle', result, zero)),
        any(test('sle', zero, a), test('sle', a, result)),
        any(not(test('ult', size(a), size(b))), equal(result, a)),
      ];
    default:
      return [
        any(byZero, equal(size(b), one), test('ule', size(result), half(size(a)))),
        any(byZero, test('ule', size(result), size(a))),
        any(not(equal(b, one)), equal(result, a)),
        any(not(test('ult', size(a), size(b))), equal(result, zero)),
        any(test('slt', a, zero), test('sle', b, zero), test('sle', zero, result)),
        any(test('sle', zero, a), test('sle', b, zero), test('sle', result, zero)),
      ];
  }
}
