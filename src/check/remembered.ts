// Answers that were given before: what it takes to remember one, and what is done before one is shown again.

import type { Pictures } from '../engine/fact.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import type { RemoteModel } from './check.ts';

/** A question by its content: nothing else may change the answer. */
export interface RememberedQuestion extends RemoteModel {
  readonly property: string;
}

export interface RememberedAnswer {
  readonly result: PropertyResult;
  /** What engines said about the request while they worked on it. */
  readonly diagnostics: readonly PlacedDiagnostic[];
  /** Where the options ask for them: of the whole model, the same in each of its answers. */
  readonly pictures?: Pictures;
}

/** Remembers answers. What it recalls is looked at again before it is shown. */
export interface AnswerMemory {
  recall(question: RememberedQuestion): RecalledAnswer | null | Promise<RecalledAnswer | null>;
  keep(question: RememberedQuestion, answer: RememberedAnswer): void | Promise<void>;
}

export interface RecalledAnswer extends RememberedAnswer {
  /** Whoever wrote it is believed where a second look would be the whole work again. */
  readonly isTrusted: boolean;
}

/** What is remembered, and stands a second look. */
export async function recallAll(
  memory: AnswerMemory | undefined,
  language: Language<unknown>,
  properties: readonly string[],
  asked: RemoteModel,
  request: WorkRequest,
): Promise<ReadonlyMap<string, RememberedAnswer>> {
  const known = new Map<string, RememberedAnswer>();
  if (memory === undefined) return known;
  for (const property of properties) {
    const found = await memory.recall({ ...asked, property });
    if (found === null || found.result.id !== property) continue;
    const look = await (await import('./second-look.ts')).lookAgain(language, found.result, request);
    if (look.kind === 'sure' || (look.kind === 'possible' && found.isTrusted)) known.set(property, found);
  }
  // Pictures and coverage are of the whole model: they are remembered whole, or made with all the rest.
  return isAboutAll(request.options) && known.size < properties.length ? new Map() : known;
}

export const isAboutAll = ({ explain, coverage }: CheckOptions): boolean =>
  explain === true || coverage === true;
