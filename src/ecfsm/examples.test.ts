// The protocol of [QLive] section 3.3 and what the paper says about it; a dozen mutations, each refused with an example; `split`, `infer`.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import { Analysis } from './analyse.ts';
import { explore, objection, walk } from './concrete/explore.ts';
import { satisfying } from './concrete/state.ts';
import { after, allows, unsafety } from './concrete/step.ts';
import { inferInvariant } from './infer/infer.ts';
import { buildGraph } from './liveness/graph.ts';
import { findWays, stronglyConnected } from './liveness/live.ts';
import type { Model } from './model.ts';
import { showModel } from './report/print.ts';
import { prepare } from './safety/formula.ts';
import type { Failure } from './safety/induction.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import { splitModel } from './split/split.ts';
import { induct, modelOf } from './testing/testing.ts';

const read = (name: string): string =>
  readFileSync(new URL(`../../corpus/ecfsm/${name}`, import.meta.url), 'utf8');
const MINOR = read('minor-sync.ecfsm');

async function graphOf(model: Model) {
  const decider = new Decider();
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  return (await buildGraph(induction, decider, UNLIMITED, () => {}))!;
}

describe('minor synchronisation, section 3.3', () => {
  test('the formula of Table 4 is an invariant without unsafe states', async () => {
    const { failures } = await induct(modelOf(MINOR));
    expect(failures).toEqual([]);
  });

  test('random reachable states satisfy it, and each disjunct occurs', () => {
    const { protocol, invariant } = modelOf(MINOR);
    const formula = prepare(protocol, invariant);
    const met = new Set<number>();
    const examine = (state: Parameters<typeof objection>[2]) => {
      const holding = satisfying(protocol.definitions, invariant, state);
      expect(holding).toHaveLength(1);
      met.add(holding[0]!);
      return objection(protocol, formula, state);
    };
    expect(walk(protocol, { seed: 7, walks: 20, length: 40 }, examine)).toBeNull();
    expect(met.size).toBe(8);
  });

  test('the graph has a path from every node to every node (Figure 1), so it is P_i-live for every i', async () => {
    const model = modelOf(MINOR);
    const graph = await graphOf(model);
    expect(stronglyConnected(graph)).toBe(true);
    for (const goal of model.goals) {
      const { moves, beyondPaths } = findWays(graph, goal.disjuncts);
      expect(moves).not.toContain(null);
      expect(beyondPaths).toBe(0);
    }
  });

  test('the edges are those that the actions give', async () => {
    const graph = await graphOf(modelOf(MINOR));
    const sends = new Set(
      graph.sends.map(({ from, to, action }) => `P${from + 1} ${action.name} P${to + 1}`),
    );
    // A can always send the next point; B can confirm exactly where VM > VA: in P2, P4, P6 and P8.
    expect([...sends].sort()).toEqual(
      [
        'P1 ta1 P3',
        'P2 ta1 P4',
        'P3 ta1 P3',
        'P4 ta1 P4',
        'P5 ta1 P7',
        'P6 ta1 P8',
        'P7 ta1 P7',
        'P8 ta1 P8',
        'P2 tb1 P5',
        'P4 tb1 P7',
        'P6 tb1 P5',
        'P8 tb1 P7',
      ].sort(),
    );
    const receives = graph.receives.map(({ from, to }) => `P${from + 1} P${to + 1}`);
    // Receiving all confirmations ends where there are none; receiving all points ends where B can confirm.
    for (const edge of ['P6 P2', 'P7 P3', 'P8 P4', 'P3 P2', 'P4 P2', 'P7 P6', 'P8 P6'])
      expect(receives).toContain(edge);
    expect(receives).not.toContain('P3 P1');
  });

  const drop = (atom: string) => MINOR.replace(atom, '');
  const mutations: [string, string][] = [
    ['step1 dropped', drop('step1(A->B), ')],
    ['st-inc dropped', drop('st-inc(B->A), ')],
    ['the relation to the last point dropped', drop('A.VM = lastp(A->B) + 1, ')],
    ['the relation to the first point dropped', drop(', B.VM = firstp(A->B)')],
    ['the relation to the last confirmation dropped', drop('B.VA = lastp(B->A) + 1, ')],
    ['lastp off by one', MINOR.replace('A.VM = lastp(A->B) + 1', 'A.VM = lastp(A->B) + 2')],
    ['firstp off by one', MINOR.replace('A.VA <= firstp(B->A)', 'A.VA < firstp(B->A)')],
    ['a disjunct missing', MINOR.replace(/ {2}P7 =.*\n/, '').replace(/goal P7.*\n/, '')],
    ['another disjunct missing', MINOR.replace(/ {2}P2 =.*\n/, '').replace(/goal P2.*\n/, '')],
    ['a row of exactly one message', MINOR.replace('MIP MIP*', 'MIP')],
    ['step1 instead of st-inc', MINOR.replace('st-inc(B->A)', 'step1(B->A)')],
    ['st-inc instead of step1', MINOR.replace('step1(A->B)', 'st-inc(A->B)')],
    [
      'the protocol confirms too little',
      MINOR.replace('receive MIA(sn) do VA := sn + 1', 'receive MIA(sn) do VA := sn'),
    ],
    [
      'the protocol numbers from one',
      MINOR.replace('init STA713 where VM = 0, VA = 0;', 'init STA713 where VM = 1, VA = 0;'),
    ],
    ['the protocol skips a number', MINOR.replace('do VM := VM + 1;\n  ta2', 'do VM := VM + 2;\n  ta2')],
    [
      'the receiver insists on its number',
      MINOR.replace('receive MIP(sn) do', 'receive MIP(sn) when sn = VA do'),
    ],
  ];

  test.each(mutations)('refused: %s', async (_, text) => {
    expect(text).not.toBe(MINOR);
    const model = modelOf(text);
    const { failures } = await induct(model);
    expect(failures.length).toBeGreaterThan(0);
    // Every failure has an example, and the example is what it claims to be.
    for (const failure of failures) expect(isReal(model, failure)).toBe(true);
  });

  test('a protocol that really goes wrong is refuted by a run', async () => {
    const model = modelOf(MINOR.replace('receive MIP(sn) do', 'receive MIP(sn) when sn = VA do'));
    const outcome = await new Analysis(model, UNLIMITED, SILENT).safe();
    expect(outcome.verdict).toBe('refuted');
    expect(outcome.run?.title).toContain('unspecified reception: B has no action for MIP(1)');
  });

  test('a wrong formula is unknown, with a reachable state that leaves it', async () => {
    const model = modelOf(MINOR.replace('A.VA <= firstp(B->A)', 'A.VA < firstp(B->A)'));
    const outcome = await new Analysis(model, UNLIMITED, SILENT).safe();
    expect(outcome.verdict).toBe('unknown');
    expect(outcome.reasonCode).toBe('not-inductive');
    expect(outcome.reason).toContain('leaves the formula');
    expect(outcome.notes[0]?.message).toContain('for example: A@STA713');
  });
});

