// The portfolio for programs of the process IR: linear programs first, then the concrete semantics. Any front end that lowers to `process`
// uses it. A new engine is a file and a line here.

import { type Engine, lazily, type Portfolio } from '../../engine/engine.ts';
import type { Board } from '../../engine/fact.ts';
import type { CheckOptions } from '../../engine/options.ts';
import type { Answer } from '../../verdict/answer.ts';
import type { Note } from '../../verdict/verdict.ts';
import { openAnswer } from '../reasons.ts';
import { MOST_SWARM, swarmEngine } from '../swarm.ts';
import { assembleBounded, isBoundedSettled } from './bounded.ts';
import type { ProgramModel } from './context.ts';
import { KNOWLEDGE } from './knowledge.ts';

type ProgramEngine = Engine<ProgramModel>;

const is =
  (...ids: readonly string[]): ProgramEngine['settles'] =>
  (property) =>
    ids.includes(property);
/** A search for real runs, where one is wanted. */
const confirms =
  (id: string): ProgramEngine['settles'] =>
  (property, { confirm }) =>
    property === id && confirm !== false;

const linearBounds = lazily(
  'linear bounds',
  is('bounded'),
  async () => (await import('./bounded-linear.ts')).linearBounds,
);
const linearRanking = lazily(
  'linear ranking',
  is('livelock-free'),
  async () => (await import('./livelock-linear.ts')).linearRanking,
);
const linearDeadlock = lazily(
  'linear deadlock',
  is('deadlock-free'),
  async () => (await import('./deadlock-linear.ts')).linearDeadlock,
);
const linearAssertions = lazily(
  'linear assertions',
  is('assertions'),
  async () => (await import('./assertions-linear.ts')).linearAssertions,
);
const notByCycles: ProgramEngine['settles'] = (property, { method }) =>
  property === 'bounded' && method !== 'cycles';
const coverableBounds = lazily(
  'coverability',
  notByCycles,
  async () => (await import('./bounded-coverability.ts')).coverableBounds,
);
/** The same linear programs with counters in bytes unfolded: large nets, so only for what nothing else has settled. */
const wideBounds = lazily(
  'linear bounds, counters unfolded',
  notByCycles,
  async () => (await import('./bounded-linear.ts')).wideBounds,
);
const safetySearch = lazily(
  'exhaustive search',
  is('deadlock-free', 'assertions'),
  async () => (await import('./safety.ts')).safetySearch,
);
const shortSearch = lazily(
  'short search',
  is('deadlock-free', 'assertions'),
  async () => (await import('./safety.ts')).shortSearch,
);
/** Many small searches, where they are asked for. */
const swarm = Array.from({ length: MOST_SWARM }, (_, index) =>
  lazily<ProgramModel>(
    swarmEngine(index + 1),
    (property, { swarm = 0 }) => index < swarm && ['deadlock-free', 'assertions'].includes(property),
    async () => (await import('./safety.ts')).swarmSearch(index + 1),
  ),
);
const stuckSearch = lazily(
  'closed components',
  is('stuck-free'),
  async () => (await import('./stuck.ts')).stuckSearch,
);
const stuckLook = lazily(
  'a look for blocked processes',
  () => false,
  async () => (await import('./stuck.ts')).stuckLook,
);
const shortFlood = lazily(
  'short look for floods',
  (property, { confirm, method }) => property === 'bounded' && confirm !== false && method === undefined,
  async () => (await import('./bounded-search.ts')).shortFlood,
);
const floodingRuns = lazily(
  'flooding runs',
  confirms('bounded'),
  async () => (await import('./bounded-search.ts')).floodingRuns,
);
const idlingRuns = lazily(
  'runs without progress',
  confirms('livelock-free'),
  async () => (await import('./livelock-search.ts')).idlingRuns,
);
const temporalSearch = lazily(
  'product with the automaton',
  (property) => property === 'acceptance' || property === 'never' || property.startsWith('ltl:'),
  async () => (await import('./temporal.ts')).temporalSearch,
);
const exactMaxima = lazily(
  'exact maxima',
  (property, { exact }) => property === 'bounded' && exact === true,
  async () => (await import('./bounded-search.ts')).exactMaxima,
);
const pictures = lazily(
  'pictures',
  () => false,
  async () => (await import('./pictures.ts')).pictures,
);

const coverage = lazily(
  'coverage',
  () => false,
  async () => (await import('./coverage.ts')).coverage,
);

export const PROGRAM_PORTFOLIO: Portfolio<ProgramModel> = [
  { engine: shortFlood, weight: 0.1 },
  { engine: linearBounds, after: shortFlood.name },
  { engine: shortSearch, weight: 0.2 },
  { engine: linearRanking },
  { engine: linearDeadlock },
  { engine: linearAssertions, weight: 0.5 },
  { engine: coverableBounds, after: linearBounds.name, weight: 0.5 },
  ...swarm.map((engine) => ({ engine })),
  { engine: safetySearch },
  { engine: stuckSearch },
  { engine: floodingRuns, after: linearBounds.name },
  { engine: wideBounds, after: floodingRuns.name, weight: 0.5 },
  { engine: idlingRuns, after: linearRanking.name },
  { engine: temporalSearch },
  { engine: exactMaxima, after: floodingRuns.name },
  { engine: stuckLook, beyond: { property: 'deadlock-free', unless: 'stuck-free' } },
  { engine: pictures, pictures: true },
  { engine: coverage, coverage: true },
];

/** Null for properties that one engine answers by itself. */
export function assembleProgram(property: string, board: Board, model: ProgramModel): Answer | null {
  if (property === 'bounded') return assembleBounded(board, model.program);
  if (property !== 'livelock-free') return null;
  const answer = board.definite(property) ?? openAnswer(board, property);
  const hints = (board.knowledge(KNOWLEDGE.designHints) as readonly Note[] | undefined) ?? [];
  const notes = [...hints, ...(answer.notes ?? [])];
  return { ...answer, ...(notes.length === 0 ? {} : { notes }) };
}

export const isProgramSettled = (property: string, board: Board, options: CheckOptions): boolean =>
  property === 'bounded' ? isBoundedSettled(board, options) : board.definite(property) !== null;
