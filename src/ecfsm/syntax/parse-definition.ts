// Definitions of sequence predicates and functions: rewriting rules and inequalities.
//
//   predicate step1(s) { step1(s . x) = step1(s), x = lastp(s) + 1;  …  lemma step1(s) => lastp(s) >= firstp(s); }
//   function  maxp(s)  { maxp([x]) = x;  maxp(s . x) = x if x >= maxp(s);  … }

import { problem } from '../codes.ts';
import type { ComparisonNode, DefinitionNode, FormulaNode, LemmaNode, Name, RuleNode } from './ast.ts';
import type { Cursor } from './cursor.ts';
import { parseAtoms, parseComparisonList, parseSum } from './parse-formula.ts';

export function parseDefinition(cursor: Cursor): DefinitionNode {
  const start = cursor.next();
  const kind = start.text as 'predicate' | 'function';
  const name = cursor.name(`the name of the ${kind}`);
  cursor.expect('(', 'before the name of the sequence');
  const sequence = cursor.name('the name of the sequence');
  cursor.expect(')', 'after the name of the sequence');
  const span = cursor.spanFrom(start);
  const rules: RuleNode[] = [];
  const lemmas: LemmaNode[] = [];
  cursor.block('the rules', () => {
    if (cursor.is('lemma')) lemmas.push(parseLemma(cursor));
    else rules.push(parseRule(cursor, kind, name, sequence));
    cursor.expect(';', 'at the end of the rule');
  });
  return { kind, name, sequence, rules, lemmas, span };
}

function parseRule(cursor: Cursor, kind: 'predicate' | 'function', defined: Name, sequence: Name): RuleNode {
  const start = cursor.peek();
  const name = cursor.name(`a rule for '${defined.text}'`);
  if (name.text !== defined.text)
    cursor.report(
      problem('SPW4301', name.span, `this rule is about '${name.text}', not about '${defined.text}'`),
    );
  const { pattern, element } = parsePattern(cursor, sequence);
  cursor.expect('=', 'after the left side of the rule');
  const body = parseBody(cursor, kind);
  const condition = cursor.take('if') ? parseComparisonList(cursor) : [];
  return { pattern, element, body, condition, span: cursor.spanFrom(start) };
}

function parsePattern(
  cursor: Cursor,
  sequence: Name,
): { pattern: RuleNode['pattern']; element: Name | null } {
  cursor.expect('(', 'before the pattern');
  if (cursor.take('[')) {
    const element = cursor.is(']') ? null : cursor.name('the element');
    cursor.expect(']', 'after the element');
    cursor.expect(')', 'after the pattern');
    return { pattern: element === null ? 'empty' : 'single', element };
  }
  const left = cursor.name(`'${sequence.text} . x' or 'x . ${sequence.text}'`);
  cursor.expect('.', 'between sequence and element');
  const right = cursor.name(`'${sequence.text} . x' or 'x . ${sequence.text}'`);
  cursor.expect(')', 'after the pattern');
  const snoc = left.text === sequence.text;
  if (snoc === (right.text === sequence.text))
    cursor.report(
      problem(
        'SPW4301',
        left.span,
        `one side of the dot must be the sequence '${sequence.text}', the other an element`,
      ),
    );
  return snoc ? { pattern: 'snoc', element: right } : { pattern: 'cons', element: left };
}

function parseBody(cursor: Cursor, kind: 'predicate' | 'function'): RuleNode['body'] {
  if (kind === 'function') return { kind: 'value', value: parseSum(cursor) };
  if (cursor.take('true')) return { kind: 'truth', value: true };
  if (cursor.take('false')) return { kind: 'truth', value: false };
  return { kind: 'atoms', atoms: parseAtoms(cursor) };
}

function parseLemma(cursor: Cursor): LemmaNode {
  const start = cursor.next();
  const first = parseAtoms(cursor);
  if (cursor.take('=>')) {
    const conclusion = parseComparisonList(cursor);
    return { premises: first, conclusion, span: cursor.spanFrom(start) };
  }
  return {
    premises: [],
    conclusion: first.flatMap((atom) => asComparison(cursor, atom)),
    span: cursor.spanFrom(start),
  };
}

function asComparison(cursor: Cursor, atom: FormulaNode): ComparisonNode[] {
  if (atom.kind === 'compare') return [atom.comparison];
  cursor.report(problem('SPW4301', atom.span, 'a lemma concludes an inequality'));
  return [];
}