/** The example of a failure, judged by the concrete semantics alone. */
function isReal({ protocol, invariant }: Model, failure: Failure): boolean {
  const { definitions } = protocol;
  if (failure.kind === 'initial')
    return failure.state !== null && satisfying(definitions, invariant, failure.state).length === 0;
  if (failure.example === null) return false;
  const { state } = failure.example;
  if (!satisfying(definitions, invariant, state).includes(failure.disjunct)) return false;
  if (failure.kind !== 'step')
    return (
      unsafety(protocol, state)?.kind === (failure.kind === 'deadlock' ? 'deadlock' : 'unspecified reception')
    );
  const own = failure.example.parameters.slice(0, failure.action.fields);
  return (
    allows(failure.action, state.registers[failure.action.side]!, own) &&
    satisfying(definitions, invariant, after(state, failure.action, own)).length === 0
  );
}

describe('infer', () => {
  test.each(['minor-sync-bare.ecfsm', 'alternating-bit.ecfsm', 'token-session.ecfsm'])(
    '%s: a formula is found and proved',
    async (name) => {
      const model = modelOf(read(name));
      const invariant = inferInvariant(model.protocol, UNLIMITED);
      expect(invariant.length).toBeGreaterThan(3);
      expect((await induct({ ...model, invariant })).failures).toEqual([]);
      // What is printed is what was proved.
      const again = modelOf(showModel({ ...model, invariant }, 'as written'));
      expect(again.invariant).toHaveLength(invariant.length);
      expect((await induct(again)).failures).toEqual([]);
    },
  );

  test('an unsafe protocol gets no proof', async () => {
    const model = modelOf(
      read('alternating-bit.ecfsm').replace(
        'acked0:  wait0  -> ready1 receive A0(n) when n = item do item := item + 1;',
        'acked0:  wait0  -> ready1 receive A0(n) when n = item do item := item + 2;',
      ),
    );
    const invariant = inferInvariant(model.protocol, UNLIMITED);
    expect((await induct({ ...model, invariant })).failures.length).toBeGreaterThan(0);
    expect(
      explore(model.protocol, 5000, (state) => objection(model.protocol, null, state)).found?.what.kind,
    ).toBe('unsafe');
  });
});

