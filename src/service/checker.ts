// Checks in the background: one per model at a time, ended by a newer one; what a change cannot have touched is not asked again.

import type { CheckOptions } from '../engine/options.ts';
import type { FileSystem } from '../source/source.ts';
import type { ModelReport, PropertyResult } from '../verdict/verdict.ts';
import { Findings } from './findings.ts';
import { type Fingerprint, fingerprint } from './fingerprint.ts';
import type { LanguageService, Understanding } from './service.ts';

export interface CheckJob {
  readonly path: string;
  readonly files: FileSystem;
  readonly options: CheckOptions;
  /** Empty: all that the model can be asked. */
  readonly properties: readonly string[];
  readonly signal: AbortSignal;
  readonly onVerdict: (result: PropertyResult) => void;
}

/** How a check is run is the surface's choice: on threads, in the page, somewhere else. */
export type RunCheck = (job: CheckJob) => Promise<ModelReport>;

interface Known {
  readonly result: PropertyResult;
  /** What it holds for. */
  readonly text: string;
}

interface ModelState {
  readonly known: Map<string, Known>;
  report: ModelReport | null;
  running: AbortController | null;
}

export class Checker {
  private readonly service: LanguageService;
  private readonly run: RunCheck;
  private readonly notify: (root: string) => void;
  private readonly models = new Map<string, ModelState>();

  constructor(service: LanguageService, run: RunCheck, notify: (root: string) => void) {
    this.service = service;
    this.run = run;
    this.notify = notify;
  }

  private state(root: string): ModelState {
    const state = this.models.get(root) ?? { known: new Map(), report: null, running: null };
    this.models.set(root, state);
    return state;
  }

  /** What is known about the model as it is understood now; null when nothing was ever asked. */
  findings(understanding: Understanding): Findings | null {
    const state = this.models.get(understanding.root);
    if (state === undefined) return null;
    const now = fingerprint(understanding.language, understanding.sources);
    const held = [...state.known].filter(([id, { text }]) => text === now.of(id));
    const results = new Map(held.map(([id, { result }]) => [id, result]));
    const isStale = held.length < state.known.size;
    const is = state.running !== null ? 'running' : isStale ? 'stale' : 'done';
    return new Findings(is, results, isStale ? null : state.report, understanding.index);
  }

  /** Ends the check of a model that was changed or closed. */
  cancel(root: string): void {
    this.models.get(root)?.running?.abort();
  }

  forget(root: string): void {
    this.cancel(root);
    this.models.delete(root);
  }

  cancelAll(): void {
    for (const root of this.models.keys()) this.cancel(root);
  }

  /** Asks what is not known about the model; `again` asks everything. */
  async check(understanding: Understanding, again = false): Promise<void> {
    const { root } = understanding;
    this.cancel(root);
    const state = this.state(root);
    if (understanding.diagnostics.some(({ severity }) => severity === 'error')) return;
    const now = fingerprint(understanding.language, understanding.sources);
    this.forgetFormulas(state, understanding);
    const properties = again ? [] : this.open(state, now, understanding);
    if (properties === null) return;
    const controller = new AbortController();
    state.running = controller;
    this.notify(root);
    try {
      const report = await this.run({
        path: root,
        files: this.service.texts.files,
        options: this.service.options(root),
        properties,
        signal: controller.signal,
        onVerdict: (result) => {
          if (!controller.signal.aborted) this.learn(state, now, result, root);
        },
      });
      if (controller.signal.aborted) return;
      for (const result of report.properties) this.learn(state, now, result, root);
      state.report = withKnown(report, state, now);
    } finally {
      if (state.running === controller) state.running = null;
      this.notify(root);
    }
  }

  /** Null when everything is known; empty when nobody knows yet what can be asked. */
  private open(state: ModelState, now: Fingerprint, understanding: Understanding): string[] | null {
    const held = new Set([...state.known].filter(([id, { text }]) => text === now.of(id)).map(([id]) => id));
    // Which properties there are may itself have changed with the text outside formulas.
    const isSame = [...held].some((id) => !id.startsWith('ltl:'));
    if (!isSame || understanding.language !== 'promela') return held.size > 0 && isSame ? null : [];
    const open = formulasOf(understanding).filter((id) => !held.has(id));
    return open.length === 0 ? null : open;
  }

  /** Formulas that the model does not have any more. */
  private forgetFormulas(state: ModelState, understanding: Understanding): void {
    if (understanding.language !== 'promela') return;
    const there = new Set(formulasOf(understanding));
    for (const id of [...state.known.keys()])
      if (/^ltl:[A-Za-z_]\w*$/.test(id) && !/^ltl:ltl_\d+$/.test(id) && !there.has(id))
        state.known.delete(id);
  }

  private learn(state: ModelState, now: Fingerprint, result: PropertyResult, root: string): void {
    state.known.set(result.id, { result, text: now.of(result.id) });
    this.notify(root);
  }
}

const formulasOf = ({ index }: Understanding): string[] =>
  index.names.symbols.filter(({ kind }) => kind === 'formula').map(({ name }) => `ltl:${name}`);

/** The report with what is known from before. */
function withKnown(report: ModelReport, state: ModelState, now: Fingerprint): ModelReport {
  const asked = new Set(report.properties.map(({ id }) => id));
  for (const id of [...state.known.keys()])
    if (!asked.has(id) && state.known.get(id)!.text !== now.of(id)) state.known.delete(id);
  const kept = [...state.known].filter(([id]) => !asked.has(id)).map(([, { result }]) => result);
  return { ...report, properties: [...report.properties, ...kept] };
}
