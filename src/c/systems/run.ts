// A refutation of the whole system: the events in turn, and between them the source lines of each thread.

import type { Path } from '../../kripke/path.ts';
import { runOf } from '../../kripke/run.ts';
import type { System } from '../../kripke/system.ts';
import { startOf } from '../../source/source.ts';
import type { Run, Step } from '../../verdict/run.ts';
import type { Edge } from '../program/program.ts';
import { joinOperations } from '../report/run.ts';
import { showValue, stepText } from '../report/show.ts';
import type { Thread } from './thread.ts';
import { LABEL_TEST, type Validation } from './validate.ts';

type Real = Extract<Validation, { kind: 'real' }>;

/** `threads[i]` is component i of the system; later components are processes of the specification. */
export function systemRun(
  system: System,
  path: Path,
  threads: readonly Thread[],
  parts: readonly Real[],
  title: string,
): Run {
  const plain = runOf(system, path, title);
  const steps: Step[] = [];
  const position = threads.map(() => 0);
  const segment = threads.map(() => 0);
  const local = (component: number): Step[] => {
    const { segments, confirmed } = parts[component]!;
    const edges = segments[segment[component]!++] ?? [];
    const shown: Step[] = [];
    for (const edge of edges) {
      const at = position[component]!++;
      const step = stepOf(threads[component]!, edge, confirmed.changes[at] ?? [], component);
      if (step !== null) shown.push(step);
    }
    return joinOperations(shown);
  };
  threads.forEach((_, component) => void steps.push(...local(component)));
  let loopStart: number | null = null;
  path.events.forEach((event, index) => {
    if (index === path.loopStart) loopStart = steps.length;
    const base = plain.steps[index]!;
    const participants = system.participants[event]!;
    const own =
      participants.length === 1 &&
      system.events[event] === `${system.components[participants[0]!]!.name}.step`;
    if (!own)
      steps.push({
        ...base,
        changes: base.changes.filter(({ name }) => !threads.some((thread) => thread.name === name)),
      });
    for (const component of participants) if (component < threads.length) steps.push(...local(component));
  });
  if (loopStart !== null && loopStart === steps.length) {
    const last = path.events.length - 1;
    steps.push({ ...plain.steps[last]!, text: `${plain.steps[last]!.text} (for ever)` });
  }
  const initial = plain.initial.filter(({ name }) => !threads.some((thread) => thread.name === name));
  return { ...plain, initial, steps, loopStart };
}

function stepOf(
  thread: Thread,
  edge: Edge,
  changes: readonly { cell: import('../program/program.ts').Cell; value: bigint }[],
  actor: number,
): Step | null {
  const { program } = thread.loaded;
  if (edge.operation.kind === 'event' || edge.id === LABEL_TEST) return null;
  const text = stepText(edge);
  const shown = changes
    .filter(({ cell }) => cell.object.visible || edge.operation.kind === 'input')
    .map(({ cell, value }) => ({
      // Threads share no variables: those of one name are different ones.
      name: `${thread.name}.${edge.operation.kind === 'input' ? 'input' : cell.name}`,
      value: showValue(program, cell, value),
    }));
  if (text === null && shown.length === 0) return null;
  return {
    actors: [actor],
    text: text ?? '',
    at: startOf(edge.span),
    events: [],
    changes: shown,
    choice: [edge.id],
  };
}
