// spillway.config.json: which models to check, what to expect of them, limits, and everything else that the command line can say.
// Errors point at the text.

import { join as joinPath } from 'node:path';
import type { Limits } from '../base/budget.ts';
import type { CheckOptions } from '../engine/options.ts';
import { FORMATS, isFormat } from '../report/formats.ts';
import { type Diagnostic, suggest } from '../source/diagnostic.ts';
import { parseJson, plainJson } from '../source/json.ts';
import { SourceFile, type Span } from '../source/source.ts';
import type { Verdict } from '../verdict/verdict.ts';
import type { ReportTarget } from './reports.ts';

export const CONFIG_FILE = 'spillway.config.json';

/** One thing to check: a model, or several files composed into one. */
export interface Job {
  readonly paths: readonly string[];
  readonly properties: readonly string[];
  readonly expect: Readonly<Record<string, Verdict>>;
  readonly language?: string;
  readonly options: CheckOptions;
  readonly limits: Limits;
}

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Keys with a value out of a few, or (where the analysis knows them best) any text. */
const CHOICES = {
  method: ['flow', 'cycles'],
  strategy: [
    'portfolio',
    'linear',
    'symbolic',
    'compositional',
    'minimised',
    'reduced',
    'refinement',
    'monolithic',
  ],
  dataModel: ['ILP32', 'LP64'],
  scheduler: ['in-process', 'distributed'],
  export: null,
} as const;
const FLAGS = {
  exact: false,
  fair: false,
  monolithic: false,
  coverage: false,
  reduction: true,
  confirm: true,
} as const;
const LISTS = ['formulas', 'invariants', 'progress'] as const;

/** What can be said for all models, and for each. */
const SHARED_KEYS = [
  'timeout',
  'maxStates',
  'maxMemory',
  'swarm',
  'language',
  'defines',
  'includes',
  ...Object.keys(CHOICES),
  ...Object.keys(FLAGS),
  ...LISTS.slice(0, 2),
];
const TOP_KEYS = [
  '$schema',
  'models',
  'jobs',
  'reports',
  'certificates',
  'cache',
  'queue',
  'baseline',
  ...SHARED_KEYS,
];
const MODEL_KEYS = ['model', 'compose', 'properties', 'expect', 'progress', ...SHARED_KEYS];
const VERDICTS = ['proved', 'refuted', 'unknown'];

export interface Config {
  readonly jobs: readonly Job[];
  readonly diagnostics: readonly Diagnostic[];
  readonly threads?: number;
  readonly reports: readonly ReportTarget[];
  /** The folder for proofs and runs. */
  readonly certificates?: string;
  /** The folder of remembered answers; false for none. */
  readonly cache?: string | false;
  /** The address of a queue whose workers answer. */
  readonly queue?: string;
  /** Verdicts that must not get worse. */
  readonly baseline?: string;
}

/** The files that a pattern stands for; null for a path that is no pattern. */
export type Expand = (pattern: string, folder: string) => readonly string[] | null;

