// `livelock-free` on the concrete semantics. The property is about infinite runs, at the declared capacities and with channels of unlimited
// capacity alike: a search proves it only when it saw every state under both readings; a run under either refutes it, and says which.

import { type Budget, shareOf, withStates } from '../../base/budget.ts';
import type { ChoicePath } from '../../explore/acceptance.ts';
import type { Choice } from '../../explore/choices.ts';
import type { Model } from '../../explore/compile.ts';
import { confirm } from '../../explore/confirm.ts';
import { createsWithoutEnd } from '../../explore/creation.ts';
import { describe } from '../../explore/describe.ts';
import { findFairIdle } from '../../explore/fair-idle.ts';
import { decideLivelock, type LivelockDecision } from '../../explore/livelock.ts';
import type { Loop } from '../../explore/pumping.ts';
import { immortalModel, loopWithDeaths } from '../../explore/reduction/immortal.ts';
import { isProgressStep } from '../../explore/round.ts';
import { checkTemporal } from '../../explore/temporal.ts';
import { TITLES } from '../../explore/titles.ts';
import { buildNet } from '../../net/build.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import { longestQueues } from '../../verdict/run-state.ts';
import type { Note } from '../../verdict/verdict.ts';
import { recipeOptions } from './abstract.ts';
import { type Capacity, concreteModel, limitReason, processNotes } from './concrete.ts';
import { contextOf, type ProgramContext } from './context.ts';
import { edgesOn, KNOWLEDGE } from './knowledge.ts';
import { type NetProgress, progressOf } from './progress.ts';
import type { ProgramWork } from './work.ts';

/** State spaces up to this size are searched in full. */
const SMALL = 20_000;
const settledBy = (decision: LivelockDecision): LivelockDecision | null =>
  decision.kind === 'limit' ? null : decision;

/** States of the first look for a loop that grows. */
const FIRST_LOOK = 10_000;

const LIVELOCK = 'livelock-free';

export const idlingRuns: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    const search = new LivelockSearch(context, edgesOn(task.board, KNOWLEDGE.idlingEdges));
    const answer = search.answer();
    if (answer !== null)
      learn({ kind: 'answer', property: LIVELOCK, engine: 'runs without progress', answer });
  },
};

class LivelockSearch {
  private readonly context: ProgramContext;
  private readonly preferred: readonly ReadonlySet<number>[] | undefined;
  private readonly selected: NetProgress | null;

  constructor(context: ProgramContext, preferred: readonly ReadonlySet<number>[] | undefined) {
    this.context = context;
    this.preferred = preferred;
    const { program, options, budget } = context;
    const progress = options.progress ?? [];
    // Selectors name steps of the net; labels need none.
    const recipe = {
      also: [],
      progress,
      capacities: 'any',
      order: 'kept',
      limits: 'usual',
      shared: 'tested',
    } as const;
    this.selected = progress.length === 0 ? null : buildNet(program, { ...recipeOptions(recipe), budget });
  }

  /** Null: it has nothing to say. */
  answer(): Answer | null {
    const { budget, options } = this.context;
    if (options.fair === true) return this.fairAnswer();
    const found: Answer[] = [];
    for (const capacity of ['declared', 'unlimited'] as const) {
      // With unlimited channels the state space may have no end: first look for a short loop that grows.
      const growing = capacity === 'unlimited' ? this.growingLoop(withStates(budget, FIRST_LOOK)) : null;
      if (growing !== null) return growing;
      // A large state space at the declared capacities must leave time for the other reading, where a loop may be at hand.
      const exact = this.decide(capacity, capacity === 'declared' ? shareOf(budget, 2) : budget);
      if (exact?.verdict === 'refuted') return exact;
      if (exact !== null) found.push(exact);
    }
    if (found.length === 2 && found.every((one) => one.verdict === 'proved')) return found[1]!;
    return this.growingLoop(budget) ?? found.find((one) => one.verdict === 'unknown') ?? null;
  }

  /**
   * Only weakly fair runs count: then what is sought is an acceptance cycle of the claim <>[] np_, at the declared capacities, as `pan -l -f`
   * has it. A ranking, which is about all runs, still proves it.
   */
  private fairAnswer(): Answer {
    const { program, budget, observer } = this.context;
    if (this.selected !== null) return this.fairBySteps();
    return checkTemporal(program, { kind: 'progress' }, { fair: true }, budget, observer);
  }

  /** Progress by steps that the user named; a label among them counts as a step, too. */
  private fairBySteps(): Answer {
    const { budget, observer } = this.context;
    const model = concreteModel(this.context, 'declared', 'spin');
    if (!model.ok) return unknown(model.error.reasonCode, model.error.reason);
    const { progress, isExact } = progressOf(this.context, this.selected, model.value);
    const isProgress = (choices: readonly Choice[]) => isProgressStep(model.value, progress, choices);
    const outcome = findFairIdle(model.value, isProgress, budget, observer);
    const { states, transitions, fault } = outcome;
    if (outcome.kind === 'cycle') return this.refuted(runOf(model.value, loopOf(outcome.path)));
    if (outcome.kind === 'limit') return unknown(outcome.limit, FAIR_LIMITS[outcome.limit]);
    if (fault !== null) return unknown('runtime-error', limitReason('runtime-error', states).reason);
    if (!isExact())
      return unknown(
        'abstraction-too-coarse',
        'no fair run without progress was found, but some steps count as progress that were not named',
      );
    return proved('exhaustive', { kind: 'exhaustion', states, transitions }, 'search', {});
  }

