// SPIN's verifier as the judge of the reduced search: its full search (pan -DNOREDUCE) is right; how often its own reduction says something else is counted.

import { expect, test } from 'vitest';
import { SILENT } from '../../base/budget.ts';
import { loadText } from '../../promela/testing.ts';
import { countedBudget } from '../../testing/counted-budget.ts';
import { runPan } from '../../testing/pan.ts';
import { hasProgram } from '../../testing/programs.ts';
import { randomCallsModel } from '../../testing/random-calls.ts';
import { randomConcurrentModel } from '../../testing/random-concurrency.ts';
import { randomIdleValuesModel } from '../../testing/random-idle-values.ts';
import { randomLivesModel } from '../../testing/random-lives.ts';
import { randomNumbersModel } from '../../testing/random-numbers.ts';
import { randomSemanticsModel, seededPick } from '../../testing/random-semantics.ts';
import { randomTwinsModel } from '../../testing/random-twins.ts';
import { withTwins } from '../../testing/twins.ts';
import { compileModel } from '../compile.ts';
import { searchSafety } from '../safety.ts';

const MORE = Number(process.env['SPILLWAY_FUZZ'] ?? 0);
const CASES = Math.max(8, MORE);
/** Choices inside an atomic sequence multiply without a state in between: such models are left out. */
const QUESTIONS = 5000;
const SEED = Number(process.env['SPILLWAY_SEED'] ?? 0);
const available = hasProgram('spin') && (hasProgram('tcc') || hasProgram('gcc'));
if (!available) console.log('spin or a C compiler is not installed: it does not judge the reduced search');

interface Judged {
  readonly deadlock: boolean;
  readonly assertion: boolean;
}

/** All kinds of errors of the model, or null where something else ended the search. */
function judge(text: string, reduced: boolean): Judged | null {
  const compile = ['-DSAFETY', '-DNOCLAIM', '-DMEMLIM=128', ...(reduced ? [] : ['-DNOREDUCE'])];
  const answer = runPan(text, {
    spin: reduced ? [] : ['-o1', '-o2', '-o3'],
    compile,
    run: ['-c0', '-e', '-n', '-m50000', '-w16'],
    small: true,
    // A model that takes longer is not judged.
    seconds: 60,
  });
  if (answer === null || !answer.complete) return null;
  const kinds = [...answer.output.matchAll(/pan:\d+: (.*?) \(at depth/g)].map(([, what]) => what!);
  const isDeadlock = (what: string): boolean => what.startsWith('invalid end state');
  const isAssertion = (what: string): boolean => what.startsWith('assertion violated');
  if (
    kinds.some((what) => !isDeadlock(what) && !isAssertion(what)) ||
    /max search depth|error:/.test(answer.output)
  )
    return null;
  return { deadlock: kinds.some(isDeadlock), assertion: kinds.some(isAssertion) };
}

test.skipIf(!available)('random models: the answers of pan -DNOREDUCE', { timeout: 7_200_000 }, () => {
  const tally = { judged: 0, symmetric: 0, deadlocks: 0, assertions: 0, reductionOfSpinDiffers: 0 };
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const pick = seededPick(seed * 3 + 2);
    const made =
      seed % 7 === 5
        ? seed % 2 === 0
          ? randomNumbersModel(pick)
          : randomCallsModel(pick)
        : seed % 5 === 4
          ? randomIdleValuesModel(pick)
          : seed % 4 === 1
            ? randomTwinsModel(pick, { numbers: seed % 5 === 0 })
            : seed % 4 === 2
              ? randomLivesModel(pick, { looks: seed % 3 === 0 })
              : seed % 3 === 0
                ? randomSemanticsModel(pick)
                : randomConcurrentModel(pick, { looks: seed % 3 === 1 && seed % 2 === 0 });
    const text = seed % 4 === 3 ? withTwins(made) : made;
    const { program } = loadText(text);
    const model = program && compileModel(program);
    if (!model?.ok) continue;
    const goals = { endStates: true, assertions: true, reduce: true };
    const ours = searchSafety(model.value, goals, countedBudget(QUESTIONS, 30_000), SILENT);
    // Errors other than assertions end runs where pan goes on.
    if (ours.search.limit !== null || ours.search.cutBy !== null || ours.failure?.kind === 'runtime-error')
      continue;
    const theirs = judge(text, false);
    if (theirs === null) continue;
    tally.judged++;
    if (ours.search.symmetric) tally.symmetric++;
    if (theirs.deadlock) tally.deadlocks++;
    if (theirs.assertion) tally.assertions++;
    const found = { deadlock: ours.stuck !== null, assertion: ours.failure !== null };
    expect(found, `seed ${seed}\n${text}`).toEqual(theirs);
    const other = judge(text, true);
    if (other !== null && JSON.stringify(other) !== JSON.stringify(theirs)) tally.reductionOfSpinDiffers++;
  }
  expect(tally.judged).toBeGreaterThan(CASES / 6);
  if (MORE > 0) console.log(tally);
});
