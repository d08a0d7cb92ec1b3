// Models in other formats. A language says which formats it can be written in; the `convert` verb asks here.

import type { Budget } from '../base/budget.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { FileSystem } from '../source/source.ts';

export interface ConvertRequest {
  /** Several only with `--compose`: one system. */
  readonly paths: readonly string[];
  readonly files: FileSystem;
  readonly format: string;
  /** Which questions the result should ask, where the format can ask one. Empty: what the model states. */
  readonly properties: readonly string[];
  readonly defines: readonly string[];
  readonly includes: readonly string[];
  readonly budget: Budget;
}

export interface Converted {
  /** Null when there are errors. */
  readonly text: string | null;
  /** Warnings say what the format cannot carry. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Converter {
  /** The language's name in languages.ts. */
  readonly language: string;
  readonly formats: readonly string[];
  readonly load: () => Promise<(request: ConvertRequest) => Promise<Converted>>;
}

export const CONVERTERS: readonly Converter[] = [
  {
    language: 'kripke',
    formats: ['promela', 'aut', 'dot', 'lks'],
    load: async () => (await import('./kripke-convert.ts')).convertKripke,
  },
  {
    language: 'kripke',
    formats: ['hoa'],
    load: async () => (await import('./automaton-convert.ts')).convertKripkeFormulas,
  },
  {
    language: 'promela',
    formats: ['hoa', 'never'],
    load: async () => (await import('./automaton-convert.ts')).convertPromelaFormulas,
  },
  {
    language: 'promela',
    formats: ['pnml'],
    load: async () => (await import('./promela/net-convert.ts')).convertPromelaNet,
  },
];
