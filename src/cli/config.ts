// spillway.config.json: which models to check, what to expect of them, limits, and everything else that the command line can say.
// Errors point at the text.

import { join as joinPath } from 'node:path';
import type { Limits } from '../base/budget.ts';
import type { CheckOptions } from '../engine/options.ts';
import { STRATEGIES } from '../kripke/strategies.ts';
import { FORMATS, isFormat } from '../report/formats.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import { parseJson, plainJson } from '../source/json.ts';
import { SourceFile } from '../source/source.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { isObject, type Json, type JsonObject, Values } from './config-values.ts';
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

/** Keys with a value out of a few, or (where the analysis knows them best) any text. */
const CHOICES = {
  method: ['flow', 'cycles'],
  strategy: STRATEGIES,
  dataModel: ['ILP32', 'LP64'],
  memoryModel: ['c11', 'sequential'],
  scheduler: ['in-process', 'distributed'],
  export: null,
  function: null,
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
  const values = new Values(file);
  const { diagnostics } = values;
  const { value, problems } = parseJson(file);
  for (const { message, span, help } of problems) values.problem(message, span, help);
  if (value === null || problems.length > 0) return { jobs: [], reports: [], diagnostics };
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.';
  const config = new Reader(values, folder, expand).config(plainJson(value) as Json);
  return diagnostics.length > 0 ? { ...config, jobs: [] } : config;
}

class Reader {
  private readonly values: Values;
  private readonly folder: string;
  private readonly expand: Expand;

  constructor(values: Values, folder: string, expand: Expand) {
    this.values = values;
    this.folder = folder;
    this.expand = expand;
  }

  config(root: Json): Config {
    const { diagnostics } = this.values;
    if (!isObject(root)) {
      this.values.problem('the configuration is an object with the key "models"', null);
      return { jobs: [], reports: [], diagnostics };
    }
    this.values.unknownKeys(root, TOP_KEYS);
    const threads = root['jobs'];
    if (threads !== undefined && !(Number.isSafeInteger(threads) && Number(threads) > 0))
      this.values.problem('"jobs" must be a whole number of at least 1', this.values.find('jobs'));
    const certificates = this.values.text(root, 'certificates');
    const queue = this.values.text(root, 'queue');
    const baseline = this.values.text(root, 'baseline');
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

  private cache(root: JsonObject): Pick<Config, 'cache'> {
    const { cache } = root;
    if (cache === undefined) return {};
    if (cache === false) return { cache };
    if (typeof cache === 'string' && cache !== '') return { cache: this.inFolder(cache) };
    this.values.problem('"cache" is a folder, or false', this.values.find('cache'));
    return {};
  }

  private jobs(root: JsonObject): Job[] {
    if (!Array.isArray(root['models'])) {
      this.values.problem(
        '"models" must be a list of models',
        this.values.find('models'),
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

  private jobsOfEntry(entry: Json, root: JsonObject, taken: Set<string>): Job[] {
    if (!isObject(entry)) {
      this.values.problem(
        'each model is a path or an object with the key "model"',
        this.values.find('models'),
      );
      return [];
    }
    this.values.unknownKeys(entry, MODEL_KEYS);
    const compose = entry['compose'] !== undefined;
    const written = this.values.strings(entry, compose ? 'compose' : 'model');
    if (written.length === 0)
      this.values.problem(
        'a model needs "model": a path, or "compose": a list of paths',
        this.values.find('models'),
      );
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
      this.values.problem(
        `no file matches "${path}"`,
        this.values.find(path),
        'patterns are relative to this file',
      );
    return files;
  }

  private matching(path: string): readonly string[] | null {
    return this.expand(path, this.folder);
  }

  private inFolder(path: string): string {
    return path.startsWith('/') ? path : joinPath(this.folder, path);
  }

  private settings(entry: JsonObject, root: JsonObject): Omit<Job, 'paths'> {
    const inherited = { ...root, ...entry };
    const language = this.values.text(inherited, 'language');
    return {
      properties: this.values.strings(entry, 'properties'),
      expect: this.expectations(entry),
      ...(language === undefined ? {} : { language }),
      limits: {
        ...this.values.limit(inherited, 'timeout'),
        ...this.values.limit(inherited, 'maxStates'),
        ...this.values.limit(inherited, 'maxMemory'),
      },
      options: {
        ...this.choices(inherited),
        ...this.swarm(inherited),
        ...Object.fromEntries(
          Object.entries(FLAGS).map(([key, usual]) => [key, this.values.flag(inherited, key, usual)]),
        ),
        ...Object.fromEntries(LISTS.map((key) => [key, this.values.strings(inherited, key)])),
        compose: false,
        defines: this.values.strings(inherited, 'defines'),
        includes: this.values.strings(inherited, 'includes').map((path) => this.inFolder(path)),
      },
    };
  }

  private swarm(entry: JsonObject): CheckOptions {
    const { swarm } = entry;
    if (swarm === undefined) return {};
    if (typeof swarm === 'number' && Number.isSafeInteger(swarm) && swarm >= 0) return { swarm };
    this.values.problem('"swarm" must be a whole number', this.values.find('swarm'));
    return {};
  }

  private choices(entry: JsonObject): CheckOptions {
    const result: Record<string, string> = {};
    for (const [key, known] of Object.entries(CHOICES)) {
      const value = this.values.text(entry, key);
      if (value === undefined) continue;
      if (known !== null && !(known as readonly string[]).includes(value))
        this.values.problem(
          `"${key}" is ${known.map((one) => `"${one}"`).join(' or ')}`,
          this.values.find(key),
        );
      result[key] = value;
    }
    return result;
  }

  private reports(root: JsonObject): ReportTarget[] {
    const reports = root['reports'] ?? {};
    const help = 'for example "reports": { "junit": "results.xml" }';
    if (!isObject(reports)) {
      this.values.problem('"reports" maps formats to files', this.values.find('reports'), help);
      return [];
    }
    return Object.entries(reports).flatMap(([format, file]) => {
      if (isFormat(format) && typeof file === 'string') return [{ format, file: this.inFolder(file) }];
      const message = isFormat(format)
        ? `the report "${format}" needs a file`
        : `there is no format "${format}"; known: ${FORMATS.join(', ')}`;
      this.values.problem(message, this.values.find(format), help);
      return [];
    });
  }

  private expectations(entry: JsonObject): Record<string, Verdict> {
    const expect = entry['expect'];
    if (expect === undefined) return {};
    if (!isObject(expect)) {
      this.values.problem(
        '"expect" maps properties to verdicts',
        this.values.find('expect'),
        'for example "expect": { "bounded": "refuted" }',
      );
      return {};
    }
    for (const [property, verdict] of Object.entries(expect)) {
      if (!VERDICTS.includes(verdict as string)) {
        this.values.problem(
          `what is expected of '${property}' must be one of ${VERDICTS.join(', ')}`,
          this.values.find(property),
        );
      }
    }
    return expect as Record<string, Verdict>;
  }
}
