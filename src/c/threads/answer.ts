// The properties of a .c file with threads, all from one search.

import type { Budget, Observer } from '../../base/budget.ts';
import { startOf } from '../../source/source.ts';
import { type Answer, proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Note } from '../../verdict/verdict.ts';
import type { Program } from '../program/program.ts';
import { notesOf } from '../report/notes.ts';
import { sharingOf } from './accesses.ts';
import { replayed } from './replay.ts';
import { type SearchResult, searchThreads, THREAD_PROPERTIES, type ThreadProperty } from './search.ts';
import { splitAccesses } from './split.ts';

export interface ThreadAnswer {
  readonly property: ThreadProperty;
  readonly answer: Answer;
}

export interface ThreadQuestion {
  readonly properties: readonly string[];
  /** Threads are taken to take turns, also where C does not promise it: beside races, and with weaker orders. */
  readonly takesTurns: boolean;
}

const TAKEN_TURNS: Note = {
  severity: 'hint',
  message: 'threads are taken to take turns (--memory-model sequential), which C does not promise here',
};

export function answerThreads(
  written: Program,
  isError: (program: Program, location: number) => boolean,
  { properties: asked, takesTurns }: ThreadQuestion,
  budget: Budget,
  observer: Observer,
): readonly ThreadAnswer[] {
  observer.stage('threads');
  const begin = observer.now();
  const { program, whole } = splitAccesses(written, sharingOf(written));
  const isBad = (location: number) => isError(program, location);
  const properties = THREAD_PROPERTIES.filter((property) => asked.includes(property));
  // Whether there is a race, or something undefined, decides what the other answers are worth.
  const result = searchThreads(
    program,
    isBad,
    [...new Set([...properties, 'race-free' as const, 'no-undefined' as const])],
    budget,
    observer,
  );
  const weak = weakness(written);
  const isMore = result.violations.has('race-free') || weak.length > 0;
  const open = [...(takesTurns ? [] : weak), ...result.open];
  if (whole.length > 0) open.push('a step that reads shared memory several times was not taken apart');
  const stats = {
    states: result.states,
    transitions: result.transitions,
    threads: program.threads!.length,
    locations: program.locations.length,
    milliseconds: { check: observer.now() - begin },
  };
  return properties.map((property) => {
    const turns = takesTurns && isMore && property !== 'race-free' ? [TAKEN_TURNS] : [];
    const beside = { stats, notes: [...turns, ...notesOf(written)] };
    const answer = answerTo(property, program, isBad, { ...result, open }, takesTurns, beside);
    return { property, answer };
  });
}

function answerTo(
  property: ThreadProperty,
  program: Program,
  isError: (location: number) => boolean,
  { violations, open, limit, states, transitions }: SearchResult,
  takesTurns: boolean,
  beside: { readonly stats: Record<string, unknown>; readonly notes: readonly Note[] },
): Answer {
  const more = beside as Parameters<typeof unknown>[2];
  const violation = violations.get(property);
  if (violation !== undefined) {
    const run = replayed(program, isError, property, violation);
    if (run !== null) return refuted(run, more as Parameters<typeof refuted>[1]);
    return unknown(
      'unsupported-construct',
      'a run that violates it could not be taken again (please report this)',
      more,
    );
  }
  const race = violations.get('race-free');
  if (race !== undefined && !takesTurns)
    return unknown(
      'data-race',
      `nothing was found with threads that take turns, but ${race.title}: C leaves the behaviour of such a program undefined`,
      more,
    );
  const undefinedStep = violations.get('no-undefined');
  if (undefinedStep !== undefined)
    return unknown(
      'undefined-behaviour',
      `nothing was found as far as runs are defined, but a run does what is not: ${undefinedStep.title}`,
      more,
    );
  if (limit !== null) return unknown(limit, `${states} states of the threads were looked at`, more);
  const [first, ...others] = open;
  if (first !== undefined) {
    const also = others.length === 0 ? '' : ` (and ${others.length} more such reasons)`;
    return unknown('unsupported-construct', `${first}${also}`, more);
  }
  const evidence = { kind: 'exhaustion', states, transitions, reduced: true } as const;
  return proved('exhaustive', evidence, 'search', more as Parameters<typeof proved>[3]);
}

/** Interleavings are all runs only of programs whose atomic accesses are all sequentially consistent; the others have those runs, and more. */
function weakness({ weakOrder }: Program): string[] {
  if (weakOrder === undefined) return [];
  const { line } = startOf(weakOrder);
  return [
    `an atomic access in line ${line} is weaker than memory_order_seq_cst: only sequentially consistent runs were searched`,
  ];
}
