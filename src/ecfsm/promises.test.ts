// What `split` and the degenerated reachability graph promise, kept by concrete states of random protocols: the divided formula describes
// the same states, each edge leads where it says, and whoever follows the moves of a proof of liveness meets the goal.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UNLIMITED } from '../base/budget.ts';
import { explore, randomNumbers } from './concrete/explore.ts';
import type { GlobalState } from './concrete/state.ts';
import { Judge, satisfying, showState } from './concrete/state.ts';
import { enabledSteps } from './concrete/step.ts';
import { inferInvariant } from './infer/infer.ts';
import type { DegeneratedGraph } from './liveness/graph.ts';
import { buildGraph } from './liveness/graph.ts';
import type { LivenessResult } from './liveness/live.ts';
import { findWays } from './liveness/live.ts';
import type { Model } from './model.ts';
import { showModel } from './report/print.ts';
import { prepare } from './safety/formula.ts';
import { Induction } from './safety/induction.ts';
import { Decider } from './solver/decider.ts';
import type { SplitBy } from './split/split.ts';
import { splitModel } from './split/split.ts';
import { anyProtocols, LIMIT, runs, seed } from './testing/protocols.ts';
import { byRegister, mutate, mutation, statesOf } from './testing/random.ts';
import { induct, modelOf } from './testing/testing.ts';

/** A protocol with an inferred formula that the induction accepts, divided, with its graph; null when there is none. */
async function provedAndDivided(
  text: string,
  by: SplitBy,
  limit: number | null = null,
): Promise<{ model: Model; graph: DegeneratedGraph; states: readonly GlobalState[] } | null> {
  const plain = modelOf(text);
  const inferred = inferInvariant(plain.protocol, UNLIMITED);
  const invariant = limit === null ? inferred : byRegister(inferred, limit);
  const whole = { ...plain, invariant };
  // Large ones take minutes where the SMT solver is asked.
  if (invariant.length === 0 || invariant.length > 40 || (await induct(whole, 1)).failures.length > 0)
    return null;
  const decider = new Decider();
  const model = await splitModel(whole, decider, by);
  expect((await induct(model, 1)).failures).toEqual([]);
  const induction = new Induction(prepare(model.protocol, model.invariant), decider);
  const graph = (await buildGraph(induction, decider, UNLIMITED, () => {}))!;
  decider.dispose();
  return { model, graph, states: explore(model.protocol, 60, () => null).states };
}

describe('split', () => {
  test(
    'describes the same states, whatever the formula',
    async () => {
      let divided = 0;
      let inside = 0;
      await fc.assert(
        fc.asyncProperty(
          anyProtocols,
          fc.array(mutation, { maxLength: 3 }),
          fc.constantFrom('emptiness' as const, 'everything' as const, 'counts' as const, 'recent' as const),
          async (text, mutations, by) => {
            const plain = modelOf(text);
            const inferred = { ...plain, invariant: inferInvariant(plain.protocol, UNLIMITED) };
            const whole = mutations.reduce(mutate, inferred);
            if (whole.invariant.length === 0) return;
            const decider = new Decider();
            const parts = await splitModel(whole, decider, by);
            decider.dispose();
            if (parts.invariant.length > whole.invariant.length) divided++;
            const { protocol } = whole;
            const random = randomNumbers(seed + 6);
            const formulas = [whole, parts].map((one) => prepare(protocol, one.invariant));
            const drawn: GlobalState[] = [];
            for (const formula of formulas)
              for (const disjunct of formula.disjuncts)
                drawn.push(...(await statesOf(formula, disjunct, random, 6)));
            const reached = explore(protocol, 80, () => null).states;
            for (const state of [...reached, ...drawn]) {
              const before = satisfying(protocol.definitions, whole.invariant, state).length > 0;
              const after = satisfying(protocol.definitions, parts.invariant, state).length > 0;
              if (before) inside++;
              if (after !== before)
                expect.fail(`${after}: ${showState(protocol, state)}\n${showModel(whole, 'as written')}`);
            }
          },
        ),
        { seed: seed + 13, numRuns: Math.ceil(runs / 2) },
      );
      expect(divided).toBeGreaterThan(runs / 20);
      expect(inside).toBeGreaterThan(5 * runs);
    },
    LIMIT,
  );
});