export function readConfig(path: string, text: string, expand: Expand = () => null): Config {
  const file = new SourceFile(path, text);
  const reader = new Reader(file, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.', expand);
  const { value, problems } = parseJson(file);
  for (const { message, span, help } of problems) reader.problem(message, span, help);
  if (value === null || problems.length > 0)
    return { jobs: [], reports: [], diagnostics: reader.diagnostics };
  const root = plainJson(value) as Json;
  const config = reader.config(root);
  return reader.diagnostics.length > 0 ? { ...config, jobs: [] } : config;
}

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly file: SourceFile;
  private readonly folder: string;
  private readonly expand: Expand;

  constructor(file: SourceFile, folder: string, expand: Expand) {
    this.file = file;
    this.folder = folder;
    this.expand = expand;
  }

  problem(message: string, span: Span | null, help?: string): void {
    this.diagnostics.push({
      code: 'SPW9010',
      severity: 'error',
      message,
      span,
      ...(help === undefined ? {} : { help }),
    });
  }

  config(root: Json): Config {
    const { diagnostics } = this;
    if (!isObject(root)) {
      this.problem('the configuration is an object with the key "models"', null);
      return { jobs: [], reports: [], diagnostics };
    }
    this.unknownKeys(root, TOP_KEYS);
    const threads = root['jobs'];
    if (threads !== undefined && !(Number.isSafeInteger(threads) && Number(threads) > 0))
      this.problem('"jobs" must be a whole number of at least 1', this.find('jobs'));
    const certificates = this.text(root, 'certificates');
    const queue = this.text(root, 'queue');
    const baseline = this.text(root, 'baseline');
    return {
      jobs: this.jobs(root),
      reports: this.reports(root),
      ...(typeof threads === 'number' ? { threads } : {}),
      ...(certificates === undefined ? {} : { certificates: this.inFolder(certificates) }),
      ...this.cache(root),
      ...(queue === undefined ? {} : { queue }),
      ...(baseline === undefined ? {} : { baseline: this.inFolder(baseline) }),
      diagnostics,
    };
  }

  private cache(root: { [key: string]: Json }): Pick<Config, 'cache'> {
    const { cache } = root;
    if (cache === undefined) return {};
    if (cache === false) return { cache };
    if (typeof cache === 'string' && cache !== '') return { cache: this.inFolder(cache) };
    this.problem('"cache" is a folder, or false', this.find('cache'));
    return {};
  }

  private jobs(root: { [key: string]: Json }): Job[] {
    if (!Array.isArray(root['models'])) {
      this.problem(
        '"models" must be a list of models',
        this.find('models'),
        'for example "models": ["ring.pml"]',
      );
      return [];
    }
    const entries = root['models'].map((entry) => (typeof entry === 'string' ? { model: entry } : entry));
    // What is listed by its name is not meant by a pattern as well: its entry says how to check it.
    const named = new Set(
      entries.flatMap((entry) =>
        isObject(entry) && typeof entry['model'] === 'string' && this.matching(entry['model']) === null
          ? [this.inFolder(entry['model'])]
          : [],
      ),
    );
    return entries.flatMap((entry) => this.jobsOfEntry(entry, root, named));
  }

  private jobsOfEntry(entry: Json, root: { [key: string]: Json }, taken: Set<string>): Job[] {
    if (!isObject(entry)) {
      this.problem('each model is a path or an object with the key "model"', this.find('models'));
      return [];
    }
    this.unknownKeys(entry, MODEL_KEYS);
    const compose = entry['compose'] !== undefined;
    const written = this.strings(entry, compose ? 'compose' : 'model');
    if (written.length === 0)
      this.problem('a model needs "model": a path, or "compose": a list of paths', this.find('models'));
    const settings = this.settings(entry, root);
    if (compose) {
      const paths = written.flatMap((path) => this.found(path) ?? [this.inFolder(path)]);
      return [{ paths, ...settings, options: { ...settings.options, compose } }];
    }
    return written.flatMap((path) => {
      const fresh = (this.found(path) ?? []).filter((one) => !taken.has(one));
      for (const one of fresh) taken.add(one);
      const paths = this.matching(path) === null ? [this.inFolder(path)] : fresh;
      return paths.map((one) => ({ paths: [one], ...settings }));
    });
  }

  /** The files of a pattern, of which there must be some; null for a path. */
  private found(path: string): readonly string[] | null {
    const files = this.matching(path);
    if (files?.length === 0)
      this.problem(`no file matches "${path}"`, this.find(path), 'patterns are relative to this file');
    return files;
  }

  private matching(path: string): readonly string[] | null {
    return this.expand(path, this.folder);
  }

  private inFolder(path: string): string {
    return path.startsWith('/') ? path : joinPath(this.folder, path);
  }

  private settings(entry: { [key: string]: Json }, root: { [key: string]: Json }): Omit<Job, 'paths'> {
    const inherited = { ...root, ...entry };
    const language = this.text(inherited, 'language');
    return {
      properties: this.strings(entry, 'properties'),
      expect: this.expectations(entry),
      ...(language === undefined ? {} : { language }),
      limits: {
        ...this.limit(inherited, 'timeout'),
        ...this.limit(inherited, 'maxStates'),
        ...this.limit(inherited, 'maxMemory'),
      },
      options: {
        ...this.choices(inherited),
        ...this.swarm(inherited),
        ...Object.fromEntries(
          Object.entries(FLAGS).map(([key, usual]) => [key, this.flag(inherited, key, usual)]),
        ),
        ...Object.fromEntries(LISTS.map((key) => [key, this.strings(inherited, key)])),
        compose: false,
        defines: this.strings(inherited, 'defines'),
        includes: this.strings(inherited, 'includes').map((path) => this.inFolder(path)),
      },
    };
  }

  private swarm(entry: { [key: string]: Json }): CheckOptions {
    const { swarm } = entry;
    if (swarm === undefined) return {};
    if (typeof swarm === 'number' && Number.isSafeInteger(swarm) && swarm >= 0) return { swarm };
    this.problem('"swarm" must be a whole number', this.find('swarm'));
    return {};
  }

  private choices(entry: { [key: string]: Json }): CheckOptions {
    const result: Record<string, string> = {};
    for (const [key, known] of Object.entries(CHOICES)) {
      const value = this.text(entry, key);
      if (value === undefined) continue;
      if (known !== null && !(known as readonly string[]).includes(value))
        this.problem(`"${key}" is ${known.map((one) => `"${one}"`).join(' or ')}`, this.find(key));
      result[key] = value;
    }
    return result;
  }

  private flag(entry: { [key: string]: Json }, key: string, usual: boolean): boolean {
    const value = entry[key];
    if (value === undefined || typeof value === 'boolean') return value ?? usual;
    this.problem(`"${key}" must be true or false`, this.find(key));
    return usual;
  }

  private text(entry: { [key: string]: Json }, key: string): string | undefined {
    const value = entry[key];
    if (value === undefined || typeof value === 'string') return value;
    this.problem(`"${key}" must be a text`, this.find(key));
    return undefined;
  }

  private reports(root: { [key: string]: Json }): ReportTarget[] {
    const reports = root['reports'] ?? {};
    const help = 'for example "reports": { "junit": "results.xml" }';
    if (!isObject(reports)) {
      this.problem('"reports" maps formats to files', this.find('reports'), help);
      return [];
    }
    return Object.entries(reports).flatMap(([format, file]) => {
      if (isFormat(format) && typeof file === 'string') return [{ format, file: this.inFolder(file) }];
      const message = isFormat(format)
        ? `the report "${format}" needs a file`
        : `there is no format "${format}"; known: ${FORMATS.join(', ')}`;
      this.problem(message, this.find(format), help);
      return [];
    });
  }

  private expectations(entry: { [key: string]: Json }): Record<string, Verdict> {
    const expect = entry['expect'];
    if (expect === undefined) return {};
    if (!isObject(expect)) {
      this.problem(
        '"expect" maps properties to verdicts',
        this.find('expect'),
        'for example "expect": { "bounded": "refuted" }',
      );
      return {};
    }
    for (const [property, verdict] of Object.entries(expect)) {
      if (!VERDICTS.includes(verdict as string)) {
        this.problem(
          `what is expected of '${property}' must be one of ${VERDICTS.join(', ')}`,
          this.find(property),
        );
      }
    }
    return expect as Record<string, Verdict>;
  }

  private strings(entry: { [key: string]: Json }, key: string): string[] {
    const value = entry[key];
    if (value === undefined) return [];
    const list = typeof value === 'string' ? [value] : value;
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list as string[];
    this.problem(`"${key}" must be a text or a list of texts`, this.find(key));
    return [];
  }

  private limit(entry: { [key: string]: Json }, key: keyof Limits): Limits {
    const value = entry[key];
    if (value === undefined) return {};
    if (typeof value === 'number' && value > 0) return { [key]: value };
    this.problem(`"${key}" must be a positive number`, this.find(key));
    return {};
  }

  private unknownKeys(entry: { [key: string]: Json }, known: readonly string[]): void {
    for (const key of Object.keys(entry)) {
      if (known.includes(key)) continue;
      const near = suggest(key, known);
      this.problem(
        `there is no key "${key}"`,
        this.find(key),
        near === null ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`,
      );
    }
  }

  /** The first place where the key is written: good enough to look at. */
  private find(key: string): Span | null {
    const start = this.file.text.indexOf(JSON.stringify(key));
    return start < 0 ? null : { file: this.file, start, end: start + key.length + 2 };
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
