// Tests that hold for any number, used for some: for the unknown number itself, and for those for which such a test reads what something else reads. Every one of them is
// true where the test holds for any number, so whatever is chosen here, nothing wrong can be shown with it.

import type { Formula, Formulas } from './formula.ts';
import { ANY_VARIABLE } from './proof.ts';

/** Numbers that one test is used for. */
const MOST = 24;

const isAny = ({ op, value }: Formula): boolean => op === 'variable' && value === ANY_VARIABLE;

/** The tests, those about any number for some that the other formulas suggest. */
export function forSome(
  formulas: Formulas,
  tests: readonly Formula[],
  others: readonly Formula[],
): readonly Formula[] {
  const general = new Set(tests.filter((test) => nodesIn([test]).some(isAny)));
  if (general.size === 0) return tests;
  const addresses = [...tests.filter((test) => !general.has(test)), ...others].flatMap((formula) =>
    nodesIn([formula]).flatMap(({ op, args }) => (op === 'select' ? [args[1]!] : [])),
  );
  return tests.flatMap((test) => {
    if (!general.has(test)) return [test];
    const numbers = new Set([formulas.variable(ANY_VARIABLE, 32)]);
    const own = nodesIn([test]).flatMap(({ op, args }) => (op === 'select' ? [args[1]!] : []));
    for (const address of new Set(addresses))
      for (const place of own) {
        const number = numbers.size < MOST ? solved(formulas, place, address) : null;
        if (number !== null) numbers.add(number);
      }
    return [...numbers].map((number) =>
      formulas.substitute(test, (variable) => (isAny(variable) ? number : variable)),
    );
  });
}

/**
 * A number that makes `place`, which is made of the number that may be any and constants, equal to the address, of the same width. Only where it has as many bits as
 * the number that may be any it is one of those that the test holds for.
 */
function solved(formulas: Formulas, place: Formula, address: Formula): Formula | null {
  const { width } = place;
  if (address.width !== width) return null;
  if (isAny(place)) return address;
  const [inner, by] = place.args;
  if (place.op === 'sext') {
    const isAlike = address.op === 'sext' && address.args[0]!.width === inner!.width;
    return solved(
      formulas,
      inner!,
      isAlike ? address.args[0]! : formulas.apply('trunc', inner!.width, [address]),
    );
  }
  if (by?.op !== 'const') return null;
  if (place.op === 'add') {
    // Both of the same shape: the parts without the constants are equal.
    const isAlike = address.op === 'add' && address.args[1] === by;
    return solved(formulas, inner!, isAlike ? address.args[0]! : formulas.apply('sub', width, [address, by]));
  }
  if (place.op !== 'mul') return null;
  const isAlike = address.op === 'mul' && address.args[1] === by;
  return solved(formulas, inner!, isAlike ? address.args[0]! : formulas.apply('udiv', width, [address, by]));
}

function nodesIn(roots: readonly Formula[]): readonly Formula[] {
  const found = new Set(roots);
  for (const formula of found) for (const arg of formula.args) found.add(arg);
  return [...found];
}
