// The language service: open texts, what is understood of them, and what was found out about them. Surfaces (the language server, a page, an
// agent) ask it; it asks the languages, and knows no protocol. An understanding stays until a text that it read changes.

import { SILENT, UNLIMITED } from '../base/budget.ts';
import { languageFor } from '../check/languages.ts';
import type { Language } from '../engine/language.ts';
import type { CheckOptions } from '../engine/options.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';
import { NameIndex } from './name-index.ts';
import { type Change, OpenTexts } from './text.ts';

export interface Understanding {
  /** The model; what it includes is part of it. */
  readonly root: string;
  readonly language: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly index: NameIndex;
  /** Every path that was read or looked for. */
  readonly reads: ReadonlySet<string>;
  readonly sources: ReadonlyMap<string, string>;
}

const NO_NAMES = { symbols: [], occurrences: [], groupOf: (symbol: number) => symbol };

export class LanguageService {
  readonly texts: OpenTexts;
  private readonly optionsFor: (path: string) => CheckOptions;
  private readonly understood = new Map<string, Understanding>();
  private readonly languages = new Map<string, Language<unknown>>();

  constructor(files: FileSystem, optionsFor: (path: string) => CheckOptions = () => ({})) {
    this.texts = new OpenTexts(files);
    this.optionsFor = optionsFor;
  }

  open(path: string, version: number, text: string): void {
    this.texts.open(path, version, text);
    this.forget(path);
  }

  change(path: string, version: number, changes: readonly Change[]): void {
    if (this.texts.change(path, version, changes)) this.forget(path);
  }

  close(path: string): void {
    this.texts.close(path);
    this.forget(path);
    this.understood.delete(path);
  }

  /** The file is another one now: everything that read it is out of date. */
  forget(path: string): void {
    for (const [root, { reads }] of this.understood) if (reads.has(path)) this.understood.delete(root);
  }

  forgetAll(): void {
    this.understood.clear();
  }

  options(path: string): CheckOptions {
    return this.optionsFor(path);
  }

  /** The models that are open, and those a file that is open belongs to. */
  roots(): string[] {
    return this.texts.paths().filter((path) => this.isModel(path));
  }

  /** Headers are understood as a part of the models that include them. */
  isModel(path: string): boolean {
    if (/\.(h|inc)$/i.test(path)) return false;
    const entry = languageFor(path, this.texts.files);
    // An XState module is understood by running it: not at every key.
    return entry !== null && entry.name !== 'xstate';
  }

  /** The open models that read this file. */
  rootsOf(path: string): string[] {
    if (this.isModel(path)) return [path];
    const known = [...this.understood.values()].filter(({ reads }) => reads.has(path));
    return known.map(({ root }) => root);
  }

  /** Null for a file that is no model, and part of none that is open. */
  async understand(path: string): Promise<Understanding | null> {
    if (!this.isModel(path) && this.rootsOf(path).length === 0)
      for (const root of this.roots()) await this.understandRoot(root);
    const [root] = this.rootsOf(path);
    return root === undefined ? null : this.understandRoot(root);
  }

  private async understandRoot(root: string): Promise<Understanding | null> {
    const known = this.understood.get(root);
    if (known !== undefined) return known;
    const reads = new Set<string>([root]);
    const { files } = this.texts;
    const watched: FileSystem = {
      ...files,
      read: (path) => {
        reads.add(path);
        return files.read(path);
      },
    };
    const entry = languageFor(root, watched);
    if (entry === null || watched.read(root) === null) return null;
    const before = this.texts.get(root)?.file;
    const language = this.languages.get(entry.name) ?? (await entry.load());
    this.languages.set(entry.name, language);
    const understood = await understandWith(language, root, watched, this.optionsFor(root));
    const understanding: Understanding = {
      root,
      language: entry.name,
      diagnostics: understood.diagnostics,
      index: new NameIndex(understood.names ?? NO_NAMES),
      reads,
      sources: understood.sources,
    };
    // While a language was loaded the text may have gone on.
    if (this.texts.get(root)?.file === before) this.understood.set(root, understanding);
    return understanding;
  }
}

async function understandWith(
  language: Language<unknown>,
  root: string,
  files: FileSystem,
  options: CheckOptions,
) {
  const request = { paths: [root], files, options };
  if (language.understand !== undefined) return language.understand(request);
  const loaded = await language.load({ ...request, budget: UNLIMITED, observer: SILENT });
  if (loaded.model !== null) language.dispose?.(loaded.model);
  return { diagnostics: loaded.diagnostics, names: null, sources: loaded.sources };
}
