// A run in the Informal Trace Format (ITF) of Apalache and Quint: one state before the first step and one after each.

import type { Run } from '../verdict/run.ts';
import { type RunState, runStates } from '../verdict/run-state.ts';

export function traceItf(run: Run): string {
  const states = runStates(run);
  const queues = run.queues.map((queue) => queue.name);
  const values = new Set(states.flatMap((state) => [...state.values.keys()]));
  const document = {
    '#meta': {
      format: 'ITF',
      'format-description': 'https://apalache-mc.org/docs/adr/015adr-trace.html',
      description: run.title,
      ...(run.growth === undefined ? {} : { growth: run.growth }),
    },
    vars: ['step', ...queues, ...values],
    states: states.map((state, index) => stateOf(run, state, index, queues, values)),
    ...(run.loopStart === null ? {} : { loop: run.loopStart }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function stateOf(
  run: Run,
  state: RunState,
  index: number,
  queues: readonly string[],
  values: ReadonlySet<string>,
): Record<string, unknown> {
  const step = index === 0 ? null : run.steps[index - 1]!;
  const actors = step?.actors.map((actor) => run.actors[actor]).join(' → ');
  const result: Record<string, unknown> = {
    '#meta': {
      index,
      ...(step === null || step.at === null ? {} : { source: `${step.at.file}:${step.at.line}` }),
    },
    step: step === null ? '' : `${actors}: ${step.text}`,
  };
  for (const queue of queues) result[queue] = state.queues.get(queue) ?? [];
  for (const name of values) result[name] = itfValue(state.values.get(name));
  return result;
}

/** Integers and truth values as such; a variable of a process that does not exist yet is the empty string. */
function itfValue(text: string | undefined): unknown {
  if (text === undefined) return '';
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
