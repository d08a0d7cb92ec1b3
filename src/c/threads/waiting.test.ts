// Random programs that wait in all kinds of ways, against a judge of their own. SPILLWAY_FUZZ=N runs N of them, SPILLWAY_SEED=S others.

import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { checkModel } from '../../check/check.ts';
import { textOf, waiting } from './waiting.fuzz.ts';
import { behaviourOf } from './waiting-runs.fuzz.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 12);
const FIRST = Number(process.env['SPILLWAY_SEED'] ?? 1);
const MOST_STATES = 60_000;
const PROPERTIES = ['assertions', 'no-undefined', 'deadlock-free', 'race-free'] as const;

async function verdicts(text: string): Promise<readonly string[]> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const report = await checkModel({ paths: ['t.c'], files, properties: PROPERTIES });
  expect(report.diagnostics).toEqual([]);
  return PROPERTIES.map((id) => report.properties.find((one) => one.id === id)!.verdict);
}

test('outcomes, deadlocks and the use of what was freed', { timeout: 0 }, async () => {
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    const random = new Random(seed);
    const program = waiting(random);
    const behaviour = behaviourOf(program, MOST_STATES);
    if (behaviour === null) continue;
    const { outcomes, deadlock, undefined: isUndefined } = behaviour;
    const names = [...program.threads.map((_, i) => `r${i}`), 'x', 'y'];
    const some = [...outcomes][random.below(Math.max(1, outcomes.size))];
    const values = names.map((_, i) =>
      some === undefined || random.below(6) === 0 ? random.below(3) : Number(some.split(',')[i]),
    );
    const asks = program.end === 'joins';
    const happens = asks && outcomes.has(values.join());
    const test = names.map((name, i) => `${name} == ${values[i]}`).join(' && ');
    const text = textOf(program, asks ? `assert(!(${test}));` : '');
    const found = await verdicts(text);
    // Whether what is freed races with its use is not decided.
    const isOpen = text.includes('free(') && found[3] === 'unknown';
    const otherwise = isUndefined || isOpen ? 'unknown' : 'proved';
    const expected = [
      happens ? 'refuted' : otherwise,
      isUndefined ? 'refuted' : otherwise,
      deadlock ? 'refuted' : otherwise,
      found[3] === 'refuted' ? 'none' : found[3],
    ];
    expect({ seed, text, found }).toEqual({ seed, text, found: expected });
  }
});
