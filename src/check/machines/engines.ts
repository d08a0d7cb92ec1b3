// The engines for communicating machines: counting (linear programs, the coverability set, the marking equation), all configurations, and
// compatibility at some k for systems that are infinite.

import { analyseBoundedness } from '../../boundedness/analyse.ts';
import type { Engine, Portfolio } from '../../engine/engine.ts';
import { loadSolver } from '../../lp/solver.ts';
import { compatibility } from '../../machines/compatibility.ts';
import { Semantics } from '../../machines/configuration.ts';
import { machineOffers } from '../../machines/dead.ts';
import { FAULT_TITLES, type Fault, faultIn } from '../../machines/faults.ts';
import { netOf } from '../../machines/net.ts';
import { machineRun } from '../../machines/run.ts';
import { type Explored, explore } from '../../machines/search.ts';
import { type MachineSystem, shapeOf } from '../../machines/system.ts';
import { programDeadQuestion } from '../../net/dead.ts';
import { type PlainNet, plainNet } from '../../net/petri.ts';
import { greatestSum, isInvariant } from '../../petri/cover-check.ts';
import { coverabilitySet } from '../../petri/coverability.ts';
import { coverabilityDocument, linearDocument, type Sum } from '../../petri/document.ts';
import { settleLinearly } from '../../petri/linear.ts';
import { OMEGA } from '../../petri/net.ts';
import type { Question } from '../../petri/question.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Note, QueueResult } from '../../verdict/verdict.ts';

export const FAULTS: readonly Fault[] = ['deadlock-free', 'unspecified-reception', 'orphan-message'];
export const MACHINE_PROPERTIES: readonly string[] = ['bounded', ...FAULTS, 'safe'];

const row = (
  name: string,
  verdict: QueueResult['verdict'],
  bound: number | null,
  exact: number | null,
): QueueResult => ({
  name,
  verdict,
  bound,
  certifiedBound: exact === null ? bound : null,
  exact,
  declared: 0,
  fits: null,
});

export const channelSums = (plain: PlainNet, { channels }: MachineSystem): Sum[] =>
  channels.map(({ name }, channel) => ({ name, places: plain.queue(channel) }));

const counting: Engine<MachineSystem> = {
  name: 'counting',
  settles: (property) => property === 'bounded',
  run: async ({ model: system }, budget, observer, learn) => {
    const say = (answer: Answer): void =>
      learn({ kind: 'answer', property: 'bounded', engine: counting.name, answer });
    const net = netOf(system);
    const analysis = await analyseBoundedness(net, { method: 'flow', budget, observer, abstraction: null });
    const byFlow = analysis.queues.map(({ name, verdict, bound }) =>
      row(name, verdict === 'proved' ? 'proved' : 'unknown', bound, null),
    );
    if (analysis.certificate !== null && byFlow.every(({ verdict }) => verdict === 'proved'))
      return say(
        proved('flow', { kind: 'certificate', certificate: analysis.certificate }, 'integers', {
          queues: byFlow,
        }),
      );
    observer.stage('coverability');
    const plain = plainNet(net);
    const outcome = coverabilitySet(plain.petri, budget, { markings: 4000, work: 40_000 });
    const { markings } = outcome.set;
    const sums = channelSums(plain, system);
    if (outcome.kind !== 'complete' || !isInvariant(plain.petri, markings))
      return say(unknown('abstraction-too-coarse', undefined, { queues: byFlow }));
    const queues = sums.map(({ name, places }) => {
      const bound = greatestSum(markings, places);
      return bound === OMEGA ? row(name, 'unknown', null, null) : row(name, 'proved', bound, null);
    });
    if (queues.some(({ verdict }) => verdict === 'unknown'))
      return say(
        unknown('abstraction-too-coarse', 'as far as counts of messages go, some queues grow without limit', {
          queues,
        }),
      );
    const certificate = coverabilityDocument(plain.petri, { property: 'bounded' }, markings, sums);
    say(proved('coverability', { kind: 'certificate', certificate }, 'integers', { queues }));
  },
};

export function machineDeadProblem(system: MachineSystem): {
  readonly plain: PlainNet;
  readonly question: Question;
} {
  const net = netOf(system);
  const plain = plainNet(net);
  return { plain, question: programDeadQuestion(net, plain, machineOffers(system)) };
}

const markingEquation: Engine<MachineSystem> = {
  name: 'marking equation',
  settles: (property) => property === 'deadlock-free',
  run: async ({ model: system }, budget, observer, learn) => {
    observer.stage('marking equation');
    const { plain, question } = machineDeadProblem(system);
    const answer = await settleLinearly(plain.petri, question, budget, loadSolver, {
      groups: plain.groups,
      maxNodes: 300,
    });
    if (answer.kind !== 'impossible') return;
    const certificate = linearDocument(plain.petri, { property: 'deadlock-free' }, answer.proof);
    const found = proved('linear', { kind: 'certificate', certificate }, 'integers', {
      stats: { ...answer.stats },
    });
    learn({ kind: 'answer', property: 'deadlock-free', engine: markingEquation.name, answer: found });
  },
};

const CONFIGURATIONS = 100_000;

const configurations: Engine<MachineSystem> = {
  name: 'all configurations',
  settles: () => true,
  run: ({ model: system, open, board }, budget, observer, learn) => {
    observer.stage('search');
    const semantics = new Semantics(system);
    const most = Math.min(CONFIGURATIONS, budget.maxStates);
    const graph = explore(semantics, { configurations: most, faults: FAULTS }, budget);
    for (const property of open) {
      const bounded = board.answers('bounded').flatMap(({ queues = [] }) => queues);
      const answer = fromGraph(semantics, graph, property, bounded);
      if (answer !== null) learn({ kind: 'answer', property, engine: configurations.name, answer });
    }
  },
};

