// The search through the states of a system of actors: one pass answers every question about reachable states; formulas are asked of the same graph.
//
// Duty: a proof needs that every state was seen and that nothing real is missing from the model; a refutation needs that its run
// happens on the semantics (it is taken again from its moves) and on the language's own interpreter, where there is one.

import { GraphStructure, type Move, StateGraph } from '../../actors/graph.ts';
import { mailboxName, runOf } from '../../actors/run.ts';
import { type Fault, type Finding, type SearchResult, searchSystem } from '../../actors/search.ts';
import type { Budget, Observer } from '../../base/budget.ts';
import { counted } from '../../base/counted.ts';
import type { Engine } from '../../engine/engine.ts';
import { checkFormula } from '../../ltl/check.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';
import { type ActorModel, restsOn, unseen } from './model.ts';
import { formulasOf, readFormula } from './questions.ts';

export const actorSearch: Engine<ActorModel> = {
  name: 'search of the actors',
  settles: () => true,
  run: async ({ model, open, options }, budget, observer, learn) => {
    const learnAnswer = (property: string, answer: Answer): void =>
      learn({ kind: 'answer', property, engine: actorSearch.name, answer });
    const plain = open.filter((property) => !property.startsWith('ltl:'));
    if (plain.length > 0) {
      observer.stage('search');
      const result = searchSystem(model.system, model.scheduler, limited(budget), observer, new Set(plain));
      for (const property of plain) learnAnswer(property, await answerOf(model, property, result));
    }
    for (const property of open) {
      if (!property.startsWith('ltl:') || !budget.timeLeft()) continue;
      const text = formulasOf(model, options)[property.slice('ltl:'.length)]!;
      learnAnswer(property, await formulaAnswer(model, text, budget, observer));
    }
  },
};

/** States of the graph are objects: far fewer fit than packed ones. */
const limited = (budget: Budget): Budget => ({ ...budget, maxStates: Math.min(budget.maxStates, 400_000) });

async function answerOf(model: ActorModel, property: string, result: SearchResult): Promise<Answer> {
  const stats = { states: result.states };
  const notes = restsOn(model);
  if (property === 'reachable') return reachable(model, result, notes);
  const finding = result.findings.get(property as Fault);
  const queues = property === 'bounded' ? { queues: queuesOf(model, result, finding) } : {};
  if (finding !== undefined) return refutation(model, finding, { stats, notes, ...queues });
  const blind = whyNotProved(model, result);
  if (blind !== null) return unknown(blind.code, blind.reason, { stats, notes, ...queues });
  const evidence = { kind: 'exhaustion', states: result.states, transitions: result.transitions } as const;
  return proved('exhaustive', evidence, 'search', { stats, notes, ...queues });
}

function whyNotProved(
  model: ActorModel,
  { limit, overlap, states }: SearchResult,
): { readonly code: 'time-limit' | 'state-limit' | 'unseen-behaviour'; readonly reason: string } | null {
  const missing = unseen(model) ?? overlap;
  if (missing !== null) return { code: 'unseen-behaviour', reason: missing };
  if (limit === null) return null;
  const seen = counted(states);
  const reason =
    limit === 'time-limit'
      ? `the time was over when the search had seen ${seen} states`
      : `the limit on stored states was reached: the search had seen ${seen} states`;
  return { code: limit, reason };
}

interface Beside {
  readonly stats: { readonly states: number };
  readonly notes: readonly Note[];
  readonly queues?: readonly QueueResult[];
}

async function refutation(model: ActorModel, finding: Finding, beside: Beside): Promise<Answer> {
  const run = runOf(model.system, model.scheduler, finding.moves, {
    title: finding.text,
    loopStart: finding.loopStart,
    ...(finding.growth === undefined ? {} : { growth: finding.growth }),
  });
  if (run === null) throw new Error('impossible: moves that were found cannot be taken again');
  return confirmed(model, run, beside);
}

async function confirmed(model: ActorModel, run: Run, beside: Beside): Promise<Answer> {
  const different = (await model.confirm?.(run)) ?? null;
  if (different === null) return refuted(run, beside);
  const { queues, ...rest } = beside;
  return unknown(
    'not-replayed',
    `a run was found, but it could not be replayed: ${different} (${run.title})`,
    {
      ...rest,
      ...(queues === undefined ? {} : { queues: queues.map(opened) }),
      evidence: { kind: 'path', path: run },
    },
  );
}

const opened = (queue: QueueResult): QueueResult =>
  queue.verdict === 'refuted' ? { ...queue, verdict: 'unknown' } : queue;

