// Questions about terms: trying all values and the SMT solver must agree, whatever the operators.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BinaryOperator } from '../process/expression.ts';
import type { Storage } from '../process/storage.ts';
import { Solver as SmtSolver } from '../smt/solver.ts';
import { ContentsTable } from './contents.ts';
import { formulasOf } from './contents-smt.ts';
import { Arena } from './symbols.ts';

const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 30);

const operators: readonly BinaryOperator[] = [
  '+',
  '-',
  '*',
  '/',
  '%',
  '<<',
  '>>',
  '&',
  '|',
  '^',
  '&&',
  '||',
  '==',
  '!=',
  '<',
  '<=',
  '>',
  '>=',
];
const storages: readonly Storage[] = [
  { bits: 1, signed: false },
  { bits: 3, signed: false },
  { bits: 8, signed: false },
  { bits: 16, signed: true },
  { bits: 32, signed: true },
];
const ranges = [
  { least: 0, most: 7 },
  { least: -4, most: 3 },
  { least: 250, most: 257 },
] as const;
const instruction = fc.record({
  kind: fc.constantFrom('binary', 'binary', 'binary', 'unary', 'truncate', 'choice', 'constant'),
  operator: fc.constantFrom(...operators),
  unary: fc.constantFrom('-' as const, '!' as const, '~' as const),
  storage: fc.constantFrom(...storages),
  value: fc.constantFrom(0, 1, 2, 5, 31, 33, -1, 255, 256, 32768, 2147483647, -2147483648),
  a: fc.nat(),
  b: fc.nat(),
  c: fc.nat(),
});
const questions = fc.tuple(
  fc.subarray([...ranges], { minLength: 1 }),
  fc.array(instruction, { minLength: 2, maxLength: 12 }),
  fc.integer({ min: 1, max: 3 }),
);

/** Random terms over the last few, and the last ones as constraints. */
function build([inputs, instructions, wanted]: typeof questions extends fc.Arbitrary<infer T> ? T : never) {
  const arena = new Arena();
  const made = inputs.map((range) => arena.unknown(range));
  for (const { kind, operator, unary, storage, value, a, b, c } of instructions) {
    const pick = (n: number) => made[made.length - 1 - (n % Math.min(made.length, 5))]!;
    if (kind === 'binary') made.push(arena.binary(operator, pick(a), pick(b)));
    else if (kind === 'unary') made.push(arena.unary(unary, pick(a)));
    else if (kind === 'truncate') made.push(arena.truncated(storage, pick(a)));
    else if (kind === 'choice') made.push(arena.choice(pick(a), pick(b), pick(c)));
    else made.push(arena.constant(value));
  }
  return { arena, constraints: made.slice(-wanted) };
}

test('trying all values and the SMT solver agree', async () => {
  const smt = new SmtSolver({ logic: 'QF_BV' });
  const seen = { sat: 0, unsat: 0 };
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const { arena, constraints } = build(question);
      // Of a division by zero the terms say anything at all: too many values to try.
      if (arena.inputs.length > question[0].length) return;
      const table = new ContentsTable();
      const answer = table.mayHold(arena, constraints);
      expect(table.open.size).toBe(0);
      smt.push();
      for (const formula of formulasOf({ ...arena, constraints })) smt.assert(formula);
      const theirs = await smt.check();
      smt.pop();
      expect(theirs).toBe(answer ? 'sat' : 'unsat');
      seen[answer ? 'sat' : 'unsat']++;
    }),
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 34), numRuns: 2 * runs },
  );
  smt.dispose();
  expect(Math.min(seen.sat, seen.unsat)).toBeGreaterThan(runs / 10);
});