describe('split', () => {
  test('divides a coarse formula into one that shows liveness', async () => {
    // P1 and P2, P3 and P4, … as one: whether B can confirm is left open, and so are the channels.
    const coarse = modelOf(`${modelOf(MINOR).frame}
      invariant {
        Q1 = control, B->A: e, A->B: e, A.VM = B.VM, A.VA = B.VA, A.VM >= A.VA;
        Q2 = control, B->A: e, mips, A.VA = B.VA, A.VM > A.VA, B.VM >= B.VA;
        Q3 = control, mias, A->B: e, A.VM = B.VM, A.VM > A.VA, B.VM >= B.VA;
        Q4 = control, mias, mips, A.VM > A.VA, B.VM >= B.VA;
      }
      goal all_confirmed = Q1;`);
    const decider = new Decider();
    const divided = await splitModel(coarse, decider, 'everything');
    expect(divided.invariant.map(({ name }) => name)).toEqual([
      'Q1.1',
      'Q1.2',
      'Q2.1',
      'Q2.2',
      'Q3.1',
      'Q3.2',
      'Q4.1',
      'Q4.2',
    ]);
    expect(divided.goals[0]!.disjuncts).toEqual([0, 1]);
    expect((await induct(divided)).failures).toEqual([]);
    expect(stronglyConnected(await graphOf(divided))).toBe(true);
    expect(stronglyConnected(await graphOf(coarse))).toBe(false);
    expect(modelOf(showModel(divided, 'by disjuncts')).invariant).toHaveLength(8);
  });

  test('divides by emptiness, and keeps the states', async () => {
    const model = modelOf(`${modelOf(MINOR).frame}
      invariant { any = control, A->B: MIP*, B->A: MIA*, step1(A->B), B.VM = firstp(A->B), len(A->B) <= 4; }`);
    const divided = await splitModel(model, new Decider(), 'emptiness');
    expect(divided.invariant).toHaveLength(4);
    const { protocol } = model;
    const { states } = explore(protocol, 300, () => null);
    for (const state of states) {
      const before = satisfying(protocol.definitions, model.invariant, state).length;
      expect(satisfying(protocol.definitions, divided.invariant, state).length).toBe(before);
    }
  });
});

describe('every reception counts', () => {
  const talk = (receptions: string): string => `
    machine A { states s; registers x; init s where x = 0;
      one: s send M(n) when n = x; two: s send K(n) when n = x; }
    machine B { states t; registers y; init t where y = 0; ${receptions} }
    invariant { all = A@s, B@t, A->B: (M | K)*, B->A: e, A.x = 0, B.y = 0; }`;

  test.each([
    ['a type without action', 'b: t receive M(n); c: t receive K(n) when n > 0;', ['K']],
    ['a register that would become negative', 'b: t receive M(n); c: t receive K(n) do y := y - 1;', ['K']],
    ['both', 'b: t receive M(n) when n > 5; c: t receive K(n) do y := y - 1;', ['M', 'K']],
    ['neither', 'b: t receive M(n); c: t receive K(n);', []],
  ])('%s', async (_, receptions, types) => {
    const model = modelOf(talk(receptions));
    const { failures } = await induct(model);
    const found = failures.flatMap((failure) =>
      failure.kind === 'reception' && failure.example !== null
        ? [model.protocol.alphabets[0]![failure.type]!]
        : [],
    );
    expect(found).toEqual(types);
  });
});
