// Random programs that share memory in all kinds of ways, against a judge of their own.

import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { checkModel } from '../../check/check.ts';
import { behaviourOf } from './happens-before.fuzz.ts';
import { CELLS, outcomeTest, sharedMemory, textOf } from './shared-memory.fuzz.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 12);
const MOST_STATES = 40_000;
const PROPERTIES = ['assertions', 'deadlock-free', 'race-free'] as const;

async function verdicts(text: string): Promise<readonly string[]> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const report = await checkModel({ paths: ['t.c'], files, properties: PROPERTIES });
  expect(report.diagnostics).toEqual([]);
  return PROPERTIES.map((id) => report.properties.find((one) => one.id === id)!.verdict);
}

test('races, deadlocks and outcomes', { timeout: 0 }, async () => {
  for (let seed = 1; seed <= COUNT; seed++) {
    const random = new Random(seed);
    const program = sharedMemory(random);
    const behaviour = behaviourOf(program, MOST_STATES);
    if (behaviour === null) continue;
    const { outcomes, deadlock, race } = behaviour;
    const all = [...outcomes.values()];
    const some = all[random.below(Math.max(1, all.length))];
    const kept = program.threads.map((_, i) =>
      random.below(2) === 0 ? (some?.[0][i] ?? 0) : random.below(3),
    );
    const cells = new Map(
      CELLS.flatMap((_, i) => (random.below(4) === 0 ? [[i, some?.[1][i] ?? 0] as const] : [])),
    );
    const happens = all.some(
      ([others, values]) =>
        others.every((value, i) => value === kept[i]) &&
        [...cells].every(([cell, value]) => values[cell] === value),
    );
    const text = textOf(program, `assert(!(${outcomeTest(kept, cells)}));`);
    const otherwise = race ? 'unknown' : 'proved';
    const found = await verdicts(text);
    // Fields of one unit are written together: among races that has outcomes of its own.
    const isOpen = race && !happens && text.includes('s.') && found[0] === 'refuted';
    const expected = [
      happens || isOpen ? 'refuted' : otherwise,
      deadlock ? 'refuted' : otherwise,
      race ? 'refuted' : 'proved',
    ];
    expect({ seed, text, found }).toEqual({ seed, text, found: expected });
  }
});
