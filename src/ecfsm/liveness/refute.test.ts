// Refuted goals against bounded search: from the end of the run, no state of the goal is met.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../../base/budget.ts';
import { Analysis } from '../analyse.ts';
import { auditProof } from '../audit/audit.ts';
import type { ProofDocument } from '../audit/document.ts';
import { sealOf } from '../audit/document.ts';
import { explore } from '../concrete/explore.ts';
import type { GlobalState } from '../concrete/state.ts';
import { stepWith } from '../concrete/step.ts';
import { inferInvariant } from '../infer/infer.ts';
import type { Goal, Model } from '../model.ts';
import { showModel } from '../report/print.ts';
import { anyProtocols, LIMIT, runs, seed } from '../testing/protocols.ts';
import { modelOf } from '../testing/testing.ts';
import { inGoal } from './refute.ts';

/** The state that a recorded run ends in. */
function endOf({ protocol }: Model, choices: readonly (readonly number[])[]): GlobalState {
  let state = explore(protocol, 1, () => null).states[0]!;
  for (const [side, action, ...parameters] of choices) {
    const wanted = protocol.machines[side!]!.actions[action!]!;
    const step = stepWith(protocol, state, wanted, parameters);
    if (step === null) throw new Error('the run cannot be replayed');
    state = step.next;
  }
  return state;
}

test(
  'what is refuted cannot be reached, what is proved can',
  async () => {
    const counts = { refuted: 0, proved: 0, unknown: 0 };
    let audited = 0;
    await fc.assert(
      fc.asyncProperty(anyProtocols, fc.nat(1), fc.nat(1), async (text, a, b) => {
        const bare = modelOf(text);
        const found = inferInvariant(bare.protocol, UNLIMITED);
        // Large ones take minutes.
        const invariant = found.length > 40 ? [] : found;
        const chosen = invariant.flatMap(({ control }, i) =>
          control[0]! === a && control[1]! === b ? [i] : [],
        );
        const more = bare.protocol.machines.slice(2).map(({ states }) => [...states.keys()]);
        const goal: Goal = { name: 'g', disjuncts: chosen, control: [[a], [b], ...more], span: null };
        const model: Model = { ...bare, invariant, goals: [goal] };
        const analysis = new Analysis(model, UNLIMITED, SILENT);
        const outcome = await analysis.live(goal);
        analysis.dispose();
        counts[outcome.verdict]++;
        const shown = showModel(model, 'as written');
        const isThere = (state: GlobalState) =>
          inGoal(model, goal, state) ? ({ kind: 'outside' } as const) : null;
        if (outcome.verdict === 'refuted') {
          const end = endOf(
            model,
            outcome.run!.steps.map(({ choice }) => choice),
          );
          expect(explore(model.protocol, 300, isThere, end).found, shown).toBeNull();
        }
        if (outcome.certificate !== undefined) {
          audited++;
          expect(await auditProof(model, outcome.certificate, UNLIMITED), shown).toMatchObject({
            kind: 'accepted',
          });
          // All disjuncts within the goal: a lie, unless they are.
          const { ranks = [], ...rest } = outcome.certificate as ProofDocument;
          const lie = { ...rest, ranks: ranks.map(() => 0) };
          const isTrue = ranks.every((rank) => rank === 0);
          const again = await auditProof(model, { ...lie, seal: sealOf(lie) } as ProofDocument, UNLIMITED);
          expect(again.kind === 'accepted', shown).toBe(isTrue);
        }
        if (outcome.verdict === 'proved')
          for (const state of explore(model.protocol, 20, () => null).states)
            expect(explore(model.protocol, 3_000, isThere, state).found, shown).not.toBeNull();
      }),
      { seed: seed + 31, numRuns: Math.ceil(runs / 4) },
    );
    if (seed === 0) expect(audited).toBeGreaterThan(0);
    expect(counts.refuted, JSON.stringify(counts)).toBeGreaterThan(runs / 20);
  },
  LIMIT,
);
