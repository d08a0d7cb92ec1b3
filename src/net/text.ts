// Statements, messages and values in the user's words.

import type { Program } from '../process/program.ts';
import type { Span } from '../source/source.ts';
import { nameOfValue } from '../system/names.ts';
import type { Message, Queue } from '../system/queues.ts';

/** The source text of a stretch, on one line. */
export const sourceText = (span: Span): string =>
  span.file.text.slice(span.start, span.end).replace(/\s+/g, ' ').trim();

/** `req`, `req,1`, `_` where a field's value is not told apart. */
export const messageText = (
  program: Program,
  queue: Queue,
  message: Message,
  queues: readonly Queue[],
): string =>
  message.map((value, index) => nameOfValue(program, queue.fields[index]!, value, queues)).join(',');

/** For comparing what a user typed with what stands in the model. */
export const squeeze = (text: string): string => text.replace(/\s+/g, '').replace(/;+$/, '');
