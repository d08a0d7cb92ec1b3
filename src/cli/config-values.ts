// The values of a configuration: each is what its key promises, or a problem that points at the text.

import type { Limits } from '../base/budget.ts';
import { type Diagnostic, suggest } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export class Values {
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

  flag(entry: JsonObject, key: string, usual: boolean): boolean {
    const value = entry[key];
    if (value === undefined || typeof value === 'boolean') return value ?? usual;
    this.problem(`"${key}" must be true or false`, this.find(key));
    return usual;
  }

  text(entry: JsonObject, key: string): string | undefined {
    const value = entry[key];
    if (value === undefined || typeof value === 'string') return value;
    this.problem(`"${key}" must be a text`, this.find(key));
    return undefined;
  }

  strings(entry: JsonObject, key: string): string[] {
    const value = entry[key];
    if (value === undefined) return [];
    const list = typeof value === 'string' ? [value] : value;
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list as string[];
    this.problem(`"${key}" must be a text or a list of texts`, this.find(key));
    return [];
  }

  limit(entry: JsonObject, key: keyof Limits): Limits {
    const value = entry[key];
    if (value === undefined) return {};
    if (typeof value === 'number' && value > 0) return { [key]: value };
    this.problem(`"${key}" must be a positive number`, this.find(key));
    return {};
  }

  unknownKeys(entry: JsonObject, known: readonly string[]): void {
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
  find(key: string): Span | null {
    const start = this.file.text.indexOf(JSON.stringify(key));
    return start < 0 ? null : { file: this.file, start, end: start + key.length + 2 };
  }
}
