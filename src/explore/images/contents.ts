// The contents of a channel in the loaded state, read and changed in the machine's memory (layout.ts says what is where).

import type { Model } from '../compile.ts';
import { HEADER } from '../layout.ts';

const startOf = ({ machine }: Model, channel: number): number => machine.queues()[channel]!;

const fieldsOf = ({ layout, machine }: Model, channel: number): number =>
  layout.shapes[machine.shapeOfChannel[channel]!]!.fields.length;

/** Channels are numbered from 0 here: by channel number − 1. */
export const lengthOf = (model: Model, channel: number): number =>
  model.machine.queues()[startOf(model, channel)]!;

export const channelCount = ({ machine }: Model): number => machine.cells[HEADER.channels]!;

export const isBuffered = ({ layout, machine }: Model, channel: number): boolean =>
  layout.shapes[machine.shapeOfChannel[channel]!]!.capacity > 0;

/** The message at a position, as text. */
export function letterAt(model: Model, channel: number, position: number): string {
  const fields = fieldsOf(model, channel);
  const first = startOf(model, channel) + 1 + position * fields;
  return model.machine
    .queues()
    .slice(first, first + fields)
    .join();
}

/** Drops what stands behind the first messages. */
export function cutAfter(model: Model, channel: number, length: number): void {
  model.machine.queues()[startOf(model, channel)] = length;
}

/** Puts a message behind the others. There is always room for a few (code-packing.ts reserves it). */
export function append(model: Model, channel: number, letter: string): void {
  const memory = model.machine.queues();
  const start = startOf(model, channel);
  const first = start + 1 + memory[start]! * fieldsOf(model, channel);
  memory[start]!++;
  if (letter !== '') letter.split(',').forEach((value, i) => void (memory[first + i] = Number(value)));
}

/** Does the channel still begin with these messages? */
export function beginsWith(model: Model, channel: number, letters: readonly string[]): boolean {
  return (
    lengthOf(model, channel) >= letters.length &&
    letters.every((letter, i) => letterAt(model, channel, i) === letter)
  );
}

export const contentsOf = (model: Model, channel: number): string[] =>
  Array.from({ length: lengthOf(model, channel) }, (_, i) => letterAt(model, channel, i));
