// Terms as SMT-LIB text. A subterm that occurs more than once is printed once, under a `let`: substitution in weakest
// preconditions builds directed graphs that would be exponential as trees.

import type { Sort, Term } from './term.ts';

export function printSort(sort: Sort): string {
  switch (sort.kind) {
    case 'bool':
      return 'Bool';
    case 'int':
      return 'Int';
    case 'bv':
      return `(_ BitVec ${sort.width})`;
    case 'fp':
      return `(_ FloatingPoint ${sort.exponent} ${sort.significand})`;
    case 'array':
      return `(Array ${printSort(sort.index)} ${printSort(sort.element)})`;
  }
}

/** A symbol as SMT-LIB wants it: names of users may hold anything. */
export const printSymbol = (name: string): string =>
  /^[A-Za-z_.$@][A-Za-z0-9_.$@]*$/.test(name) ? `${name}.` : `|${name.replace(/[|\\]/g, '!')}.|`;

export function printTerm(term: Term): string {
  if (hasQuantifier(term)) return plain(term);
  const uses = countUses(term);
  const names = new Map<Term, string>();
  const bindings: string[] = [];
  const walk = (node: Term): string => {
    if (node.args.length === 0) return leaf(node);
    const known = names.get(node);
    if (known !== undefined) return known;
    const text = `(${node.op} ${node.args.map(walk).join(' ')})`;
    if (uses.get(node)! < 2) return text;
    const name = `?${names.size}`;
    names.set(node, name);
    bindings.push(`(let ((${name} ${text})) `);
    return name;
  };
  const body = walk(term);
  return bindings.join('') + body + ')'.repeat(bindings.length);
}

const leaf = (term: Term): string => (term.op === 'const' ? printSymbol(term.name) : term.name);

function plain(term: Term): string {
  if (term.args.length === 0) return leaf(term);
  const args = term.args.map(plain).join(' ');
  if (term.bound === undefined) return `(${term.op} ${args})`;
  const bound = term.bound.map((v) => `(${printSymbol(v.name)} ${printSort(v.sort)})`).join(' ');
  return `(${term.op} (${bound}) ${args})`;
}

function countUses(root: Term): Map<Term, number> {
  const uses = new Map<Term, number>();
  const stack: Term[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    const seen = uses.get(node) ?? 0;
    uses.set(node, seen + 1);
    if (seen === 0) for (const arg of node.args) stack.push(arg);
  }
  return uses;
}

function hasQuantifier(root: Term): boolean {
  const seen = new Set<Term>();
  const stack: Term[] = [root];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.bound !== undefined) return true;
    for (const arg of node.args) stack.push(arg);
  }
  return false;
}

/** The free constants of a term, each once, by name. */
export function freeConstants(root: Term, into: Map<string, Sort> = new Map()): Map<string, Sort> {
  const seen = new Set<Term>();
  const walk = (node: Term, bound: ReadonlySet<string>) => {
    if (bound.size === 0) {
      if (seen.has(node)) return;
      seen.add(node);
    }
    if (node.op === 'const' && !bound.has(node.name)) into.set(node.name, node.sort);
    const inner = node.bound === undefined ? bound : new Set([...bound, ...node.bound.map((v) => v.name)]);
    for (const arg of node.args) walk(arg, inner);
  };
  walk(root, new Set());
  return into;
}
