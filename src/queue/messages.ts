// What submitters and workers say to each other: plain data, as JSON in Redis.

import type { Limits } from '../base/budget.ts';
import type { RemoteModel } from '../check/check.ts';
import type { Answered } from '../check/elsewhere.ts';

export const QUEUE = 'spillway';
/** What was already said is kept this long for whoever still wants it: seconds. */
export const KEPT_FOR = 24 * 60 * 60;
/** How often a question is tried when the process that works on it dies. */
export const ATTEMPTS = 2;
/** Why a job was given up that nobody wants any more. */
export const NOT_WANTED = 'nobody wants the answer any more';

/** A question with everything that a machine needs to work on it. */
export interface QuestionData {
  readonly model: RemoteModel;
  readonly properties: readonly string[];
  readonly limits: Limits;
  /** Only these engines; all when left out. */
  readonly engines?: readonly string[];
}

/** The text of an `Answered`, and its seal for those who share a secret. */
export interface AnswerData {
  readonly body: string;
  readonly seal: string | null;
}

export const sealedText = (id: string, body: string): string => `${id}\n${body}`;

/** The names of further keys in Redis. */
export const wantedKey = (id: string): string => `${QUEUE}:wanted:${id}`;
export const CANCELLED_CHANNEL = `${QUEUE}:cancelled`;

/** To a child process of a worker, and from it. */
export type ToChild = { readonly kind: 'ask'; readonly question: QuestionData } | { readonly kind: 'cancel' };
export type FromChild =
  | { readonly kind: 'progress'; readonly text: string }
  | { readonly kind: 'answer'; readonly answer: Answered }
  | { readonly kind: 'failed'; readonly message: string };
