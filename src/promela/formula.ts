// `ltl` blocks: formulas over state predicates.

import type { FormulaNode } from '../process/program.ts';
import type { ExpressionNode, Unit } from './ast.ts';
import { ExpressionResolver } from './resolve-expression.ts';
import type { Symbols } from './symbols.ts';

export function lowerFormula(unit: Unit & { kind: 'ltl' }, symbols: Symbols): void {
  const resolver = new ExpressionResolver(symbols, null, symbols.global);
  if (unit.label !== null) symbols.names?.formula(unit.label, unit.text, unit.span);
  const root = formula(unit.formula, resolver);
  symbols.formulas.push({ name: unit.name, text: unit.text, root, span: unit.span });
}

/** Boolean operators over temporal formulas are formulas too; the largest parts without any are atoms. */
function formula(node: ExpressionNode, resolver: ExpressionResolver): FormulaNode {
  if (node.kind === 'temporal') {
    const operands = node.operands.map((operand) => formula(operand, resolver));
    if (operands.length === 1) {
      const operator = node.operator as 'not' | 'next' | 'always' | 'eventually';
      return { kind: operator, operand: operands[0]! };
    }
    const operator = node.operator as 'implies' | 'equivalent' | 'until' | 'weak-until' | 'release';
    return { kind: operator, left: operands[0]!, right: operands[1]! };
  }
  if (node.kind === 'binary' && (node.operator === '&&' || node.operator === '||')) {
    const left = formula(node.left, resolver);
    const right = formula(node.right, resolver);
    return { kind: node.operator === '&&' ? 'and' : 'or', left, right };
  }
  if (node.kind === 'unary' && node.operator === '!')
    return { kind: 'not', operand: formula(node.operand, resolver) };
  if (node.kind === 'number' && (node.text === 'true' || node.text === 'false')) return { kind: node.text };
  return { kind: 'atom', expression: resolver.expression(node) };
}
