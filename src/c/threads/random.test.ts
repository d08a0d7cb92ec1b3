// Random programs with threads against a judge of their own, and against gcc: what gcc's program ends with is among what we say can happen.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { checkModel } from '../../check/check.ts';
import { runProgram } from '../../testing/run-program.ts';
import { behaviourOf, hasSections, outcomeTest, smallThreads, textOf } from './small-threads.fuzz.ts';

const COUNT = Number(process.env['SPILLWAY_FUZZ'] ?? 6);
const hasGcc = runProgram('gcc', ['--version']).status === 0;
if (!hasGcc) console.log('skipped: programs are not run (no gcc on PATH)');

async function verdicts(text: string, properties: readonly string[]): Promise<readonly string[]> {
  const files = { read: (path: string) => (path === 't.c' ? text : null) };
  const report = await checkModel({ paths: ['t.c'], files, properties });
  expect(report.diagnostics).toEqual([]);
  return properties.map((id) => report.properties.find((one) => one.id === id)!.verdict);
}

test('deadlocks, races and outcomes of small programs', { timeout: 0 }, async () => {
  for (let seed = 1; seed <= COUNT; seed++) {
    const random = new Random(seed);
    const program = smallThreads(random);
    const { outcomes, deadlock, race } = behaviourOf(program);
    // Where main does not wait it can see anything on the way; what it sees then is not judged, deadlocks there are none.
    const some = program.joins ? [...outcomes].sort().slice(0, 2) : [];
    const other = Array.from({ length: program.variables }, () => random.below(5)).join();
    for (const outcome of new Set([...some, other])) {
      const last = `assert(!(${outcomeTest(outcome.split(',').map(Number))}));`;
      const text = textOf(program, program.joins ? last : '');
      const otherwise = race ? 'unknown' : 'proved';
      const expected = [
        program.joins && outcomes.has(outcome) ? 'refuted' : otherwise,
        deadlock && program.joins ? 'refuted' : otherwise,
        race ? 'refuted' : 'proved',
      ];
      const found = await verdicts(text, ['assertions', 'deadlock-free', 'race-free']);
      expect({ seed, text, found }).toEqual({ seed, text, found: expected });
    }
  }
});

test.runIf(hasGcc)('what gcc runs is among what can happen', { timeout: 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'spillway-threads-'));
  try {
    for (let seed = 1; seed <= Math.min(COUNT, 200) / 2; seed++) {
      const program = smallThreads(new Random(seed));
      const { outcomes, deadlock } = behaviourOf(program);
      if (deadlock || !program.joins || hasSections(program)) continue;
      const format = Array.from({ length: program.variables }, () => '%d').join(',');
      const values = ['x', 'y', 'z'].slice(0, program.variables).join(', ');
      writeFileSync(join(folder, 't.c'), textOf(program, `printf("${format}", ${values});`));
      const compiled = runProgram('gcc', ['-O0', '-pthread', '-o', join(folder, 't'), join(folder, 't.c')]);
      expect(compiled.stderr).toBe('');
      for (let run = 0; run < 10; run++)
        expect([...outcomes]).toContain(runProgram(join(folder, 't'), []).stdout);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
