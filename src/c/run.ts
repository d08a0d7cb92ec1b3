// A confirmed run of one component, as the report shows it: source lines, branches, events, inputs and variables.

import { startOf } from '../source/source.ts';
import type { Event, Run, Step } from '../verdict/run.ts';
import type { Program } from './program.ts';
import type { Confirmed } from './reach/confirm.ts';
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

/** The steps worth showing; several operations of one statement are one step. */
export function stepsOf(program: Program, confirmed: Confirmed, actor: number): Step[] {
  const steps: Step[] = [];
  confirmed.edges.forEach((edge, i) => {
    const text = stepText(edge);
    const changes = (confirmed.changes[i] ?? [])
      .filter(({ cell }) => cell.object.visible || edge.operation.kind === 'input')
      .map(({ cell, value }) => ({
        name: edge.operation.kind === 'input' ? 'input' : cell.name,
        value: showValue(program, cell, value),
      }));
    if (text === null && changes.length === 0) return;
    const at = startOf(edge.span);
    const events: Event[] =
      edge.operation.kind === 'event' ? [{ kind: 'event', name: edge.operation.name }] : [];
    const before = steps[steps.length - 1];
    if (
      before !== undefined &&
      before.text === text &&
      before.at?.line === at.line &&
      before.at.column === at.column
    ) {
      steps[steps.length - 1] = {
        ...before,
        changes: [...before.changes, ...changes],
        events: [...before.events, ...events],
      };
      return;
    }
    steps.push({ actors: [actor], text: text ?? '', at, events, changes, choice: [edge.id] });
  });
  return steps;
}
