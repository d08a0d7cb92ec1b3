// What the linear programs leave open goes to the concrete semantics: a pumping run refutes a queue, the end of the state space under
// unlimited capacity proves all of them with their exact maxima.

import { shareOf, withStates } from '../../base/budget.ts';
import type { Task } from '../../engine/engine.ts';
import type { QueuesFact } from '../../engine/fact.ts';
import type { Model } from '../../explore/compile.ts';
import { type ConfirmOutcome, confirm, type FoundLoop } from '../../explore/confirm.ts';
import { describe } from '../../explore/describe.ts';
import { queueMaxima } from '../../explore/maxima.ts';
import { longestSeen } from '../../explore/reached.ts';
import { search, whyIncomplete } from '../../explore/search.ts';
import type { Program } from '../../process/program.ts';
import { unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';
import { settleBesideFloods } from './beside-floods.ts';
import { concreteModel, limitReason, processNotes } from './concrete.ts';
import { contextOf, type ProgramModel } from './context.ts';
import { edgesOn, KNOWLEDGE } from './knowledge.ts';
import { queuesOfModel } from './queues.ts';
import { searchSlice } from './sliced.ts';
import type { ProgramWork } from './work.ts';

const BOUNDED = 'bounded';

export const floodingRuns: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const context = contextOf(task, budget, observer);
    const model = concreteModel(context, 'unlimited');
    const stopped = (code: Parameters<typeof unknown>[0], reason: string): void =>
      learn({
        kind: 'answer',
        property: BOUNDED,
        engine: 'flooding runs',
        answer: unknown(code, reason),
      });
    if (!model.ok) return stopped(model.error.reasonCode, model.error.reason);
    const begin = observer.now();
    observer.stage('search for a run that floods');
    const queues = knownQueues(task, model.value);
    const preferred = edgesOn(task.board, KNOWLEDGE.floodingEdges);
    const open = queues.filter((queue) => queue.verdict === 'unknown').map((queue) => queue.name);
    const isAll = task.options.allQueues === true;
    let slice: QueuesFact | null = null;
    let beside: QueuesFact | null = null;
    const outcome = confirm(
      model.value,
      {
        queues: open,
        ...(preferred === undefined ? {} : { preferred }),
        allowNewProcesses: true,
        enough: isAll ? 'all' : 'one',
        otherwise: (growing, floods) => {
          const grown = new Set(growing);
          const noted = (queue: string): boolean => floods(queue) && grown.add(queue).size > 0;
          if (growing.size === 0) slice = searchSlice(context, queues);
          if (slice === null && (isAll || growing.size === 0))
            beside = settleBesideFloods(context, queues, growing, noted, isAll ? 'all' : 'one');
          // One that was abstracted and not seen to grow is still open: the long search may tell.
          const proven = new Set(beside?.rows.map(({ name }) => name));
          return (
            slice !== null || (beside !== null && open.every((name) => grown.has(name) || proven.has(name)))
          );
        },
      },
      budget,
      observer,
    );
    const milliseconds = { search: observer.now() - begin };
    const { states } = outcome;
    learn({ kind: 'stats', property: BOUNDED, stats: { states, milliseconds } });
    const facts = slice === null ? settled(model.value, queues, outcome) : [slice];
    learn({ kind: 'together', facts: beside === null ? facts : [...facts, beside] });
    if (outcome.limit === null || slice !== null || beside !== null) return;
    const { reasonCode, reason } = limitReason(outcome.limit, states);
    stopped(reasonCode, reason);
  },
};

/** States of the look for floods that need no linear program. */
const SHORT_LOOK = 400;

/**
 * Where every queue floods within a few steps there is nothing for the linear programs to do. Where one does not they are asked first, as
 * ever: they name what they prove.
 */
export const shortFlood: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const model = concreteModel(task.model, 'unlimited');
    if (!model.ok) return;
    const begin = observer.now();
    const queues = queuesOfModel(model.value, task.options.queues);
    const outcome = confirm(
      model.value,
      { allowNewProcesses: true },
      withStates(budget, SHORT_LOOK),
      observer,
    );
    const floods = (name: string): boolean => outcome.loops.some((loop) => loop.growthByName.has(name));
    if (queues.length === 0 || !queues.every(({ name }) => floods(name))) return;
    const { states } = outcome;
    const milliseconds = { search: observer.now() - begin };
    learn({ kind: 'stats', property: BOUNDED, stats: { states, milliseconds } });
    learn({ kind: 'together', facts: settled(model.value, queues, outcome) });
  },
};

