// Linear sums over numbered integer variables, and formulas over `sum <= 0`.
// Every variable is a whole number; each obligation numbers its own.

/** Σ coefficients[i] · variables[i] + constant; variables ascending, no zero coefficients. */
export interface Sum {
  readonly variables: readonly number[];
  readonly coefficients: readonly number[];
  readonly constant: number;
}

export const constantSum = (constant: number): Sum => ({ variables: [], coefficients: [], constant });
export const variableSum = (variable: number): Sum => ({
  variables: [variable],
  coefficients: [1],
  constant: 0,
});

/** Beyond this a sum may have lost precision. Its constant becomes NaN, for good, and nothing is concluded from it. */
const EXACT = 2 ** 51;

/** a + factor · b */
export function plusTimes(a: Sum, b: Sum, factor: number): Sum {
  const variables: number[] = [];
  const coefficients: number[] = [];
  let exact = true;
  const put = (variable: number, coefficient: number): void => {
    if (Math.abs(coefficient) > EXACT) exact = false;
    if (coefficient === 0) return;
    variables.push(variable);
    coefficients.push(coefficient);
  };
  let i = 0;
  let j = 0;
  while (i < a.variables.length || j < b.variables.length) {
    const x = a.variables[i] ?? Number.POSITIVE_INFINITY;
    const y = b.variables[j] ?? Number.POSITIVE_INFINITY;
    if (x < y) put(x, a.coefficients[i++]!);
    else if (y < x) put(y, factor * b.coefficients[j++]!);
    else put(x, a.coefficients[i++]! + factor * b.coefficients[j++]!);
  }
  const constant = a.constant + factor * b.constant;
  return { variables, coefficients, constant: exact && Math.abs(constant) <= EXACT ? constant : Number.NaN };
}

export type Formula =
  | { readonly kind: 'true' }
  | { readonly kind: 'false' }
  /** sum <= 0 */
  | { readonly kind: 'atMost'; readonly sum: Sum }
  /** A proposition that is not arithmetic: an unknown sequence has some property. */
  | { readonly kind: 'proposition'; readonly id: number; readonly positive: boolean }
  | { readonly kind: 'and'; readonly parts: readonly Formula[] }
  | { readonly kind: 'or'; readonly parts: readonly Formula[] };

export const TRUE: Formula = { kind: 'true' };
export const FALSE: Formula = { kind: 'false' };

const gcd = (a: number, b: number): number => (b === 0 ? Math.abs(a) : gcd(b, a % b));

/** Numbers of propositions that stand for inexact comparisons: each may be true or false. */
let undecided = 0;

/** sum <= 0, with the common factor of the coefficients divided out (and the constant rounded: the variables are whole). */
export function atMostZero(sum: Sum): Formula {
  if (Number.isNaN(sum.constant)) return { kind: 'proposition', id: --undecided, positive: true };
  if (sum.variables.length === 0) return sum.constant <= 0 ? TRUE : FALSE;
  const factor = sum.coefficients.reduce((g, c) => gcd(g, c), 0);
  if (factor === 1) return { kind: 'atMost', sum };
  return {
    kind: 'atMost',
    sum: {
      variables: sum.variables,
      coefficients: sum.coefficients.map((c) => c / factor),
      constant: -Math.floor(-sum.constant / factor),
    },
  };
}

export const lessOrEqual = (a: Sum, b: Sum): Formula => atMostZero(plusTimes(a, b, -1));
export const equalTo = (a: Sum, b: Sum): Formula => and([lessOrEqual(a, b), lessOrEqual(b, a)]);
export const proposition = (id: number): Formula => ({ kind: 'proposition', id, positive: true });

export function and(parts: readonly Formula[]): Formula {
  const flat: Formula[] = [];
  for (const part of parts) {
    if (part.kind === 'false') return FALSE;
    if (part.kind === 'and') flat.push(...part.parts);
    else if (part.kind !== 'true') flat.push(part);
  }
  return flat.length === 0 ? TRUE : flat.length === 1 ? flat[0]! : { kind: 'and', parts: flat };
}

export function or(parts: readonly Formula[]): Formula {
  const flat: Formula[] = [];
  for (const part of parts) {
    if (part.kind === 'true') return TRUE;
    if (part.kind === 'or') flat.push(...part.parts);
    else if (part.kind !== 'false') flat.push(part);
  }
  return flat.length === 0 ? FALSE : flat.length === 1 ? flat[0]! : { kind: 'or', parts: flat };
}

export function not(formula: Formula): Formula {
  switch (formula.kind) {
    case 'true':
      return FALSE;
    case 'false':
      return TRUE;
    case 'atMost': // not (s <= 0)  is  1 - s <= 0
      return atMostZero(plusTimes(constantSum(1), formula.sum, -1));
    case 'proposition':
      return { kind: 'proposition', id: formula.id, positive: !formula.positive };
    case 'and':
      return or(formula.parts.map(not));
    case 'or':
      return and(formula.parts.map(not));
  }
}

export const implies = (a: Formula, b: Formula): Formula => or([not(a), b]);
