// Who is to blame, as far as a run can tell: of all who could still bring what a blocked process waits for, the one who took it away. A
// fork is on the table or in a hand; a semaphore is 0 because someone set it. That process is named first, and a circle of such is the one
// that is shown: others are circles, too, but say less.

import type { Blockage, BlockedProcess, Wait } from '../verdict/blocked.ts';
import type { Event, Step } from '../verdict/run.ts';

export function withLastTouch(
  blockage: Blockage,
  steps: readonly Step[],
  actors: readonly string[],
): Blockage {
  const processes = blockage.processes.map((one) => ({
    ...one,
    waitsFor: one.waitsFor.map((wait) => blamed(wait, one, steps, actors)),
  }));
  return { processes, circularWait: circleOfTakers(processes) ?? blockage.circularWait };
}

const TOOK = 'took it in step ';

function blamed(
  wait: Wait,
  { process }: BlockedProcess,
  steps: readonly Step[],
  actors: readonly string[],
): Wait {
  const index = steps.findLastIndex((step) => takes(step, wait, process, actors));
  const taker = index < 0 ? undefined : takerIn(steps[index]!, wait, actors);
  const helper = wait.helpers.find((one) => one.process === taker);
  if (helper === undefined) return wait;
  const others = wait.helpers.filter((one) => one !== helper);
  const text = `${wait.kind === 'condition' ? 'changed it in step ' : TOOK}${index + 1}, and ${helper.text}`;
  return { ...wait, helpers: [{ process: helper.process, text }, ...others] };
}

function takes(step: Step, wait: Wait, process: string, actors: readonly string[]): boolean {
  const taker = takerIn(step, wait, actors);
  return taker !== undefined && taker !== process;
}

/** Who made the thing go away in this step: the message that is missing, the room, the value. */
function takerIn(
  step: Step,
  { kind, queue, statement }: Wait,
  actors: readonly string[],
): string | undefined {
  if (kind === 'condition') {
    const touches = step.changes.some(({ name }) => mentions(statement, name));
    return touches ? actors[step.actors[0]!] : undefined;
  }
  // Whoever wants to send by handshake lacks a receiver: nobody took that away.
  if (kind === 'partner' && statement.includes('!')) return undefined;
  const event = step.events.find((one) => 'queue' in one && one.queue === queue);
  if (event === undefined) return undefined;
  return kind === 'room'
    ? event.kind === 'send'
      ? actors[step.actors[0]!]
      : undefined
    : receiverOf(event, step, actors);
}

function receiverOf(event: Event, step: Step, actors: readonly string[]): string | undefined {
  if (event.kind === 'receive') return event.copy ? undefined : actors[step.actors[0]!];
  return event.kind === 'rendezvous' ? actors[step.actors[1] ?? step.actors[0]!] : undefined;
}

/** `sem == 1` mentions `sem`; `fork[i] == 0` mentions `fork[2]`, whatever i is. */
function mentions(statement: string, name: string): boolean {
  if (name.includes('.')) return false;
  const base = name.replace(/\[.*$/, '');
  const exact =
    base !== name && /\[\d+\]$/.test(name) && new RegExp(`\\b${base}\\s*\\[\\s*\\d+\\s*\\]`).test(statement);
  if (exact) return statement.replaceAll(/\s/g, '').includes(name);
  return new RegExp(`\\b${base}\\b`).test(statement);
}

/** Follows from each process the one who took what it waits for. */
function circleOfTakers(processes: readonly BlockedProcess[]): string[] | null {
  const next = new Map<string, string>();
  for (const { process, waitsFor } of processes) {
    const taken = waitsFor
      .flatMap(({ helpers }) => helpers.slice(0, 1))
      .find(({ text }) => /in step \d+, and /.test(text));
    if (taken !== undefined) next.set(process, taken.process);
  }
  for (const start of next.keys()) {
    const path = [start];
    for (let at = next.get(start); at !== undefined; at = next.get(at)) {
      const before = path.indexOf(at);
      if (before >= 0) return path.slice(before);
      path.push(at);
    }
  }
  return null;
}
