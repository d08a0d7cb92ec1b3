// Can a formula tell how many steps of its own a thread takes between two changes that are visible? Where it cannot, such steps are left out
// of the structures. What one step is would otherwise decide the answer: `!p U e` is true when e is the first step after p became true, and
// false when a step without any event lies between.
//
// A silent step repeats the labels of the state and bears no event that a formula may name. Compare a formula at a silent position
// with itself at the next one:
//   steady  the same value                    strict  false at the silent position                lax  true there
//   mixed   nothing is known there, but at all other positions silent steps later on do not matter
//   exact   silent steps matter
// Propositions are steady, events strict. φ U ψ is steady when φ and ψ are, and when φ is lax and ψ strict or steady: unfold it once
// at the silent position. The other operators follow by duality. By induction no formula that is not `exact` depends, at positions that are not
// silent, on silent steps; one that is steady does not depend on them anywhere.

import type { BinaryOperator, Syntax } from '../../ltl/syntax.ts';

type Kind = 'steady' | 'strict' | 'lax' | 'mixed' | 'exact';

/** `isOwnStep`: event atoms that stand for a thread's own steps. */
export function ignoresSilentSteps(formula: Syntax, isOwnStep: (event: number) => boolean): boolean {
  return kindOf(formula, isOwnStep) === 'steady';
}

function kindOf(formula: Syntax, isOwnStep: (event: number) => boolean): Kind {
  switch (formula.kind) {
    case 'constant':
      return 'steady';
    case 'atom':
      if (formula.atom.kind === 'proposition') return 'steady';
      return isOwnStep(formula.atom.id) ? 'exact' : 'strict';
    case 'unary': {
      const operand = kindOf(formula.operand, isOwnStep);
      switch (formula.operator) {
        case 'not':
          return negated(operand);
        case 'next':
          return 'exact';
        case 'eventually':
          return until('lax', operand);
        case 'always':
          return negated(until('lax', negated(operand)));
      }
      break;
    }
    case 'binary':
      return binaryKind(formula.operator, kindOf(formula.left, isOwnStep), kindOf(formula.right, isOwnStep));
  }
  throw new Error('impossible: every formula has a kind');
}

function binaryKind(operator: BinaryOperator, left: Kind, right: Kind): Kind {
  switch (operator) {
    case 'and':
      return and(left, right);
    case 'or':
      return or(left, right);
    case 'implies':
      return or(negated(left), right);
    case 'equivalent':
    case 'xor':
      if (left === 'exact' || right === 'exact') return 'exact';
      return left === 'steady' && right === 'steady' ? 'steady' : 'mixed';
    case 'until':
      return until(left, right);
    case 'release':
      return release(left, right);
    case 'weak-until':
      return release(right, or(left, right));
    case 'strong-release':
      return until(right, and(left, right));
  }
}

function negated(kind: Kind): Kind {
  return kind === 'strict' ? 'lax' : kind === 'lax' ? 'strict' : kind;
}

function and(left: Kind, right: Kind): Kind {
  if (left === 'exact' || right === 'exact') return 'exact';
  if (left === 'strict' || right === 'strict') return 'strict';
  return left === right ? left : 'mixed';
}

const or = (left: Kind, right: Kind): Kind => negated(and(negated(left), negated(right)));
const release = (left: Kind, right: Kind): Kind => negated(until(negated(left), negated(right)));

function until(left: Kind, right: Kind): Kind {
  if (left === 'steady' && right === 'steady') return 'steady';
  return left === 'lax' && (right === 'strict' || right === 'steady') ? 'steady' : 'exact';
}
