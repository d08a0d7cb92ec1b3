// A run as a Mermaid sequence diagram. Mermaid cannot draw an arrow that ends later than it begins, so each queue that is used stands
// between its users as a participant of its own.

import type { Run, Step } from '../verdict/run.ts';
import { actorsInOrder } from './trace-messages.ts';

export function traceMermaid(run: Run): string {
  const actors = actorsInOrder(run);
  const queues = usedQueues(run);
  const lines = ['sequenceDiagram', `  accTitle: ${clean(run.title)}`];
  for (const actor of actors) lines.push(`  participant P${actor} as ${clean(run.actors[actor]!)}`);
  queues.forEach((queue, i) => {
    lines.push(`  participant Q${i} as ${clean(queue)} ▤`);
  });
  run.steps.forEach((step, i) => {
    if (run.loopStart === i) lines.push('  loop for ever');
    for (const line of stepLines(step, queues)) lines.push(`  ${line}`);
  });
  if (run.loopStart !== null && run.loopStart < run.steps.length) lines.push('  end');
  for (const { queue, perRound } of run.growth ?? []) {
    const index = queues.indexOf(queue);
    if (index >= 0) lines.push(`  Note over Q${index}: ${perRound} more each round`);
  }
  lines.push(...waitNotes(run));
  return `${lines.join('\n')}\n`;
}

/** What each blocked process waits for, and the circle they wait in. */
function waitNotes({ blocked, actors }: Run): string[] {
  if (blocked === undefined) return [];
  const notes = blocked.processes.flatMap(({ process, statement, waitsFor }) => {
    const actor = actors.indexOf(process);
    const words = waitsFor.length === 0 ? statement : waitsFor.map((wait) => wait.text).join(' or ');
    return actor < 0 ? [] : [`  Note over P${actor}: waits for ${clean(words)}`];
  });
  const circle = (blocked.circularWait ?? [])
    .map((name) => actors.indexOf(name))
    .filter((actor) => actor >= 0);
  const round = circle.map((actor, i) => `  P${actor}--xP${circle[(i + 1) % circle.length]}: waits for`);
  return [...notes, ...round];
}

function usedQueues(run: Run): string[] {
  const used = new Set<string>();
  for (const step of run.steps)
    for (const event of step.events)
      if (event.kind === 'send' || event.kind === 'receive') used.add(event.queue);
  return [...used];
}

function stepLines(step: Step, queues: readonly string[]): string[] {
  const [first = 0, second] = step.actors;
  const lines = step.events.flatMap((event) => {
    switch (event.kind) {
      case 'send':
        return [`P${first}-)Q${queues.indexOf(event.queue)}: ${clean(event.message)}`];
      case 'receive':
        return [
          `Q${queues.indexOf(event.queue)}--)P${first}: ${clean(event.message)}${event.copy ? ' (copy)' : ''}`,
        ];
      case 'rendezvous':
        return [`P${first}->>P${second ?? first}: ${clean(`${event.queue} ${event.message}`)}`];
      case 'start':
        return [`P${first}->>P${event.actor}: start`];
      case 'event':
        return [`Note over ${span(step.actors)}: ${clean(event.name)}`];
      case 'end':
        return [`Note over P${first}: ends`];
      default:
        return [];
    }
  });
  if (lines.length > 0) return lines;
  return [`Note over P${first}: ${clean(step.text)}`];
}

/** A note lies over one participant, or from one to another. */
const span = (actors: readonly number[]): string =>
  actors.length < 2 ? `P${actors[0] ?? 0}` : `P${actors[0]},P${actors.at(-1)}`;

/** Mermaid takes `;` and `#` as syntax, and a label ends with its line. */
const clean = (text: string): string =>
  text.replaceAll('#', '♯').replaceAll(';', ',').replaceAll(/\s+/g, ' ').replaceAll('"', '”');
