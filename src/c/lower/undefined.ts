// Undefined behaviour as a property of its own: the program with a test before every step that C leaves undefined in some states, and
// an error behind the test. What was an error of the program's own is an ordinary end here.
//
// What is seen: divisions by zero and quotients that do not fit, shifts by the width or more, accesses outside of the objects that the
// address can mean (null and uninitialised pointers among them), writes to constants. Not seen: signed overflow (which wraps here),
// accesses after an object's end of life, reads of uninitialised numbers, accesses through pointers that come from elsewhere.
//
// Soundness: every run of the program is one of the program with tests, up to the first step that fails one.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Location, MemoryObject, Operation, Program, Site } from '../program/program.ts';
import { objectAt } from '../program/program.ts';

export const NO_UNDEFINED = 'no-undefined';

interface Check {
  readonly test: Expr;
  readonly why: string;
  readonly span: Span;
}

export interface Checked {
  readonly program: Program;
  /** Accesses that were not looked at, since their pointers come from elsewhere. */
  readonly passedOver: readonly Span[];
}

export function withChecks(program: Program): Checked {
  return new Instrumentation(program).run();
}

class Instrumentation {
  private readonly program: Program;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];
  private readonly passedOver = new Map<string, Span>();

  constructor(program: Program) {
    this.program = program;
    this.locations = program.locations.map((location) => ({
      ...location,
      kind: location.kind === 'error' ? 'end' : location.kind,
      labels: [],
    }));
  }

  run(): Checked {
    const { program } = this;
    const outgoing = outgoingEdges(program);
    for (const location of program.locations) {
      const edges = outgoing[location.id]!;
      // Ways that part here look at the same values, so that all their tests belong before the parting.
      const from = this.chain(location.id, this.checksOf(edges));
      for (const edge of edges) this.add({ ...edge, from });
    }
    const notes = [...this.passedOver.values()].map((span) => ({
      message: 'whether this access is valid is not looked at: the pointer comes from elsewhere',
      span,
    }));
    return {
      program: {
        ...program,
        locations: this.locations,
        edges: this.edges,
        predicates: [],
        notes: [...program.notes, ...notes],
      },
      passedOver: [...this.passedOver.values()],
    };
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
    for (const { test, why, span } of checks) {
      const bad = this.location(like, { kind: 'error', why, span });
      this.add({
        from: at,
        to: bad,
        span,
        operation: { kind: 'assume', test: pool.not(test), branch: `[${why}]` },
      });
      if (test === pool.false) return this.location(like, {});
      const next = this.location(like, {});
      this.add({ from: at, to: next, span, operation: { kind: 'assume', test, branch: null } });
      at = next;
    }
    return at;
  }

  private checksOf(edges: readonly Edge[]): Check[] {
    const found = new Map<Expr, Check>();
    const add = (test: Expr, why: string, span: Span) => {
      if (test !== this.program.pool.true && !found.has(test)) found.set(test, { test, why, span });
    };
    for (const { operation, span } of edges) {
      this.ofOperation(operation, span, add);
    }
    return [...found.values()];
  }

  private ofOperation(
    operation: Operation,
    span: Span,
    add: (test: Expr, why: string, span: Span) => void,
  ): void {
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
        add(operation.test, operation.why, span);
        return;
      default:
    }
  }

  /** Loads that are made whatever the rest of the expression is; inner ones first. */
  private ofLoads(
    expr: Expr,
    span: Span,
    add: (test: Expr, why: string, span: Span) => void,
    seen: Set<Expr>,
  ): void {
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
    add: (test: Expr, why: string, span: Span) => void,
  ): void {
    const { pool, objects } = this.program;
    if (address.op === 'const') {
      const object = objectAt(objects, address.value);
      const valid = object !== null && this.isInside(object, address, site.width, writes) === pool.true;
      if (!valid) add(pool.false, invalid(object ?? site.objects[0] ?? null, writes), span);
      return;
    }
    if (site.foreign) {
      this.passedOver.set(`${span.file.path}:${span.start}`, span);
      return;
    }
    let valid: Expr = pool.false;
    for (const object of site.objects)
      valid = pool.or(valid, this.isInside(object, address, site.width, writes));
    const [only] = site.objects;
    add(valid, invalid(site.objects.length === 1 ? only! : null, writes), span);
  }

  private isInside(object: MemoryObject, address: Expr, width: number, writes: boolean): Expr {
    const { pool } = this.program;
    const bytes = width / 8;
    if (object.kind === 'function' || bytes > object.size || (writes && object.constant)) return pool.false;
    const offset = pool.binary('sub', address, pool.const(object.address, 64));
    return pool.compare('ule', offset, pool.const(object.size - bytes, 64));
  }
}

function invalid(object: MemoryObject | null, writes: boolean): string {
  const what = writes ? 'a write' : 'a read';
  if (object === null || object.kind === 'function') return `${what} through an invalid pointer is undefined`;
  if (writes && object.constant) return `${what} to the constant '${object.name}' is undefined`;
  return `${what} outside of '${object.name}' is undefined`;
}
