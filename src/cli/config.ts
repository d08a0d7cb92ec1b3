// spillway.config.json: which models to check, what to expect of them, and limits. Errors point at the text.

import { join as joinPath } from 'node:path';
import type { Limits } from '../base/budget.ts';
import type { CheckOptions } from '../engine/options.ts';
import { type Diagnostic, suggest } from '../source/diagnostic.ts';
import { SourceFile, type Span } from '../source/source.ts';
import type { Verdict } from '../verdict/verdict.ts';

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

const TOP_KEYS = [
  '$schema',
  'models',
  'timeout',
  'maxStates',
  'maxMemory',
  'method',
  'exact',
  'defines',
  'includes',
];
const MODEL_KEYS = ['model', 'compose', 'properties', 'expect', 'progress', ...TOP_KEYS.slice(2)];
const VERDICTS = ['proved', 'refuted', 'unknown'];

export function readConfig(
  path: string,
  text: string,
): { readonly jobs: readonly Job[]; readonly diagnostics: readonly Diagnostic[] } {
  const file = new SourceFile(path, text);
  const reader = new Reader(file);
  let root: Json;
  try {
    root = JSON.parse(text) as Json;
  } catch (error) {
    const offset = Number(/position (\d+)/.exec(String(error))?.[1] ?? 0);
    reader.problem(`this is not JSON: ${error instanceof Error ? error.message : error}`, {
      file,
      start: offset,
      end: offset + 1,
    });
    return { jobs: [], diagnostics: reader.diagnostics };
  }
  const jobs = reader.jobs(root, path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.');
  return { jobs: reader.diagnostics.length > 0 ? [] : jobs, diagnostics: reader.diagnostics };
}

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  private readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
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

  jobs(root: Json, folder: string): Job[] {
    if (!isObject(root)) {
      this.problem('the configuration is an object with the key "models"', null);
      return [];
    }
    this.unknownKeys(root, TOP_KEYS);
    if (!Array.isArray(root['models'])) {
      this.problem(
        '"models" must be a list of models',
        this.find('models'),
        'for example "models": ["ring.pml"]',
      );
      return [];
    }
    return root['models'].map((entry) =>
      this.job(typeof entry === 'string' ? { model: entry } : entry, root, folder),
    );
  }

  private job(entry: Json, root: { [key: string]: Json }, folder: string): Job {
    if (!isObject(entry)) {
      this.problem('each model is a path or an object with the key "model"', this.find('models'));
      return { paths: [], properties: [], expect: {}, options: {}, limits: {} };
    }
    this.unknownKeys(entry, MODEL_KEYS);
    const compose = entry['compose'] !== undefined;
    const paths = compose ? this.strings(entry, 'compose') : this.strings(entry, 'model');
    if (paths.length === 0)
      this.problem('a model needs "model": a path, or "compose": a list of paths', this.find('models'));
    const inherited = { ...root, ...entry };
    const method = inherited['method'];
    if (method !== undefined && method !== 'flow' && method !== 'cycles') {
      this.problem('"method" is "flow" or "cycles"', this.find('method'));
    }
    return {
      paths: paths.map((path) => (path.startsWith('/') ? path : joinPath(folder, path))),
      properties: this.strings(entry, 'properties'),
      expect: this.expectations(entry),
      limits: {
        ...this.limit(inherited, 'timeout'),
        ...this.limit(inherited, 'maxStates'),
        ...this.limit(inherited, 'maxMemory'),
      },
      options: {
        ...(method === 'flow' || method === 'cycles' ? { method } : {}),
        exact: inherited['exact'] === true,
        confirm: true,
        compose,
        progress: this.strings(entry, 'progress'),
        defines: this.strings(inherited, 'defines'),
        includes: this.strings(inherited, 'includes').map((path) => joinPath(folder, path)),
      },
    };
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
