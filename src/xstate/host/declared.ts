// What a user may say beside the machine, as `export const spillway = { … }`: everything is optional.

import type { XEvent } from './types.ts';

export interface Declared {
  /** Inputs of the system's root to try; without it an input is not known. */
  readonly input?: readonly unknown[];
  /** Which events come from outside, each with the payloads to try: `{ SUBMIT: [{ text: '' }, { text: 'a' }], CLEAR: [] }`. */
  readonly events?: Readonly<Record<string, readonly object[]>>;
  /** What promises (and `output` of observables) may resolve to, by the name of the source. */
  readonly outputs?: Readonly<Record<string, readonly unknown[]>>;
  /** What promises may be rejected with; `[]`: never. */
  readonly errors?: Readonly<Record<string, readonly unknown[]>>;
  /** What callbacks and event observables send back, by the name of the source. */
  readonly callbacks?: Readonly<Record<string, readonly (XEvent | string)[]>>;
  /** By machine id: the keys of its context that are told apart. The others are not known to any function. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
  /** Types of events that count as progress; states are marked by the tag `progress` or by `meta: { progress: true }`. */
  readonly progress?: readonly string[];
  /** Formulas to be checked, by name. */
  readonly ltl?: Readonly<Record<string, string>>;
}

const FIELDS = ['input', 'events', 'outputs', 'errors', 'callbacks', 'context', 'progress', 'ltl'];
const LISTS = ['input', 'progress'];

/** The declaration, or what is wrong with it. */
export function readDeclared(value: unknown): {
  readonly declared: Declared;
  readonly problem: string | null;
} {
  if (value === undefined) return { declared: {}, problem: null };
  if (typeof value !== 'object' || value === null)
    return { declared: {}, problem: 'the export spillway is not an object' };
  for (const [key, part] of Object.entries(value)) {
    if (!FIELDS.includes(key))
      return {
        declared: {},
        problem: `the export spillway has no field '${key}': known are ${FIELDS.join(', ')}`,
      };
    const isList = LISTS.includes(key);
    if (isList ? !Array.isArray(part) : typeof part !== 'object' || part === null)
      return { declared: {}, problem: `spillway.${key} is not ${isList ? 'a list' : 'an object'}` };
    if (isList) continue;
    for (const [name, list] of Object.entries(part as object))
      if (key === 'ltl' ? typeof list !== 'string' : !Array.isArray(list))
        return {
          declared: {},
          problem: `spillway.${key}.${name} is not ${key === 'ltl' ? 'a formula' : 'a list'}`,
        };
  }
  return { declared: value as Declared, problem: null };
}
