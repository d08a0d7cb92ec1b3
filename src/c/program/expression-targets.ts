// Which targets an expression can have, by what the cells hold that it reads. Where an address goes into a number that is not followed it is lost on the way.

import type { Contents } from './cell-contents.ts';
import { cellsAt, overlapped, reachesOther } from './cells-at.ts';
import type { Expr } from './expr.ts';
import { symbolNumber } from './expr.ts';
import type { Cell, MemoryObject, Part, Program } from './program.ts';
import { ownerAt } from './program.ts';
import { ANYWHERE, gcd, isNothing, matches, NOTHING, type Pattern, type Range, Targets } from './targets.ts';

/** More places where parts can begin are not told apart. */
const MOST_PARTS = 16;

/** Parts of so many bytes; null where there are too many. */
function rangesFrom({ size }: MemoryObject, starts: Iterable<Pattern>, bytes: number): Range[] | null {
  const found: Range[] = [];
  for (const pattern of starts) {
    const { r, m } = pattern;
    // A part may also begin before the object, where an index leads into it.
    const first = m === 0 ? r : r - m * Math.floor((bytes - 1 + r) / m);
    if (m > 0 && (size - first) / m > 2 * MOST_PARTS) return null;
    for (let from = first; from < size; from += m) {
      if (matches(pattern, from)) found.push({ from, to: from + bytes });
      if (m === 0) break;
    }
  }
  return found.length > MOST_PARTS ? null : found;
}

export class ExpressionTargets {
  private readonly program: Program;
  private readonly contents: Contents;
  /** What was found about expressions since the last change of contents: they share parts. */
  private readonly found = new Map<Expr, Targets>();
  private readonly pieces = new Map<Expr, boolean>();

  constructor(program: Program, contents: Contents) {
    this.program = program;
    this.contents = contents;
  }

  /** Not to be changed. */
  targets(expr: Expr): Targets {
    let result = this.found.get(expr);
    if (result === undefined) {
      result = new Targets();
      this.collect(expr, result);
      this.found.set(expr, result);
    }
    return result;
  }

  /** What an address means. */
  addressed(expr: Expr): Targets {
    const targets = this.targets(expr);
    if (!targets.number || targets.unknown) return targets;
    const any = new Targets();
    any.addAll(targets);
    any.unknown = true;
    return any;
  }

  /** What a site means with this address. */
  reached({ within }: { readonly within?: Part | undefined }, address: Expr): Targets {
    const targets = this.addressed(address);
    if (within === undefined || targets.unknown) return targets;
    const result = new Targets();
    result.number = targets.number;
    for (const [id, patterns] of targets.offsets) {
      const ranges = this.rangesOf(within, this.program.objects[id]!);
      for (const pattern of patterns.values())
        if (ranges === null || pattern.m === 0) result.add(id, pattern);
        else for (const range of ranges) result.add(id, { ...pattern, range });
    }
    return result;
  }

  /** Where the part can lie in an object; null where that may be anywhere. */
  private rangesOf({ start, bytes, outer }: Part, object: MemoryObject): Range[] | null {
    const starts = this.reached({ within: outer }, start);
    const patterns = starts.unknown ? undefined : starts.offsets.get(object.id)?.values();
    const found = patterns && object.extent === undefined ? rangesFrom(object, patterns, bytes) : null;
    return found ?? (outer === undefined ? null : this.rangesOf(outer, object));
  }

  /** What is written somewhere. A pointer put together from pieces can be any that was ever taken apart. */
  valueOf(expr: Expr): Targets {
    if (!this.contents.holdsPointers(expr.width)) {
      this.hasPieces(expr);
      return NOTHING;
    }
    const targets = this.targets(expr);
    if (expr.op !== 'or') return targets;
    const any = new Targets();
    any.addAll(targets);
    any.unknown = true;
    return any;
  }

  /** Can a number, of whatever width, be made of addresses? What they mean is lost then. Comparisons tell nothing of them. */
  hasPieces(expr: Expr): boolean {
    if (expr.width === 0 || expr.op === 'const') return false;
    let found = this.pieces.get(expr);
    if (found === undefined) this.pieces.set(expr, (found = this.findPieces(expr)));
    return found;
  }

  forget(): void {
    this.found.clear();
    this.pieces.clear();
  }

