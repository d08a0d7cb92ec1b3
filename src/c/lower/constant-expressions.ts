// Constants by their form: C asks for it where `0` means the null pointer, gcc where __builtin_constant_p does, whatever can be computed besides.

import { type CType, INT, isVariable } from '../program/types.ts';
import type { Expression, TypeName } from '../syntax/ast.ts';
import { isBuiltinName } from '../text/builtins.ts';
import { type CallNode, chosenExpression } from './builtins.ts';
import type { Context } from './context.ts';
import { intValue } from './conversions.ts';
import { typeNamed } from './declare.ts';
import type { Value } from './places.ts';
import { constant, genericChoice, typeOf, value } from './values.ts';

/** Without the effects of sizes in it. */
const typeOnTrial = (context: Context, name: TypeName): CType =>
  context.onTrial(() => typeNamed(context, name));

/** An integer constant expression (C11 6.6): made of numbers alone. */
function isIntegerConstant(context: Context, node: Expression): boolean {
  const is = (part: Expression): boolean => isIntegerConstant(context, part);
  switch (node.kind) {
    case 'number':
      return !isFloating(node.text);
    case 'character':
    case 'alignof':
    case 'types-compatible':
      return true;
    case 'sizeof-type':
      return !isVariable(typeOnTrial(context, node.type));
    case 'sizeof':
      return !isVariable(typeOf(context, node.arg));
    case 'offsetof':
      return node.path.every((step) => typeof step === 'string' || is(step));
    case 'name':
      return context.scope.find(node.name)?.kind === 'constant';
    case 'unary':
      return node.op !== '*' && node.op !== '&' && is(node.arg);
    case 'binary':
      return is(node.left) && is(node.right);
    case 'conditional':
      return is(node.test) && (node.yes === null || is(node.yes)) && is(node.no);
    case 'cast':
      return typeOnTrial(context, node.type).kind === 'int' && (node.arg.kind === 'number' || is(node.arg));
    case 'generic':
      return is(genericChoice(context, node));
    default:
      return false;
  }
}

const isFloating = (text: string): boolean => (/^0[xX]/.test(text) ? /[.pP]/.test(text) : /[.eE]/.test(text));

/** `0`, or `(void *)0`. */
export function isNullConstant(context: Context, node: Expression): boolean {
  if (node.kind === 'generic') return isNullConstant(context, genericChoice(context, node));
  if (node.kind === 'cast') {
    const type = typeOnTrial(context, node.type);
    const isVoid = type.kind === 'pointer' && type.to.kind === 'void' && type.to.qualifiers === undefined;
    if (isVoid) return isIntegerConstant(context, node.arg) && constant(context, node.arg) === 0n;
  }
  return isIntegerConstant(context, node) && constant(context, node) === 0n;
}

/** What `__builtin_constant_p` says, as gcc has it without optimizing. */
export function isConstant(context: Context, node: Expression, key: unknown): Value {
  const { pool } = context;
  const answer = isKnown(context, node);
  if (answer !== null) return intValue(context, pool.bool(answer));
  const why = 'what gcc takes for a constant here is left open';
  return intValue(context, pool.test(context.unknown(key, INT, why, node.span)));
}

/** Null where it depends on how much gcc simplifies. */
function isKnown(context: Context, node: Expression): boolean | null {
  if (isOfNumbers(context, node)) return true;
  const known = (part: Expression): boolean | null => isKnown(context, part);
  switch (node.kind) {
    case 'string':
      return true;
    case 'name':
    case 'assign':
    case 'update':
    case 'comma':
      return false;
    case 'member':
    case 'index':
      return holds(context, node, 'string', 'literal') ? null : false;
    case 'unary':
      if (node.op === '*' || node.op === '&') return holds(context, node, 'string', 'literal') ? null : false;
      return known(node.arg);
    case 'cast':
      return known(node.arg);
    case 'generic':
      return known(genericChoice(context, node));
    case 'conditional': {
      if (node.yes === null || !isIntegerConstant(context, node.test)) return null;
      return known(constant(context, node.test) === 0n ? node.no : node.yes);
    }
    case 'binary': {
      if (node.op === '&&' || node.op === '||') {
        if (!isIntegerConstant(context, node.left)) return null;
        const isDecided = (constant(context, node.left) === 0n) === (node.op === '&&');
        return isDecided ? true : known(node.right);
      }
      if (holds(context, node, 'assign', 'update')) return false;
      const sides = [known(node.left), known(node.right)];
      return (node.op === '+' || node.op === '-') && sides.includes(true) && sides.includes(false)
        ? false
        : null;
    }
    case 'call':
      return isKnownCall(context, node);
    default:
      return null;
  }
}

function isKnownCall(context: Context, node: CallNode): boolean | null {
  const chosen = chosenExpression(context, node);
  if (chosen !== null) return isKnown(context, chosen);
  if (node.callee.kind !== 'name' || !isBuiltinName(node.callee.name)) return false;
  return node.callee.name === '__builtin_constant_p' ? true : null;
}

/** It names no variable and no string, and is computed to a number. */
function isOfNumbers(context: Context, node: Expression): boolean {
  if (![...kindsIn(context, node)].every((kind) => OF_NUMBERS.has(kind))) return false;
  const { here } = context;
  context.here = null;
  const { expr, type } = value(context, node);
  context.here = here;
  return expr.op === 'const' && (type.kind !== 'pointer' || expr.value < context.memory.space.first);
}

const holds = (context: Context, node: Expression, ...kinds: readonly Expression['kind'][]): boolean => {
  const found = kindsIn(context, node);
  return kinds.some((kind) => found.has(kind));
};

const OF_NUMBERS: ReadonlySet<string> = new Set([
  ...['number', 'character', 'unary', 'binary', 'conditional', 'cast', 'generic', 'member', 'index'],
  ...['sizeof', 'sizeof-type', 'alignof', 'types-compatible', 'offsetof'],
]);

/** The kinds of its parts that are computed; names of constants are numbers. */
function kindsIn(context: Context, node: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(node)) for (const one of node) kindsIn(context, one, into);
  if (typeof node !== 'object' || node === null || !('kind' in node)) return into;
  const part = node as Expression;
  const isNumber = part.kind === 'name' && context.scope.find(part.name)?.kind === 'constant';
  into.add(isNumber ? 'number' : part.kind);
  if (part.kind === 'generic') return kindsIn(context, genericChoice(context, part), into);
  if (part.kind === 'sizeof' || part.kind === 'alignof') return into;
  for (const [key, child] of Object.entries(part))
    if (key !== 'span' && key !== 'type') kindsIn(context, child, into);
  return into;
}
