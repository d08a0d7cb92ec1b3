// One model in, one report out: the entry point of the API and of every verb. Load, choose the questions, let the scheduler run the
// language's portfolio, put the answers together as facts come in.

import { atMost, type Budget, cancellable, type Observer, SILENT, UNLIMITED } from '../base/budget.ts';
import { Board, type Fact, mergeStats } from '../engine/fact.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import type { CheckOptions, OptionName } from '../engine/options.ts';
import { optionWords } from '../engine/options.ts';
import { type Host, inlineHost, type Question, settle } from '../engine/scheduler.ts';
import { type Diagnostic, hasErrors, type PlacedDiagnostic, placed } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { unknown } from '../verdict/answer.ts';
import {
  type ModelReport,
  type PropertyResult,
  REPORT_VERSION,
  type Reproduction,
} from '../verdict/verdict.ts';
import type { AskedModel, Elsewhere, Heard } from './elsewhere.ts';
import { LANGUAGES, type LanguageEntry, languageFor } from './languages.ts';
import { openAnswer } from './reasons.ts';
import {
  type AnswerMemory,
  distinct,
  isAboutAll,
  type ModelRequest,
  type RememberedAnswer,
  recallAll,
  recallReport,
} from './remembered.ts';
import { copyOf, type FileSnapshot, recordingFiles, sizeOf } from './snapshot.ts';

export type CheckEvent =
  /** The model is read: these are the questions. */
  | {
      readonly kind: 'questions';
      readonly properties: readonly string[];
      readonly diagnostics: readonly PlacedDiagnostic[];
    }
  | { readonly kind: 'fact'; readonly fact: Fact }
  /** An answer, as soon as it is known. */
  | { readonly kind: 'verdict'; readonly result: PropertyResult };

export interface CheckInput {
  /** One model; several paths only for composed systems (`--compose`). */
  readonly paths: readonly string[];
  readonly files: FileSystem;
  /** Empty: everything that the model can be asked. */
  readonly properties?: readonly string[];
  /** To be checked beside everything else, when no properties are named. */
  readonly also?: readonly string[];
  readonly options?: CheckOptions;
  /** Instead of telling it from the file. */
  readonly language?: string;
  readonly budget?: Budget;
  readonly observer?: Observer;
  /** Aborting it ends the check: what is known by then is reported. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: CheckEvent) => void;
  /** Where engines run after a first look in this thread; without it all of them run here. */
  readonly hosts?: HostSource;
  /** Milliseconds in this thread before other threads are asked. */
  readonly firstLook?: number;
  /** Answers that were given before, by this or another process. */
  readonly memory?: AnswerMemory;
  /** Others who are asked before anything is computed here. What they say is looked at again. */
  readonly elsewhere?: Elsewhere;
  /** Only these engines of the portfolio work. */
  readonly engines?: readonly string[];
  /** What they are measured by: processor time, where there is a clock for it, so that a busy machine changes nothing. */
  readonly workClock?: () => number;
}

/** What another thread needs to work on the same model. */
export interface RemoteModel {
  readonly language: string;
  readonly paths: readonly string[];
  readonly options: CheckOptions;
  readonly files: FileSnapshot;
}

export interface HostSource {
  /** Called once before the first model. */
  prepare?(): Promise<void>;
  hostFor(model: RemoteModel): Host;
}

