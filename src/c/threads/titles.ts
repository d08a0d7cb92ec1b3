// Violations in words.

import { startOf } from '../../source/source.ts';
import type { Interpreter } from '../program/interpreter.ts';
import type { Program } from '../program/program.ts';
import type { ThreadGraph } from './graph.ts';
import { type Race, standingOf } from './moment.ts';

export function raceTitle(program: Program, { threads, edges, name }: Race): string {
  const [first, second] = edges.map(({ span }, i) => {
    const { file, line } = startOf(span);
    return `${program.threads![threads[i]!]!.name} (${file.replace(/^.*\//, '')}:${line})`;
  });
  return `${first} and ${second} use '${name}' at the same time, and one of them writes it`;
}

export function deadlockTitle(
  program: Program,
  machine: Interpreter,
  graph: ThreadGraph,
  at: ArrayLike<number>,
): string {
  const waiting = program.threads!.flatMap(({ name }, thread) => {
    const location = at[thread]!;
    return standingOf(machine, graph, location) === 'waiting'
      ? [`${name} waits ${program.locations[location]!.waits}`]
      : [];
  });
  return `no thread can go on: ${waiting.join('; ')}`;
}
