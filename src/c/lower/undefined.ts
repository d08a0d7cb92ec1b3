// Undefined behaviour as a property of its own: the program with a test before every step that C leaves undefined in some states, and
// an error behind the test. What was an error of the program's own is an ordinary end here.
//
// What is seen: divisions by zero and quotients that do not fit, shifts by the width or more, accesses outside of the objects that the
// address can mean (null and uninitialised pointers among them) or after their lives (lifetimes.ts), writes to constants. Not seen: signed overflow (which wraps here),
// reads of uninitialised numbers. An access through a pointer that comes from elsewhere may be valid
// or not: the way is cut there, beside the way on, so that nothing is proved.
//
// Soundness: every run of the program is one of the program with tests, up to the first step that fails one.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Location, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { objectAt } from '../program/program.ts';
import { lived } from './lifetimes.ts';

export const NO_UNDEFINED = 'no-undefined';

interface Check {
  readonly test: Expr;
  readonly why: string;
  readonly span: Span;
  /** Whether it is wrong that the test fails cannot be seen. */
  readonly isOpen?: true;
}

export function withChecks(program: Program): Program {
  return new Instrumentation(lived(program)).run();
}

const FROM_ELSEWHERE = 'whether this access is valid cannot be seen: the pointer comes from elsewhere';

const AS_MUCH = 'whether a function that nobody defines stays inside of what it is given cannot be seen';

