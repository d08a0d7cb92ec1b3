// Refutations are judged again by the run alone: those of the analysis are shown, changed ones are refused unless what they say is true all the same.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SILENT, UNLIMITED } from '../base/budget.ts';
import type { Run } from '../verdict/run.ts';
import { Analysis } from './analyse.ts';
import { initialStates } from './concrete/explore.ts';
import type { GlobalState } from './concrete/state.ts';
import { stepWith, unsafety } from './concrete/step.ts';
import { inferInvariant } from './infer/infer.ts';
import { judgeRun, showsByItself } from './judge.ts';
import type { Goal, Model } from './model.ts';
import { unsafeTitle } from './report/report.ts';
import { anyProtocols, LIMIT, runs, seed } from './testing/protocols.ts';
import { modelOf } from './testing/testing.ts';

const PING = `
machine A { states idle, wait, lost; registers x; init idle where x = 0;
  ask: idle -> wait send Q(n, m) when n = x, m <= 1; got: wait -> idle receive R(n) when n = x do x := x + 1; }
machine B { states idle, busy; registers y; init idle where y = 0;
  take: idle -> busy receive Q(n, m) when n = y, m <= 0; give: busy -> idle send R(n) when n = y do y := y + 1; }
goal lost = A@lost;`;

async function refutationsOf(model: Model): Promise<{ property: string; run: Run }[]> {
  const analysis = new Analysis(model, UNLIMITED, SILENT);
  const found: { property: string; run: Run }[] = [];
  const safe = await analysis.safe();
  if (safe.run !== undefined) found.push({ property: 'safe', run: safe.run });
  for (const goal of model.goals) {
    const { run, verdict } = await analysis.live(goal);
    if (verdict === 'refuted') found.push({ property: `live:${goal.name}`, run: run! });
  }
  analysis.dispose();
  return JSON.parse(JSON.stringify(found));
}

const isShown = (model: Model, property: string, run: Run): boolean => {
  const { failedAt, refused } = judgeRun(model, run, UNLIMITED);
  return failedAt === null && refused === undefined && showsByItself(property, run);
};

test('unsafe states and lost goals are shown by their run, and by no other', async () => {
  const model = modelOf(PING);
  const found = await refutationsOf(model);
  expect(found.map(({ property }) => property)).toEqual(['safe', 'live:lost']);
  for (const { property, run } of found) expect(isShown(model, property, run), run.title).toBe(true);
  const [safe, lost] = found.map(({ run }) => run);
  expect(safe!.title).toBe('unspecified reception: B has no action for Q(0, 1)');
  expect(isShown(model, 'safe', { ...safe!, steps: [] })).toBe(false);
  expect(
    isShown(model, 'safe', { ...safe!, title: 'deadlock: both channels are empty and nobody can send' }),
  ).toBe(false);
  expect(isShown(model, 'safe', { ...safe!, title: 'something is wrong' })).toBe(false);
  expect(isShown(model, 'safe', lost!)).toBe(false);
  expect(isShown(model, 'live:lost', safe!)).toBe(false);
  expect(isShown(modelOf(`${PING} goal idle = A@idle;`), 'live:idle', lost!)).toBe(false);
  const other = { ...lost!, title: lost!.title.replace('goal lost', 'goal idle'), steps: [] };
  expect(isShown(modelOf(`${PING} goal idle = A@idle;`), 'live:idle', other)).toBe(false);
  const changed = { ...safe!.steps[0]!, choice: [0, 0, 0, 0] };
  expect(isShown(model, 'safe', { ...safe!, steps: [changed] })).toBe(false);
});

/** What a run with these choices leads to, by the concrete semantics alone; null where it is none. */
function endOf({ protocol }: Model, { steps }: Run): GlobalState | null {
  let state: GlobalState | null = initialStates(protocol).states[0]!;
  for (const { choice } of steps) {
    const [side, action, ...parameters] = choice;
    const wanted = protocol.machines[side!]?.actions[action!];
    if (state === null || wanted === undefined) return null;
    state = stepWith(protocol, state, wanted, parameters)?.next ?? null;
  }
  return state;
}

test(
  'random protocols: what the analysis refutes is shown; of changed runs only those that are refutations all the same',
  async () => {
    const counts = { safe: 0, live: 0, byFormula: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(anyProtocols, fc.nat(1), fc.nat(1), fc.nat(1000), async (text, a, b, cut) => {
        const bare = modelOf(text);
        const more = bare.protocol.machines.slice(2).map(({ states }) => [...states.keys()]);
        const found = inferInvariant(bare.protocol, UNLIMITED);
        // Large ones take minutes.
        const invariant = found.length > 40 ? [] : found;
        const disjuncts = invariant.flatMap(({ control }, i) =>
          control[0] === a && control[1] === b ? [i] : [],
        );
        const goal: Goal = { name: 'g', disjuncts, control: [[a], [b], ...more], span: null };
        const model: Model = { ...bare, invariant, goals: [goal] };
        for (const { property, run } of await refutationsOf(model)) {
          if (run.steps.some(({ choice }) => choice[0] === -1)) continue;
          if (run.title.includes('no step of the formula')) {
            counts.byFormula++;
            expect(isShown(model, property, run)).toBe(false);
            expect(judgeRun(model, run, UNLIMITED)).toMatchObject({ failedAt: null });
            continue;
          }
          counts[property === 'safe' ? 'safe' : 'live']++;
          expect(isShown(model, property, run), `${run.title}\n${text}`).toBe(true);
          if (property !== 'safe' || run.steps.length === 0) continue;
          const steps = run.steps.toSpliced(cut % run.steps.length, 1);
          const end = endOf(model, { ...run, steps });
          const unsafe = end === null ? null : unsafety(model.protocol, end);
          const isTrue = unsafe !== null && unsafeTitle(model.protocol, unsafe) === run.title;
          if (!isTrue) counts.changed++;
          expect(isShown(model, property, { ...run, steps }), text).toBe(isTrue);
        }
      }),
      { seed: seed + 41, numRuns: runs },
    );
    expect(counts.safe, JSON.stringify(counts)).toBeGreaterThan(runs / 10);
    expect(counts.live).toBeGreaterThan(runs / 20);
    expect(counts.changed).toBeGreaterThan(0);
  },
  LIMIT,
);
