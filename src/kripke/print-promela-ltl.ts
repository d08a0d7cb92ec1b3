// A formula in SPIN's notation: [] <> U W V && || ! -> <->, X as X (Debian's SPIN does not accept it).

import type { Syntax } from '../ltl/syntax.ts';
import type { PromelaFormula } from './promela.ts';

export function promelaFormula(name: string, syntax: Syntax): PromelaFormula {
  return { name, print: (atom) => print(syntax, atom), events: eventsOf(syntax) };
}

function print(syntax: Syntax, atom: (kind: 'event' | 'proposition', id: number) => string): string {
  const inner = (part: Syntax): string => print(part, atom);
  switch (syntax.kind) {
    case 'constant':
      return String(syntax.value);
    case 'atom':
      return atom(syntax.atom.kind, syntax.atom.id);
    case 'unary': {
      const operator = { not: '!', next: 'X ', always: '[] ', eventually: '<> ' }[syntax.operator];
      return `(${operator}${inner(syntax.operand)})`;
    }
    case 'binary': {
      const left = inner(syntax.left);
      const right = inner(syntax.right);
      switch (syntax.operator) {
        case 'xor':
          return `(!(${left} <-> ${right}))`;
        case 'strong-release':
          return `(${right} U (${left} && ${right}))`;
        case 'and':
          return `(${left} && ${right})`;
        case 'or':
          return `(${left} || ${right})`;
        case 'implies':
          return `(${left} -> ${right})`;
        case 'equivalent':
          return `(${left} <-> ${right})`;
        case 'until':
          return `(${left} U ${right})`;
        case 'weak-until':
          return `(${left} W ${right})`;
        case 'release':
          return `(${left} V ${right})`;
      }
    }
  }
}

function eventsOf(syntax: Syntax): number[] {
  switch (syntax.kind) {
    case 'constant':
      return [];
    case 'atom':
      return syntax.atom.kind === 'event' ? [syntax.atom.id] : [];
    case 'unary':
      return eventsOf(syntax.operand);
    case 'binary':
      return [...eventsOf(syntax.left), ...eventsOf(syntax.right)];
  }
}
