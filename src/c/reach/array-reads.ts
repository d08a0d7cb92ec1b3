// Arrays are taken out of questions before the solver sees them, so that it has to do with numbers alone, for which it is much better: a read behind a write is a choice by the two
// addresses; a read of what an array was before all writes is a number of its own, and two such reads of one array are equal where their addresses are (Ackermann, "Solvable
// cases of the decision problem", 1954). That is exact, for nothing asks whether two arrays are equal.

import * as t from '../../smt/term.ts';
import type { Expr } from '../program/expr.ts';
import { leastToCompare } from '../program/simplify.ts';

/** A read of an array as it was before all writes. */
interface FirstRead {
  readonly array: Expr;
  readonly address: Expr;
  readonly value: t.Bv;
}

export class ArrayReads {
  private readonly termOf: (expr: Expr) => t.Term;
  private readonly known = new Map<string, t.Bv>();
  private readonly first = new Map<string, FirstRead>();
  /** Of each test, the first reads that it is made of. */
  private readonly madeOf = new Map<Expr, ReadonlySet<FirstRead>>();

  constructor(termOf: (expr: Expr) => t.Term) {
    this.termOf = termOf;
  }

  /** What the array holds at the address. */
  read(array: Expr, address: Expr): t.Bv {
    const key = `${array.id},${address.id}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // From the inside out: arrays are written to many times.
    const behind: Expr[] = [];
    let from = array;
    while (from.op === 'store' && !this.known.has(`${from.id},${address.id}`)) {
      behind.push(from);
      from = from.args[0]!;
    }
    let result = this.known.get(`${from.id},${address.id}`) ?? this.atEnd(from, address);
    this.known.set(`${from.id},${address.id}`, result);
    for (const written of behind.reverse()) {
      const [, at, value] = written.args as [Expr, Expr, Expr];
      if (at === address) result = this.termOf(value) as t.Bv;
      else if (at.op !== 'const' || address.op !== 'const') {
        result = t.ite(this.areSame(at, address), this.termOf(value) as t.Bv, result);
      }
      this.known.set(`${written.id},${address.id}`, result);
    }
    return result;
  }

  private areSame(a: Expr, b: Expr): t.Bool {
    const [x, y] = leastToCompare(a, b);
    return t.eq(this.termOf(x), this.termOf(y));
  }

  private atEnd(array: Expr, address: Expr): t.Bv {
    if (array.op === 'everywhere') return this.termOf(array.args[0]!) as t.Bv;
    if (array.op === 'ite') {
      const [test, yes, no] = array.args as [Expr, Expr, Expr];
      return t.ite(this.termOf(test) as t.Bool, this.read(yes, address), this.read(no, address));
    }
    const value = t.bvVar(`r${array.value}_${address.id}`, -array.width);
    this.first.set(`${array.id},${address.id}`, { array, address, value });
    return value;
  }

  /** What holds between the reads in these tests. */
  between(tests: readonly Expr[]): readonly t.Bool[] {
    const reads = new Map<Expr, FirstRead[]>();
    const met = new Set<FirstRead>();
    for (const test of tests)
      for (const read of this.firstReadsIn(test)) {
        if (met.has(read)) continue;
        met.add(read);
        reads.set(read.array, [...(reads.get(read.array) ?? []), read]);
      }
    const found: t.Bool[] = [];
    for (const list of reads.values())
      for (const [i, a] of list.entries())
        for (const b of list.slice(0, i)) {
          if (a.address.op === 'const' && b.address.op === 'const') continue;
          found.push(t.or(t.not(this.areSame(a.address, b.address)), t.eq(a.value, b.value)));
        }
    return found;
  }

  private firstReadsIn(test: Expr): ReadonlySet<FirstRead> {
    const known = this.madeOf.get(test);
    if (known !== undefined) return known;
    const found = new Set<FirstRead>();
    const seen = new Set<Expr>();
    const arrays = new Set<string>();
    const stack = [test];
    /** The arrays that a read of this one may come from, and what decides it. */
    const from = (array: Expr, address: Expr) => {
      for (
        let at: Expr | undefined = array;
        at !== undefined;
        at = at.op === 'store' ? at.args[0] : undefined
      ) {
        const key = `${at.id},${address.id}`;
        if (arrays.has(key)) return;
        arrays.add(key);
        const read = this.first.get(key);
        if (read !== undefined) found.add(read);
        if (at.op === 'store') stack.push(at.args[1]!, at.args[2]!);
        if (at.op === 'everywhere') stack.push(at.args[0]!);
        if (at.op !== 'ite') continue;
        stack.push(at.args[0]!);
        from(at.args[1]!, address);
        from(at.args[2]!, address);
      }
    };
    for (let expr = stack.pop(); expr !== undefined; expr = stack.pop()) {
      if (!expr.hasArray || seen.has(expr)) continue;
      seen.add(expr);
      if (expr.op !== 'select') stack.push(...expr.args);
      else {
        stack.push(expr.args[1]!);
        from(expr.args[0]!, expr.args[1]!);
      }
    }
    this.madeOf.set(test, found);
    return found;
  }
}
