// Message contents: which sends can satisfy a receiver's condition. By examples, and on random senders against the concrete
// semantics: where a bound is proved because no fitting message is ever sent, no run contradicts it.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Budget } from '../base/budget.ts';
import { SILENT } from '../base/budget.ts';
import { analyseBoundedness } from '../boundedness/analyse.ts';
import { compileModel } from '../explore/compile.ts';
import { confirm } from '../explore/confirm.ts';
import type { Solver } from '../lp/solver.ts';
import { loadSolver } from '../lp/solver.ts';
import { buildNet } from '../net/build.ts';
import { programOf } from '../promela/testing.ts';
import { auditRefined } from './document.ts';
import { refineBoundedness } from './refine-boundedness.ts';

let solver: Solver;
beforeAll(async () => {
  solver = await loadSolver();
});
const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 150);
const BUDGET: Budget = {
  timeLeft: () => true,
  remaining: () => Number.POSITIVE_INFINITY,
  maxStates: 5000,
  maxMemory: 1e9,
};

/** `log` grows exactly when messages that satisfy the condition keep coming. */
const model = (
  fields: string,
  condition: string,
  sender: string,
  { globals = '', own = 'byte a; byte b' } = {},
) =>
  `chan q = [4] of { ${fields} }; chan back = [1] of { bit }; chan log = [4] of { bit }; ${globals}
   active proctype R() { ${own}; do :: q?${fields.includes(',') ? 'a,b' : 'a'} -> if :: (${condition}) -> log!1 :: else fi; back!1 od }
   ${sender}`;

async function boundOfLog(text: string): Promise<{ bound: number | null; plain: number | null }> {
  const program = programOf(text);
  const { net } = buildNet(program, { unfold: 'none' });
  const plain = await analyseBoundedness(net, { solver });
  const refined = await refineBoundedness(program, net, plain, { solver });
  if (refined.verdict === 'proved' && plain.verdict !== 'proved')
    expect(auditRefined(refined.certificate, program, net)).toMatchObject({ ok: true });
  const log = net.queues.findIndex(({ name }) => name === 'log');
  return { bound: refined.queues[log]!.bound, plain: plain.queues[log]!.bound };
}

describe('what must stay a sender', () => {
  const stays = (name: string, text: string) =>
    test(name, async () => expect((await boundOfLog(text)).bound).toBeNull());
  stays(
    'a value that the field truncates to the wanted one',
    model('byte', 'a == 4', 'active proctype S() { int x; do :: x = 260; q!x; back?1 od }'),
  );
  stays(
    'a value that the receiving variable truncates',
    model('int', 'a == 4', 'active proctype S() { int x; do :: x = 260; q!x; back?1 od }'),
  );
  stays(
    'a global that the sender assigns just before',
    model('byte', 'a == 4', 'active proctype S() { do :: g = 4; q!g; g = 0; back?1 od }', {
      globals: 'byte g;',
    }),
  );
  stays(
    'an else whose later siblings are true',
    model(
      'byte',
      'a == 4',
      'active proctype S() { byte x; do :: if :: x == 1 -> skip :: else -> q!(x + 4); back?1 fi :: x == 0 -> skip od }',
    ),
  );
});

const value = fc.constantFrom('x', 'y', 'g', 'h', 'v[0]', 'v[1]', 'v[x & 1]');
const literal = fc.constantFrom(0, 1, 2, 3, 5, 255, 256, 260, -1);
const simple = fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: literal.map(String) });
const expression = fc.oneof(
  { weight: 3, arbitrary: simple },
  {
    weight: 3,
    arbitrary: fc
      .tuple(value, fc.constantFrom('+', '-', '*', '&', '|', '^', '<<', '>>'), literal)
      .map(([a, op, b]) => `(${a} ${op} ${op === '<<' || op === '>>' ? Math.abs(b) % 4 : b})`),
  },
  { weight: 1, arbitrary: fc.tuple(value, fc.constantFrom(2, 3, 5)).map(([a, b]) => `(${a} % ${b})`) },
  { weight: 1, arbitrary: fc.tuple(value, simple).map(([a, b]) => `(${a} + ${b})`) },
);
const comparison = fc
  .tuple(expression, fc.constantFrom('==', '!=', '<', '>=', '==', '=='), simple)
  .map(([a, op, b]) => `${a} ${op} ${b}`);
const test1 = fc.oneof(
  { weight: 3, arbitrary: comparison },
  { weight: 1, arbitrary: fc.tuple(comparison, comparison).map(([a, b]) => `(${a}) || (${b})`) },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(value, expression).map(([v, e]) => `${v} = ${e}`) },
  { weight: 2, arbitrary: test1.map((c) => `(${c})`) },
  { weight: 1, arbitrary: test1.map((c) => `if :: (${c}) -> x = 3 :: else fi`) },
);
const received = fc.constantFrom('a', 'b');
const wanted = fc
  .tuple(
    received,
    fc.constantFrom('== 1', '== 4', '> 3', '% 2 == 1', '& 4', '== b', '== a + 1', '< b', '== 1 || a == 3'),
  )
  .map(([v, rest]) => `${v} ${rest}`);
const type = fc.constantFrom('bit', 'byte', 'byte', 'short', 'int');
const models = fc
  .record({
    fields: fc.tuple(type, type),
    own: fc.tuple(type, type),
    condition: wanted,
    types: fc.tuple(type, type, type),
    branches: fc.array(fc.tuple(fc.array(step, { maxLength: 3 }), expression, expression), {
      minLength: 1,
      maxLength: 2,
    }),
    other: fc.option(expression.map((e) => e.replace(/[xy]|v\[[^\]]*\]/g, 'h'))),
  })
  .map(({ fields, own, condition, types, branches, other }) => {
    const lines = branches.map(([steps, a, b]) => `:: ${[...steps, `q!${a},${b}`, 'back?1'].join('; ')}`);
    const sender = `active proctype S() { ${types[0]} x; ${types[1]} y; ${types[2]} v[2];\n do ${lines.join('\n')} od }`;
    const disturber = other === null ? '' : `\nactive proctype T() { h = ${other} }`;
    return model(fields.join(', '), condition, sender + disturber, {
      globals: 'byte g; byte h;',
      own: `${own[0]} a; ${own[1]} b`,
    });
  });

test('random senders: no run contradicts a bound', async () => {
  let [gained, grown] = [0, 0];
  await fc.assert(
    fc.asyncProperty(models, async (text) => {
      const { bound, plain } = await boundOfLog(text);
      if (plain !== null) return;
      const compiled = compileModel(programOf(text), { capacity: 'unlimited' });
      if (!compiled.ok) return;
      const found = confirm(compiled.value, {}, BUDGET, SILENT);
      const grows = found.loops.some((loop) => (loop.growthByName.get('log') ?? 0) > 0);
      if (grows) grown++;
      if (bound === null) return;
      gained++;
      expect(grows).toBe(false);
      expect(found.maxima.get('log') ?? 0).toBeLessThanOrEqual(bound);
    }),
    { seed: 33, numRuns: runs },
  );
  expect(gained).toBeGreaterThan(runs / 60);
  expect(grown).toBeGreaterThan(runs / 15);
});
