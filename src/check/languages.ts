// Which language a file is in. Each language is loaded only when a model needs it: start-up counts. A new language is a line here.

import type { Language } from '../engine/language.ts';
import type { OptionName } from '../engine/options.ts';
import { isFsa } from '../machines/read-fsa.ts';
import { isCms, isSessionTypes } from '../machines/read-types.ts';
import { isNetSpec } from '../petri/read-spec.ts';
import type { FileSystem } from '../source/source.ts';

/** What codes of diagnostics mean, by code. */
export type CodeTable = Readonly<Record<string, { readonly title: string; readonly explanation: string }>>;

export interface LanguageEntry {
  readonly name: string;
  readonly extensions: readonly string[];
  /** Files with these extensions are models: they can be looked for in a folder. */
  readonly ownsExtensions?: true;
  /** The codes that reading and checking a model may issue. */
  readonly codes: () => Promise<readonly CodeTable[]>;
  /** The analysis options that a model takes. */
  readonly options: (path: string) => readonly OptionName[];
  /** The formats that `convert` can write. */
  readonly formats?: readonly string[];
  /** Several such files make one system, or one program. */
  readonly composes?: (path: string) => boolean;
  /** Reading a model takes more than the files that go through `FileSystem`: its answers are neither remembered nor asked of others. */
  readonly readsElsewhere?: true;
  /** For files whose extension says nothing, or is shared: is this text in the language? */
  readonly recognises?: (text: string) => boolean;
  readonly load: () => Promise<Language<unknown>>;
}

/** For every language whose models are programs of the process IR. */
const PROGRAM_OPTIONS = [
  'method',
  'progress',
  'exact',
  'no-confirm',
  'fair',
  'no-reduction',
  'coverage',
  'formula',
  'invariant',
  'swarm',
] as const satisfies OptionName[];

/** A file of a program, not a description of one. */
const isCFile = (path: string): boolean => !/\.(spec|ya?ml)$/.test(path);

export const LANGUAGES: readonly LanguageEntry[] = [
  {
    name: 'promela',
    extensions: ['.pml', '.prom', '.promela', '.prm', '.pr', '.pm', '.p', '.spin'],
    ownsExtensions: true,
    codes: async () => [
      (await import('../promela/codes.ts')).PROMELA_CODES,
      (await import('../net/codes.ts')).NET_CODES,
      (await import('../explore/faults.ts')).FAULT_EXPLANATIONS,
    ],
    options: () => [...PROGRAM_OPTIONS, 'define', 'include'],
    formats: ['hoa', 'never', 'pnml'],
    recognises: (text) =>
      /(^|[\n;}])\s*(active\s*(\[[^\]]*\]\s*)?proctype|proctype\s+\w+\s*\(|init\s*\{|mtype\b)/.test(text),
    load: async () => (await import('./promela.ts')).promela as Language<unknown>,
  },
  {
    name: 'kripke',
    extensions: ['.lks', '.aut'],
    ownsExtensions: true,
    codes: async () => [
      (await import('../kripke/codes.ts')).KRIPKE_CODES,
      (await import('../ltl/codes.ts')).LTL_CODES,
    ],
    options: (path) => [
      'monolithic',
      'strategy',
      'compose',
      ...(path.endsWith('.lks') ? (['define'] as const) : []),
    ],
    formats: ['promela', 'aut', 'dot', 'lks', 'hoa'],
    composes: () => true,
    load: async () => (await import('./kripke.ts')).kripke as Language<unknown>,
  },
  {
    name: 'ecfsm',
    extensions: ['.ecfsm'],
    ownsExtensions: true,
    codes: async () => [(await import('../ecfsm/codes.ts')).ECFSM_CODES],
    options: () => [],
    load: async () => (await import('./ecfsm.ts')).ecfsm as Language<unknown>,
  },
  {
    name: 'c',
    extensions: ['.c', '.i', '.spec', '.yml'],
    codes: async () => [(await import('../c/text/codes.ts')).C_CODES],
    options: (path) => [
      'define',
      'include',
      ...(path.endsWith('.spec') ? [] : (['data-model', 'function', 'memory-model'] as const)),
      ...(path.endsWith('.spec') ? (['monolithic', 'strategy'] as const) : []),
      ...(isCFile(path) ? (['compose'] as const) : []),
    ],
    composes: isCFile,
    load: async () => (await import('./c.ts')).c as Language<unknown>,
  },
  {
    name: 'xstate',
    extensions: ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.machine.json'],
    codes: async () => [(await import('../xstate/codes.ts')).XSTATE_CODES],
    options: () => ['export', 'scheduler', 'formula'],
    formats: ['promela', 'scxml', 'mermaid'],
    // The module's imports, by its bundler.
    readsElsewhere: true,
    load: async () => (await import('#check/xstate')).xstate as Language<unknown>,
  },
  {
    name: 'scxml',
    extensions: ['.scxml', '.system.json'],
    ownsExtensions: true,
    codes: async () => [(await import('../scxml/codes.ts')).SCXML_CODES],
    options: () => ['scheduler', 'formula'],
    formats: ['mermaid', 'promela', 'scxml'],
    load: async () => (await import('./scxml.ts')).scxml as Language<unknown>,
  },
  {
    name: 'net',
    extensions: ['.pnml', '.spec'],
    codes: async () => [(await import('../petri/codes.ts')).NET_CODES],
    options: () => [],
    formats: ['pnml', 'spec', 'promela'],
    recognises: (text) => /^\s*<[\s\S]{0,2000}?<?pnml\b/.test(text) || isNetSpec(text),
    load: async () => (await import('./nets.ts')).nets as Language<unknown>,
  },
  {
    name: 'machines',
    extensions: ['.fsa', '.cms', '.sgg', '.gc'],
    codes: async () => [(await import('../machines/codes.ts')).MACHINE_CODES],
    options: () => [],
    formats: ['fsa', 'promela', 'pnml'],
    recognises: (text) => isFsa(text) || isCms(text) || isSessionTypes(text),
    load: async () => (await import('./machines.ts')).machines as Language<unknown>,
  },
];

/** One that does not make one system with the first one; undefined when all do. */
export function apartFrom(
  paths: readonly string[],
  entryOf: (path: string) => LanguageEntry | null,
): string | undefined {
  const [first] = paths.map(entryOf);
  return paths.find((path) => entryOf(path) !== first || first?.composes?.(path) !== true);
}

/** By the extension alone. */
export function languageOf(path: string): LanguageEntry | null {
  return LANGUAGES.find((entry) => entry.extensions.some((extension) => path.endsWith(extension))) ?? null;
}

/** As the user says, by the extension, or by what stands in the file. */
export function languageFor(path: string, files: FileSystem, said?: string): LanguageEntry | null {
  if (said !== undefined) return LANGUAGES.find((entry) => entry.name === said) ?? null;
  const candidates = LANGUAGES.filter((entry) =>
    entry.extensions.some((extension) => path.endsWith(extension)),
  );
  if (candidates.length === 1) return candidates[0]!;
  const text = files.read(path);
  if (text === null) return candidates[0] ?? null;
  const among = candidates.length > 0 ? candidates : LANGUAGES;
  return among.find((entry) => entry.recognises?.(text)) ?? candidates[0] ?? null;
}
