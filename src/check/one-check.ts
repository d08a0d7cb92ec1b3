// The questions about one model, from a first look in this thread to the end: facts come to the board, and every answer is given out as soon as it
// is known.

import { atMost, type Budget } from '../base/budget.ts';
import { Board, mergeStats } from '../engine/fact.ts';
import type { Language, WorkRequest } from '../engine/language.ts';
import { type OptionName, optionWords } from '../engine/options.ts';
import { type Host, inlineHost, type Question, settle } from '../engine/scheduler.ts';
import { unknown } from '../verdict/answer.ts';
import type { PropertyResult, Reproduction } from '../verdict/verdict.ts';
import type { CheckInput, RemoteModel } from './input.ts';
import type { LanguageEntry } from './languages.ts';
import { openAnswer } from './reasons.ts';
import { isAboutAll, type RememberedAnswer } from './remembered.ts';

/** Most models are settled before a thread would have started. */
const FIRST_LOOK = 400;

export const reproductionOf = (
  { paths, options }: WorkRequest,
  property: string,
  takes: readonly OptionName[],
): Reproduction => ({ verb: 'check', paths, property, options: optionWords(options, takes) });

export class OneCheck {
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
    const { hosts, workClock } = this.input;
    const look = this.input.firstLook ?? this.language.firstLook?.(this.model) ?? FIRST_LOOK;
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