function queuesOf(model: ActorModel, result: SearchResult, finding: Finding | undefined): QueueResult[] {
  const settled = result.limit === null && finding === undefined && unseen(model) === null;
  const at = (actor: number) => model.system.logics[model.system.actors[actor]!.logic ?? -1]?.at ?? null;
  const row = (name: string, actor: number, verdict: QueueResult['verdict'], length: number): QueueResult => {
    const place = at(actor);
    const bound = verdict === 'proved' ? length : null;
    return {
      name,
      verdict,
      bound,
      certifiedBound: null,
      exact: bound,
      declared: UNLIMITED_MAILBOX,
      fits: verdict === 'proved' ? true : null,
      ...(place === null ? {} : { at: place }),
    };
  };
  const mailboxes = model.system.actors.map((_, actor) =>
    row(
      mailboxName(model.system, actor),
      actor,
      (finding?.growth?.[actor] ?? 0) > 0 ? 'refuted' : settled ? 'proved' : 'unknown',
      result.longest[actor]!,
    ),
  );
  const families = model.system.actors.flatMap((actor, id) =>
    actor.family
      ? [row(`number of ${actor.name}`, id, finding?.families?.includes(id) ? 'refuted' : 'unknown', 0)]
      : [],
  );
  return [...mailboxes, ...families];
}

/** Mailboxes have no capacity. */
export const UNLIMITED_MAILBOX = -1;

/** Every state can be entered and every transition taken: by some run of the model. */
function reachable(model: ActorModel, result: SearchResult, notes: readonly Note[]): Answer {
  const { system } = model;
  const stats = { states: result.states };
  const used = new Set(system.actors.flatMap(({ logic }) => (logic === null ? [] : [logic])));
  const missing: Note[] = [];
  for (const logic of used) {
    const { name, root, transitions } = system.logics[logic]!;
    const visit = (node: typeof root): void => {
      if (node.name !== '' && node.kind !== 'history' && !result.coverage.states.has(`${logic} ${node.name}`))
        missing.push({
          severity: 'warning',
          message: `no run reaches the state ${node.name} of ${name}`,
          ...(node.at === null ? {} : { at: node.at }),
        });
      for (const inner of node.states) visit(inner);
    };
    visit(root);
    for (const [index, { from, event, guard, at }] of transitions.entries())
      if (!result.coverage.transitions.has(`${logic} ${index}`))
        missing.push({
          severity: 'warning',
          message: `no run takes the transition on ${event} from ${from === '' ? 'the root' : from} of ${name}${guard === null ? '' : ` (${guard})`}`,
          ...(at === null ? {} : { at }),
        });
  }
  if (missing.length === 0) {
    const widened = system.caveats.length > 0;
    if (widened)
      return unknown('abstraction-too-coarse', 'everything is reached, but parts of the data were widened', {
        stats,
        notes,
      });
    const evidence = { kind: 'exhaustion', states: result.states, transitions: result.transitions } as const;
    return proved('exhaustive', evidence, 'search', { stats, notes });
  }
  const blind = whyNotProved(model, result);
  if (blind !== null) return unknown(blind.code, blind.reason, { stats, notes: [...notes, ...missing] });
  const title = `${missing.length === 1 ? missing[0]!.message : `${missing.length} states and transitions are never reached`}`;
  const run = runOf(system, model.scheduler, [{ stimulus: null, choices: [] }], { title, loopStart: null });
  return refuted(run!, { method: 'exhaustive', stats, notes: [...missing, ...notes] });
}

async function formulaAnswer(
  model: ActorModel,
  text: string,
  budget: Budget,
  observer: Observer,
): Promise<Answer> {
  const { formula, propositions } = readFormula(model.system, text);
  if (formula === null) throw new Error('impossible: the formula was read before');
  const notes = restsOn(model);
  const graph = new StateGraph(model.system, model.scheduler);
  const structure = new GraphStructure(graph, propositions);
  observer.stage('formula');
  const result = checkFormula(structure, formula, limited(budget), observer);
  const stats = { states: graph.states.length };
  if (result.kind === 'limit') return unknown(result.limit, undefined, { stats, notes });
  if (result.kind === 'holds') {
    const missing = unseen(model);
    if (missing !== null) return unknown('unseen-behaviour', missing, { stats, notes });
    const evidence = {
      kind: 'exhaustion',
      states: result.stats.productStates,
      transitions: result.stats.productEdges,
    } as const;
    return proved('exhaustive', evidence, 'search', { stats, notes });
  }
  const { moves, loopStart } = movesAlong(graph, structure, result.lasso);
  const run = runOf(model.system, model.scheduler, moves, {
    title: `a run that violates ${text.trim()}`,
    loopStart,
  });
  if (run === null) throw new Error('impossible: a path of the graph cannot be taken');
  return confirmed(model, run, { stats, notes });
}

/** The moves of a lasso; a run that ends has no loop. */
function movesAlong(
  graph: StateGraph,
  structure: GraphStructure,
  { steps, loopStart }: { readonly steps: readonly { readonly state: number }[]; readonly loopStart: number },
): { readonly moves: readonly Move[]; readonly loopStart: number | null } {
  const moves: Move[] = [...graph.pathTo(structure.stateOf(steps[0]!.state)).slice(0, 1)];
  let ends = false;
  for (const [index, { state }] of steps.entries()) {
    const next = steps[index + 1]?.state ?? steps[loopStart]!.state;
    const step = structure.steps(state).find(({ to }) => to === next)!;
    if (step.move === null) ends = true;
    else moves.push(step.move);
  }
  return { moves, loopStart: ends ? null : loopStart + 1 };
}
