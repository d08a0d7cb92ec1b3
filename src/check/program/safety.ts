// `deadlock-free` and `assertions`: exhaustive search at the declared capacities, as SPIN does it. Both are answered by one search.

import type { CheckOptions } from '../../engine/options.ts';
import type { Model } from '../../explore/compile.ts';
import { describe } from '../../explore/describe.ts';
import { FAULT, type FaultCode, faultText, isLimit } from '../../explore/faults.ts';
import type { Finding, SafetyOutcome } from '../../explore/found.ts';
import { searchSafety } from '../../explore/safety.ts';
import type { SearchOutcome } from '../../explore/search.ts';
import { swarmSafety } from '../../explore/swarm.ts';
import { TITLES } from '../../explore/titles.ts';
import type { Program } from '../../process/program.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { Run } from '../../verdict/run.ts';
import type { Stats } from '../../verdict/verdict.ts';
import { swarmEngine } from '../swarm.ts';
import { concreteModel, limitReason } from './concrete.ts';
import { contextOf, type ProgramContext } from './context.ts';
import type { ProgramWork } from './work.ts';

export type SafetyProperty = 'deadlock-free' | 'assertions';

export const safetySearch: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const asked = task.open as readonly SafetyProperty[];
    const told = new Set<SafetyProperty>();
    const tell = (property: SafetyProperty, answer: Answer): void => {
      if (told.has(property)) return;
      told.add(property);
      learn({ kind: 'answer', property, engine: 'exhaustive search', answer });
    };
    const answers = checkSafety(contextOf(task, budget, observer), asked, tell);
    for (const [property, answer] of answers) tell(property, answer);
  },
};

/** What a few states settle at once; that they were not enough is no reason for anything. */
export const shortSearch: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const asked = task.open as readonly SafetyProperty[];
    const context = contextOf(task, budget, observer);
    for (const [property, answer] of checkSafety(context, asked, () => {}, true))
      if (answer.verdict !== 'unknown') learn({ kind: 'answer', property, engine: 'short search', answer });
  },
};

/** One member of a swarm: it only ever refutes. */
export const swarmSearch = (seed: number): ProgramWork => ({
  run: (task, budget, observer, learn) => {
    const asked = task.open as readonly SafetyProperty[];
    const context = contextOf(task, budget, observer);
    const model = concreteModel(context, 'declared');
    if (!model.ok) return;
    observer.stage('swarm');
    const goals = goalsOf(asked, context.options);
    const told = new Set<SafetyProperty>();
    const tell = ({ stuck, failure, search }: SafetyOutcome): void => {
      const { states, transitions, bytes } = search;
      for (const property of asked) {
        const finding = property === 'deadlock-free' ? stuck : failure;
        if (finding === null || told.has(property)) continue;
        told.add(property);
        const answer = refuted(runOf(model.value, finding), { stats: { states, transitions, bytes, seed } });
        learn({ kind: 'answer', property, engine: swarmEngine(seed), answer });
      }
    };
    const outcome = swarmSafety(model.value, goals, seed, budget, observer, tell);
    if (outcome !== null) tell(outcome);
  },
});

const goalsOf = (properties: readonly SafetyProperty[], { reduction }: CheckOptions) => ({
  endStates: properties.includes('deadlock-free'),
  assertions: properties.includes('assertions'),
  reduce: reduction !== false,
});

function checkSafety(
  context: ProgramContext,
  properties: readonly SafetyProperty[],
  refute: (property: SafetyProperty, answer: Answer) => void,
  brief = false,
): Map<SafetyProperty, Answer> {
  const { budget, observer, options, program } = context;
  const model = concreteModel(context, 'declared');
  if (!model.ok) {
    const answer = unknown(model.error.reasonCode, model.error.reason);
    return new Map(properties.map((property) => [property, answer]));
  }
  observer.stage('search');
  const begin = observer.now();
  const statsOf = ({ states, transitions, bytes, reduced }: SearchOutcome): Stats => {
    const milliseconds = { search: observer.now() - begin };
    return { states, transitions, bytes, ...(reduced ? { reduced } : {}), milliseconds };
  };
  const answersOf = (outcome: SafetyOutcome): Map<SafetyProperty, Answer | null> => {
    const stats = statsOf(outcome.search);
    const answerOf = (finding: Finding | null): Answer | null =>
      finding && refuted(runOf(model.value, finding), { stats });
    return new Map(
      properties.map((property) => [
        property,
        answerOf(property === 'deadlock-free' ? outcome.stuck : outcome.failure),
      ]),
    );
  };
  const goals = { ...goalsOf(properties, options), brief };
  const outcome = searchSafety(model.value, goals, budget, observer, (early) => {
    for (const [property, answer] of answersOf(early)) if (answer !== null) refute(property, answer);
  });
  const nothingFound = notFound(program, outcome.search, statsOf(outcome.search));
  return new Map([...answersOf(outcome)].map(([property, answer]) => [property, answer ?? nothingFound]));
}

function runOf(model: Model, finding: Finding): Run {
  const failing = finding.kind !== 'invalid-end-state';
  const described = describe(model, finding.choices, { title: titleOf(finding), failing, explain: !failing });
  if (!described.ok) throw new Error('impossible: a trail of the search cannot be replayed');
  return described.run;
}

/** Nothing was found: proved, or why not. */
export function notFound(program: Program, search: SearchOutcome, stats: Stats): Answer {
  if (search.limit !== null) {
    const { reasonCode, reason } = limitReason(search.limit, search.states);
    return unknown(reasonCode, reason, { stats });
  }
  const cut = cutOff(search);
  if (cut !== null) return unknown(cut.reasonCode, cut.reason, { stats });
  const [trace] = program.traces;
  if (trace !== undefined)
    return unknown(
      'trace-assertion',
      `nothing else is wrong, but the ${trace.kind} assertion was not checked`,
      { stats },
    );
  return proved('exhaustive', exhaustion(search), 'search', { stats });
}

/** Behind an error of the model, or a limit of the engine, nothing was looked at: there may be more. */
function cutOff({ cutBy }: SearchOutcome): { reason: string; reasonCode: ReasonCode } | null {
  if (cutBy === null) return null;
  const reason = `what follows was not looked at where a run ends early: ${faultText(cutBy)}`;
  if (!isLimit(cutBy)) return { reason, reasonCode: 'runtime-error' };
  return { reason, reasonCode: ENGINE_LIMITS.includes(cutBy) ? 'memory-limit' : 'state-limit' };
}

const exhaustion = ({ states, transitions, reduced, symmetric }: SearchOutcome) =>
  ({
    kind: 'exhaustion',
    states,
    transitions,
    ...(reduced ? { reduced } : {}),
    ...(symmetric ? { symmetric } : {}),
  }) as const;

function titleOf({ kind, fault }: Finding): string {
  if (kind === 'invalid-end-state') return TITLES.stuck;
  if (kind === 'assertion') return TITLES.assertion;
  return fault === null ? 'a runtime error' : faultText(fault);
}

/** Not an error of the model: the engine could not go on there. */
const ENGINE_LIMITS: readonly FaultCode[] = [FAULT.memory, FAULT.dstepEndless];
