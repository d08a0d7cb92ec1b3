// The shape of a tool's arguments: written as JSON Schema for the client, and checked here with words that an agent can act on. Only what
// the tools use: texts, whole numbers, yes or no, lists of these.

import { suggest } from '../source/diagnostic.ts';

export interface ObjectSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export type ValueSchema =
  | { readonly type: 'string'; readonly description: string; readonly enum?: readonly string[] }
  | {
      readonly type: 'integer';
      readonly description: string;
      readonly minimum: number;
      readonly maximum?: number;
      readonly default?: number;
    }
  | { readonly type: 'boolean'; readonly description: string }
  | {
      readonly type: 'array';
      readonly description: string;
      readonly items: { readonly type: 'string' } | { readonly type: 'integer' };
    };

/** A call that cannot be done as it is asked; the message says what to do instead. */
export class Refusal extends Error {}

/** Arguments that were checked. */
export class Call {
  private readonly values: Readonly<Record<string, unknown>>;

  constructor(schema: ObjectSchema, values: unknown) {
    if (typeof values !== 'object' || values === null || Array.isArray(values))
      throw new Refusal('the arguments are an object');
    this.values = values as Record<string, unknown>;
    const known = Object.keys(schema.properties);
    for (const key of Object.keys(this.values)) {
      if (known.includes(key)) continue;
      const near = suggest(key, known);
      throw new Refusal(
        `there is no argument '${key}'${near === null ? `; known: ${known.join(', ')}` : `; did you mean '${near}'?`}`,
      );
    }
    for (const key of schema.required ?? [])
      if (this.values[key] === undefined) throw new Refusal(`the argument '${key}' is missing`);
    for (const [key, value] of Object.entries(this.values)) {
      if (value === undefined || value === null) continue;
      const wrong = whyWrong(value, schema.properties[key]!);
      if (wrong !== null) throw new Refusal(`'${key}' ${wrong}`);
    }
  }

  text(key: string): string | undefined {
    return (this.values[key] ?? undefined) as string | undefined;
  }

  number(key: string): number | undefined {
    return (this.values[key] ?? undefined) as number | undefined;
  }

  flag(key: string): boolean {
    return this.values[key] === true;
  }

  texts(key: string): readonly string[] {
    return (this.values[key] ?? []) as readonly string[];
  }

  has(key: string): boolean {
    return this.values[key] !== undefined && this.values[key] !== null;
  }

  numbers(key: string): readonly number[] {
    return (this.values[key] ?? []) as readonly number[];
  }
}

function whyWrong(value: unknown, schema: ValueSchema): string | null {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return 'is a text';
      return schema.enum === undefined || schema.enum.includes(value)
        ? null
        : `is one of ${schema.enum.join(', ')}`;
    case 'boolean':
      return typeof value === 'boolean' ? null : 'is true or false';
    case 'integer': {
      const { minimum, maximum = Number.MAX_SAFE_INTEGER } = schema;
      if (Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum)
        return null;
      return `is a whole number from ${minimum}${schema.maximum === undefined ? ' on' : ` to ${maximum}`}`;
    }
    case 'array': {
      const isItem = (one: unknown): boolean =>
        schema.items.type === 'string' ? typeof one === 'string' : Number.isInteger(one);
      if (Array.isArray(value) && value.every(isItem)) return null;
      return `is a list of ${schema.items.type === 'string' ? 'texts' : 'whole numbers'}`;
    }
  }
}