/** `known`: what was proved of single queues before; a flood elsewhere changes nothing about that. */
function fromGraph(
  semantics: Semantics,
  graph: Explored,
  property: string,
  known: readonly QueueResult[],
): Answer | null {
  const states = graph.configurations.length;
  const transitions = graph.edges.reduce((sum, edges) => sum + edges.length, 0);
  const stats = { states, transitions };
  const whole = { kind: 'exhaustion', states, transitions } as const;
  const { channels } = semantics.system;
  if (property === 'bounded') {
    if (graph.flood !== null) return floodAnswer(semantics, graph.flood, stats, known);
    if (!graph.complete) return unknown('state-limit', undefined, { stats });
    const queues = channels.map(({ name }, channel) => {
      const most = Math.max(...graph.configurations.map((one) => one.queues[channel]!.length));
      return row(name, 'proved', most, most);
    });
    return proved('exhaustive', whole, 'search', { stats, queues });
  }
  if (property === 'safe') {
    if (!graph.complete) {
      const fault = FAULTS.find((one) => graph.faults.has(one));
      return fault === undefined
        ? unknown('state-limit', undefined, { stats })
        : faultAnswer(semantics, graph, fault, stats);
    }
    const { unsafe } = compatibility(semantics, graph, Number.POSITIVE_INFINITY);
    if (unsafe === null) return proved('exhaustive', whole, 'search', { stats });
    return refuted(machineRun(semantics, graph.path(unsafe.configuration), { title: unsafe.why })!, {
      stats,
    });
  }
  const fault = property as Fault;
  if (graph.faults.has(fault)) return faultAnswer(semantics, graph, fault, stats);
  return graph.complete
    ? proved('exhaustive', whole, 'search', { stats })
    : unknown('state-limit', undefined, { stats });
}

function floodAnswer(
  semantics: Semantics,
  { before, round, growth }: NonNullable<Explored['flood']>,
  stats: { states: number },
  known: readonly QueueResult[],
): Answer {
  const { channels } = semantics.system;
  const grown = channels.flatMap(({ name }, channel) =>
    growth[channel]! > 0 ? [{ queue: name, perRound: growth[channel]! }] : [],
  );
  const run = machineRun(semantics, [...before, ...round], {
    title: `${grown[0]!.queue} grows without limit`,
    loopStart: before.length,
    growth: grown,
  });
  if (run === null) throw new Error('impossible: the loop that was found is no run');
  const queues = channels.map(({ name }, channel) => {
    const before = known.find((queue) => queue.name === name && queue.verdict === 'proved');
    if (growth[channel]! > 0) return row(name, 'refuted', null, null);
    return before ?? row(name, 'unknown', null, null);
  });
  return refuted(run, { stats, queues });
}

function faultAnswer(semantics: Semantics, graph: Explored, fault: Fault, stats: { states: number }): Answer {
  const at = graph.faults.get(fault)!;
  const who = faultIn(semantics, graph.configurations[at]!, fault);
  const run = machineRun(semantics, graph.path(at), { title: `${FAULT_TITLES[fault]}: ${who}` });
  if (run === null || who === null) throw new Error('impossible: a fault that was found is no run');
  return refuted(run, { stats });
}

const GREATEST_K = 8;

export const compatible: Engine<MachineSystem> = {
  name: 'compatibility',
  settles: (property) => property !== 'bounded',
  run: ({ model: system, open }, budget, observer, learn) => {
    const { deterministic, mixed, directed } = shapeOf(system);
    if (!deterministic || mixed) return;
    const semantics = new Semantics(system);
    for (let k = 1; k <= GREATEST_K && budget.timeLeft(); k++) {
      observer.stage(`compatibility at ${k}`);
      const graph = explore(semantics, { limit: k, configurations: CONFIGURATIONS, faults: [] }, budget);
      if (!graph.complete) return;
      const found = compatibility(semantics, graph, k);
      const isIndependent = directed || (found.outputIndependent && found.inputIndependent);
      if (!isIndependent || !found.exhaustive || found.unsafe !== null) continue;
      const states = graph.configurations.length;
      const transitions = graph.edges.reduce((sum, edges) => sum + edges.length, 0);
      const message = `the machines are ${k}-multiparty compatible (${directed ? 'one partner in each state' : `${k}-OBI, ${k}-IBI`}, ${k}-exhaustive, ${k}-safe): what holds while queues hold at most ${k} holds without a limit (Lange and Yoshida 2019, Theorem 1)`;
      const notes: readonly Note[] = [{ severity: 'hint', message }];
      // Safe: every message can be received, everyone who waits can go on. Then nobody is stuck, mistaken, or leaves a message behind.
      for (const property of open)
        learn({
          kind: 'answer',
          property,
          engine: compatible.name,
          answer: proved('compositional', { kind: 'exhaustion', states, transitions }, 'search', {
            stats: { states, k },
            notes,
          }),
        });
      return;
    }
  },
};

export const MACHINE_PORTFOLIO: Portfolio<MachineSystem> = [
  { engine: counting },
  { engine: markingEquation, weight: 0.5 },
  { engine: compatible },
  { engine: configurations, after: counting.name },
];