  private collect(expr: Expr, into: Targets): void {
    switch (expr.op) {
      case 'const': {
        const object = ownerAt(this.program.objects, expr.value);
        if (object !== null) into.add(object.id, { r: Number(expr.value - object.address), m: 0 });
        return;
      }
      case 'symbol':
        if (this.contents.holdsPointers(expr.width)) this.read(this.program.cells[symbolNumber(expr)]!, into);
        return;
      case 'load':
        if (!this.contents.holdsPointers(expr.width)) return;
        for (const cell of cellsAt(this.program.objects, this.loaded(expr), expr.width))
          this.read(cell, into);
        if (reachesOther(this.program.objects, this.loaded(expr), expr.width)) into.unknown = true;
        return;
      // Pointers lie in memory in 32 bits and are computed with in 64.
      case 'zext':
      case 'trunc':
        if (this.contents.holdsPointers(expr.width) && this.contents.holdsPointers(expr.args[0]!.width))
          into.addAll(this.targets(expr.args[0]!));
        else into.number = true;
        return;
      case 'ite':
        into.addAll(this.targets(expr.args[1]!));
        into.addAll(this.targets(expr.args[2]!));
        return;
      case 'add': {
        const [left, right] = expr.args as [Expr, Expr];
        if (this.isDistance(expr)) {
          into.number = true;
          return;
        }
        if (right.op === 'const' && ownerAt(this.program.objects, right.value) === null) {
          const by = Number(BigInt.asIntN(expr.width, right.value));
          this.map(left, into, ({ r, m }) => ({ r: r + by, m }));
          into.number = this.isNumber(left);
          return;
        }
        this.strided(left, right, into);
        this.strided(right, left, into);
        into.number = this.isNumber(left) && this.isNumber(right);
        // Of two addresses: a number from which either can be made again.
        if (this.isAddress(left) && this.isAddress(right)) {
          this.contents.lose(into);
          into.unknown = true;
        }
        return;
      }
      case 'sub':
        into.number = this.isNumber(expr.args[0]!) || this.isDistance(expr);
        if (this.isDistance(expr)) return;
        this.strided(expr.args[0]!, expr.args[1]!, into);
        if (this.hasPieces(expr.args[1]!)) into.unknown = true;
        return;
      default:
        into.number = true;
        if (this.hasPieces(expr)) into.unknown = true;
    }
  }

  private loaded({ value, args }: Expr): Targets {
    return this.reached(this.program.sites[Number(value) - 1]!, args[0]!);
  }

  private findPieces(expr: Expr): boolean {
    if (expr.op === 'symbol' || expr.op === 'load') {
      const targets = new Targets();
      targets.addAll(this.targets(expr));
      if (expr.op === 'load')
        for (const cell of overlapped(this.program.objects, this.loaded(expr), expr.width))
          targets.addAll(this.contents.of(cell.id));
      this.contents.lose(targets);
      return !isNothing(targets);
    }
    if (this.isDistance(expr)) return false;
    let found = false;
    for (const arg of expr.args) found = this.hasPieces(arg) || found;
    return found;
  }

  private isNumber(expr: Expr): boolean {
    const { number, offsets } = this.targets(expr);
    return number || (expr.op === 'const' && offsets.size === 0);
  }

  private isAddress(expr: Expr): boolean {
    return this.targets(expr).offsets.size > 0;
  }

  /** Of two places in one object. Whoever makes an address of it again adds it to one that has the same targets. */
  private isDistance({ op, args }: Expr): boolean {
    if (op !== 'sub' && op !== 'add') return false;
    const right = op === 'sub' ? this.targets(args[1]!) : this.takenAway(args[1]!);
    if (isNothing(right) || right.unknown || right.number) return false;
    const left = this.targets(args[0]!);
    if (isNothing(left) || left.unknown || left.number) return false;
    return [...left.offsets.keys()].every((id) => right.offsets.has(id));
  }

  /** A constant address that is subtracted is written as the addition of its negative. */
  private takenAway(added: Expr): Targets {
    const object =
      added.op === 'const' && ownerAt(this.program.objects, added.value) === null
        ? ownerAt(this.program.objects, BigInt.asUintN(added.width, -added.value))
        : null;
    if (object === null) return NOTHING;
    const taken = new Targets();
    taken.add(object.id, ANYWHERE);
    return taken;
  }

  private read(cell: Cell, into: Targets): void {
    const contents = this.contents.of(cell.id);
    into.addAll(contents);
    if (!cell.mayBePointer && contents.offsets.size === 0) into.number = true;
  }

  /** A base with a multiple of something added. */
  private strided(base: Expr, index: Expr, into: Targets): void {
    const by =
      index.op === 'mul' && index.args[1]!.op === 'const' ? BigInt.asIntN(64, index.args[1]!.value) : 1n;
    // Factors that no number holds exactly are no help: any offset.
    const factor = by >= -(2n ** 31n) && by < 2n ** 31n ? Math.abs(Number(by)) : 1;
    this.map(base, into, ({ r, m }) => ({ r, m: gcd(m, factor) }));
  }

  private map(base: Expr, into: Targets, change: (pattern: Pattern) => Pattern): void {
    const targets = this.targets(base);
    into.unknown ||= targets.unknown;
    for (const [object, patterns] of targets.offsets)
      for (const pattern of patterns.values()) into.add(object, change(pattern));
  }
}
