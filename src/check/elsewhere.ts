// Questions that others work on: other machines, behind a queue. A question may be divided (divide.ts): from the start where a swarm is asked for
// (swarm search: Holzmann, Joshi, Groce 2011), else when it takes long and others have nothing to do. The first answer that stands a
// second look counts, and cancels the others who work on the same. An answer that is refused, or that cannot be looked at and comes from
// nobody in particular, is not used: the question stays open, to be worked on here.

import type { Budget, Observer } from '../base/budget.ts';
import { list, optional, record } from '../base/shape.ts';
import { Board, type Fact, type Pictures } from '../engine/fact.ts';
import type { Cases, Language, WorkRequest } from '../engine/language.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import { unknown } from '../verdict/answer.ts';
import { isPictures } from '../verdict/picture-shape.ts';
import { isPlacedDiagnostic, isResult } from '../verdict/shape.ts';
import type { PropertyResult, Reproduction } from '../verdict/verdict.ts';
import type { RemoteModel } from './check.ts';
import { factsOf, firstParts, furtherParts, type Part } from './divide.ts';
import { isAboutAll, type RememberedAnswer } from './remembered.ts';
import { lookAgain } from './second-look.ts';
import { swarmEngines } from './swarm.ts';

/** What is said by who worked on a question. */
export interface Answered {
  readonly results: readonly PropertyResult[];
  readonly diagnostics: readonly PlacedDiagnostic[];
  readonly pictures?: Pictures;
}

/** Whoever sent it: can it be looked at? */
export const isAnswered = record<Answered>({
  results: list(isResult),
  diagnostics: list(isPlacedDiagnostic),
  pictures: optional(isPictures),
}) as (value: unknown) => value is Answered;

export type ElsewhereAnswer =
  | { readonly kind: 'answered'; readonly answered: Answered; readonly isTrusted: boolean }
  /** There will be none. */
  | { readonly kind: 'lost'; readonly reasonCode: 'queue-lost' | 'worker-lost'; readonly reason: string };

export interface Asking {
  readonly answer: Promise<ElsewhereAnswer>;
  cancel(): void;
}

export interface Elsewhere {
  ask(model: RemoteModel, part: Part, observer: Observer): Asking;
  /** True when a question has taken long and nothing else waits for a worker; false when it is `over` before. */
  spare(over: AbortSignal): Promise<boolean>;
  /** Work of this machine's own: a few at a time, with a budget that begins when it is its turn. */
  locally<T>(work: (budget: Budget) => Promise<T>): Promise<T>;
}

/** The model as it was read here, and as others read it. */
export interface AskedModel {
  readonly model: unknown;
  readonly remote: RemoteModel;
}

export interface Heard {
  readonly known: ReadonlyMap<string, RememberedAnswer>;
  /** What was settled case by case. */
  readonly facts: readonly Fact[];
  /** Why answers were not used. */
  readonly refused: readonly string[];
}

