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
const runs = Number(process.env['SPILLWAY_FUZZ'] ?? 25);
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
  { globals = '', own = 'byte a; byte b', reply = '1' } = {},
) =>
  `chan q = [4] of { ${fields} }; chan back = [1] of { byte }; chan log = [4] of { bit }; ${globals}
   active proctype R() { ${own}; do :: q?${fields.includes(',') ? 'a,b' : 'a'} -> if :: (${condition}) -> log!1 :: else fi; back!${reply} od }
   ${sender}`;

async function boundOfLog(
  text: string,
): Promise<{ bound: number | null; plain: number | null; solved: number }> {
  const program = programOf(text);
  const { net } = buildNet(program, { unfold: 'none' });
  const plain = await analyseBoundedness(net, { solver });
  const refined = await refineBoundedness(program, net, plain, { solver });
  const audited = refined.method === 'refined' ? await auditRefined(refined.certificate, program, net) : null;
  if (audited !== null) expect(audited).toMatchObject({ ok: true });
  const solved = audited?.ok ? audited.value.contentsDecided : 0;
  const log = net.queues.findIndex(({ name }) => name === 'log');
  return { bound: refined.queues[log]!.bound, plain: plain.queues[log]!.bound, solved };
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

describe('what is dropped, though intervals cannot tell', () => {
  const some = ':: x++ :: x--';
  const sender = (type: string, lines: string, more = '') =>
    `active proctype S() { ${type} x; ${type} y; ${more} do ${some} ${lines} od }`;
  const drops = (name: string, text: string, bySolver: boolean) =>
    test(name, async () => {
      const { bound, plain, solved } = await boundOfLog(text);
      expect(plain).toBeNull();
      expect(bound).not.toBeNull();
      expect(solved > 0).toBe(bySolver);
    });
  const stays = (name: string, text: string) =>
    test(`not dropped: ${name}`, async () => expect((await boundOfLog(text)).bound).toBeNull());
  const ints = { own: 'int a; int b' };

  const even = ':: (x % 2 == 0) -> q!x; back?1';
  drops('a remainder, of any int', model('int', 'a % 2 == 1', sender('int', even), ints), true);
  drops('a remainder, of a byte', model('byte', 'a % 2 == 1', sender('byte', even)), false);
  stays('another remainder', model('int', 'a % 4 == 2', sender('int', even), ints));

  const pair = ':: q!x,x + 1; back?1';
  drops('a relation of two fields', model('int, int', 'a == b', sender('int', pair), ints), true);
  drops('the same in bytes', model('byte, byte', 'a == b', sender('byte', pair)), false);
  stays('the other way round, because x + 1 wraps', model('int, int', 'a > b', sender('int', pair), ints));
  stays('a byte wraps, too', model('byte, byte', 'a > b', sender('byte', pair)));
  drops(
    'guarded, it does not wrap',
    model('byte, byte', 'a > b', sender('byte', ':: (x < 255) -> q!x,x + 1; back?1')),
    false,
  );

  const hole = ':: (x == 1 || x == 5) -> q!x; back?1';
  drops('a set with a hole', model('int', 'a == 3', sender('int', hole), ints), true);
  stays('a member of the set', model('int', 'a == 5', sender('int', hole), ints));
  drops('bits', model('int', 'a & 1', sender('int', ':: q!(x & 6); back?1'), ints), true);
  drops(
    'a relation of variables',
    model('int', 'a != 0', sender('int', ':: (x == y) -> q!(x - y); back?1'), ints),
    true,
  );
  stays(
    'a relation that is not kept',
    model('int', 'a != 0', sender('int', ':: (x == y) -> x++; q!(x - y); back?1'), ints),
  );
  const array = (send: string) => sender('byte', `:: v[0] = 5; v[1] = 4; ${send}; back?1`, 'byte v[3];');
  drops('an element of an array', model('byte', 'a == 5', array('q!v[1]')), false);
  stays('the element next to it', model('byte', 'a == 5', array('q!v[0]')));
  stays('any element', model('byte', 'a == 5', array('q!v[x % 2]')));
  stays('an element after a store at an unknown index', model('byte', 'a == 5', array('v[x] = 5; q!v[1]')));
  drops('elements one of which is meant', model('byte', 'a == 6', array('q!v[x % 2]')), true);
  drops(
    'what the receiver computes from it, and its other tests on the way',
    model('byte', 'a > 3 && a < 100) -> b = a * 2; (b < 8', sender('byte', ':: q!x; back?1')),
    false,
  );
  drops(
    'several ways to one send, each with its own value',
    model('byte', 'a == 7', sender('byte', ':: if :: y = 4 :: y = 5 fi; skip; q!y; back?1')),
    false,
  );
});

describe('fastened cycles', () => {
  const receiver = (
    text: string,
  ) => `chan q = [4] of { byte }; chan back = [1] of { bit }; chan log = [4] of { bit };
    active proctype R() { byte a; ${text} }
    active proctype S() { do :: q!4; back?1 od }`;
  test('entering from outside the loops costs one pass per instance', async () => {
    const text = receiver('goto mid; top: q?a; back!1; mid: if :: (a != 4) -> log!1 :: else fi; goto top');
    expect((await boundOfLog(text)).bound).toBe(1);
  });
  test('another way in from within the loops undoes it', async () => {
    const text = receiver(
      'top: if :: q?a; back!1 :: a = 1 fi; mid: if :: (a != 4) -> log!1 :: else fi; goto top',
    );
    expect((await boundOfLog(text)).bound).toBeNull();
  });
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
    reply: fc.constantFrom('1', 'a', 'b', '(a + 1)', '(a & 3)'),
    answer: fc.constantFrom('back?_', 'back?x', 'back?y', 'back?v[0]', 'back?g'),
    other: fc.option(expression.map((e) => e.replace(/[xy]|v\[[^\]]*\]/g, 'h'))),
  })
  .map(({ fields, own, condition, types, branches, reply, answer, other }) => {
    const lines = branches.map(([steps, a, b]) => `:: ${[...steps, `q!${a},${b}`, answer].join('; ')}`);
    const sender = `active proctype S() { ${types[0]} x; ${types[1]} y; ${types[2]} v[2];\n do ${lines.join('\n')} od }`;
    const disturber = other === null ? '' : `\nactive proctype T() { h = ${other} }`;
    return model(fields.join(', '), condition, sender + disturber, {
      globals: 'byte g; byte h;',
      own: `${own[0]} a; ${own[1]} b`,
      reply,
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
    { seed: Number(process.env['SPILLWAY_SEED'] ?? 33), numRuns: runs },
  );
  expect(gained).toBeGreaterThan(runs / 60);
  expect(grown).toBeGreaterThan(runs / 15);
});
