// One model in, one report out: the entry point of the API and of every verb. Load, choose the questions, let the scheduler run the
// language's portfolio, put the answers together as facts come in.

import { type Budget, cancellable, SILENT, UNLIMITED } from '../base/budget.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import { hasErrors, type PlacedDiagnostic, placed } from '../source/diagnostic.ts';
import { type ModelReport, REPORT_VERSION } from '../verdict/verdict.ts';
import type { AskedModel, Heard } from './elsewhere.ts';
import { type CheckInput, inputProblems, type RemoteModel } from './input.ts';
import { type LanguageEntry, languageFor } from './languages.ts';
import { OneCheck, reproductionOf } from './one-check.ts';
import {
  distinct,
  isAboutAll,
  type ModelRequest,
  type RememberedAnswer,
  recallAll,
  recallReport,
} from './remembered.ts';
import { copyOf, recordingFiles, sizeOf } from './snapshot.ts';

export type { CheckEvent, CheckInput, HostSource, RemoteModel } from './input.ts';

/** Never throws for what a user wrote: missing files and unknown extensions are diagnostics of the report. */
export async function checkModel(input: CheckInput): Promise<ModelReport> {
  const entry = languageFor(input.paths[0] ?? '', input.files, input.language);
  const problems = inputProblems(input);
  if (entry === null || problems.length > 0)
    return emptyReport(input, entry?.name ?? 'unknown', problems.map(placed));
  const language = await entry.load();
  const recorded = recordingFiles(input.files);
  const budget = withSignal(input.budget ?? UNLIMITED, input.signal);
  const options = input.options ?? {};
  const observer = input.observer ?? SILENT;
  const request: WorkRequest = { paths: input.paths, files: recorded.files, options, budget, observer };
  const memory = entry.readsElsewhere === true ? undefined : input.memory;
  const asking: ModelRequest = {
    language: entry.name,
    paths: input.paths,
    options,
    properties: input.properties ?? [],
    also: input.also ?? [],
  };
  const remembered = memory && (await recallReport(memory, language, asking, request));
  if (remembered) return announced(remembered, input);
  const loaded = await language.load(request);
  const sources = Object.fromEntries(loaded.sources);
  const diagnostics = loaded.diagnostics.map(placed);
  if (loaded.model === null) return emptyReport(input, entry.name, diagnostics, sources);
  try {
    const chosen = questionsOf(language, loaded.model, input, options);
    diagnostics.push(...chosen.diagnostics.map(placed));
    if (hasErrors(diagnostics)) return emptyReport(input, entry.name, diagnostics, sources);
    const remote = (): RemoteModel => ({
      language: entry.name,
      paths: input.paths,
      options,
      files: recorded.snapshot(),
    });
    input.onEvent?.({ kind: 'questions', properties: chosen.properties, diagnostics });
    const asked: RemoteModel = { ...remote(), files: copyOf(recorded.snapshot()) };
    const recalled = await recallAll(memory, language, chosen.properties, asked, request);
    const both = { model: loaded.model, remote: asked };
    const heard = await hearFrom(entry, language, both, chosen.properties, recalled, request, input);
    const known = new Map([...recalled, ...heard.known]);
    const found: PlacedDiagnostic[] = heard.refused.map(refusal);
    const answer = async (given: Budget): Promise<OneCheck> => {
      const own = { ...request, budget: given };
      const check = new OneCheck(entry, language, loaded.model, chosen.properties, own, input, known);
      for (const fact of heard.facts) check.board.add(fact);
      await check.run(remote);
      return check;
    };
    const check =
      input.elsewhere === undefined || known.size === chosen.properties.length
        ? await answer(budget)
        : await input.elsewhere.locally((given) => answer(withSignal(given, input.signal)));
    found.push(...[...known.values()].flatMap((one) => one.diagnostics), ...check.board.diagnostics());
    // An answer that rests on a file which was read later is not told by the content that was asked about.
    const isWhole = sizeOf(asked.files) === sizeOf(recorded.snapshot());
    if (memory !== undefined && isWhole && !hasErrors(found) && input.signal?.aborted !== true)
      for (const property of chosen.properties.filter((one) => !recalled.has(one)))
        await memory.keep({ ...asked, property }, check.rememberedAs(property));
    if (isWhole && Object.keys(asked.files.headers).length === 0 && !hasErrors(found))
      memory?.keepModel(asking, { texts: asked.files.texts, properties: chosen.properties, diagnostics });
    return {
      ...emptyReport(input, entry.name, distinct([...diagnostics, ...found]), sources),
      // A request that makes no sense has no verdict, only its diagnostics.
      properties: hasErrors(found) ? [] : chosen.properties.map((property) => check.resultOf(property)),
      ...[...known.values()][0]?.pictures,
      ...check.board.pictures(),
    };
  } finally {
    language.dispose?.(loaded.model);
  }
}

/** What others answer to what is not remembered. */
async function hearFrom(
  entry: LanguageEntry,
  language: Language<unknown>,
  asked: AskedModel,
  properties: readonly string[],
  recalled: ReadonlyMap<string, RememberedAnswer>,
  request: WorkRequest,
  { elsewhere, signal }: CheckInput,
): Promise<Heard> {
  const open = properties.filter((property) => !recalled.has(property));
  if (elsewhere === undefined || entry.readsElsewhere === true || open.length === 0) return NOTHING_HEARD;
  const { askElsewhere } = await import('./elsewhere.ts');
  const reproduce = (property: string) => reproductionOf(request, property, entry.options(request.paths[0]!));
  const heard = await askElsewhere(elsewhere, language, asked, open, request, reproduce, signal);
  const isPart = isAboutAll(request.options) && heard.known.size < open.length;
  return isPart ? { ...heard, known: new Map() } : heard;
}

const NOTHING_HEARD: Heard = { known: new Map(), facts: [], refused: [] };

const refusal = (what: string): PlacedDiagnostic => ({
  code: 'SPW9006',
  severity: 'warning',
  message: `an answer from elsewhere was refused (${what}): the question is answered here`,
  at: null,
  help: 'look after the workers of the queue: one of them is broken, or does not belong there',
});

/** As if it had just been found out. */
function announced(report: ModelReport, { onEvent }: CheckInput): ModelReport {
  const { properties, diagnostics } = report;
  onEvent?.({ kind: 'questions', properties: properties.map(({ id }) => id), diagnostics });
  for (const result of properties) onEvent?.({ kind: 'verdict', result });
  return report;
}

function questionsOf(
  language: Language<unknown>,
  model: unknown,
  { properties = [], also = [] }: CheckInput,
  options: CheckOptions,
) {
  const chosen = language.questions(model, properties, options);
  if (properties.length > 0 || also.length === 0) return chosen;
  const more = language.questions(model, also, options);
  return {
    properties: [...new Set([...chosen.properties, ...more.properties])],
    diagnostics: [...chosen.diagnostics, ...more.diagnostics],
  };
}

const withSignal = (budget: Budget, signal: AbortSignal | undefined): Budget =>
  signal === undefined ? budget : cancellable(budget, () => signal.aborted);

const emptyReport = (
  { paths }: CheckInput,
  language: string,
  diagnostics: readonly PlacedDiagnostic[],
  sources: Readonly<Record<string, string>> = {},
): ModelReport => ({
  version: REPORT_VERSION,
  files: paths,
  language,
  properties: [],
  diagnostics,
  sources,
});
