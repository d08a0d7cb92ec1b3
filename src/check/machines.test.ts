// Machines with known answers; random ones against a plain search; files that are wrong; conversions that change nothing.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { compatibility } from '../machines/compatibility.ts';
import { Semantics } from '../machines/configuration.ts';
import { faultIn } from '../machines/faults.ts';
import { explore } from '../machines/search.ts';
import { buildSystem, type MachineSystem, type NamedMove, shapeOf } from '../machines/system.ts';
import { writeFsa } from '../machines/write.ts';
import { startOf } from '../source/source.ts';
import { checkModel } from './check.ts';
import { FAULTS } from './machines/engines.ts';
import { machines } from './machines.ts';

const folder = fileURLToPath(new URL('../../corpus/machines/', import.meta.url));
const textOf = (name: string): string => readFileSync(folder + name, 'utf8');
const { models } = JSON.parse(textOf('spillway.config.json')) as {
  models: { model: string; expect: Record<string, string> }[];
};
const work = (path: string, text: string) => ({
  paths: [path],
  files: { read: (asked: string) => (asked === path ? text : null) },
  options: {},
  budget: { ...UNLIMITED, maxStates: 20_000 },
  observer: SILENT,
});

async function verdicts(path: string, text: string): Promise<Record<string, string>> {
  const report = await checkModel({ ...work(path, text), properties: [] });
  expect(report.diagnostics).toEqual([]);
  for (const { evidence } of report.properties) {
    if (evidence?.kind === 'certificate')
      expect((await machines.audit!(evidence.certificate, work(path, text))).kind).toBe('accepted');
    if (evidence?.kind === 'run') {
      const { model } = await machines.replay!(evidence.run, work(path, text));
      expect([model!.failedAt, model!.refused]).toEqual([null, undefined]);
    }
  }
  return Object.fromEntries(report.properties.map(({ id, verdict }) => [id, verdict]));
}

describe('machines with known answers', () => {
  test('there are twenty', () => expect(models.length).toBeGreaterThanOrEqual(20));

  test.each(models.map(({ model, expect: known }) => [model, known] as const))('%s', async (model, known) => {
    expect(await verdicts(model, textOf(model))).toEqual(known);
    const { text } = await machines.convert!({
      ...work(model, textOf(model)),
      format: 'fsa',
      properties: [],
    });
    expect(await verdicts('again.fsa', text!)).toEqual(known);
  });
});

test('a queue that is proved bounded stays so beside one that grows', async () => {
  const name = 'either-and-log.fsa';
  const { properties } = await checkModel({ ...work(name, textOf(name)), properties: ['bounded'] });
  expect(properties[0]!.queues!.map((queue) => [queue.verdict, queue.bound])).toEqual([
    ...Array.from({ length: 4 }, () => ['proved', 1]),
    ['refuted', null],
  ]);
});

describe('choreographies', () => {
  const read = (text: string) => machines.load({ ...work('g.sgg', text), properties: [] } as never);
  const machineTexts = async (text: string) => {
    const { model, diagnostics } = await read(text);
    expect(diagnostics).toEqual([]);
    return writeFsa(model!);
  };

  test('side by side, everyone does everything in every order', async () => {
    const fsa = await machineTexts('A -> B : x | A -> C : y');
    expect(fsa.match(/1 ! x/g)).toHaveLength(2);
    expect(fsa.match(/2 ! y/g)).toHaveLength(2);
  });

  test('a loop is decided by one, who tells the others', async () => {
    const fsa = await machineTexts(
      'repeat A { B -> C : m }; (o)'.replace('B -> C : m', 'A -> B : k; B -> C : m'),
    );
    expect(fsa).toContain('1 ! loop1');
    expect(fsa).toContain('2 ! exit1');
    expect(fsa).toContain('0 ? loop1');
    expect(await machineTexts('* { A -> B : k } @ A')).toContain('0 ? exit1');
  });

  test.each([
    ['A -> A : m', 'SPW8109', "'A' does not talk to itself"],
    ['A -> B m', 'SPW8111', "':' is expected here"],
    ['A -> B : m }', 'SPW8111', "'}' is not expected here"],
    ['repeat C { A -> B : m }', 'SPW8114', "'C' takes no part in the loop that it decides"],
    ['A -> 1 : m', 'SPW8111', "the name of a participant begins with a letter, not '1'"],
    ['A -> B : m ? n', 'SPW8110', "'?' does not belong here"],
    ['(o)', 'SPW8101', 'nobody does anything in this choreography'],
    ['', 'SPW8111', 'the name of a participant is expected here'],
    [
      Array.from({ length: 20 }, (_, i) => `A -> B : m${i}`).join(' | '),
      'SPW8113',
      'a participant has more than 20000 states',
    ],
  ])('%s is refused', async (text, code, message) => {
    const { diagnostics } = await read(text);
    expect(diagnostics.map((one) => [one.code, one.message])).toEqual([[code, message]]);
  });
});

type Shape = 'any' | 'session' | 'directed';

