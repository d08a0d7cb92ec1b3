// Formulas as text that the parser reads back: core formulas with as few parentheses as are clear.

import { impossible } from '../base/result.ts';
import type { Formula } from './formula.ts';
import type { Atom } from './structure.ts';

const PLAIN_NAME = /^[A-Za-z_]\w*(?:\.\w+|\[\w+\])*(?:=\w+)?$/;
const OPERATOR_WORD =
  /^(?:[UWRVM]|[GFX]+|not|and|or|xor|implies|equivalent|next|always|eventually|until|stronguntil|weakuntil|release|true|false)$/;

function printAtom(atom: Atom): string {
  const name =
    PLAIN_NAME.test(atom.name) && !OPERATOR_WORD.test(atom.name)
      ? atom.name
      : `"${atom.name.replace(/["\\]/g, '\\$&')}"`;
  return atom.kind === 'event' ? `event:${name}` : name;
}

export function printFormula(formula: Formula, atoms: readonly Atom[], print = printAtom): string {
  const inner = (part: Formula): string => printFormula(part, atoms, print);
  const tight = (part: Formula): string => (isTight(part) ? inner(part) : `(${inner(part)})`);
  const [left, right] = formula.operands;
  switch (formula.kind) {
    case 'true':
    case 'false':
      return formula.kind;
    case 'literal':
      return (formula.positive ? '' : '!') + print(atoms[formula.atom]!);
    case 'and':
      return formula.operands.map(tight).join(' && ');
    case 'or':
      return formula.operands.map(tight).join(' || ');
    case 'next':
      return `X ${tight(left!)}`;
    case 'until':
      return left!.kind === 'true' ? `F ${tight(right!)}` : `${tight(left!)} U ${tight(right!)}`;
    case 'release':
      return left!.kind === 'false' ? `G ${tight(right!)}` : `${tight(left!)} R ${tight(right!)}`;
    default:
      return impossible(formula.kind, 'every kind of formula can be printed');
  }
}

function isTight(formula: Formula): boolean {
  if (formula.kind === 'until') return formula.operands[0]!.kind === 'true';
  if (formula.kind === 'release') return formula.operands[0]!.kind === 'false';
  return formula.kind !== 'and' && formula.kind !== 'or';
}
