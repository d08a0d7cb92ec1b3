// Rows over counters, wrapping ones included, against random walks through the code: at every moment of every run the row holds.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildNet } from '../net/build.ts';
import { netCycles } from '../net/cycles.ts';
import type { VariableId } from '../process/program.ts';
import { variableStorage } from '../process/storage.ts';
import { programOf } from '../promela/testing.ts';
import { type CodeContext, codeContext } from './context.ts';
import { countersOf } from './counters.ts';
import { cyclicClaims } from './cyclic.ts';
import { type Claim, deriveRow, Facts, type RayRow } from './rows.ts';
import { SymbolicRun } from './symbolic-run.ts';
import { Arena } from './symbols.ts';

const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 15);

function open(text: string) {
  const program = programOf(text);
  const { net } = buildNet(program, { unfold: 'none' });
  const facts = new Facts(codeContext(program, net)!);
  const cycles = netCycles(net, { maxCycles: 100 }).cycles;
  const cyclic = cycles.flatMap((cycle) => cyclicClaims(facts.context, cycle));
  return { facts, net, program, cyclic };
}

test('the row of a loop that counts up beside one that may wrap', () => {
  const { facts, net, cyclic } = open(`active proctype p() { byte x;
    do :: x <= 2 -> x++ :: x++ :: x = 0 od }`);
  expect(cyclic).toHaveLength(1);
  const row = deriveRow(facts, cyclic[0]!)!;
  const shown = Object.fromEntries(
    [...row.coefficients].map(([t, cost]) => [
      `${net.transitions[t]!.text} ${net.transitions[t]!.from === net.classes[0]!.initial}`,
      Number(cost),
    ]),
  );
  // The test pays one, a reset gives three; a step up beyond 3 gives a little, so that wrapping to 0 gives nothing more.
  expect(shown).toMatchObject({ 'x <= 2 true': -1, 'x = 0 true': 3, 'x++ true': 3 });
});

test('a loop that wraps by itself has no row', () => {
  const { facts, cyclic } = open('active proctype p() { byte x; do :: x >= 0 -> x-- od }');
  expect(cyclic.map((claim) => deriveRow(facts, claim))).toEqual([null]);
});

const small = fc.integer({ min: 0, max: 8 });
const guard = fc
  .tuple(fc.constantFrom('<', '<=', '>', '>=', '==', '!='), small)
  .map(([op, k]) => `x ${op} ${k}`);
const change = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((k) => `x = x + ${k}`) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }).map((k) => `x = x - ${k}`) },
  { weight: 1, arbitrary: small.map((k) => `x = ${k}`) },
  { weight: 1, arbitrary: fc.constantFrom('x = x * 2', 'x = x & 5', 'skip', 'skip') },
);
const line = fc
  .tuple(
    fc.option(guard),
    fc.array(change, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', '', 'atomic', 'jump', 'nest'),
  )
  .map(([test1, changes, how]) => {
    const steps = [...(test1 === null ? [] : [test1]), ...changes];
    if (how === 'atomic') return `:: atomic { ${steps.join('; ')} }`;
    if (how === 'jump') return `:: ${steps.join('; ')}; goto mid`;
    if (how === 'nest')
      return `:: ${steps[0]}; do :: x++ :: break od; ${steps.slice(1).join('; ') || 'skip'}`;
    return `:: ${steps.join('; ')}`;
  });
const models = fc
  .tuple(
    fc.constantFrom('unsigned x : 3', 'unsigned x : 4', 'byte x', 'int x', 'short x'),
    fc.array(line, { minLength: 2, maxLength: 4 }),
    small,
    guard,
  )
  .map(
    ([declared, lines, k, test1]) =>
      `active proctype p() { ${declared} = ${k}; top: do\n${lines.join('\n')}\n:: ${test1} -> mid: x++ od }`,
  );

/** A walk of so many steps; after each, `see` is told how often every transition was taken. */
function walk(
  context: CodeContext,
  x: VariableId,
  start: number,
  choices: readonly number[],
  see: (counts: ReadonlyMap<number, bigint>) => void,
) {
  const { graph, transitions } = context.graphs[0]!;
  let [location, value] = [context.net.classes[0]!.initial, start];
  const counts = new Map<number, bigint>();
  for (const choice of choices) {
    const possible = graph.out[location]!.flatMap((arc) => {
      const arena = new Arena();
      const run = new SymbolicRun(arena, context, 0, new Map([[x, { least: value, most: value }]]));
      for (const operation of context.operations[transitions[arc]!]!) run.run(operation);
      const holds = run.constraints.every((term) => arena.constantOf(term) !== 0);
      const storage = variableStorage(context.program.variables[x]!);
      const cell = { variable: x, path: [], storage, span: null } as never;
      const after = arena.constantOf(run.evaluate({ kind: 'read', cell, span: null } as never));
      return holds && after !== null ? [{ arc, after }] : [];
    });
    if (possible.length === 0) return;
    const { arc, after } = possible[choice % possible.length]!;
    const transition = transitions[arc]!;
    counts.set(transition, (counts.get(transition) ?? 0n) + 1n);
    [location, value] = [graph.arcs[arc]!.to, after];
    see(counts);
  }
}

const sumOf = (row: RayRow, counts: ReadonlyMap<number, bigint>): bigint =>
  [...row.coefficients].reduce((sum, [t, cost]) => sum + cost * (counts.get(t) ?? 0n), 0n);

test('random loops: every run satisfies the rows', () => {
  let rows = 0;
  fc.assert(
    fc.property(
      models,
      fc.array(fc.nat(11), { minLength: 300, maxLength: 300 }),
      small,
      (text, choices, stay) => {
        const { facts, program, cyclic } = open(text);
        const { context } = facts;
        const x = program.variables.find(({ name }) => name === 'x')!.id;
        const start = Number(/= (\d+);/.exec(text)![1]);
        const claims: Claim[] = [
          ...cyclic,
          ...countersOf(context, 0).flatMap((variable) =>
            [true, false].map((upwards): Claim => ({ kind: 'counter', class: 0, variable, upwards })),
          ),
        ];
        const derived = claims.flatMap((claim) => deriveRow(facts, claim) ?? []);
        rows += derived.filter(({ claim }) => claim.kind === 'cyclic').length;
        // Runs that prefer one alternative get far: that is how a counter wraps.
        const patient = choices.map((choice, at) => (at % 3 === 0 ? choice : stay));
        for (const way of [choices, patient])
          walk(context, x, start & (text.includes('x : 3') ? 7 : 255), way, (counts) => {
            for (const row of derived)
              if (sumOf(row, counts) < -row.constant) expect.fail(JSON.stringify(row.claim));
          });
      },
    ),
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 35), numRuns: runs },
  );
  expect(rows).toBeGreaterThan(runs / 4);
});
