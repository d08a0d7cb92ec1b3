// Recorded states: those of real runs are possible, whatever part of them was observed; a state that cannot be is found where it stands.

import { expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { Random } from '../base/random.ts';
import { traceItf } from '../report/trace-itf.ts';
import { randomSemanticsModel, seededPick } from '../testing/random-semantics.ts';
import { readItf, type StateTrace } from '../verdict/itf.ts';
import { conformStates } from './conform-states.ts';
import { modelOf } from './model-of.fuzz.ts';
import { simulate } from './simulate.ts';

const BUDGET = { ...UNLIMITED, maxStates: 3_000 };
const MODELS = [
  'mtype = { get, put }; chan q = [2] of { mtype, byte }; chan r = [0] of { byte };\nactive proctype a() { byte x; do :: q!get,x -> x = (x + 1) % 3 :: q!put,x :: r?x od }\nactive proctype b() { byte y; do :: q?get,y -> r!y :: q?<put,y> -> q?put,y od }',
  'byte n; chan c = [1] of { byte };\nproctype w(byte id) { chan own = [1] of { byte }; own!id; own?id; c!id; n-- }\nactive proctype main() { byte v; do :: n < 2 -> n++; run w(n) :: c?v od }',
  'byte x, y; active proctype p() { do :: atomic { x++; y++; x = x % 4; y = y % 4 } od }\nactive proctype q() { do :: x == y -> skip od }',
];
const texts = [
  ...MODELS,
  ...Array.from({ length: Number(process.env['SPILLWAY_FUZZ'] ?? 2) }, (_, seed) =>
    randomSemanticsModel(seededPick(seed + 1)),
  ),
];

const part = ({ variables, states }: StateTrace, keep: (index: number) => boolean): StateTrace => ({
  variables: variables.filter((_, index) => keep(index)),
  states: states.map((state) => state.filter((_, index) => keep(index))),
});

test('what a run shows is possible, in whole and in part', () => {
  for (const [index, text] of texts.entries()) {
    const model = modelOf(text);
    const random = new Random(index + 1);
    for (let seed = 1; seed <= 3; seed++) {
      const trace = readItf(JSON.parse(traceItf(simulate(model, seed, 25).run)));
      const judge = (one: StateTrace) => conformStates(model, one, BUDGET);
      const name = `model ${index} seed ${seed}`;
      const whole = judge(trace);
      if (whole.kind === 'unknown') continue;
      expect(whole, name).toEqual({ kind: 'possible', states: trace.states.length });
      const mask = trace.variables.map(() => random.below(2) === 0);
      const some = judge(part(trace, (i) => mask[i]!));
      expect(some.kind, name).not.toBe('impossible');
    }
  }
});

test('a state that cannot be is found where it stands, and what is said to be allowed is', () => {
  let located = 0;
  for (const [index, text] of texts.entries()) {
    const model = modelOf(text);
    const trace = readItf(JSON.parse(traceItf(simulate(model, index + 1, 20).run)));
    const random = new Random(index + 1);
    if (trace.variables.length === 0 || trace.states.length < 2) continue;
    // Of a process that is not there nothing is compared.
    const globals = trace.variables.flatMap((name, i) => (name.includes('.') ? [] : [i]));
    if (globals.length === 0) continue;
    const at = random.below(trace.states.length);
    const which = globals[random.below(globals.length)]!;
    const states = trace.states.map((state, i) => (i === at ? state.with(which, 'never') : state));
    const judged = conformStates(model, { ...trace, states }, BUDGET);
    if (judged.kind === 'unknown') continue;
    expect(judged, `model ${index}`).toMatchObject({ kind: 'impossible', state: at });
    if (judged.kind !== 'impossible' || at === 0) continue;
    located++;
    for (const allowed of judged.allowed) {
      const instead = trace.variables.map(
        (name, i) => allowed.find((change) => change.name === name)?.value ?? trace.states[at - 1]![i]!,
      );
      const other = { ...trace, states: [...trace.states.slice(0, at), instead] };
      expect(conformStates(model, other, BUDGET).kind, JSON.stringify(allowed)).toBe('possible');
    }
  }
  expect(located).toBeGreaterThan(2);
});

test('inside an atomic sequence nobody need have looked', () => {
  const model = modelOf(MODELS[2]!);
  const states = (values: readonly number[]) => values.map((value) => [String(value), String(value)]);
  const judge = (values: readonly number[]) =>
    conformStates(model, { variables: ['x', 'y'], states: states(values) }, BUDGET);
  expect(judge([0, 1, 2, 3, 0, 1]).kind).toBe('possible');
  expect(judge([0, 1, 3])).toMatchObject({ kind: 'impossible', state: 2 });
});

test('values as Apalache writes them; nonsense is named', () => {
  const model = modelOf('int x; chan q = [2] of { byte, bool }; active proctype p() { x = 7; q!3,true }');
  const trace = readItf({
    '#meta': {},
    vars: ['x', 'q'],
    states: [
      { x: { '#bigint': '0' }, q: [] },
      { x: 7, q: [] },
      { x: 7, q: [{ '#tup': [{ '#bigint': '3' }, true] }] },
    ],
  });
  expect(conformStates(model, trace, BUDGET)).toEqual({ kind: 'possible', states: 3 });
  expect(() => readItf({ states: [] })).toThrow('"states"');
  expect(() => readItf({ states: [{ x: {} }] })).toThrow('state 0: x');
  expect(() => conformStates(model, readItf({ states: [{ z: 1 }] }), BUDGET)).toThrow("queue 'z'");
});
