// A confirmed run of one component, as the report shows it: source lines, branches, events, inputs and variables.

import { startOf } from '../../source/source.ts';
import type { Event, Run, Step } from '../../verdict/run.ts';
import type { Confirmed } from '../program/confirmed.ts';
import type { Edge, Program } from '../program/program.ts';
import { showValue, stepText } from './show.ts';

export function runOfReach(program: Program, confirmed: Confirmed, actor: string, title: string): Run {
  return {
    title,
    actors: [actor],
    queues: [],
    initial: [],
    steps: stepsOf(program, confirmed, 0),
    loopStart: null,
  };
}

/** A run whose edges from `loopAt` on repeat for ever. */
export function runOfLasso(
  program: Program,
  confirmed: Confirmed,
  loopAt: number,
  actor: string,
  title: string,
): Run {
  const part = (from: number, to?: number): Confirmed => ({
    ...confirmed,
    edges: confirmed.edges.slice(from, to),
    changes: confirmed.changes.slice(from, to),
  });
  const stem = stepsOf(program, part(0, loopAt), 0);
  const turn = stepsOf(program, part(loopAt), 0);
  const { span } = confirmed.edges[loopAt]!;
  const still = { actors: [0], text: 'goes on', at: startOf(span), events: [], changes: [], choice: [] };
  return {
    ...{ title, actors: [actor], queues: [], initial: [] },
    steps: [...stem, ...(turn.length > 0 ? turn : [still])],
    loopStart: stem.length,
  };
}

/** A path that nobody ran: places and branches, no values. */
export function runOfPath(path: readonly Edge[], actor: string): Run {
  const steps = path.flatMap((edge): Step[] => {
    const text = stepText(edge);
    if (text === null) return [];
    return [
      { actors: [0], text, at: startOf(edge.span), events: eventsOf(edge), changes: [], choice: [edge.id] },
    ];
  });
  return {
    title: 'a path that could be neither excluded nor confirmed',
    actors: [actor],
    queues: [],
    initial: [],
    steps: joinOperations(steps),
    loopStart: null,
  };
}

/** The steps worth showing. */
function stepsOf(program: Program, confirmed: Confirmed, actor: number): Step[] {
  const steps = confirmed.edges.flatMap((edge, i): Step[] => {
    const text = stepText(edge);
    const changes = (confirmed.changes[i] ?? [])
      .filter(({ cell }) => cell.object.visible || edge.operation.kind === 'input')
      .map(({ cell, value }) => ({
        name: edge.operation.kind === 'input' ? 'input' : cell.name,
        value: showValue(program, cell, value),
      }));
    if (text === null && changes.length === 0) return [];
    return [
      {
        actors: [actor],
        text: text ?? '',
        at: startOf(edge.span),
        events: eventsOf(edge),
        changes,
        choice: [edge.id],
      },
    ];
  });
  return joinOperations(steps);
}

const eventsOf = ({ operation }: Edge): Event[] =>
  operation.kind === 'event' ? [{ kind: 'event', name: operation.name }] : [];

/** Several operations of one statement are one step; the same operation again is the statement's next time. */
export function joinOperations(steps: readonly Step[]): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const before = joined.at(-1);
    if (before !== undefined && isSameStatement(before, step))
      joined[joined.length - 1] = {
        ...before,
        choice: [...before.choice, ...step.choice],
        changes: [...before.changes, ...step.changes],
        events: [...before.events, ...step.events],
      };
    else joined.push(step);
  }
  return joined;
}

const isSameStatement = (a: Step, b: Step): boolean =>
  a.text === b.text &&
  !a.choice.includes(b.choice[0]!) &&
  a.at?.file === b.at?.file &&
  a.at?.line === b.at?.line &&
  a.at?.column === b.at?.column &&
  a.actors.join() === b.actors.join();
