// What programs use: everything the command line can do, with files from the disk unless told otherwise. Checks run on worker threads, so
// that the caller's event loop stays free; `signal` ends them, `onEvent` hears of every verdict as soon as it is known.

import { diskFiles, openMemory, openThreads } from '#api/edge';
import { type Limits, SILENT, startBudget } from '../base/budget.ts';
import { type CheckEvent, checkModel } from '../check/check.ts';
import { LANGUAGES, languageFor } from '../check/languages.ts';
import type {
  Audited,
  Converted,
  Language,
  Loaded,
  Replayed,
  Runnable,
  WorkRequest,
} from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import { type Format, renderReports } from '../report/formats.ts';
import type { FileSystem } from '../source/source.ts';
import type { Run } from '../verdict/run.ts';
import type { CertificateDocument, ControlGraph, ModelReport } from '../verdict/verdict.ts';

export interface ModelInput {
  /** A file, or several that make one system (.lks, .aut). */
  readonly model: string | readonly string[];
  /** Where files are read from; the disk when left out. */
  readonly files?: FileSystem;
  /** Instead of telling it from the file. */
  readonly language?: string;
  readonly options?: CheckOptions;
  /** Seconds, states, megabytes; 60 seconds when left out. */
  readonly limits?: Limits;
}

export interface CheckCall extends ModelInput {
  /** Everything that the model can be asked, when left out. */
  readonly properties?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CheckEvent) => void;
  /** Worker threads; the processors of this machine when left out, 0 for none: then the check blocks the caller. */
  readonly threads?: number;
  /** A folder in which answers are remembered. What is recalled is audited or replayed; nothing is remembered when left out. */
  readonly cache?: string;
}

/** Never rejects for what a user wrote: errors in a model are diagnostics of its report. */
export async function check(call: CheckCall): Promise<ModelReport> {
  const pool = openThreads(call.threads);
  const { paths, files, options, budget, observer } = requestOf(call);
  const memory = call.cache === undefined ? null : await openMemory(call.cache, call.limits ?? {});
  try {
    return await checkModel({
      paths,
      files,
      options,
      budget,
      observer,
      properties: call.properties ?? [],
      ...(call.language === undefined ? {} : { language: call.language }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
      ...(call.onEvent === undefined ? {} : { onEvent: call.onEvent }),
      ...(memory === null ? {} : { memory }),
      // Nothing of it in the caller's thread.
      ...(pool === null ? {} : { hosts: pool, firstLook: 0 }),
    });
  } finally {
    await pool?.close();
  }
}

/** The model as its language understands it, and what is wrong with it. */
export const load = (input: ModelInput): Promise<Loaded<unknown>> =>
  withLanguage(input, (language, request) => language.load(request));

/** A model to be run, at random or step by step; null where its language has no runs. */
export const simulate = (input: ModelInput & { readonly unlimited?: boolean }): Promise<Loaded<Runnable>> =>
  withLanguage(
    input,
    async (language, request) =>
      language.simulate?.({ ...request, unlimited: input.unlimited ?? false }) ?? NOTHING,
  );

/** Takes a recorded run again on the model, and judges again what it is said to show. */
export const replay = (input: ModelInput & { readonly run: Run }): Promise<Loaded<Replayed>> =>
  withLanguage(input, async (language, request) => language.replay?.(input.run, request) ?? NOTHING);

export const graphs = (input: ModelInput): Promise<Loaded<readonly ControlGraph[]>> =>
  withLanguage(input, async (language, request) => language.graphs?.(request) ?? NOTHING);

/** Checks a certificate again, apart from the analysis that made it. */
export function audit(input: ModelInput & { readonly certificate: CertificateDocument }): Promise<Audited> {
  return withLanguage(
    input,
    async (language, request): Promise<Audited> =>
      language.audit?.(input.certificate, request) ?? {
        kind: 'rejected',
        reason: 'there are no certificates of models in this language',
      },
  );
}

/** Writes a model in another format: one of those that its language's entry in `LANGUAGES` lists. */
export function convert(
  input: ModelInput & { readonly format: string; readonly properties?: readonly string[] },
): Promise<Converted> {
  return withLanguage(
    input,
    async (language, request): Promise<Converted> =>
      language.convert?.({ ...request, format: input.format, properties: input.properties ?? [] }) ?? {
        text: null,
        diagnostics: [],
      },
  );
}

/** Reports as text, JSON, HTML, SARIF or JUnit. */
export const render = (reports: readonly ModelReport[], format: Format): Promise<string> =>
  renderReports(reports, format, {});

const NOTHING = { model: null, diagnostics: [], sources: new Map<string, string>() } as const;

function requestOf({ model, files = diskFiles, options = {}, limits = {} }: ModelInput): WorkRequest {
  const now = () => performance.now();
  return {
    paths: typeof model === 'string' ? [model] : model,
    files,
    options,
    budget: startBudget(limits, now),
    observer: { ...SILENT, now },
  };
}

async function withLanguage<T>(
  input: ModelInput,
  use: (language: Language<unknown>, request: WorkRequest) => Promise<T>,
): Promise<T> {
  const request = requestOf(input);
  const entry = languageFor(request.paths[0] ?? '', request.files, input.language);
  if (entry === null)
    throw new TypeError(
      `the language of ${request.paths[0]} is not known; known: ${LANGUAGES.map(({ name }) => name).join(', ')}`,
    );
  return use(await entry.load(), request);
}
