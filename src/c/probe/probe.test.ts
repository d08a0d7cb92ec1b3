// What is met by executing a program with chosen inputs.

import { expect, test } from 'vitest';
import { checkModel } from '../../check/check.ts';
import { has } from '../program/cell-set.ts';
import { symbolNumber } from '../program/expr.ts';
import { liveCells } from '../reach/liveness.ts';
import { programOf } from '../testing.ts';
import { ProbeGraph } from './graph.ts';
import { replay } from './replay.ts';
import { InputValues } from './values.ts';

const INPUT = 'extern int __VERIFIER_nondet_int(void); extern void reach_error(void);';

async function graphOf(text: string) {
  const program = await programOf(`${INPUT} ${text}`);
  const live = liveCells(program, []);
  const isSink = (location: number) => program.locations[location]!.kind !== 'inner';
  return { program, live, graph: new ProbeGraph(program, { live, labels: [], isSink, seed: 1 }) };
}

test('constants that an input is compared with are tried', async () => {
  const program = await programOf(
    `${INPUT} int main(void) { int x = __VERIFIER_nondet_int(); int y = x; if (y == 4711) reach_error(); return 0; }`,
  );
  const input = program.edges.flatMap(({ operation }) =>
    operation.kind === 'input' ? [operation.cell] : [],
  )[0]!;
  const values = new InputValues(program).of(input.id, input.width);
  expect(values).toEqual(expect.arrayContaining([4710n, 4711n, 4712n]));
});

test('an error behind several inputs is met, and the run can be repeated', async () => {
  const { program, graph } = await graphOf(
    `int main(void) { int i, right = 0; int code[4] = { 17, 4, 99, 5 };
       for (i = 0; i < 4; i++) if (__VERIFIER_nondet_int() == 17 + 0 * i) right++;
       if (right == 4 && code[2] == 99) reach_error(); return 0; }`,
  );
  const isError = ({ location }: { location: number }) => program.locations[location]!.kind === 'error';
  expect(graph.explore(50_000, 5000, isError)).toBe(true);
  const [first] = graph.nodes[0]!.out;
  expect(replay(program, [first!], [], [[]])?.edges.length).toBe(first!.edges.length);
  // With a step left out it is no run.
  expect(replay(program, [{ ...first!, edges: first!.edges.slice(1) }], [], [[]])).toBe(null);
});

test('states that differ only in what nobody looks at are one', async () => {
  const { graph } = await graphOf(
    'int count; int main(void) { for (;;) { count++; if (__VERIFIER_nondet_int() == 3) continue; } }',
  );
  graph.explore(20_000, 5000, () => false);
  expect(graph.nodes.length).toBeLessThan(10);
});

test('a counter that is tested is live, one that only counts is not', async () => {
  const program = await programOf(
    `${INPUT} int idle, used; int main(void) { for (;;) { idle++; used++; if (used == 7) reach_error(); } }`,
  );
  const live = liveCells(program, []);
  const cell = (name: string) => program.cells.find((one) => one.name === name)!.id;
  const test_ = program.edges.find(({ operation }) => operation.kind === 'assume')!;
  expect(test_.operation.kind === 'assume' && test_.operation.test.symbols.map(symbolNumber)).toContain(
    cell('used'),
  );
  expect(has(live[test_.from]!, cell('used'))).toBe(true);
  expect(has(live[test_.from]!, cell('idle'))).toBe(false);
});

test('a number that is kept in a struct settles which events are meant', async () => {
  const files: Record<string, string> = {
    'm.c': `extern void take(int who); extern void put(int who);
      struct me { int who; int times; };
      static void init(struct me *m, int who) { m->who = who; m->times = 0; }
      static void work(struct me *m) { take(m->who); m->times++; put(m->who); }
      void run(int who) { struct me m; init(&m, who); for (;;) work(&m); }`,
    'm.spec': `use "m.c"; event take(1..2), put(1..2); for i in 1..2: thread T(i) = run(i);
      component Lock { Free = ( for i in 1..2: take[i] -> Held[i] ). for i in 1..2: Held[i] = ( put[i] -> Free ). }
      deadlock-free; ltl alone { G (take[1] -> (!take[2] U put[1])) }`,
  };
  const { properties } = await checkModel({
    paths: ['m.spec'],
    files: { read: (path) => files[path] ?? null },
  });
  expect(properties.map(({ verdict }) => verdict)).toEqual(['proved', 'proved']);
});
