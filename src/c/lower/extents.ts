// Uses of objects whose size was decided when they were allocated: a test before each that could reach beyond the end. Where the test fails, what happens is
// undefined (`defined`): for whoever asks for undefined behaviour that is an error, for the others the end of a run. All else takes such an object for one of as many bytes
// as there is room for.
//
// Soundness: no property is asked of the program without these tests. A run that they let go on uses what the object has.

import type { Expr } from '../program/expr.ts';
import { outgoingEdges } from '../program/interpreter.ts';
import type { Edge, Location, MemoryObject, Operation, Program } from '../program/program.ts';
import { bytesIn } from '../program/types.ts';
import { type Use, usesOf } from './memory-uses.ts';

export function withExtents(program: Program): Program {
  return program.objects.some(({ extent }) => extent !== undefined) ? new Extents(program).run() : program;
}

interface Test {
  readonly test: Expr;
  readonly why: string;
}

class Extents {
  private readonly program: Program;
  private readonly locations: Location[];
  private readonly edges: Edge[] = [];

  constructor(program: Program) {
    this.program = program;
    this.locations = [...program.locations];
  }

  run(): Program {
    const { program, locations } = this;
    const outgoing = outgoingEdges(program);
    for (const { id } of program.locations) {
      const edges = outgoing[id]!;
      // Ways that part here look at the same values, so that all their tests belong before the parting.
      const tests = new Map<Expr, [Test, Edge]>();
      for (const edge of edges)
        for (const test of this.testsOf(edge.operation))
          if (test.test !== program.pool.true && !tests.has(test.test)) tests.set(test.test, [test, edge]);
      let from = id;
      for (const [test, like] of tests.values()) from = this.step(id, from, test, like);
      for (const edge of edges) this.add({ ...edge, from });
    }
    return { ...program, locations, edges: this.edges };
  }

  private add(edge: Omit<Edge, 'id'>): void {
    this.edges.push({ ...edge, id: this.edges.length });
  }

  /** In one piece with what follows, as far as other threads are concerned. */
  private step(start: number, from: number, { test, why }: Test, { span, block }: Edge): number {
    const to = this.locations.length;
    const { contract: _, wanted: __, ...plain } = this.program.locations[start]!;
    this.locations.push({ ...plain, labels: [], kind: 'inner', why: '', id: to });
    const operation = { kind: 'defined', test, why } as const;
    this.add({ from, to, span, operation, atomic: true, ...(block && { block }) });
    return to;
  }

  private testsOf(operation: Operation): Test[] {
    return usesOf(this.program, operation).flatMap((use) =>
      use.site.objects.flatMap((object) =>
        object.extent === undefined ? [] : [this.isWithin(use, object, object.extent.id)],
      ),
    );
  }

  /** Where the object is meant, all bytes lie before its end. */
  private isWithin({ site, address, how, when }: Use, object: MemoryObject, extent: number): Test {
    const { pool } = this.program;
    const offset = pool.binary('sub', address, pool.const(object.address, 64));
    const end = pool.binary('add', offset, pool.const(bytesIn(site.width), 64));
    const isElsewhere = pool.compare('ule', pool.const(object.size, 64), offset);
    const isBefore = pool.compare('ule', end, pool.symbol(extent, 64));
    const what = how === 'a read of' ? 'a read' : 'a write';
    const isNotMade = when === null ? pool.false : pool.not(when);
    return {
      test: pool.or(isNotMade, pool.or(isElsewhere, isBefore)),
      why: `${what} outside of '${object.name}' is undefined`,
    };
  }
}