/** Most models are settled before a thread would have started. */
const FIRST_LOOK = 400;

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
    const answer = async (given: Budget): Promise<Check> => {
      const own = { ...request, budget: given };
      const check = new Check(entry, language, loaded.model, chosen.properties, own, input, known);
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

const reproductionOf = (
  { paths, options }: WorkRequest,
  property: string,
  takes: readonly OptionName[],
): Reproduction => ({ verb: 'check', paths, property, options: optionWords(options, takes) });

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

class Check {
  readonly board = new Board();
  private readonly announced = new Map<string, PropertyResult>();
  private readonly language: Language<unknown>;
  private readonly model: unknown;
  private readonly properties: readonly string[];
  private readonly request: WorkRequest;
  private readonly input: CheckInput;
  private readonly takes: readonly OptionName[];
  private readonly known: ReadonlyMap<string, RememberedAnswer>;

  constructor(
    entry: LanguageEntry,
    language: Language<unknown>,
    model: unknown,
    properties: readonly string[],
    request: WorkRequest,
    input: CheckInput,
    known: ReadonlyMap<string, RememberedAnswer>,
  ) {
    this.known = known;
    this.takes = entry.options(request.paths[0]!);
    this.language = language;
    this.model = model;
    this.properties = properties;
    this.request = request;
    this.input = input;
  }

  async run(remote: () => RemoteModel): Promise<Board> {
    const { hosts, firstLook: look = FIRST_LOOK, workClock } = this.input;
    const { budget, observer, options } = this.request;
    if (this.properties.length > 0 && this.known.size === this.properties.length) return this.tellAll();
    for (const property of this.known.keys()) this.tell(property);
    const here = inlineHost(this.language.portfolio, this.model, options, { tolerant: hosts !== undefined });
    if (hosts === undefined) await this.settle(here, budget, false);
    else {
      // Pictures are for the end; what a first look could not settle is no reason for anything yet.
      if (look > 0) await this.settle(firstLook(here), atMost(budget, look, workClock ?? observer.now), true);
      if (this.isDone() || !budget.timeLeft()) return this.tellAll();
      await hosts.prepare?.();
      await this.settle(hosts.hostFor(remote()), budget, false);
    }
    return this.tellAll();
  }

  private tellAll(): Board {
    for (const property of this.properties) this.tell(property);
    return this.board;
  }

  private isDone(): boolean {
    return !isAboutAll(this.request.options) && this.properties.every((property) => this.isSettled(property));
  }

  private settle(host: Host, budget: Budget, preliminary: boolean): Promise<Board> {
    const { options, observer } = this.request;
    const question: Question = {
      properties: this.properties,
      options: preliminary ? { ...options, explain: false, coverage: false } : options,
      isSettled: (property) => this.isSettled(property),
      isFirstLook: preliminary,
    };
    const { engines } = this.input;
    const portfolio = this.language.portfolio.filter(
      ({ engine }) => engines === undefined || engines.includes(engine.name),
    );
    return settle(question, portfolio as never, host, budget, observer, this.board, {
      fact: (fact) => {
        this.input.onEvent?.({ kind: 'fact', fact });
        for (const property of this.properties) if (this.isSettled(property)) this.tell(property);
      },
      failure: (engine, { message, reasonCode }, open) => {
        if (preliminary) return;
        for (const property of open) {
          const isBug = reasonCode === 'engine-failed';
          const answer = unknown(reasonCode, isBug ? `${engine} failed: ${message}` : message);
          this.board.add({ kind: 'answer', property, engine, answer });
        }
      },
    });
  }

  private isSettled(property: string): boolean {
    if (this.known.has(property)) return true;
    const { isSettled } = this.language;
    return isSettled === undefined
      ? this.board.definite(property) !== null
      : isSettled.call(this.language, property, this.board, this.request.options);
  }

  private tell(property: string): void {
    if (this.announced.has(property)) return;
    const result = this.result(property);
    this.announced.set(property, result);
    this.input.onEvent?.({ kind: 'verdict', result });
  }

  /** As it was told; facts that came later may have made it richer, never different. */
  resultOf(property: string): PropertyResult {
    return this.result(property);
  }

  rememberedAs(property: string): RememberedAnswer {
    const { board, known } = this;
    const pictures = known.get(property)?.pictures ?? board.pictures();
    const answer = {
      result: this.result(property),
      diagnostics: [...(known.get(property)?.diagnostics ?? []), ...board.diagnostics()],
    };
    return this.request.options.explain === true ? { ...answer, pictures } : answer;
  }

  private result(property: string): PropertyResult {
    const { options, budget } = this.request;
    const { board } = this;
    const known = this.known.get(property);
    if (known !== undefined) return known.result;
    const assembled =
      this.language.assemble?.(property, board, this.model, options) ??
      board.definite(property) ??
      openAnswer(board, property);
    const stopped = assembled.verdict === 'unknown' && budget.cancelled?.() === true;
    const answer = stopped ? { ...assembled, ...STOPPED } : assembled;
    return {
      id: property,
      ...answer,
      stats: mergeStats(board.statsOf(property), answer.stats),
      reproduce: reproductionOf(this.request, property, this.takes),
    };
  }
}

const STOPPED = {
  reasonCode: 'cancelled',
  reason: 'the check was stopped before this was settled',
} as const;

/** Only definite answers count: the engines that ran out of the first look's time will be asked again. */
function firstLook(host: Host): Host {
  return {
    ...host,
    start: (engine, work, learn, observer) =>
      host.start(
        engine,
        work,
        (fact) => {
          if (fact.kind !== 'answer' || fact.answer.verdict !== 'unknown') learn(fact);
        },
        observer,
      ),
  };
}

const withSignal = (budget: Budget, signal: AbortSignal | undefined): Budget =>
  signal === undefined ? budget : cancellable(budget, () => signal.aborted);

function inputProblems(input: CheckInput): Diagnostic[] {
  const { paths, files } = input;
  const problems: Diagnostic[] = [];
  const error = (code: Diagnostic['code'], message: string, help: string) =>
    problems.push({ code, severity: 'error', message, span: null, help });
  if (paths.length === 0) error('SPW9002', 'no model is given', 'name a file');
  for (const path of paths) {
    if (files.read(path) === null)
      error('SPW9002', `${path}: no such file, or not readable`, 'check the path; a folder is no model');
    else if (languageFor(path, files, input.language) === null)
      error('SPW9001', ...unknownLanguage(path, input));
  }
  if (problems.length === 0 && paths.length > 1) {
    const apart = paths.find((path) => languageFor(path, files, input.language)?.composes !== true);
    if (apart !== undefined)
      error(
        'SPW9004',
        `${apart}: models in this language are not composed`,
        'only several .lks or .aut files make one system; check the others one by one, without --compose',
      );
  }
  return problems;
}

function unknownLanguage(path: string, { language }: CheckInput): [string, string] {
  if (language !== undefined)
    return [`there is no language '${language}'`, `known: ${LANGUAGES.map((one) => one.name).join(', ')}`];
  const known = LANGUAGES.flatMap((one) => one.extensions).join(' ');
  return [
    `${path}: the language is not known`,
    `the extension tells it: one of ${known}; or say it: --language ${LANGUAGES.map((one) => one.name).join('|')}`,
  ];
}

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
