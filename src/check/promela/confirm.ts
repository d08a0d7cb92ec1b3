// What is left open by the linear programs goes to the concrete semantics: a pumping run refutes a queue, the end of the state
// space under unlimited capacity proves all of them with their exact maxima.

import type { Counterexample } from '../../boundedness/model.ts';
import type { Model } from '../../explore/compile.ts';
import { type ConfirmOutcome, confirm, type FoundLoop } from '../../explore/confirm.ts';
import { describe } from '../../explore/describe.ts';
import type { Net } from '../../net/net.ts';
import type { ReasonCode } from '../../verdict/reasons.ts';
import type { Run } from '../../verdict/run.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';
import { concreteModel, limitReason, processNotes } from './concrete.ts';
import type { PromelaContext } from './context.ts';
import { searchSlice } from './sliced.ts';

export interface ConfirmedQueues {
  readonly queues: readonly QueueResult[];
  /** A run for every refuted queue, the most telling first. */
  readonly runs: readonly Run[];
  readonly exhausted: boolean;
  readonly states: number;
  readonly transitions: number;
  /** What the search took for granted. */
  readonly notes: readonly Note[];
  /** Why some queue is still open. */
  readonly reason: { readonly reason: string; readonly reasonCode: ReasonCode } | null;
}

export function confirmQueues(
  context: PromelaContext,
  queues: readonly QueueResult[],
  suspicion: { readonly net: Net; readonly counterexamples: readonly Counterexample[] },
): ConfirmedQueues {
  const { budget, observer } = context.request;
  const model = concreteModel(context, 'unlimited');
  if (!model.ok)
    return { queues, runs: [], exhausted: false, states: 0, transitions: 0, notes: [], reason: model.error };
  observer.stage('search for a run that floods');
  const open = queues.filter((queue) => queue.verdict === 'unknown').map((queue) => queue.name);
  const found: ConfirmedQueues[] = [];
  const otherwise = (): boolean => {
    const slice = searchSlice(context, queues);
    if (slice !== null) found.push(slice);
    return slice !== null;
  };
  const preferred = preferredEdges(context, suspicion);
  const outcome = confirm(
    model.value,
    { queues: open, preferred, allowNewProcesses: true, otherwise },
    budget,
    observer,
  );
  return found[0] ?? confirmed(model.value, queues, outcome);
}

function confirmed(model: Model, queues: readonly QueueResult[], outcome: ConfirmOutcome): ConfirmedQueues {
  return {
    queues: queues.map((queue) => settle(queue, outcome)),
    runs: outcome.loops.map((loop) => floodingRun(model, loop)),
    exhausted: outcome.exhausted,
    states: outcome.states,
    transitions: outcome.transitions,
    notes: notesOn(model, outcome),
    reason: outcome.limit === null ? null : limitReason(outcome.limit, outcome.states),
  };
}

function notesOn(model: Model, { loops, exhausted }: ConfirmOutcome): Note[] {
  if (exhausted) return processNotes(model);
  if (!loops.some((loop) => loop.newProcesses > 0)) return [];
  return [
    {
      severity: 'hint',
      message: 'each round of the run leaves a process behind; SPIN stops at 255 processes',
    },
  ];
}

function settle(queue: QueueResult, outcome: ConfirmOutcome): QueueResult {
  if (outcome.exhausted) {
    const exact = outcome.maxima.get(queue.name) ?? 0;
    return {
      ...queue,
      verdict: 'proved',
      bound: Math.min(queue.bound ?? exact, exact),
      exact,
      fits: exact <= queue.declared,
    };
  }
  if (queue.verdict === 'proved') return queue;
  const grows = outcome.loops.some((loop) => (loop.growthByName.get(queue.name) ?? 0) > 0);
  return grows ? { ...queue, verdict: 'refuted', bound: null, certifiedBound: null, fits: false } : queue;
}

/** The steps of the suspicious loops, by proctype, for the random walks. */
export function preferredEdges(
  { program }: PromelaContext,
  {
    net,
    counterexamples,
  }: {
    readonly net: Net;
    readonly counterexamples: readonly { readonly ray: ReadonlyMap<number, bigint> }[];
  },
): ReadonlySet<number>[] {
  const preferred = program.proctypes.map(() => new Set<number>());
  for (const { ray } of counterexamples) {
    for (const transition of ray.keys()) {
      const { class: owner, origin } = net.transitions[transition]!;
      for (const edge of origin) preferred[net.classes[owner]!.proctype]!.add(edge);
    }
  }
  return preferred;
}

function floodingRun(model: Model, loop: FoundLoop): Run {
  const names = [...loop.growthByName.keys()];
  const title = `${names.join(', ')} ${names.length === 1 ? 'grows' : 'grow'} without limit`;
  const described = describe(model, [...loop.prefix, ...loop.loop], {
    title,
    loopStart: loop.prefix.length / 4,
  });
  if (!described.ok) throw new Error('impossible: a loop that was replayed before cannot be replayed');
  const growth = [...loop.growthByName].map(([queue, perRound]) => ({ queue, perRound }));
  return { ...described.run, growth };
}
