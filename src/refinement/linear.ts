// Linear forms over variables, read off expressions: Σ coefficient · variable + constant. What is not linear, or reads something
// else than a plain variable, has no linear form.
//
// A form speaks of unlimited integers, the program computes in 32 bits. So a form says something about an expression only where no
// intermediate result can wrap: who reads a condition must tell which expressions are exact (`consequencesAt` in intervals.ts), who reads
// an assignment must show that its value stays in range.

import type { BinaryOperator, Expression } from '../process/expression.ts';
import type { VariableId } from '../process/program.ts';

export interface LinearForm {
  /** Without zeros. */
  readonly terms: ReadonlyMap<VariableId, bigint>;
  readonly constant: bigint;
}

export const constantForm = (constant: bigint): LinearForm => ({ terms: new Map(), constant });

export function addForms(a: LinearForm, b: LinearForm, factor = 1n): LinearForm {
  const terms = new Map(a.terms);
  for (const [variable, coefficient] of b.terms) {
    const sum = (terms.get(variable) ?? 0n) + factor * coefficient;
    if (sum === 0n) terms.delete(variable);
    else terms.set(variable, sum);
  }
  return { terms, constant: a.constant + factor * b.constant };
}

export const scaleForm = (form: LinearForm, factor: bigint): LinearForm =>
  addForms(constantForm(0n), form, factor);

export function linearForm(expression: Expression): LinearForm | null {
  switch (expression.kind) {
    case 'constant':
      return constantForm(BigInt(expression.value));
    case 'read':
      return expression.cell.path.length > 0
        ? null
        : { terms: new Map([[expression.cell.variable, 1n]]), constant: 0n };
    case 'unary': {
      const operand = expression.operator === '-' ? linearForm(expression.operand) : null;
      return operand && scaleForm(operand, -1n);
    }
    case 'binary': {
      const left = linearForm(expression.left);
      const right = linearForm(expression.right);
      return left && right && combine(expression.operator, left, right);
    }
    default:
      return null;
  }
}

function combine(operator: BinaryOperator, left: LinearForm, right: LinearForm): LinearForm | null {
  if (operator === '+') return addForms(left, right);
  if (operator === '-') return addForms(left, right, -1n);
  if (operator !== '*') return null;
  if (left.terms.size === 0) return scaleForm(right, left.constant);
  return right.terms.size === 0 ? scaleForm(left, right.constant) : null;
}

/**
 * Linear forms that are all ≥ 0 when the condition has the truth value: what follows from it, not always all of it.
 * Disjunctions say nothing here, nor does what is not exact.
 */
export function consequences(
  condition: Expression,
  truth: boolean,
  isExact: (expression: Expression) => boolean,
): LinearForm[] {
  const exactForm = (part: Expression): LinearForm | null => (isExact(part) ? linearForm(part) : null);
  switch (condition.kind) {
    case 'unary':
      if (condition.operator === '!') return consequences(condition.operand, !truth, isExact);
      break;
    case 'binary':
      if (condition.operator === (truth ? '&&' : '||'))
        return [condition.left, condition.right].flatMap((part) => consequences(part, truth, isExact));
      if (isComparison(condition.operator)) {
        const left = exactForm(condition.left);
        const right = exactForm(condition.right);
        return left && right ? comparison(condition.operator, left, right, truth) : [];
      }
      break;
    default:
  }
  // A plain number as a condition: false means zero.
  const form = truth ? null : exactForm(condition);
  return form === null ? [] : [form, scaleForm(form, -1n)];
}

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='];
const isComparison = (operator: BinaryOperator): boolean => COMPARISONS.includes(operator);

function comparison(
  operator: BinaryOperator,
  left: LinearForm,
  right: LinearForm,
  truth: boolean,
): LinearForm[] {
  const difference = addForms(left, right, -1n);
  const atLeast = (least: bigint): LinearForm => addForms(difference, constantForm(-least));
  const atMost = (most: bigint): LinearForm => addForms(constantForm(most), difference, -1n);
  switch (operator) {
    case '==':
      return truth ? [atLeast(0n), atMost(0n)] : [];
    case '!=':
      return truth ? [] : [atLeast(0n), atMost(0n)];
    case '<':
      return [truth ? atMost(-1n) : atLeast(0n)];
    case '<=':
      return [truth ? atMost(0n) : atLeast(1n)];
    case '>':
      return [truth ? atLeast(1n) : atMost(0n)];
    default:
      return [truth ? atLeast(0n) : atMost(-1n)];
  }
}
