import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { runProgram } from '../testing/run-program.ts';
import { parseSexprs, parseValue } from './answer.ts';
import { printTerm } from './print.ts';
import type { SolverOptions } from './solver.ts';
import { Solver } from './solver.ts';
import type { Int } from './term.ts';
import * as t from './term.ts';

const hasNative = runProgram('z3', ['--version']).status === 0;
if (!hasNative) console.log('skipped: the native backend (no program z3 on PATH)');

const open: Solver[] = [];
afterEach(() => {
  for (const solver of open.splice(0)) solver.dispose();
});
const start = (options: SolverOptions): Solver => {
  const solver = new Solver(options);
  open.push(solver);
  return solver;
};

/** Minutes of work for any solver: the pigeonhole principle, n + 1 pigeons in n holes. */
function pigeons(n: number): t.Bool {
  const sits = (p: number, h: number) => t.boolVar(`p${p}h${h}`);
  const indices = [...Array(n + 1).keys()];
  const holes = indices.slice(0, n);
  return t.and(
    ...indices.map((p) => t.or(...holes.map((h) => sits(p, h)))),
    ...holes.flatMap((h) =>
      indices.flatMap((p) => indices.filter((q) => q < p).map((q) => t.not(t.and(sits(p, h), sits(q, h))))),
    ),
  );
}

for (const backend of ['native', 'npm'] as const) {
  describe.skipIf(backend === 'native' && !hasNative)(`${backend} backend`, () => {
    const x = t.intVar('x');
    const y = t.intVar('a name | with \\ oddities');

    test('answers, models, push and pop', async () => {
      const solver = start({ backend });
      solver.assert(t.and(t.lt(t.int(-7), x), t.lt(x, t.int(-5)), t.eq(y, t.mul(t.int(3), x))));
      expect(await solver.check()).toBe('sat');
      expect(solver.backendName).toBe(backend);
      expect(await solver.values([x, y, t.lt(x, y)])).toEqual([-6n, -18n, false]);
      solver.push();
      solver.assert(t.gt(x, t.int(0)));
      expect(await solver.check()).toBe('unsat');
      solver.pop();
      expect(await solver.check()).toBe('sat');
    });

    test('cores name the assertions that contradict each other', async () => {
      const solver = start({ backend, cores: true });
      solver.assert(t.gt(x, t.int(5)), 'first of all');
      solver.assert(t.gt(y, t.int(5)), 'second');
      solver.assert(t.lt(x, t.int(5)), '3');
      expect(await solver.check()).toBe('unsat');
      expect((await solver.core()).sort()).toEqual(['3', 'first of all']);
    });

    test('many questions in one go, under assumptions', async () => {
      const solver = start({ backend });
      const [a, b] = [t.boolVar('a'), t.boolVar('b')];
      solver.assert(t.and(t.implies(a, t.gt(x, t.int(0))), t.implies(b, t.lt(x, t.int(0)))));
      expect(await solver.checkAll([[a], [b], [a, b], [a, t.not(b)]])).toEqual([
        'sat',
        'sat',
        'unsat',
        'sat',
      ]);
    });

    test('bit-vectors wrap, arrays store', async () => {
      const solver = start({ backend });
      const v = t.bvVar('v', 8);
      solver.assert(
        t.and(t.eq(t.bvOp('bvadd', v, t.bv(1, 8)), t.bv(0, 8)), t.bvCompare('bvslt', v, t.bv(0, 8))),
      );
      const table = t.arrayVar('table', t.bvSort(8), t.INT);
      const written = t.store(table, v, t.int(7));
      solver.assert(t.eq(x, t.select(written, t.bv(-1, 8))));
      expect(await solver.check()).toBe('sat');
      expect(await solver.values([v, t.bvResize(v, 16, true), t.bvResize(v, 4, false), x])).toEqual([
        255n,
        65535n,
        15n,
        7n,
      ]);
    });

    test('a question that takes too long is unknown, and the solver lives on', async () => {
      const solver = start({ backend, timeout: 200 });
      solver.assert(t.gt(x, t.int(1)));
      solver.push();
      solver.assert(pigeons(12));
      expect(await solver.check()).toBe('unknown');
      solver.pop();
      solver.assert(t.lt(x, t.int(3)));
      expect(await solver.check([], 5000)).toBe('sat');
      expect(await solver.values([x])).toEqual([2n]);
    });

    test('SMT-LIB text', async () => {
      const solver = start({ backend });
      solver.declare('n', t.INT);
      solver.assert('(exists ((k Int)) (= n. (* 2 k)))');
      solver.assert(t.eq(t.intVar('n'), t.int(5)));
      expect(await solver.check()).toBe('unsat');
      expect(await solver.run('(echo "hello")')).toContain('hello');
    });

    test('quantifiers bind', async () => {
      const solver = start({ backend });
      const z = t.intVar('z');
      solver.assert(t.forall([z], t.implies(t.ge(z, x), t.ge(z, t.int(4)))));
      solver.assert(t.lt(x, t.int(5)));
      expect(await solver.check()).toBe('sat');
      expect(await solver.values([x])).toEqual([4n]);
    });
  });
}

