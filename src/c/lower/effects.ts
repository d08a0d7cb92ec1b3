// What evaluating an expression can do, seen from its syntax alone: change something, or be undefined.

import type { Declarator, Expression } from '../syntax/ast.ts';

/** Could evaluating this change anything, or is it defined only on some runs? */
export function hasEffects(node: Expression): boolean {
  switch (node.kind) {
    case 'assign':
    case 'update':
    case 'call':
    case 'literal':
    case 'statements':
    case 'va-arg':
      return true;
    case 'unary':
    case 'sizeof':
      return hasEffects(node.arg);
    case 'cast':
      return sizesIn(node.type.declarator).some(hasEffects) || hasEffects(node.arg);
    case 'sizeof-type':
      return sizesIn(node.type.declarator).some(hasEffects);
    case 'binary':
    case 'comma':
      return hasEffects(node.left) || hasEffects(node.right);
    case 'conditional':
      return hasEffects(node.test) || (node.yes !== null && hasEffects(node.yes)) || hasEffects(node.no);
    case 'member':
      return hasEffects(node.object);
    case 'index':
      return hasEffects(node.array) || hasEffects(node.index);
    case 'generic':
      return node.choices.some((choice) => hasEffects(choice.value));
    default:
      return false;
  }
}

/** Is a type named in it, which may be of a size that is computed there? */
export function hasCasts(node: Expression): boolean {
  switch (node.kind) {
    case 'cast':
      return true;
    case 'unary':
      return hasCasts(node.arg);
    case 'binary':
    case 'comma':
      return hasCasts(node.left) || hasCasts(node.right);
    case 'conditional':
      return (node.yes !== null && hasCasts(node.yes)) || hasCasts(node.no);
    case 'member':
      return hasCasts(node.object);
    case 'index':
      return hasCasts(node.array) || hasCasts(node.index);
    case 'generic':
      return node.choices.some((choice) => hasCasts(choice.value));
    default:
      return false;
  }
}

/** Among threads: does it read memory in steps of its own, so that what was read before it must be kept, lest it be read later? */
function takesSteps(node: Expression): boolean {
  switch (node.kind) {
    case 'number':
    case 'character':
    case 'string':
    case 'name':
    case 'alignof':
    case 'offsetof':
    case 'types-compatible':
      return false;
    case 'unary':
      return node.op === '*' || takesSteps(node.arg);
    case 'binary':
      return STEPPING.includes(node.op) || takesSteps(node.left) || takesSteps(node.right);
    case 'member':
      return node.arrow || takesSteps(node.object);
    default:
      return true;
  }
}

/** Must what was computed before this expression be kept, since it may change, or be read only afterwards? */
export const comesBetween = (node: Expression, amongThreads: boolean): boolean =>
  hasEffects(node) || (amongThreads && takesSteps(node));

/** How long the arrays are that a declarator is made of: some are computed. */
function sizesIn(declarator: Declarator): Expression[] {
  if (declarator.kind === 'name') return [];
  const own = declarator.kind === 'array' && declarator.size !== null ? [declarator.size] : [];
  return [...own, ...sizesIn(declarator.inner)];
}

/** Is the value defined on every run, so that it may be computed even where C would not? `mayOverflow`: where a sum may be an error. */
export function isTotal(node: Expression, mayOverflow: boolean): boolean {
  const is = (part: Expression): boolean => isTotal(part, mayOverflow);
  switch (node.kind) {
    case 'number':
    case 'character':
    case 'name':
    case 'alignof':
    case 'types-compatible':
      return true;
    case 'sizeof':
      return !hasEffects(node.arg);
    case 'sizeof-type':
      return sizesIn(node.type.declarator).every(is);
    case 'unary':
      return node.op !== '*' && node.op !== '&' && !(mayOverflow && node.op === '-') && is(node.arg);
    case 'binary':
      return (
        is(node.left) &&
        is(node.right) &&
        !(mayOverflow && OVERFLOWING.includes(node.op)) &&
        (!PARTIAL.includes(node.op) || (node.right.kind === 'number' && isHarmless(node.op, node.right.text)))
      );
    case 'conditional':
      return is(node.test) && node.yes !== null && is(node.yes) && is(node.no);
    case 'member':
      return !node.arrow && is(node.object);
    default:
      return false;
  }
}

const PARTIAL: readonly string[] = ['/', '%', '<<', '>>'];
const STEPPING: readonly string[] = [...PARTIAL, '&&', '||'];
const OVERFLOWING: readonly string[] = ['+', '-', '*', '<<'];

/** A number that divides, and by which every type can be shifted. */
const isHarmless = (op: string, text: string): boolean =>
  /^([1-9]|[12]\d|3[01])$/.test(text) || (text === '0' && (op === '<<' || op === '>>'));
