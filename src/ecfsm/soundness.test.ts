// The induction against the concrete semantics, over random protocols and formulas: it must never accept a formula that a run leaves, or
// that some state satisfies whose successor does not. The same for the edges of the graph: each promise is kept by concrete states.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { explore, objection, randomNumbers, walk } from './concrete/explore.ts';
import type { GlobalState } from './concrete/state.ts';
import { Judge, satisfying, showState } from './concrete/state.ts';
import { enabledSteps, unsafety } from './concrete/step.ts';
import { inferInvariant } from './infer/infer.ts';
import { buildGraph } from './liveness/graph.ts';
import { findWays } from './liveness/live.ts';
import type { Model, Protocol } from './model.ts';
import { showModel } from './print.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import { splitModel } from './split.ts';
import { induct, modelOf } from './testing.ts';

const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 60);

/** Longer fuzzing may take its time. */
const LIMIT = runs > 60 ? 3_600_000 : 120_000;

interface RandomAction {
  readonly from: number;
  readonly to: number;
  readonly type: number;
  readonly condition: number;
  readonly update: number;
}

const action = fc.record({
  from: fc.nat(1),
  to: fc.nat(1),
  type: fc.nat(1),
  condition: fc.nat(5),
  update: fc.nat(5),
});

/** Sends are mostly determined by the registers, so that there is something to know about the messages. */
const SEND = ['n = x', 'n = x', 'n = y', 'n = x + 1', 'n >= x, n <= y', 'x > y, n + 1 = x'];
const RECEIVE = ['n >= 0', 'n >= 0', 'n = x', 'n >= y', 'n >= x', 'n <= x'];
const UPDATE = ['', 'do x := x + 1', 'do y := n + 1', 'do x := n', 'do x := x + 1, y := x', 'do y := x'];

function machineText(
  name: string,
  sends: readonly RandomAction[],
  receives: readonly RandomAction[],
  prefix: string,
  other: string,
): string {
  const line = (kind: 'send' | 'receive', one: RandomAction, i: number): string =>
    `  ${kind}${i}: s${one.from} -> s${one.to} ${kind} ${kind === 'send' ? prefix : other}${one.type}(n) when ${(kind === 'send' ? SEND : RECEIVE)[one.condition]} ${UPDATE[one.update]};`;
  return `machine ${name} {
  states s0, s1;
  registers x, y;
  init s0 where x = 0, y = 0;
${sends.map((one, i) => line('send', one, i)).join('\n')}
${receives.map((one, i) => line('receive', one, i)).join('\n')}
}`;
}

const protocols = fc
  .record({
    sendsA: fc.array(action, { minLength: 1, maxLength: 3 }),
    receivesA: fc.array(action, { maxLength: 4 }),
    sendsB: fc.array(action, { maxLength: 3 }),
    receivesB: fc.array(action, { minLength: 1, maxLength: 4 }),
    /** Receive everything everywhere, so that more protocols are safe. */
    tolerant: fc.boolean(),
  })
  .map(({ sendsA, receivesA, sendsB, receivesB, tolerant }) => {
    const everything = [0, 1].flatMap((from) =>
      [0, 1].map((type): RandomAction => ({ from, to: from, type, condition: 0, update: 0 })),
    );
    const used = (sends: readonly RandomAction[]) =>
      everything.filter(({ type }) => sends.some((one) => one.type === type));
    return [
      machineText(
        'A',
        sendsA,
        tolerant
          ? [...receivesA.filter((one) => sendsB.some(({ type }) => type === one.type)), ...used(sendsB)]
          : receivesA,
        'M',
        'K',
      ),
      machineText(
        'B',
        sendsB,
        tolerant
          ? [...receivesB.filter((one) => sendsA.some(({ type }) => type === one.type)), ...used(sendsA)]
          : receivesB,
        'K',
        'M',
      ),
    ].join('\n');
  });

/** Changes to a formula: drop a disjunct, a relation or a predicate; move a constant; loosen a channel. */
const mutation = fc.record({ kind: fc.nat(5), at: fc.nat(1000), which: fc.nat(1000) });

function mutate(model: Model, { kind, at, which }: { kind: number; at: number; which: number }): Model {
  if (model.invariant.length === 0) return model;
  const index = at % model.invariant.length;
  const old = model.invariant[index]!;
  const replaceWith = (changed: typeof old): Model => ({
    ...model,
    invariant: model.invariant.map((one, i) => (i === index ? changed : one)),
  });
  const { relations, predicates } = old;
  switch (kind) {
    case 0:
      return { ...model, invariant: model.invariant.filter((_, i) => i !== index) };
    case 1:
      return replaceWith({
        ...old,
        relations: relations.filter((_, i) => i !== which % Math.max(1, relations.length)),
      });
    case 2:
      return replaceWith({
        ...old,
        predicates: predicates.filter((_, i) => i !== which % Math.max(1, predicates.length)),
      });
    case 3:
      return replaceWith({
        ...old,
        relations: relations.map((one, i) =>
          i === which % relations.length
            ? { ...one, sum: { ...one.sum, constant: one.sum.constant + (which % 2 === 0 ? 1 : -1) } }
            : one,
        ),
      });
    case 4:
      return replaceWith({
        ...old,
        relations: relations.map((one) =>
          one.relation === '=' && which % 2 === 0 ? { ...one, relation: '<=' } : one,
        ),
      });
    default:
      return model;
  }
}

