// A quick, incomplete test whether one formula implies another, by their shape alone.
// Soundness duty: a `true` is always right; a `false` says nothing.

import type { Formula } from './formula.ts';

export class Implications {
  private readonly known = new Map<number, boolean>();

  implies(f: Formula, g: Formula): boolean {
    if (f === g || f.kind === 'false' || g.kind === 'true') return true;
    if (f.kind === 'true' || g.kind === 'false') return false;
    if (f.kind === 'literal' && g.kind === 'literal') return false;
    if (f.propositional && g.propositional && this.large(f, g)) return false;
    const key = f.id * 2 ** 26 + g.id;
    let result = this.known.get(key);
    if (result === undefined) {
      result = this.byRight(f, g) || this.byLeft(f, g) || this.bySuffix(f, g);
      this.known.set(key, result);
    }
    return result;
  }

  /** Large propositional parts are left to decision diagrams. */
  private large(f: Formula, g: Formula): boolean {
    return f.operands.length + g.operands.length > 20;
  }

  private byRight(f: Formula, g: Formula): boolean {
    const [left, right] = g.operands;
    switch (g.kind) {
      case 'and':
        return g.operands.every((part) => this.implies(f, part));
      case 'or':
        return g.operands.some((part) => this.implies(f, part));
      case 'until':
        return this.implies(f, right!) || (f.kind === 'until' && this.both(f, g));
      case 'release':
        if (f.kind === 'release' && this.both(f, g)) return true;
        return this.implies(f, right!) && (f.universal || this.implies(f, left!));
      case 'next':
        return f.kind === 'next' && this.implies(f.operands[0]!, left!);
      default:
        return false;
    }
  }

  private byLeft(f: Formula, g: Formula): boolean {
    const [left, right] = f.operands;
    switch (f.kind) {
      case 'and':
        return f.operands.some((part) => this.implies(part, g));
      case 'or':
        return f.operands.every((part) => this.implies(part, g));
      case 'until':
        return this.implies(right!, g) && (g.eventual || this.implies(left!, g));
      case 'release':
        return this.implies(right!, g);
      default:
        return false;
    }
  }

  /** What holds of a suffix holds now (pure eventualities), what holds now holds of every suffix (universal formulas). */
  private bySuffix(f: Formula, g: Formula): boolean {
    if (f.kind === 'next' && g.eventual && this.implies(f.operands[0]!, g)) return true;
    return g.kind === 'next' && f.universal && this.implies(f, g.operands[0]!);
  }

  private both(f: Formula, g: Formula): boolean {
    return this.implies(f.operands[0]!, g.operands[0]!) && this.implies(f.operands[1]!, g.operands[1]!);
  }
}
