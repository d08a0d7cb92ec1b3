// Questions that others work on: other machines, behind a queue. A question may be divided: by property, and by seed, so that many search one
// large model in different orders (swarm search: Holzmann, Joshi, Groce 2011). The first answer that stands a second look counts, and cancels
// the others who work on the same. An answer that is refused, or that cannot be looked at and comes from nobody in particular, is not used:
// the question stays open, to be worked on here.

import type { Budget, Observer } from '../base/budget.ts';
import type { Pictures } from '../engine/fact.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import { unknown } from '../verdict/answer.ts';
import type { PropertyResult, Reproduction } from '../verdict/verdict.ts';
import type { RemoteModel } from './check.ts';
import type { RememberedAnswer } from './remembered.ts';
import { lookAgain } from './second-look.ts';
import { swarmEngines } from './swarm.ts';

/** What is said by who worked on a question. */
export interface Answered {
  readonly results: readonly PropertyResult[];
  readonly diagnostics: readonly PlacedDiagnostic[];
  readonly pictures?: Pictures;
}

export type ElsewhereAnswer =
  | { readonly kind: 'answered'; readonly answered: Answered; readonly isTrusted: boolean }
  /** There will be none. */
  | { readonly kind: 'lost'; readonly reasonCode: 'queue-lost' | 'worker-lost'; readonly reason: string };

export interface Asking {
  readonly answer: Promise<ElsewhereAnswer>;
  cancel(): void;
}

export interface Part {
  readonly properties: readonly string[];
  /** Only these engines; all when left out. */
  readonly engines?: readonly string[];
}

export interface Elsewhere {
  ask(model: RemoteModel, part: Part, observer: Observer): Asking;
  /** Work of this machine's own: a few at a time, with a budget that begins when it is its turn. */
  locally<T>(work: (budget: Budget) => Promise<T>): Promise<T>;
}

export interface Heard {
  readonly known: ReadonlyMap<string, RememberedAnswer>;
  /** Why answers were not used. */
  readonly refused: readonly string[];
}

/** Each property for itself, and each member of a swarm: where one is asked for, a model is worth dividing. */
export function partsOf(
  { portfolio }: Language<unknown>,
  properties: readonly string[],
  options: CheckOptions,
): readonly Part[] {
  const names = swarmEngines(options);
  const members = portfolio.flatMap(({ engine }) => {
    const open = properties.filter((property) => engine.settles(property, options));
    return names.includes(engine.name) && open.length > 0
      ? [{ properties: open, engines: [engine.name] }]
      : [];
  });
  if (members.length === 0) return [{ properties }];
  return [...properties.map((property) => ({ properties: [property] })), ...members];
}

export async function askElsewhere(
  elsewhere: Elsewhere,
  language: Language<unknown>,
  asked: RemoteModel,
  properties: readonly string[],
  request: WorkRequest,
  reproduce: (property: string) => Reproduction,
  signal: AbortSignal | undefined,
): Promise<Heard> {
  const known = new Map<string, RememberedAnswer>();
  const unsettled = new Map<string, RememberedAnswer>();
  const refused = new Map<string, string>();
  const open = new Set(properties);
  const plain = { ...asked, options: { ...asked.options, swarm: 0 } };
  const parts = partsOf(language, properties, request.options).map((part) => ({
    part,
    asking: elsewhere.ask(part.engines === undefined ? plain : asked, part, request.observer),
    isOver: false,
  }));
  const cancelUseless = (): void => {
    for (const one of parts)
      if (!one.isOver && !one.part.properties.some((property) => open.has(property))) one.asking.cancel();
  };
  const cancelAll = (): void => {
    open.clear();
    cancelUseless();
  };
  signal?.addEventListener('abort', cancelAll, { once: true });
  const settle = (property: string, answer: RememberedAnswer): void => {
    known.set(property, answer);
    open.delete(property);
    cancelUseless();
  };
  const hear = async ({ part }: (typeof parts)[number], heard: ElsewhereAnswer): Promise<void> => {
    for (const property of part.properties.filter((one) => open.has(one))) {
      const found = answerTo(property, heard, reproduce);
      if (found === null) continue;
      if (found.answer.result.verdict === 'unknown') {
        // A search that looks at a part of the states only has nothing to say when it finds nothing.
        if (part.engines === undefined)
          unsettled.set(property, found.isTrusted ? found.answer : withoutClaims(found.answer));
        continue;
      }
      const look = await elsewhere.locally((budget) =>
        lookAgain(language, found.answer.result, { ...request, budget }),
      );
      if (!open.has(property)) continue;
      if (look.kind === 'sure') settle(property, asLookedAt(found.answer, found.isTrusted));
      else if (look.kind === 'possible' && found.isTrusted) settle(property, found.answer);
      else if (look.kind === 'refused') refused.set(property, look.reason);
    }
  };
  await Promise.all(
    parts.map(async (one) => {
      const heard = await one.asking.answer;
      one.isOver = true;
      await hear(one, heard);
    }),
  );
  signal?.removeEventListener('abort', cancelAll);
  for (const [property, answer] of unsettled) if (open.has(property)) known.set(property, answer);
  return { known, refused: [...refused].map(([property, reason]) => `${property}: ${reason}`) };
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
