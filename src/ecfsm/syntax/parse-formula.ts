// Expressions, comparisons, regular expressions and formulas.
//
//   formula    = conjunction { 'or' conjunction }
//   conjunction= atom { (',' | 'and' | '&') atom }
//   atom       = '[' label ']' conjunction-atom | '(' formula ')' | M '@' states | M '->' M ':' regex | name '(' sequence ')' | comparison
//   comparison = sum { relation sum }           chains: 0 <= x < y
//   regex      = branch { '|' branch };  branch = { factor };  factor = (TYPE | 'e' | '(' regex ')') { '*' | '+' | '?' }

import type {
  ComparisonNode,
  Expression,
  FormulaNode,
  Name,
  RegexNode,
  Relation,
  SequenceArgument,
  TypeNode,
} from './ast.ts';
import type { Cursor } from './cursor.ts';

const RELATIONS: Readonly<Record<string, Relation>> = {
  '<=': '<=',
  '<': '<',
  '>=': '>=',
  '>': '>',
  '=': '=',
  '==': '=',
  '!=': '!=',
};

export function parseFormula(cursor: Cursor): FormulaNode {
  return cursor.deeper(() => {
    const start = cursor.peek();
    const parts = [parseConjunction(cursor)];
    while (cursor.take('or')) parts.push(parseConjunction(cursor));
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts, span: cursor.spanFrom(start) };
  });
}

function parseConjunction(cursor: Cursor): FormulaNode {
  const start = cursor.peek();
  const parts = parseAtoms(cursor);
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts, span: cursor.spanFrom(start) };
}

export function parseAtoms(cursor: Cursor): FormulaNode[] {
  const parts = parseAtom(cursor);
  while (cursor.take(',') || cursor.take('and') || cursor.take('&')) parts.push(...parseAtom(cursor));
  return parts;
}

function parseAtom(cursor: Cursor): FormulaNode[] {
  const start = cursor.peek();
  if (cursor.take('[')) {
    const name = cursor.name('a label');
    cursor.expect(']', 'after the label');
    return [{ kind: 'label', name, body: parseConjunction(cursor), span: cursor.spanFrom(start) }];
  }
  if (cursor.is('(') && !isExpressionParenthesis(cursor)) {
    cursor.next();
    const inner = parseFormula(cursor);
    cursor.expect(')', 'after the formula');
    return [inner];
  }
  if (start.kind === 'word' && cursor.is('@', 1)) return [parseControl(cursor)];
  if (start.kind === 'word' && cursor.is('->', 1)) return [parseChannel(cursor)];
  if (start.kind === 'word' && cursor.is('(', 1)) return parseCallAtom(cursor);
  return parseComparisons(cursor);
}

/** `(x + 1) <= y` begins like a formula in parentheses: look behind the bracket that closes it. */
function isExpressionParenthesis(cursor: Cursor): boolean {
  let depth = 0;
  for (let ahead = 0; ; ahead++) {
    const token = cursor.peek(ahead);
    if (token.kind === 'end') return false;
    if (token.text === '(') depth++;
    else if (token.text === ')' && --depth === 0) {
      const after = cursor.peek(ahead + 1).text;
      return after in RELATIONS || after === '+' || after === '-' || after === '*';
    }
  }
}

export function parseControl(cursor: Cursor): FormulaNode & { kind: 'control' } {
  const start = cursor.peek();
  const machine = cursor.name('a machine');
  cursor.expect('@', 'before the control state');
  const states = cursor.nameOrSet('state');
  return { kind: 'control', machine, states, span: cursor.spanFrom(start) };
}

function parseChannel(cursor: Cursor): FormulaNode {
  const start = cursor.peek();
  const from = cursor.name('a machine');
  cursor.expect('->', 'in the name of a channel');
  const to = cursor.name('a machine');
  cursor.expect(':', 'before the regular expression of the channel');
  return { kind: 'channel', from, to, regex: parseRegex(cursor), span: cursor.spanFrom(start) };
}

/** `step1(A->B)` alone is a predicate, `lastp(A->B) + 1 <= x` a comparison; which it is shows behind the bracket. */
function parseCallAtom(cursor: Cursor): FormulaNode[] {
  let ahead = 1;
  for (let depth = 0; cursor.peek(ahead).kind !== 'end'; ahead++) {
    if (cursor.is('(', ahead)) depth++;
    else if (cursor.is(')', ahead) && --depth === 0) break;
  }
  const after = cursor.peek(ahead + 1).text;
  if (after in RELATIONS || ['+', '-', '*'].includes(after)) return parseComparisons(cursor);
  const start = cursor.peek();
  const name = cursor.name('a predicate');
  const argument = parseArgument(cursor);
  return [{ kind: 'predicate', name, argument, span: cursor.spanFrom(start) }];
}

function parseComparisons(cursor: Cursor): FormulaNode[] {
  return parseChain(cursor).map((comparison) => ({ kind: 'compare', comparison, span: comparison.span }));
}

/** `a <= b < c` is two comparisons. */
function parseChain(cursor: Cursor): ComparisonNode[] {
  const result: ComparisonNode[] = [];
  const start = cursor.peek();
  let left = parseSum(cursor);
  do {
    const relation = RELATIONS[cursor.peek().text];
    if (relation === undefined) return cursor.fail('a relation such as <= or = was expected');
    cursor.next();
    const right = parseSum(cursor);
    result.push({ left, relation, right, span: cursor.spanFrom(start) });
    left = right;
  } while (cursor.peek().text in RELATIONS);
  return result;
}

