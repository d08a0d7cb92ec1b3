// The list of verbs: names and summaries for the help, the code loaded on use.

import type { Verb } from './verb.ts';

export interface VerbEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

export const VERBS: readonly VerbEntry[] = [
  {
    name: 'check',
    summary: 'prove or refute properties of models',
    load: async () => (await import('./verbs/check.ts')).check,
  },
];