class Instrumentation {
  private readonly program: Program;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];

  constructor(program: Program) {
    this.program = program;
    this.locations = program.locations.map((location) => ({
      ...location,
      kind: location.kind === 'error' ? 'end' : location.kind,
      labels: [],
    }));
  }

  run(): Program {
    const { program } = this;
    const outgoing = outgoingEdges(program);
    for (const location of program.locations) {
      const edges = outgoing[location.id]!;
      // Ways that part here look at the same values, so that all their tests belong before the parting.
      const from = this.chain(location.id, this.checksOf(edges));
      for (const edge of edges) this.add({ ...edge, from });
    }
    return { ...program, locations: this.locations, edges: this.edges, predicates: [] };
  }

  private add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  private location(like: Location, more: Partial<Location>): number {
    const id = this.locations.length;
    const { contract: _, ...plain } = like;
    this.locations.push({ ...plain, labels: [], kind: 'inner', why: '', ...more, id });
    return id;
  }

  /** The tests one after the other from a location; where the last one leads. */
  private chain(start: number, checks: readonly Check[]): number {
    const { pool } = this.program;
    const like = this.locations[start]!;
    let at = start;
    for (const { test, why, span, isOpen } of checks) {
      const bad = this.location(like, { kind: isOpen === true ? 'cut' : 'error', why, span });
      this.add({
        from: at,
        to: bad,
        span,
        operation: { kind: 'assume', test: pool.not(test), branch: `[${why}]` },
      });
      if (isOpen === true) continue;
      if (test === pool.false) return this.location(like, {});
      const next = this.location(like, {});
      this.add({ from: at, to: next, span, operation: { kind: 'assume', test, branch: null } });
      at = next;
    }
    return at;
  }

  private checksOf(edges: readonly Edge[]): Check[] {
    const found = new Map<Expr, Check>();
    const add = (check: Check) => {
      if (check.test !== this.program.pool.true && !found.has(check.test)) found.set(check.test, check);
    };
    for (const { operation, span } of edges) {
      this.ofOperation(operation, span, add);
    }
    return [...found.values()];
  }

  private ofOperation(operation: Operation, span: Span, add: (check: Check) => void): void {
    const loads = (expr: Expr) => this.ofLoads(expr, span, add, new Set());
    switch (operation.kind) {
      case 'assign':
        loads(operation.value);
        return;
      case 'store':
        loads(operation.address);
        loads(operation.value);
        this.ofAccess(operation.site, operation.address, true, span, add);
        return;
      case 'assume':
        loads(operation.test);
        return;
      case 'defined':
        loads(operation.test);
        add({ test: operation.test, why: operation.why, span });
        return;
      case 'touch':
        this.ofTouch(operation, span, add);
        return;
      default:
    }
  }

  /** Loads that are made whatever the rest of the expression is; inner ones first. */
  private ofLoads(expr: Expr, span: Span, add: (check: Check) => void, seen: Set<Expr>): void {
    if (!expr.hasLoad || seen.has(expr)) return;
    seen.add(expr);
    const lazy = expr.op === 'ite' || expr.op === 'conj' || expr.op === 'disj';
    for (const arg of lazy ? expr.args.slice(0, 1) : expr.args) this.ofLoads(arg, span, add, seen);
    if (expr.op === 'load')
      this.ofAccess(this.program.sites[Number(expr.value) - 1]!, expr.args[0]!, false, span, add);
  }

  private ofAccess(
    site: Site,
    address: Expr,
    writes: boolean,
    span: Span,
    add: (check: Check) => void,
  ): void {
    const { pool, objects } = this.program;
    if (address.op === 'const') {
      const object = objectAt(objects, address.value);
      if (object?.unsized) {
        add({ test: pool.false, why: FROM_ELSEWHERE, span, isOpen: true });
        return;
      }
      const valid = object !== null && this.isInside(object, address, site.width, writes) === pool.true;
      if (!valid) add({ test: pool.false, why: invalid(object ?? site.objects[0] ?? null, writes), span });
      return;
    }
    let valid: Expr = pool.false;
    for (const object of site.objects.filter(({ unsized }) => !unsized))
      valid = pool.or(valid, this.isInside(object, address, site.width, writes));
    const [only] = site.objects;
    const isNull = pool.eq(address, pool.const(0n, 64));
    if (site.foreign && isNull !== pool.false)
      add({ test: pool.not(isNull), why: invalid(null, writes), span });
    if (site.foreign || site.objects.some(({ unsized }) => unsized))
      add({ test: valid, why: FROM_ELSEWHERE, span, isOpen: true });
    else add({ test: valid, why: invalid(site.objects.length === 1 ? only! : null, writes), span });
  }

  private isInside(object: MemoryObject, address: Expr, width: number, writes: boolean): Expr {
    const { pool } = this.program;
    const bytes = width / 8;
    if (object.kind === 'function' || bytes > object.size || (writes && object.constant)) return pool.false;
    const offset = pool.binary('sub', address, pool.const(object.address, 64));
    return pool.compare('ule', offset, pool.const(object.size - bytes, 64));
  }

  /** What functions of the library use. */
  private ofTouch(
    { site, address, extent, writes, within }: Extract<Operation, { kind: 'touch' }>,
    span: Span,
    add: (check: Check) => void,
  ): void {
    if (within === undefined) return;
    const { pool, objects } = this.program;
    if (typeof extent === 'string') {
      add({ test: pool.false, why: AS_MUCH, span, isOpen: true });
      return;
    }
    const only = address.op === 'const' ? objectAt(objects, address.value) : null;
    const meant = address.op === 'const' ? (only === null ? [] : [only]) : site.objects;
    let valid = pool.eq(extent, pool.const(0n, 64));
    for (const object of meant) {
      if (object.kind === 'function' || object.unsized || (writes && object.constant)) continue;
      const size =
        object.extent === undefined ? pool.const(object.size, 64) : pool.symbol(object.extent.id, 64);
      const offset = pool.binary('sub', address, pool.const(object.address, 64));
      const isShort = pool.compare('ule', extent, size);
      const fits = pool.compare('ule', offset, pool.binary('sub', size, extent));
      valid = pool.or(valid, pool.and(isShort, fits));
    }
    const isElsewhere = site.foreign || meant.some(({ unsized }) => unsized);
    if (within === 'some' || isElsewhere)
      add({ test: valid, why: isElsewhere ? FROM_ELSEWHERE : AS_MUCH, span, isOpen: true });
    else add({ test: valid, why: invalid(meant.length === 1 ? meant[0]! : null, writes), span });
  }
}

function invalid(object: MemoryObject | null, writes: boolean): string {
  const what = writes ? 'a write' : 'a read';
  if (object === null || object.kind === 'function') return `${what} through an invalid pointer is undefined`;
  if (writes && object.constant) return `${what} to the constant '${object.name}' is undefined`;
  return `${what} outside of '${object.name}' is undefined`;
}