/** Comparisons separated by commas or `and`, also in parentheses (where a macro brought them). */
export function parseComparisonList(cursor: Cursor): ComparisonNode[] {
  const result: ComparisonNode[] = [];
  do {
    if (cursor.is('(') && !isExpressionParenthesis(cursor)) {
      cursor.next();
      result.push(...cursor.deeper(() => parseComparisonList(cursor)));
      cursor.expect(')', 'after the conditions');
    } else result.push(...parseChain(cursor));
  } while (cursor.take(',') || cursor.take('and') || cursor.take('&'));
  return result;
}

export function parseSum(cursor: Cursor): Expression {
  return cursor.deeper(() => {
    const start = cursor.peek();
    let left = parseProduct(cursor);
    while (cursor.is('+') || cursor.is('-')) {
      const kind = cursor.next().text === '+' ? 'add' : 'subtract';
      left = { kind, left, right: parseProduct(cursor), span: cursor.spanFrom(start) };
    }
    return left;
  });
}

function parseProduct(cursor: Cursor): Expression {
  const start = cursor.peek();
  let left = parsePrimary(cursor);
  while (cursor.take('*'))
    left = { kind: 'multiply', left, right: parsePrimary(cursor), span: cursor.spanFrom(start) };
  return left;
}

function parsePrimary(cursor: Cursor): Expression {
  const start = cursor.peek();
  if (start.kind === 'number') {
    cursor.next();
    return { kind: 'number', value: Number(start.text), span: start.span };
  }
  if (cursor.take('-')) {
    const of = cursor.deeper(() => parsePrimary(cursor));
    return { kind: 'negate', of, span: cursor.spanFrom(start) };
  }
  if (cursor.take('(')) {
    const inner = parseSum(cursor);
    cursor.expect(')', 'after the expression');
    return inner;
  }
  const name: Name =
    cursor.is('every') && cursor.is('(', 1)
      ? { text: cursor.next().text, span: start.span }
      : cursor.name('a number, a register or a function');
  if (cursor.is('(')) {
    const argument = parseArgument(cursor);
    return { kind: 'call', name, argument, span: cursor.spanFrom(start) };
  }
  if (cursor.take('.')) {
    const register = cursor.name('a register');
    return { kind: 'register', machine: name, register, span: cursor.spanFrom(start) };
  }
  return { kind: 'name', name, span: name.span };
}

function parseArgument(cursor: Cursor): SequenceArgument {
  const start = cursor.expect('(', 'before the channel');
  const wrapped = cursor.take('(');
  const from = cursor.name('a channel such as A->B');
  if (!cursor.is('->')) {
    cursor.expect(')', 'after the name of the sequence');
    return { kind: 'sequence', name: from, span: cursor.spanFrom(start) };
  }
  cursor.next();
  const to = cursor.name('a machine');
  if (wrapped) cursor.expect(')', 'after the channel');
  const types = cursor.take(',') ? parseTypes(cursor) : null;
  cursor.expect(')', 'after the channel');
  return { kind: 'channel', from, to, types, span: cursor.spanFrom(start) };
}

/** One type, or several in braces. */
function parseTypes(cursor: Cursor): TypeNode[] {
  if (!cursor.take('{')) return [parseType(cursor)];
  const types = [parseType(cursor)];
  while (cursor.take(',')) types.push(parseType(cursor));
  cursor.expect('}', 'after the set of message types');
  return types;
}

function parseType(cursor: Cursor): TypeNode {
  const type = cursor.name('message type');
  if (!cursor.take('.')) return { type, field: null };
  const { kind, text, span } = cursor.peek();
  if (kind !== 'number') return { type, field: cursor.name('a field of the message') };
  cursor.next();
  return { type, field: { text, span } };
}

function parseRegex(cursor: Cursor): RegexNode {
  return cursor.deeper(() => {
    const parts = [parseBranch(cursor)];
    while (cursor.take('|')) parts.push(parseBranch(cursor));
    return parts.length === 1 ? parts[0]! : { kind: 'choice', parts };
  });
}

function parseBranch(cursor: Cursor): RegexNode {
  const parts: RegexNode[] = [parseFactor(cursor)];
  while (cursor.is('(') || cursor.is('e') || startsType(cursor)) parts.push(parseFactor(cursor));
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts };
}

const startsType = (cursor: Cursor): boolean =>
  cursor.peek().kind === 'word' && !['and', 'or'].includes(cursor.peek().text);

function parseFactor(cursor: Cursor): RegexNode {
  let body: RegexNode;
  if (cursor.take('e')) body = { kind: 'empty' };
  else if (cursor.take('(')) {
    body = parseRegex(cursor);
    cursor.expect(')', 'after the regular expression');
  } else body = { kind: 'type', name: cursor.name("a message type, or 'e' for the empty channel") };
  for (;;) {
    if (cursor.take('*')) body = { kind: 'star', body };
    else if (cursor.take('+')) body = { kind: 'plus', body };
    else if (cursor.take('?')) body = { kind: 'optional', body };
    else return body;
  }
}
