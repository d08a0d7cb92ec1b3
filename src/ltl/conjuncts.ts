// A formula as the conjunction of smaller ones: each can be checked by itself, and speaks of less. G (f && g) is G f && G g.

import type { Syntax } from './syntax.ts';

export function conjunctsOf(formula: Syntax): readonly Syntax[] {
  const found: Syntax[] = [];
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.kind === 'binary' && part.operator === 'and') open.push(part.right, part.left);
    else if (part.kind === 'unary' && part.operator === 'always' && isConjunction(part.operand)) {
      const { left, right } = part.operand;
      open.push({ ...part, operand: right }, { ...part, operand: left });
    } else found.push(part);
  }
  return found;
}

const isConjunction = (formula: Syntax): formula is Syntax & { kind: 'binary' } =>
  formula.kind === 'binary' && formula.operator === 'and';

/** The atoms that a formula names. */
export function atomsOf(formula: Syntax): {
  readonly events: ReadonlySet<number>;
  readonly propositions: ReadonlySet<number>;
} {
  const events = new Set<number>();
  const propositions = new Set<number>();
  const open = [formula];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part.kind === 'atom') (part.atom.kind === 'event' ? events : propositions).add(part.atom.id);
    else if (part.kind === 'unary') open.push(part.operand);
    else if (part.kind === 'binary') open.push(part.left, part.right);
  }
  return { events, propositions };
}