test.skipIf(!hasNative)('a killed solver starts again with its assertions', async () => {
  const solver = start({ backend: 'native' });
  const x = t.intVar('x');
  solver.assert(t.gt(x, t.int(0)));
  solver.push();
  solver.assert(t.lt(x, t.int(2)));
  expect(await solver.check()).toBe('sat');
  expect(await solver.run('(exit)')).toBeNull();
  expect(solver.stats.restarts).toBe(1);
  expect(await solver.check()).toBe('sat');
  expect(await solver.values([x])).toEqual([1n]);
  solver.pop();
  solver.assert(t.gt(x, t.int(1)));
  expect(await solver.check()).toBe('sat');
});

test.skipIf(!hasNative)('both backends agree on random linear constraints', async () => {
  const names = ['a', 'b', 'c'];
  const linear = fc.array(fc.tuple(fc.constantFrom(...names), fc.integer({ min: -3, max: 3 })), {
    minLength: 1,
    maxLength: 3,
  });
  const constraint = fc.tuple(linear, fc.constantFrom('lt', 'ge', 'eq'), fc.integer({ min: -4, max: 4 }));
  const native = start({ backend: 'native' });
  const npm = start({ backend: 'npm' });
  await fc.assert(
    fc.asyncProperty(fc.array(constraint, { minLength: 1, maxLength: 6 }), async (constraints) => {
      const formula = t.and(
        ...constraints.map(([sum, op, k]) => {
          const left = t.add(...sum.map(([name, factor]): Int => t.mul(t.int(factor), t.intVar(name))));
          return op === 'lt'
            ? t.lt(left, t.int(k))
            : op === 'ge'
              ? t.ge(left, t.int(k))
              : t.eq(left, t.int(k));
        }),
      );
      const answers = [];
      for (const solver of [native, npm]) {
        solver.push();
        solver.assert(formula);
        answers.push(await solver.check());
        solver.pop();
      }
      expect(answers[0]).toBe(answers[1]);
    }),
    { numRuns: 30, seed: 8 },
  );
});

test('shared subterms are printed once', () => {
  let term: Int = t.intVar('x');
  for (let i = 0; i < 60; i++) term = t.add(term, term);
  expect(printTerm(t.eq(term, t.int(0))).length).toBeLessThan(3000);
});

test('answers are read', () => {
  expect(parseSexprs('(a |b c| (d "e ""f")) ; comment\n ok')).toEqual([['a', 'b c', ['d', '"e ""f"']], 'ok']);
  expect(
    ['(- 5)', '#xff', '#b101', '(_ bv7 8)', 'true', '(as const x)'].map((s) =>
      parseValue(parseSexprs(s)[0]!),
    ),
  ).toEqual([-5n, 255n, 5n, 7n, true, null]);
});
