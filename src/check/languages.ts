// Which language a file is in. Each language is loaded only when a model needs it: start-up counts.

import type { Language } from './language.ts';

interface Entry {
  readonly name: string;
  readonly extensions: readonly string[];
  readonly load: () => Promise<Language>;
}

export const LANGUAGES: readonly Entry[] = [
  {
    name: 'promela',
    extensions: ['.pml', '.prom', '.promela'],
    load: async () => (await import('./promela/language.ts')).promela,
  },
  {
    name: 'kripke',
    extensions: ['.lks', '.aut'],
    load: async () => (await import('./kripke.ts')).kripke,
  },
  {
    name: 'ecfsm',
    extensions: ['.ecfsm'],
    load: async () => (await import('./ecfsm.ts')).ecfsm,
  },
  {
    name: 'c',
    extensions: ['.c', '.spec'],
    load: async () => (await import('./c.ts')).c,
  },
];

export function languageOf(path: string): Entry | null {
  return LANGUAGES.find((entry) => entry.extensions.some((extension) => path.endsWith(extension))) ?? null;
}