function randomState(protocol: Protocol, random: () => number): GlobalState {
  const number = (limit: number): number => Math.floor(random() * limit);
  const registers = (side: 0 | 1) => protocol.machines[side].registers.map(() => number(4));
  const channel = (side: 0 | 1) =>
    protocol.alphabets[side].length === 0
      ? []
      : Array.from({ length: number(4) }, () => ({
          type: number(protocol.alphabets[side].length),
          parameter: number(4),
        }));
  return {
    control: [number(2), number(2)],
    registers: [registers(0), registers(1)],
    channels: [channel(0), channel(1)],
  };
}

let accepted = 0;
let refused = 0;
let examples = 0;
let unexplained = 0;

async function judge(model: Model): Promise<boolean> {
  const { protocol, invariant } = model;
  const { failures } = await induct(model, 3);
  const formula = prepare(protocol, invariant);
  if (failures.length > 0) {
    refused++;
    for (const failure of failures) {
      const has = failure.kind === 'initial' ? failure.state !== null : failure.example !== null;
      if (has) examples++;
      else unexplained++;
    }
    return false;
  }
  accepted++;
  const examine = (state: GlobalState) => objection(protocol, formula, state);
  const found =
    explore(protocol, 250, examine).found ?? walk(protocol, { seed: 3, walks: 6, length: 25 }, examine);
  expect(found, `accepted, but violated:\n${showModel(model, 'as written')}`).toBeNull();
  // Not only reachable states: every state of the formula is safe and stays inside.
  const random = randomNumbers(5);
  for (let i = 0; i < 400; i++) {
    const state = randomState(protocol, random);
    if (satisfying(protocol.definitions, invariant, state).length === 0) continue;
    expect(unsafety(protocol, state), showState(protocol, state)).toBeNull();
    for (const { next } of enabledSteps(protocol, state).steps)
      expect(
        satisfying(protocol.definitions, invariant, next).length,
        showState(protocol, state),
      ).toBeGreaterThan(0);
  }
  return true;
}

describe('soundness', () => {
  test(
    'what the induction accepts, no run leaves',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          protocols,
          fc.array(mutation, { maxLength: 2 }),
          fc.boolean(),
          async (text, mutations, fine) => {
            const model = modelOf(text);
            const invariant = inferInvariant(model.protocol, UNLIMITED, fine);
            await judge(mutations.reduce(mutate, { ...model, invariant }));
          },
        ),
        { seed: 11, numRuns: runs },
      );
      // The test would be worthless if nothing were accepted, or nothing refused.
      expect(accepted).toBeGreaterThan(runs / 10);
      expect(refused).toBeGreaterThan(runs / 10);
      // Most refusals come with an example.
      expect(examples).toBeGreaterThan(4 * unexplained);
    },
    LIMIT,
  );

  test(
    'the promises of the graph are kept',
    async () => {
      let sends = 0;
      let receives = 0;
      let live = 0;
      await fc.assert(
        fc.asyncProperty(protocols, async (text) => {
          const plain = modelOf(text);
          const invariant = inferInvariant(plain.protocol, UNLIMITED);
          const whole = { ...plain, invariant };
          if (invariant.length === 0 || (await induct(whole, 1)).failures.length > 0) return;
          const decider = new Decider();
          const model = await splitModel(whole, decider, 'everything');
          expect((await induct(model, 1)).failures).toEqual([]);
          const { protocol } = model;
          const graph = (await buildGraph(
            new Induction(prepare(protocol, model.invariant), decider),
            decider,
            UNLIMITED,
            () => {},
          ))!;
          const { states } = explore(protocol, 60, () => null);
          for (const state of states) {
            const judgement = new Judge(protocol.definitions, state);
            for (const { from, to, action: sent } of graph.sends) {
              if (!judgement.satisfies(model.invariant[from]!)) continue;
              sends++;
              const steps = enabledSteps(protocol, state).steps.filter((step) => step.action === sent);
              expect(steps.length).toBeGreaterThan(0);
              for (const { next } of steps)
                expect(satisfying(protocol.definitions, [model.invariant[to]!], next)).toEqual([0]);
            }
            for (const { from, to, receiver } of graph.receives) {
              // Receptions branch: long channels would take for ever.
              if (state.channels[receiver === 0 ? 1 : 0].length > 3) continue;
              if (!judgement.satisfies(model.invariant[from]!)) continue;
              receives++;
              expect(passes(model, state, to, receiver)).toBe(true);
            }
          }
          for (const [goal, disjunct] of model.invariant.entries()) {
            if (findWays(graph, [goal]).moves.includes(null)) continue;
            live++;
            const met = (state: GlobalState) =>
              satisfying(protocol.definitions, [disjunct], state).length > 0
                ? ({ kind: 'outside' } as const)
                : null;
            for (const start of states.slice(-3)) {
              const onwards = explore(protocol, 300, met, start);
              // Where the search from a state ends by itself, it must have met the goal.
              expect(onwards.found !== null || !onwards.complete).toBe(true);
            }
          }
        }),
        { seed: 12, numRuns: Math.ceil(runs / 2) },
      );
      expect(sends).toBeGreaterThan(100);
      expect(receives).toBeGreaterThan(100);
      expect(live).toBeGreaterThan(0);
    },
    LIMIT,
  );
});

/** However the machine receives until its channel is empty, it passes the disjunct. */
function passes(
  { protocol, invariant }: Model,
  state: GlobalState,
  target: number,
  receiver: 0 | 1,
): boolean {
  if (satisfying(protocol.definitions, [invariant[target]!], state).length > 0) return true;
  const steps = enabledSteps(protocol, state).steps.filter(
    ({ action: taken }) => taken.kind === 'receive' && taken.side === receiver,
  );
  return (
    steps.length > 0 &&
    steps.every(({ next }) => passes({ protocol, invariant } as Model, next, target, receiver))
  );
}