/** Two or three machines with few states; of the shapes that the theory of compatibility asks for, or any. */
function randomSystems(shape: Shape): fc.Arbitrary<MachineSystem> {
  const state = fc.record({
    partner: fc.nat(1),
    sends: fc.boolean(),
    moves: fc.array(
      fc.record({ to: fc.nat(2), message: fc.nat(1), sends: fc.boolean(), partner: fc.nat(1) }),
      { maxLength: 2 },
    ),
  });
  return fc
    .array(fc.array(state, { minLength: 3, maxLength: 3 }), { minLength: 2, maxLength: 3 })
    .map((list) =>
      buildSystem(
        'random',
        list.map((states, self) => ({
          name: `M${self}`,
          states: states.map((_, number) => ({ name: `q${number}`, at: null })),
          initial: 0,
          moves: states.flatMap((one, from) =>
            one.moves
              .filter(
                (move, index) =>
                  shape === 'any' || one.moves.findIndex(({ message }) => message === move.message) === index,
              )
              .map((move): NamedMove => {
                const partner =
                  (self + 1 + ((shape === 'directed' ? one.partner : move.partner) % (list.length - 1))) %
                  list.length;
                const kind = (shape === 'any' ? move.sends : one.sends) ? 'send' : 'receive';
                return {
                  from,
                  to: move.to,
                  action: { kind, partner, message: `m${move.message}` },
                  at: null,
                };
              }),
          ),
        })),
      ),
    );
}

const runs = (count: number) => ({ seed: 15, numRuns: Number(process.env['SPILLWAY_FUZZ'] ?? count) });

test.each([
  ['directed', 150],
  ['session', 200],
] as const)(
  '%s machines: what is compatible at some k has no fault within any number of configurations that can be searched',
  (wanted, count) => {
    let compatible = 0;
    let several = 0;
    fc.assert(
      fc.property(randomSystems(wanted), (system) => {
        const shape = shapeOf(system);
        expect([shape.deterministic, shape.mixed]).toEqual([true, false]);
        if (wanted === 'directed') expect(shape.directed).toBe(true);
        const semantics = new Semantics(system);
        for (const k of [1, 2]) {
          const graph = explore(semantics, { limit: k, configurations: 2000, faults: [] }, UNLIMITED);
          if (!graph.complete) continue;
          const found = compatibility(semantics, graph, k);
          if (shape.directed) expect([found.outputIndependent, found.inputIndependent]).toEqual([true, true]);
          if (!found.outputIndependent || !found.inputIndependent || !found.exhaustive) continue;
          if (found.unsafe !== null) continue;
          compatible++;
          if (!shape.directed) several++;
          const whole = explore(semantics, { configurations: 3000, faults: FAULTS }, UNLIMITED);
          expect([...whole.faults.keys()]).toEqual([]);
          if (whole.complete)
            expect(compatibility(semantics, whole, Number.POSITIVE_INFINITY).unsafe).toBeNull();
          // With more room it is still so.
          const more = explore(semantics, { limit: k + 2, configurations: 20_000, faults: [] }, UNLIMITED);
          if (more.complete) expect(compatibility(semantics, more, k + 2).unsafe).toBeNull();
          return;
        }
      }),
      runs(count),
    );
    expect(compatible).toBeGreaterThan(15);
    if (wanted === 'session') expect(several).toBeGreaterThan(0);
    if (process.env['SPILLWAY_FUZZ'])
      console.log(`${compatible} compatible, ${several} of them with several partners`);
  },
);

test('random machines: every engine says what a plain search finds', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(randomSystems('any'), async (system) => {
      const semantics = new Semantics(system);
      const graph = explore(semantics, { configurations: 3000, faults: [] }, UNLIMITED);
      const found = await verdicts('random.fsa', writeFsa(system));
      for (const fault of FAULTS) {
        const real = graph.configurations.some(
          (configuration) => faultIn(semantics, configuration, fault) !== null,
        );
        if (real) expect(found[fault]).toBe('refuted');
        else if (graph.complete) expect(found[fault]).toBe('proved');
      }
      if (graph.complete) expect(found['bounded']).toBe('proved');
      for (const [property, verdict] of Object.entries(found))
        seen.set(`${property} ${verdict}`, (seen.get(`${property} ${verdict}`) ?? 0) + 1);
    }),
    runs(6),
  );
  expect(seen.get('bounded refuted') ?? 0).toBeGreaterThan(1);
  expect(seen.get('deadlock-free proved') ?? 0).toBeGreaterThan(1);
});

describe('files that are wrong', () => {
  const machine = (line: string) =>
    `.outputs A\n.state graph\n${line}\n.marking q0\n.end\n.outputs B\n.state graph\n.marking q0\n.end\n`;
  test.each([
    ['a.fsa', machine('q0 7 ! m q1'), 'SPW8108', 3, 4],
    ['a.fsa', machine('q0 0 ! m q1'), 'SPW8109', 3, 4],
    ['a.fsa', machine('q0 1 m q1'), 'SPW8107', 3, 1],
    ['a.fsa', '.outputs A\n.state graph\n.marking q0\n', 'SPW8103', 1, 1],
    ['a.fsa', '.outputs A\n.state graph\n.end\n', 'SPW8106', 1, 1],
    ['a.fsa', '.outputs A\n.states graph\n.marking q0\n.end', 'SPW8105', 2, 1],
    ['a.fsa', 'q0 1 ! m q1\n', 'SPW8104', 1, 1],
    ['a.fsa', '', 'SPW8101', 1, 1],
    ['a.cms', 'system s of A, B : A = B ! m || C = A ? m', 'SPW8112', 1, 16],
    ['a.cms', 'system s of A, B : A = B m || B = A ? m', 'SPW8111', 1, 26],
    ['a.txt', 'A: B!m; end\nB: A?m; endd', 'SPW8111', 2, 12],
    ['a.txt', 'A: X!m; end', 'SPW8108', 1, 4],
  ])('%s: %j', async (path, text, code, line, column) => {
    const { diagnostics } = await machines.load(work(path, text));
    const places = diagnostics.map(({ code: found, span }) => {
      const at = startOf(span!);
      return [found, at.line, at.column];
    });
    expect(places).toContainEqual([code, line, column]);
  });
});
