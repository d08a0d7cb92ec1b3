// Formulas that cannot tell whether a hidden step is there: a step with an event that the formula does not name, between two states that agree
// on its propositions. For these, structures may be reduced by branching bisimulation; a formula such as X a, G (p -> a) or a U b
// is not among them, because the hidden step before a is itself a letter without a.
//
// Call a position *inserted* when its event is hidden and its propositions are those of the next position (a tail of such positions for ever is
// none: it stays). For each subformula, bottom up, by what it is built of:
//   up      true at the next position → true at the inserted one        down    true at the inserted one → true at the next
//   always  true at every inserted position                             never   false at every inserted position
// A proposition, and every formula that is `up` and `down`, cannot see the insertion (by induction the truth at the other positions does not
// change). An event is `never`, so its negation is `always`. f U g keeps this when g is `down` and
//   – f is `always`: whatever is inserted before the g satisfies f; or
//   – f and g are `up`: at an inserted position directly before the g, g holds already.
// The other operators are abbreviations and duals. X is out. The criterion is sufficient, not necessary.

import { impossible } from '../base/result.ts';
import type { Syntax } from './syntax.ts';

interface Visibility {
  readonly up: boolean;
  readonly down: boolean;
  readonly always: boolean;
  readonly never: boolean;
}

const blindTo = (value: boolean): Visibility => ({ up: true, down: true, always: value, never: !value });
const BLIND: Visibility = { up: true, down: true, always: false, never: false };
const EVENT: Visibility = { up: false, down: true, always: false, never: true };

/** `isHidden`: events that hidden steps bear although formulas may name them; whoever names one can see the step. */
export function ignoresHiddenSteps(
  formula: Syntax,
  isHidden: (event: number) => boolean = () => false,
): boolean {
  const visibility = visibilityOf(formula, isHidden);
  return visibility?.up === true && visibility.down;
}

const not = ({ up, down, always, never }: Visibility): Visibility => ({
  up: down,
  down: up,
  always: never,
  never: always,
});

function and(a: Visibility, b: Visibility): Visibility {
  const always = a.always && b.always;
  const never = a.never || b.never;
  return { up: always || (a.up && b.up), down: never || (a.down && b.down), always, never };
}

const or = (a: Visibility, b: Visibility): Visibility => not(and(not(a), not(b)));

function until(f: Visibility, g: Visibility): Visibility | null {
  if (!g.down || !(f.always || (f.up && g.up))) return null;
  return g.always ? blindTo(true) : BLIND;
}

const orNull = (visibility: Visibility | null): Visibility | null =>
  visibility === null ? null : not(visibility);
const release = (f: Visibility, g: Visibility): Visibility | null => orNull(until(not(f), not(g)));

/** Null: beyond the criterion. */
function visibilityOf(formula: Syntax, isHidden: (event: number) => boolean): Visibility | null {
  switch (formula.kind) {
    case 'constant':
      return blindTo(formula.value);
    case 'atom':
      if (formula.atom.kind === 'proposition') return BLIND;
      return isHidden(formula.atom.id) ? null : EVENT;
    case 'unary': {
      const operand = visibilityOf(formula.operand, isHidden);
      if (operand === null || formula.operator === 'next') return null;
      if (formula.operator === 'not') return not(operand);
      return formula.operator === 'eventually'
        ? until(blindTo(true), operand)
        : release(blindTo(false), operand);
    }
    case 'binary': {
      const left = visibilityOf(formula.left, isHidden);
      const right = visibilityOf(formula.right, isHidden);
      return left === null || right === null ? null : binary(formula.operator, left, right);
    }
    default:
      return impossible(formula, 'every kind of formula is looked at');
  }
}

function binary(
  operator: (Syntax & { readonly kind: 'binary' })['operator'],
  left: Visibility,
  right: Visibility,
): Visibility | null {
  switch (operator) {
    case 'and':
      return and(left, right);
    case 'or':
      return or(left, right);
    case 'implies':
      return or(not(left), right);
    case 'equivalent':
      return or(and(left, right), and(not(left), not(right)));
    case 'xor':
      return or(and(left, not(right)), and(not(left), right));
    case 'until':
      return until(left, right);
    case 'release':
      return release(left, right);
    case 'weak-until':
      return release(right, or(left, right));
    case 'strong-release':
      return until(right, and(left, right));
    default:
      return impossible(operator, 'every operator is looked at');
  }
}