describe('the degenerated reachability graph', () => {
  test(
    'its edges keep their promises',
    async () => {
      let sends = 0;
      let receives = 0;
      await fc.assert(
        fc.asyncProperty(anyProtocols, async (text) => {
          const proved = await provedAndDivided(text, 'everything');
          if (proved === null) return;
          const { model, graph, states } = proved;
          const { protocol } = model;
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
            for (const { from, to, channel } of graph.receives) {
              // Receptions branch: long channels would take for ever.
              if (state.channels[channel]!.length > 3) continue;
              if (!judgement.satisfies(model.invariant[from]!)) continue;
              receives++;
              expect(passes(model, state, to, channel)).toBe(true);
            }
          }
        }),
        { seed: seed + 12, numRuns: Math.ceil(runs / 2) },
      );
      expect(sends).toBeGreaterThan(20);
      expect(receives).toBeGreaterThan(20);
    },
    LIMIT,
  );

  test(
    'whoever follows the moves meets the goal',
    async () => {
      let live = 0;
      let followed = 0;
      let repeated = 0;
      await fc.assert(
        fc.asyncProperty(
          anyProtocols,
          fc.constantFrom('emptiness' as const, 'everything' as const, 'counts' as const, 'recent' as const),
          fc.constantFrom(null, 1, 3),
          async (text, by, limit) => {
            const proved = await provedAndDivided(text, by, limit);
            if (proved === null) return;
            const { model, graph, states } = proved;
            const random = randomNumbers(seed + 7);
            for (const goal of model.invariant.keys()) {
              const result = findWays(graph, [goal]);
              if (!result.moves.includes(null)) live++;
              for (let i = 0; i < 8; i++) {
                const start = states[Math.floor(random() * states.length)]!;
                const [node] = satisfying(model.protocol.definitions, model.invariant, start);
                if (result.moves[node!] === null) continue;
                followed++;
                if (result.moves.some((move) => move?.kind === 'repeat')) repeated++;
                follow(model, result, start, random);
              }
            }
          },
        ),
        { seed: seed + 34, numRuns: Math.max(20, Math.ceil(runs / 3)) },
      );
      expect(live).toBeGreaterThan(0);
      expect(followed).toBeGreaterThan(100);
      // Rare: with other seeds there may be none.
      if (seed === 0) expect(repeated).toBeGreaterThan(20);
    },
    LIMIT,
  );
});

/** However the machine receives until its channel is empty, it passes the disjunct. */
function passes(model: Model, state: GlobalState, target: number, channel: number, again = AGAIN): boolean {
  const { protocol, invariant } = model;
  if (satisfying(protocol.definitions, [invariant[target]!], state).length > 0) return true;
  const steps = receptions(model, state, channel, again);
  return steps.length > 0 && steps.every((step) => passes(model, step.next, target, channel, step.again));
}

/** A message that is duplicated is received again so often: for ever would not be fair. */
const AGAIN = 2;

/** Receptions from here, and how often messages may still come again after each. */
function receptions(
  { protocol }: Model,
  state: GlobalState,
  channel: number,
  again: number,
): { readonly next: GlobalState; readonly again: number }[] {
  const length = ({ channels }: GlobalState): number => channels[channel]!.length;
  return enabledSteps(protocol, state)
    .steps.filter(({ action }) => action.kind === 'receive' && action.channel === channel)
    .map(({ next }) => ({ next, again: length(next) < length(state) ? again : again - 1 }))
    .filter((step) => step.again >= 0);
}

/** Receiving from here, where the machine may choose between actions for the same message, to one of these disjuncts; null when it cannot. */
function received(
  model: Model,
  state: GlobalState,
  channel: number,
  to: readonly number[],
  random: () => number,
  spare = AGAIN,
): GlobalState | null {
  const { protocol, invariant } = model;
  const steps = receptions(model, state, channel, spare).sort(() => random() - 0.5);
  for (const { next, again } of steps) {
    const judge = new Judge(protocol.definitions, next);
    if (to.some((node) => judge.satisfies(invariant[node]!))) return next;
    const further = received(model, next, channel, to, random, again);
    if (further !== null) return further;
  }
  return null;
}

/** Do what the moves say, choosing at random where a move leaves a choice, until a state of the goal. */
function follow(model: Model, { moves }: LivenessResult, start: GlobalState, random: () => number): void {
  const { protocol, invariant } = model;
  let state = start;
  const inOneOf = (nodes: readonly number[]): number | undefined => {
    const judge = new Judge(protocol.definitions, state);
    return nodes.find((node) => judge.satisfies(invariant[node]!));
  };
  let node = inOneOf([...invariant.keys()])!;
  for (let visited = 0; visited <= invariant.length; visited++) {
    const move = moves[node]!;
    if (move.kind === 'goal') return;
    expect(move.kind, `a state satisfies ${invariant[node]!.name}`).not.toBe('empty');
    if (move.kind === 'empty') return;
    if (move.kind === 'receive') {
      const found = received(model, state, move.channel, move.to, random);
      expect(found, `${invariant[node]!.name}: ${showState(protocol, state)}`).not.toBeNull();
      state = found!;
      node = inOneOf(move.to)!;
      continue;
    }
    let arrived: number | undefined;
    for (let steps = 0; arrived === undefined; steps++) {
      const possible = enabledSteps(protocol, state).steps.filter(({ action }) => action === move.action);
      expect(possible.length, `${invariant[node]!.name}: ${showState(protocol, state)}`).toBeGreaterThan(0);
      if (move.kind === 'send') expect(steps).toBe(0);
      expect(steps).toBeLessThan(1000);
      state = possible[Math.floor(random() * possible.length)]!.next;
      arrived = inOneOf(move.to);
    }
    node = arrived;
  }
  expect.fail(`the moves go in a circle from ${showState(protocol, start)}`);
}
