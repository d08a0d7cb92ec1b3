// Refined proofs against the concrete semantics: random loops with counters, tests, resets, copies, messages, nested and sharing code.
// Where refinement proves, an exhaustive or long search must find nothing else; every certificate must pass the audit.

import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Budget } from '../base/budget.ts';
import { SILENT } from '../base/budget.ts';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { compileModel } from '../explore/compile.ts';
import { confirm } from '../explore/confirm.ts';
import { analyseLivelock } from '../livelock/analyse.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { buildNet } from '../net/build.ts';
import { programOf } from '../promela/testing.ts';
import { auditRefined } from './document.ts';
import { refineBoundedness } from './refine-boundedness.ts';
import { refineLivelock } from './refine-livelock.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});
const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 45);
const BUDGET: Budget = {
  timeLeft: () => true,
  remaining: () => Number.POSITIVE_INFINITY,
  maxStates: 6000,
  maxMemory: 1e9,
};

const variable = fc.constantFrom('x', 'y', 'g');
const small = fc.integer({ min: 0, max: 4 });
const test1 = fc
  .tuple(variable, fc.constantFrom('<', '<=', '>', '>=', '==', '!='), small)
  .map(([v, op, k]) => `(${v} ${op} ${k})`);
const condition = fc.oneof(
  { weight: 4, arbitrary: test1 },
  { weight: 1, arbitrary: fc.tuple(test1, test1).map(([a, b]) => `(${a} && ${b})`) },
  { weight: 1, arbitrary: fc.tuple(test1, test1).map(([a, b]) => `(${a} || ${b})`) },
  { weight: 1, arbitrary: fc.tuple(variable, variable).map(([a, b]) => `(${a} < ${b})`) },
);
const assignment = fc.oneof(
  { weight: 4, arbitrary: variable.map((v) => `${v}++`) },
  { weight: 4, arbitrary: variable.map((v) => `${v}--`) },
  { weight: 2, arbitrary: fc.tuple(variable, small).map(([v, k]) => `${v} = ${k}`) },
  { weight: 1, arbitrary: fc.tuple(variable, variable).map(([a, b]) => `${a} = ${b}`) },
  { weight: 1, arbitrary: fc.tuple(variable, variable, small).map(([a, b, k]) => `${a} = ${b} + ${k}`) },
);
const message = fc.constantFrom('q!1', 'q!2', 'q?1', 'q?2', 'q?x', 'q!x', 'r!y', 'r?y', 'r?0');
const guarded = fc.tuple(condition, assignment);
const step = fc.oneof(
  { weight: 3, arbitrary: assignment },
  { weight: 2, arbitrary: message },
  { weight: 3, arbitrary: guarded.map(([c, a]) => `${c}; ${a}`) },
  { weight: 3, arbitrary: guarded.map(([c, a]) => `atomic { ${c} -> ${a} }`) },
  { weight: 1, arbitrary: fc.constant('skip') },
);
/** A loop that counts towards the end of its own guard, or pretends to. */
const counting = fc
  .tuple(
    variable,
    small,
    fc.constantFrom('up', 'up', 'down', 'down', 'reset', 'odd', 'wrap'),
    fc.array(step, { maxLength: 1 }),
    fc.boolean(),
  )
  .map(([v, k, way, rest, together]) => {
    const [guard, change] = {
      up: [`(${v} < ${k + 1})`, `${v}++`],
      down: [`(${v} > ${k})`, `${v}--`],
      reset: [`(${v} == ${k})`, `${v} = ${k === 0 ? 2 : 0}`],
      odd: [`(${v} <= ${k})`, `${v} = ${v} + 2`],
      wrap: [`(${v} >= ${k % 2})`, `${v}--`],
    }[way] as [string, string];
    return together ? [`atomic { ${guard} -> ${change} }`, ...rest] : [guard, ...rest, change];
  });
const free = fc
  .tuple(fc.oneof(condition, message, assignment), fc.array(step, { maxLength: 2 }))
  .map(([first, rest]) => [first, ...rest]);
const branch = fc.tuple(
  fc.oneof({ weight: 5, arbitrary: counting }, { weight: 1, arbitrary: free }),
  fc.constantFrom('', '', 'progress', 'progress', 'break', 'nest'),
);
const body = fc.array(branch, { minLength: 1, maxLength: 3 }).map((branches) => {
  const lines = branches.map(([steps, extra], index) => {
    const [first, ...rest] = steps;
    if (extra === 'progress') return `  :: ${first}; progress_${index}: skip; ${rest.join('; ') || 'skip'}`;
    if (extra === 'break') return `  :: ${steps.join('; ')}; break`;
    if (extra === 'nest')
      return `  :: ${first}; do :: (y < 3); y++ :: break od; ${rest.join('; ') || 'skip'}`;
    return `  :: ${steps.join('; ')}`;
  });
  return `do\n${lines.join('\n')}\n  od`;
});
const models = fc
  .record({
    bodies: fc.array(body, { minLength: 1, maxLength: 2 }),
    type: fc.constantFrom('byte', 'byte', 'int'),
    copies: fc.constantFrom(1, 1, 2),
  })
  .map(({ bodies, type, copies }) => {
    const processes = bodies.map(
      (text, index) =>
        `active [${index === 0 ? copies : 1}] proctype p${index}() { ${type} x; byte y;\n  ${text}\n}`,
    );
    return `chan q = [4] of { byte }; chan r = [4] of { byte };\n${type} g;\n${processes.join('\n')}\n`;
  });

test('where refinement proves livelock freedom, no run without progress exists', async () => {
  let proved = 0;
  await fc.assert(
    fc.asyncProperty(models, async (text) => {
      const program = programOf(text);
      const { net, unknowns } = buildNet(program, { unfold: 'none' });
      if (unknowns.length > 0) return;
      const plain = await analyseLivelock(net, { solver });
      const refined = await refineLivelock(program, net, plain, { solver });
      expect(refined.reasonCode).not.toBe('no-certificate');
      if (refined.verdict !== 'proved' || plain.verdict === 'proved') return;
      proved++;
      expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
      const model = compileModel(program, { capacity: 'unlimited' });
      if (!model.ok) return;
      const found = confirm(model.value, { progress: { kind: 'labels' } }, BUDGET, SILENT);
      expect(found.loops).toEqual([]);
    }),
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 31), numRuns: runs },
  );
  expect(proved).toBeGreaterThan(runs / 60);
});

test('where refinement proves a bound, no run goes beyond it', async () => {
  let proved = 0;
  await fc.assert(
    fc.asyncProperty(models, async (text) => {
      const program = programOf(text);
      const { net, unknowns } = buildNet(program, { unfold: 'none' });
      if (unknowns.length > 0) return;
      const plain = await analyseBoundedness(net, { solver });
      const refined = await refineBoundedness(program, net, plain, { solver });
      const gained = refined.queues.filter(
        ({ bound, queue }) => bound !== null && plain.queues[queue]!.bound === null,
      );
      if (gained.length === 0) return;
      proved++;
      expect(await auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
      const model = compileModel(program, { capacity: 'unlimited' });
      if (!model.ok) return;
      const found = confirm(model.value, {}, BUDGET, SILENT);
      for (const { name, bound } of refined.queues)
        if (bound !== null) {
          expect(found.maxima.get(name) ?? 0).toBeLessThanOrEqual(bound);
          expect(found.loops.some((loop) => (loop.growthByName.get(name) ?? 0) > 0)).toBe(false);
        }
    }),
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 32), numRuns: runs },
  );
  expect(proved).toBeGreaterThan(runs / 60);
});
