// Which receive takes which send: queues are followed message by message, so that diagrams can draw each message as one arrow.

import type { Run } from '../verdict/run.ts';

export interface Message {
  readonly queue: string;
  readonly text: string;
  /** Null for messages that are in the queue from the start (there are none in Promela). */
  readonly sentAt: number;
  readonly sender: number;
  /** Null while it stays in the queue to the end of the run. */
  receivedAt: number | null;
  receiver: number | null;
}

export interface StepMessages {
  readonly sent: readonly Message[];
  readonly received: readonly Message[];
  readonly copied: readonly Message[];
}

/** One entry per step. */
export function messagesOf(run: Run): StepMessages[] {
  const queues = new Map<string, Message[]>();
  return run.steps.map((step, index) => {
    const sent: Message[] = [];
    const received: Message[] = [];
    const copied: Message[] = [];
    for (const event of step.events) {
      if (event.kind !== 'send' && event.kind !== 'receive') continue;
      const queue = queues.get(event.queue) ?? [];
      queues.set(event.queue, queue);
      const actor = step.actors[0] ?? 0;
      if (event.kind === 'send') {
        const message: Message = {
          queue: event.queue,
          text: event.message,
          sentAt: index,
          sender: actor,
          receivedAt: null,
          receiver: null,
        };
        queue.splice(event.position ?? queue.length, 0, message);
        sent.push(message);
        continue;
      }
      const message = queue[event.position ?? 0];
      if (message === undefined) continue;
      if (event.copy) copied.push(message);
      else {
        queue.splice(event.position ?? 0, 1);
        message.receivedAt = index;
        message.receiver = actor;
        received.push(message);
      }
    }
    return { sent, received, copied };
  });
}

/** Actors that take part, in the order of their first step: diagrams leave the others out. */
export function actorsInOrder(run: Run): number[] {
  const seen = new Set<number>();
  for (const step of run.steps) {
    for (const actor of step.actors) seen.add(actor);
    for (const event of step.events) if (event.kind === 'start') seen.add(event.actor);
  }
  return [...seen];
}

export const LABEL_ABOVE = -5;
const BESIDE = 4;
const BELOW = 8;

/**
 * How far under its point a step's label, which stands at the right of it, is written: out of the way of an arrow that leaves
 * downwards on that side, or comes from above on that side.
 */
export function labelHeight({ sent, received, copied }: StepMessages, x: (actor: number) => number): number {
  if (sent.some(({ sender, receiver }) => receiver !== null && x(receiver) > x(sender))) return LABEL_ABOVE;
  const fromTheRight = ({ sender, receiver }: Message): boolean =>
    receiver !== null && x(sender) > x(receiver);
  return [...received, ...copied].some(fromTheRight) ? BELOW : BESIDE;
}
