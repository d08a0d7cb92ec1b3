// Simplification of formulas before translation: equivalences that make a formula shorter or its automaton smaller.
// The rules are the customary ones (Somenzi and Bloem; Etessami and Holzmann): pure eventualities and universal formulas,
// factoring of equal operands, X moved outwards, and absorption by syntactic implication. Every rule keeps the language.

import type { Formula, FormulaFactory } from './formula.ts';
import { isAlways, isEventually } from './formula.ts';
import { Implications } from './implies.ts';

/** An equivalent formula, usually smaller. */
export function simplify(factory: FormulaFactory, formula: Formula): Formula {
  return new Simplifier(factory).run(formula);
}

/** Past this many operands, comparing each with each costs more than it gains. */
const MAX_PAIRS = 60;

class Simplifier {
  private readonly factory: FormulaFactory;
  private readonly implications = new Implications();
  private readonly done = new Map<Formula, Formula>();

  constructor(factory: FormulaFactory) {
    this.factory = factory;
  }

  run(formula: Formula): Formula {
    // Decision diagrams simplify those better than any rule.
    if (formula.propositional) return formula;
    const known = this.done.get(formula);
    if (known !== undefined) return known;
    // Each round shortens or keeps; the limit only guards against a rule pair that would swap for ever.
    let current = formula;
    for (let round = 0; round < 8; round++) {
      const next = this.step(current);
      if (next === current) break;
      current = next;
    }
    this.done.set(formula, current);
    return current;
  }

  private step(formula: Formula): Formula {
    const operands = formula.operands.map((operand) => this.run(operand));
    switch (formula.kind) {
      case 'and':
      case 'or':
        return this.junction(formula.kind, operands);
      case 'next':
        return this.next(operands[0]!);
      case 'until':
        return this.until(operands[0]!, operands[1]!);
      case 'release':
        // The dual of until: simplify the negation.
        return this.factory.not(this.until(this.factory.not(operands[0]!), this.factory.not(operands[1]!)));
      default:
        return formula;
    }
  }

  private next(operand: Formula): Formula {
    return operand.eventual && operand.universal ? operand : this.factory.next(operand);
  }

  private until(left: Formula, right: Formula): Formula {
    const { factory, implications } = this;
    if (right.eventual || implications.implies(left, right)) return right;
    if (left.kind !== 'true' && implications.implies(factory.not(right), left))
      return this.until(factory.true, right);
    if (right.kind === 'until' && implications.implies(left, right.operands[0]!)) return right;
    if (right.kind === 'next' && (left.kind === 'next' || left.kind === 'true')) {
      const inner = left.kind === 'next' ? left.operands[0]! : left;
      return this.next(this.until(inner, right.operands[0]!));
    }
    if (left.kind === 'true') return this.eventually(right);
    return factory.until(left, right);
  }

  private eventually(operand: Formula): Formula {
    const { factory } = this;
    if (operand.kind === 'until') return this.until(factory.true, operand.operands[1]!);
    if (operand.kind === 'and') {
      const lasting = operand.operands.filter((part) => part.eventual && part.universal);
      if (lasting.length > 0) {
        const rest = operand.operands.filter((part) => !lasting.includes(part));
        return this.junction('and', [...lasting, this.until(factory.true, factory.and(rest))]);
      }
    }
    return factory.eventually(operand);
  }

  private junction(kind: 'and' | 'or', operands: readonly Formula[]): Formula {
    const combined = this.combine(kind, operands);
    const parts = combined.kind === kind ? combined.operands : [combined];
    if (parts.length === 1 || parts.length > MAX_PAIRS) return combined;
    const { factory, implications } = this;
    for (const part of parts) {
      const opposite = factory.not(part);
      for (const other of parts) {
        const clash =
          kind === 'and' ? implications.implies(other, opposite) : implications.implies(opposite, other);
        if (other !== part && clash) return kind === 'and' ? factory.false : factory.true;
      }
    }
    const kept = this.absorb(kind, parts);
    return (kind === 'or' ? this.gatherEventualities(kept) : null) ?? this.make(kind, kept);
  }

  /** F a ∨ e = F (a ∨ e) for a pure eventuality e: waiting for either is one state. */
  private gatherEventualities(parts: readonly Formula[]): Formula | null {
    const { factory } = this;
    if (!parts.some(isEventually) || !parts.every((part) => part.eventual) || parts.length < 2) return null;
    return factory.eventually(
      factory.or(parts.map((part) => (isEventually(part) ? part.operands[1]! : part))),
    );
  }

  /** Drops a conjunct that another one implies, a disjunct that implies another one. */
  private absorb(kind: 'and' | 'or', parts: readonly Formula[]): Formula[] {
    const kept: Formula[] = [];
    const covers = (a: Formula, b: Formula) =>
      kind === 'and' ? this.implications.implies(a, b) : this.implications.implies(b, a);
    for (const part of parts) {
      if (kept.some((other) => covers(other, part))) continue;
      kept.splice(0, kept.length, ...kept.filter((other) => !covers(part, other)), part);
    }
    return kept;
  }

  /** Factors out what the parts have in common: X a ∧ X b = X(a ∧ b), c R a ∧ c R b = c R (a ∧ b), a U c ∧ b U c = (a ∧ b) U c, FG. */
  private combine(kind: 'and' | 'or', operands: readonly Formula[]): Formula {
    const flat = this.make(kind, operands);
    if (flat.kind !== kind) return flat;
    const { factory } = this;
    const groups = new Map<string, Formula[]>();
    for (const part of flat.operands) {
      const key = groupKey(kind, part);
      groups.set(key, [...(groups.get(key) ?? []), part]);
    }
    if (groups.size === flat.operands.length) return flat;
    const merged = [...groups.values()].map((group) => {
      const first = group[0]!;
      if (group.length === 1) return first;
      const inner = (index: number) =>
        this.make(
          kind,
          group.map((part) => part.operands[index]!),
        );
      if (first.kind === 'next') return this.run(factory.next(inner(0)));
      const [left, right] = first.operands;
      if (isPersistence(kind, first)) {
        const cores = this.make(
          kind,
          group.map((part) => part.operands[1]!.operands[1]!),
        );
        return this.run(
          kind === 'and'
            ? factory.eventually(factory.always(cores))
            : factory.always(factory.eventually(cores)),
        );
      }
      const sharesLeft = (first.kind === 'release') === (kind === 'and');
      const newLeft = sharesLeft ? left! : inner(0);
      const newRight = sharesLeft ? inner(1) : right!;
      return this.run(
        first.kind === 'until' ? factory.until(newLeft, newRight) : factory.release(newLeft, newRight),
      );
    });
    return this.make(kind, merged);
  }

  private make(kind: 'and' | 'or', operands: readonly Formula[]): Formula {
    return kind === 'and' ? this.factory.and(operands) : this.factory.or(operands);
  }
}

/** FG f under conjunction, GF f under disjunction. */
function isPersistence(kind: 'and' | 'or', part: Formula): boolean {
  return kind === 'and'
    ? isEventually(part) && isAlways(part.operands[1]!)
    : isAlways(part) && isEventually(part.operands[1]!);
}

/** Parts with equal keys can be merged into one. */
function groupKey(kind: 'and' | 'or', part: Formula): string {
  if (isPersistence(kind, part)) return 'persistence';
  switch (part.kind) {
    case 'next':
      return 'next';
    case 'until':
      return `until ${part.operands[kind === 'and' ? 1 : 0]!.id}`;
    case 'release':
      return `release ${part.operands[kind === 'and' ? 0 : 1]!.id}`;
    default:
      return `part ${part.id}`;
  }
}