/**
 * The true maxima: by the end of the state space, when it comes within the budget (it is finite, because every queue is bounded), else of
 * those queues whose bound some run reaches.
 */
export const exactMaxima: ProgramWork = {
  run: (task, budget, observer, learn) => {
    const model = concreteModel(task.model, 'unlimited');
    if (!model.ok) return;
    const queues = knownQueues(task, model.value);
    const proved = queues.filter((queue) => queue.verdict === 'proved' && queue.exact === null);
    const wanted = new Map(proved.map(({ name, bound }) => [name, bound!]));
    observer.stage('search for the exact maxima');
    const seen = longestSeen(model.value, wanted, shareOf(budget, 3));
    for (const [name, bound] of wanted)
      if ((seen.get(name) ?? 0) > bound) throw new Error(`impossible: ${name} got longer than its bound`);
    const reached = Object.fromEntries([...wanted].filter(([name, bound]) => seen.get(name) === bound));
    learn({ kind: 'knowledge', about: KNOWLEDGE.reachedBounds, value: reached });
    // Beside a queue that grows there is no end of states.
    const areFinite = queues.every((queue) => queue.verdict === 'proved');
    if (!areFinite || proved.every(({ name }) => name in reached)) return;
    const outcome = search(model.value, { all: true }, budget, observer);
    if (whyIncomplete(outcome) !== null) return;
    const { states, transitions } = outcome;
    learn({
      kind: 'queues',
      engine: 'exact maxima',
      method: 'exhaustive',
      rows: withMaxima(queues, queueMaxima(model.value)),
      backing: { evidence: { kind: 'exhaustion', states, transitions }, checkedBy: 'search' },
    });
  },
};

/** As the linear program named them, with what is known by now; before it has spoken, all that the explorer knows. */
function knownQueues({ board, options }: Task<ProgramModel>, model: Model): readonly QueueResult[] {
  const rows = new Map<string, QueueResult>();
  for (const fact of board.queues())
    for (const row of fact.rows) {
      const known = rows.get(row.name);
      const isTighter = row.verdict === 'proved' && (row.bound ?? Infinity) < (known?.bound ?? Infinity);
      if (known?.verdict !== 'proved' || isTighter) rows.set(row.name, row);
    }
  return rows.size > 0 ? [...rows.values()] : queuesOfModel(model, options.queues);
}

const withMaxima = (queues: readonly QueueResult[], maxima: ReadonlyMap<string, number>): QueueResult[] =>
  queues.map((queue) => {
    const exact = maxima.get(queue.name) ?? 0;
    const bound = Math.min(queue.bound ?? exact, exact);
    return { ...queue, verdict: 'proved', bound, exact, fits: exact <= queue.declared };
  });

function settled(model: Model, queues: readonly QueueResult[], outcome: ConfirmOutcome): QueuesFact[] {
  const { states, transitions } = outcome;
  const base = { kind: 'queues', engine: 'flooding runs' } as const;
  if (outcome.exhausted)
    return [
      {
        ...base,
        rows: withMaxima(queues, outcome.maxima),
        method: 'exhaustive',
        backing: { evidence: { kind: 'exhaustion', states, transitions }, checkedBy: 'search' },
        notes: processNotes(model),
      },
    ];
  return outcome.loops.map((loop) => ({
    ...base,
    rows: queues
      .filter((queue) => (loop.growthByName.get(queue.name) ?? 0) > 0)
      .map((queue) => ({ ...queue, verdict: 'refuted', bound: null, certifiedBound: null, fits: false })),
    method: 'run',
    backing: { evidence: { kind: 'run', run: floodingRun(model, loop) } },
    ...(loop.newProcesses > 0 ? { notes: [LEAVES_PROCESSES] } : {}),
  }));
}

const LEAVES_PROCESSES: Note = {
  severity: 'hint',
  message: 'each round of the run leaves a process behind; SPIN stops at 255 processes',
};

/** The steps of the suspicious loops, by proctype, for the random walks. */
export function preferredEdges(
  program: Program,
  {
    net,
    counterexamples,
  }: {
    readonly net: {
      readonly transitions: readonly { readonly class: number; readonly origin: readonly number[] }[];
      readonly classes: readonly { readonly proctype: number }[];
    };
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
    loopStart: loop.prefix.length,
  });
  if (!described.ok) throw new Error('impossible: a loop that was replayed before cannot be replayed');
  const growth = [...loop.growthByName].map(([queue, perRound]) => ({ queue, perRound }));
  return { ...described.run, growth };
}