export async function askElsewhere(
  elsewhere: Elsewhere,
  language: Language<unknown>,
  asked: AskedModel,
  properties: readonly string[],
  request: WorkRequest,
  reproduce: (property: string) => Reproduction,
  signal: AbortSignal | undefined,
): Promise<Heard> {
  const inquiry = new Inquiry(elsewhere, language, asked, properties, request, reproduce);
  const stop = (): void => inquiry.stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await inquiry.run();
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

interface Question {
  readonly part: Part;
  readonly asking: Asking;
  isOver: boolean;
}

/** What is asked about one model, and what was heard. */
class Inquiry {
  private readonly elsewhere: Elsewhere;
  private readonly language: Language<unknown>;
  private readonly asked: AskedModel;
  private readonly request: WorkRequest;
  private readonly reproduce: (property: string) => Reproduction;
  private readonly open: Set<string>;
  private readonly questions: Question[] = [];
  private readonly known = new Map<string, RememberedAnswer>();
  private readonly unsettled = new Map<string, RememberedAnswer>();
  private readonly refused = new Map<string, string>();
  private readonly cases = new Map<string, Cases>();
  private readonly board = new Board();

  constructor(
    elsewhere: Elsewhere,
    language: Language<unknown>,
    asked: AskedModel,
    properties: readonly string[],
    request: WorkRequest,
    reproduce: (property: string) => Reproduction,
  ) {
    this.elsewhere = elsewhere;
    this.language = language;
    this.asked = asked;
    this.open = new Set(properties);
    this.request = request;
    this.reproduce = reproduce;
  }

  async run(): Promise<Heard> {
    const { language, open, known, request } = this;
    const over = new AbortController();
    const first = firstParts(language, [...open], request.options).map((part) => this.ask(part));
    const help = this.divide(over.signal);
    await Promise.all(first);
    // The time of the whole is over, or nothing is open any more: those who help are told.
    over.abort();
    const left = [...open];
    this.stop();
    await help;
    for (const [property, answer] of this.unsettled) if (left.includes(property)) known.set(property, answer);
    const refused = [...this.refused].map(([property, reason]) => `${property}: ${reason}`);
    return { known, refused, facts: this.board.facts };
  }

  stop(): void {
    this.open.clear();
    this.cancelUseless();
  }

  /** Asks, and hears the answer. */
  private async ask(part: Part): Promise<void> {
    const { options, observer } = this.request;
    const members = swarmEngines(options);
    const isMember = part.engines?.some((name) => members.includes(name)) ?? false;
    const about = {
      ...options,
      swarm: isMember ? (options.swarm ?? 0) : 0,
      ...(part.queues === undefined ? {} : { queues: part.queues }),
    };
    const asking = this.elsewhere.ask({ ...this.asked.remote, options: about }, part, observer);
    const question: Question = { part, asking, isOver: false };
    this.questions.push(question);
    const heard = await asking.answer;
    question.isOver = true;
    for (const property of part.properties)
      if (this.open.has(property)) await this.hear(property, part, heard);
  }

  /** What takes long is divided as soon as somebody has time for the parts. */
  private async divide(over: AbortSignal): Promise<void> {
    const { language, request, open } = this;
    if (isAboutAll(request.options) || !(await this.elsewhere.spare(over))) return;
    for (const property of open) {
      const cases = await language.cases?.(property, this.asked.model, request.options, request.budget);
      if (cases === null || cases === undefined || cases.names.length < 2) continue;
      this.cases.set(property, cases);
      for (const fact of cases.facts) this.board.add(fact);
    }
    if (over.aborted) return;
    const asked = this.questions.map(({ part }) => part);
    const parts = furtherParts(language, asked, [...open], this.cases, request.options);
    await Promise.all(parts.map((part) => this.ask(part)));
  }

  private async hear(property: string, part: Part, heard: ElsewhereAnswer): Promise<void> {
    const found = answerTo(property, heard, this.reproduce);
    if (found === null) return;
    const { isTrusted } = found;
    const answer = isTrusted ? found.answer : withoutMaxima(found.answer);
    if (answer.result.verdict === 'unknown') {
      // Who looks at a part only has nothing to say when nothing is found.
      if (!part.isHelp) this.unsettled.set(property, isTrusted ? answer : withoutClaims(answer));
      return;
    }
    const look = await this.elsewhere.locally((budget) =>
      lookAgain(this.language, answer.result, { ...this.request, budget }),
    );
    if (!this.open.has(property)) return;
    if (look.kind === 'refused') this.refused.set(property, look.reason);
    else if (look.kind === 'possible' && !isTrusted) return;
    else if (part.queues !== undefined) this.learn(property, part.queues, answer.result);
    else this.settle(property, look.kind === 'sure' ? asLookedAt(answer, isTrusted) : answer);
  }

  private settle(property: string, answer: RememberedAnswer): void {
    this.known.set(property, answer);
    this.close(property);
  }

  /** A case is settled; with the last of them the property is. */
  private learn(property: string, queues: readonly string[], result: PropertyResult): void {
    const rows = this.board.queues().flatMap((fact) => fact.rows);
    for (const fact of factsOf(result, queues, rows) ?? []) this.board.add(fact);
    if (this.language.isSettled?.(property, this.board, this.request.options) === true) this.close(property);
  }

  private close(property: string): void {
    this.open.delete(property);
    this.cancelUseless();
  }

  private cancelUseless(): void {
    for (const { part, asking, isOver } of this.questions)
      if (!isOver && !part.properties.some((property) => this.open.has(property))) asking.cancel();
  }
}

function answerTo(
  property: string,
  heard: ElsewhereAnswer,
  reproduce: (property: string) => Reproduction,
): { readonly answer: RememberedAnswer; readonly isTrusted: boolean } | null {
  if (heard.kind === 'lost') {
    const lost = unknown(heard.reasonCode, heard.reason);
    const result: PropertyResult = { ...lost, id: property, reproduce: reproduce(property) };
    return { answer: { result, diagnostics: [] }, isTrusted: true };
  }
  const { results, diagnostics, pictures } = heard.answered;
  const result = results.find(({ id }) => id === property);
  if (result === undefined) return null;
  const answer = { result: { ...result, reproduce: reproduce(property) }, diagnostics };
  return {
    answer: pictures === undefined ? answer : { ...answer, pictures },
    isTrusted: heard.isTrusted,
  };
}

/** That sends never block rests on more than the certificate: from nobody in particular it is not taken. */
function asLookedAt(answer: RememberedAnswer, isTrusted: boolean): RememberedAnswer {
  const { result } = answer;
  if (isTrusted || result.queues === undefined) return answer;
  const queues = result.queues.map((queue) => (queue.fits === true ? { ...queue, fits: null } : queue));
  return { ...answer, result: { ...result, queues } };
}

/** A greatest length that was reached somewhere has no certificate: the bounds stand without it. */
function withoutMaxima(answer: RememberedAnswer): RememberedAnswer {
  const { result } = answer;
  if (result.queues === undefined) return answer;
  const queues = result.queues.map((queue) => ({ ...queue, exact: null }));
  return { ...answer, result: { ...result, queues } };
}

/** An open question says nothing about single queues unless who says so is known. */
function withoutClaims(answer: RememberedAnswer): RememberedAnswer {
  const { result } = answer;
  if (result.verdict !== 'unknown' || result.queues === undefined) return answer;
  const nothing = { verdict: 'unknown', bound: null, certifiedBound: null, exact: null, fits: null } as const;
  return {
    ...answer,
    result: { ...result, queues: result.queues.map((queue) => ({ ...queue, ...nothing })) },
  };
}
