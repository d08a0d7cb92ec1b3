// Binary decision diagrams, as small as the translation needs them: guards of automata and transition functions of formulas.
// A node is a number; 0 is false, 1 is true. Equal functions are equal numbers. Variables with smaller numbers stand higher.

/** Thrown when the node limit is reached; the translation turns it into a value. */
export class TooManyNodes extends Error {}

const SHIFT = 2 ** 26;
const LEAF = 2 ** 30;

export class Bdd {
  static readonly FALSE = 0;
  static readonly TRUE = 1;
  private readonly variables: number[] = [LEAF, LEAF];
  private readonly lows: number[] = [0, 1];
  private readonly highs: number[] = [0, 1];
  /** Per variable: (low, high) → node. */
  private readonly unique: Map<number, number>[] = [];
  private readonly conjunctions = new Map<number, number>();
  private readonly complements = new Map<number, number>();
  private nodeLimit: number;

  constructor(nodeLimit = 2_000_000) {
    this.nodeLimit = Math.min(nodeLimit, SHIFT);
  }

  /** From now on, this many more nodes may be made. */
  allow(more: number): void {
    this.nodeLimit = Math.min(this.variables.length + more, SHIFT);
  }

  variable(variable: number): number {
    return this.node(variable, 0, 1);
  }

  literal(variable: number, positive: boolean): number {
    return positive ? this.node(variable, 0, 1) : this.node(variable, 1, 0);
  }

  /** A very large number for the two constants. */
  top(node: number): number {
    return this.variables[node]!;
  }

  low(node: number): number {
    return this.lows[node]!;
  }

  high(node: number): number {
    return this.highs[node]!;
  }

  node(variable: number, low: number, high: number): number {
    if (low === high) return low;
    const table = (this.unique[variable] ??= new Map());
    const key = low * SHIFT + high;
    let node = table.get(key);
    if (node === undefined) {
      if (this.variables.length >= this.nodeLimit) throw new TooManyNodes();
      node = this.variables.push(variable) - 1;
      this.lows.push(low);
      this.highs.push(high);
      table.set(key, node);
    }
    return node;
  }

  and(a: number, b: number): number {
    if (a === b || b === 1) return a;
    if (a === 1) return b;
    if (a === 0 || b === 0) return 0;
    const key = a < b ? a * SHIFT + b : b * SHIFT + a;
    let result = this.conjunctions.get(key);
    if (result === undefined) {
      const variable = Math.min(this.variables[a]!, this.variables[b]!);
      const [aLow, aHigh] = this.split(a, variable);
      const [bLow, bHigh] = this.split(b, variable);
      result = this.node(variable, this.and(aLow, bLow), this.and(aHigh, bHigh));
      this.conjunctions.set(key, result);
    }
    return result;
  }

  not(a: number): number {
    if (a <= 1) return 1 - a;
    let result = this.complements.get(a);
    if (result === undefined) {
      result = this.node(this.variables[a]!, this.not(this.lows[a]!), this.not(this.highs[a]!));
      this.complements.set(a, result);
      this.complements.set(result, a);
    }
    return result;
  }

  or(a: number, b: number): number {
    return this.not(this.and(this.not(a), this.not(b)));
  }

  andAll(nodes: Iterable<number>): number {
    let result = 1;
    for (const node of nodes) result = this.and(result, node);
    return result;
  }

  orAll(nodes: Iterable<number>): number {
    let result = 0;
    for (const node of nodes) result = this.or(result, node);
    return result;
  }

  implies(a: number, b: number): boolean {
    return this.and(a, this.not(b)) === 0;
  }

  evaluate(node: number, value: (variable: number) => boolean): boolean {
    let current = node;
    while (current > 1)
      current = value(this.variables[current]!) ? this.highs[current]! : this.lows[current]!;
    return current === 1;
  }

  support(node: number): Set<number> {
    const found = new Set<number>();
    const seen = new Set<number>();
    const visit = (current: number) => {
      if (current <= 1 || seen.has(current)) return;
      seen.add(current);
      found.add(this.variables[current]!);
      visit(this.lows[current]!);
      visit(this.highs[current]!);
    };
    visit(node);
    return found;
  }

  /**
   * The functions that remain after deciding all variables below `boundary`, each with the condition (over those variables)
   * under which it remains. The conditions exclude each other; the function false is left out.
   */
  leaves(
    node: number,
    boundary: number,
    known = new Map<number, ReadonlyMap<number, number>>(),
  ): ReadonlyMap<number, number> {
    if (this.variables[node]! >= boundary) return new Map(node === 0 ? [] : [[node, 1]]);
    const cached = known.get(node);
    if (cached !== undefined) return cached;
    const variable = this.variables[node]!;
    const result = new Map<number, number>();
    for (const [leaf, guard] of this.leaves(this.lows[node]!, boundary, known))
      result.set(leaf, this.node(variable, guard, 0));
    for (const [leaf, guard] of this.leaves(this.highs[node]!, boundary, known))
      result.set(leaf, this.or(result.get(leaf) ?? 0, this.node(variable, 0, guard)));
    known.set(node, result);
    return result;
  }

  /** The prime implicants of a function that is monotone in all its variables: lists of variables, none containing another. */
  monotoneTerms(
    node: number,
    limit: number,
    known = new Map<number, readonly (readonly number[])[]>(),
  ): readonly (readonly number[])[] {
    if (node === 0) return [];
    if (node === 1) return [[]];
    const cached = known.get(node);
    if (cached !== undefined) return cached;
    const variable = this.variables[node]!;
    const without = this.monotoneTerms(this.lows[node]!, limit, known);
    const sets = without.map((term) => new Set(term));
    const withIt = this.monotoneTerms(this.highs[node]!, limit, known).filter(
      (term) => !sets.some((smaller) => [...smaller].every((each) => term.includes(each))),
    );
    const result = [...without, ...withIt.map((term) => [variable, ...term])];
    if (result.length > limit) throw new TooManyNodes();
    known.set(node, result);
    return result;
  }

  private split(node: number, variable: number): [number, number] {
    return this.variables[node] === variable ? [this.lows[node]!, this.highs[node]!] : [node, node];
  }
}
