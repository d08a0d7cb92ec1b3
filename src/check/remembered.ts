// Answers that were given before: what it takes to remember one, and what is done before one is shown again.

import type { Pictures } from '../engine/fact.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { type ModelReport, type PropertyResult, REPORT_VERSION } from '../verdict/verdict.ts';
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
  /** Only of one who is trusted, and only when all of its files are as they were. */
  recallModel(request: ModelRequest, files: FileSystem): RememberedModel | null;
  keepModel(request: ModelRequest, model: RememberedModel): void;
}

/** What is asked of a model, before anybody has read it. */
export interface ModelRequest {
  readonly language: string;
  readonly paths: readonly string[];
  readonly options: CheckOptions;
  readonly properties: readonly string[];
  readonly also: readonly string[];
}

/** What reading a model took and gave: while its files are the same it need not be read again. */
export interface RememberedModel {
  /** By path: the text, null where there was no file. */
  readonly texts: Readonly<Record<string, string | null>>;
  readonly properties: readonly string[];
  readonly diagnostics: readonly PlacedDiagnostic[];
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
    const { lookAgain } = await import('./second-look.ts');
    const look = await lookAgain(language, found.result, request, found.isTrusted);
    if (look.kind === 'sure' || (look.kind === 'possible' && found.isTrusted)) known.set(property, found);
  }
  // Pictures and coverage are of the whole model: they are remembered whole, or made with all the rest.
  return isAboutAll(request.options) && known.size < properties.length ? new Map() : known;
}

export const isAboutAll = ({ explain, coverage }: CheckOptions): boolean =>
  explain === true || coverage === true;

/** The whole report without reading the model, where nothing but remembered answers is needed for it. */
export async function recallReport(
  memory: AnswerMemory,
  language: Language<unknown>,
  asked: ModelRequest,
  request: WorkRequest,
): Promise<ModelReport | null> {
  const model = memory.recallModel(asked, request.files);
  if (model === null || model.properties.length === 0) return null;
  const { texts, properties, diagnostics } = model;
  const remote: RemoteModel = {
    language: asked.language,
    paths: asked.paths,
    options: asked.options,
    files: { texts, headers: {} },
  };
  const known = await recallAll(memory, language, properties, remote, request);
  if (known.size < properties.length) return null;
  const answers = properties.map((property) => known.get(property)!);
  const said = [...diagnostics, ...answers.flatMap((answer) => answer.diagnostics)];
  return {
    version: REPORT_VERSION,
    files: asked.paths,
    language: asked.language,
    properties: answers.map(({ result }) => result),
    diagnostics: distinct(said),
    sources: Object.fromEntries(
      Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    ...answers[0]?.pictures,
  };
}

/** Each once, though several may have said it. */
export const distinct = (all: readonly PlacedDiagnostic[]): PlacedDiagnostic[] => [
  ...new Map(all.map((one) => [JSON.stringify(one), one])).values(),
];