  /** Exact on a finite state space; null when there is no answer. SPIN's limit of 255 processes is no part of the question. */
  private decide(capacity: Capacity, budget: Budget): Answer | null {
    const { observer } = this.context;
    const model = concreteModel(this.context, capacity, 'unlimited');
    if (!model.ok || !budget.timeLeft()) return null;
    observer.stage('search for a run without progress');
    const { progress, isExact } = progressOf(this.context, this.selected, model.value);
    const look = (limits: Budget): LivelockDecision =>
      decideLivelock(model.value, { progress, reduce: false }, limits, observer);
    const small = this.canReduce(budget) ? settledBy(look(withStates(budget, SMALL))) : null;
    const reduced = small === null && this.canReduce(budget) ? this.reduced(capacity, budget) : null;
    const decision = small ?? reduced?.decision ?? look(budget);
    switch (decision.kind) {
      case 'loop':
        // Processes have the numbers of the model that was searched.
        return this.refuted(runOf(reduced?.model ?? model.value, decision));
      case 'none': {
        const { states, transitions, reduced } = decision;
        if (!isExact()) return null;
        const evidence = {
          kind: 'exhaustion',
          states,
          transitions,
          ...(reduced ? { reduced } : {}),
        } as const;
        return proved('exhaustive', evidence, 'search', { notes: processNotes(model.value) });
      }
      case 'limit': {
        const { reasonCode, reason } = limitReason(decision.limit, 0);
        return unknown(reasonCode, reason);
      }
    }
  }

  private canReduce({ maxStates }: Budget): boolean {
    return this.context.options.reduction !== false && this.selected === null && maxStates > SMALL;
  }

  /** By stubborn sets, without deaths where nobody sees them; null when that comes to no end. */
  private reduced(
    capacity: Capacity,
    budget: Budget,
  ): { readonly decision: LivelockDecision; readonly model: Model } | null {
    // Where processes are started without end SPIN's limit of 255 would be met.
    if (createsWithoutEnd(this.context.program)) return null;
    const model = concreteModel(this.context, capacity, 'spin');
    if (!model.ok) return null;
    const still = immortalModel(model.value);
    const question = { progress: { kind: 'labels' }, reduce: true } as const;
    const decision = settledBy(
      decideLivelock(still ?? model.value, question, shareOf(budget, 2), this.context.observer),
    );
    if (decision === null) return null;
    const isLoop = decision.kind === 'loop' && still !== null;
    return {
      decision: isLoop ? { ...decision, ...loopWithDeaths(model.value, decision) } : decision,
      model: model.value,
    };
  }

  /** A loop without progress in which queues may grow. */
  private growingLoop(budget: Budget): Answer | null {
    const { observer } = this.context;
    const model = concreteModel(this.context, 'unlimited');
    if (!model.ok || !budget.timeLeft()) return null;
    observer.stage('search for a run without progress');
    const outcome = confirm(
      model.value,
      {
        progress: progressOf(this.context, this.selected, model.value).progress,
        ...(this.preferred === undefined ? {} : { preferred: this.preferred }),
        allowNewProcesses: true,
      },
      budget,
      observer,
    );
    const [loop] = outcome.loops;
    if (loop === undefined) return null;
    const growth = [...loop.growthByName].map(([queue, perRound]) => ({ queue, perRound }));
    return this.refuted({ ...runOf(model.value, loop), ...(growth.length === 0 ? {} : { growth }) });
  }

  private refuted(run: Run): Answer {
    return refuted(run, { notes: capacityNotes(this.context, run) });
  }
}

const FAIR_LIMITS = {
  'time-limit': 'the time limit was reached before all states were seen',
  'state-limit': 'the limit on stored states was reached',
  'memory-limit': 'the memory limit was reached',
  'too-many-processes': 'weak fairness is supported for up to 29 processes at a time',
} as const;

function loopOf({ steps, loopStart }: ChoicePath): Loop {
  const at = loopStart ?? steps.length;
  return { prefix: steps.slice(0, at).flat(), loop: steps.slice(at).flat() };
}

function runOf(model: Model, { prefix, loop }: Loop): Run {
  const described = describe(model, [...prefix, ...loop], {
    title: TITLES.idle,
    loopStart: prefix.length,
  });
  if (!described.ok)
    throw new Error('impossible: a loop that was found on the concrete semantics cannot be replayed');
  return described.run;
}

/** A run found with unlimited channels may need more room than the model declares. */
function capacityNotes({ program }: ProgramContext, run: Run): readonly Note[] {
  const declared = Math.min(
    ...program.channelSites.filter((site) => site.capacity > 0).map((site) => site.capacity),
  );
  const growing = (run.growth ?? []).length > 0;
  if (!growing && Math.max(0, ...longestQueues(run, 2).values()) <= declared) return [];
  const message = 'in this run channels hold as much as is sent; at the declared capacities it may block';
  return [{ severity: 'hint', message }];
}
