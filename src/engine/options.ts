// Options of the analyses, as on the command line. Each language says which ones it takes; nothing here knows a language.

export interface CheckOptions {
  readonly method?: 'flow' | 'cycles';
  /** Look for a real run when the abstraction leaves a counterexample (default true). */
  readonly confirm?: boolean;
  /** Also find the true maxima by exhaustive search. */
  readonly exact?: boolean;
  /** Settle every queue, though one that floods refutes the whole. */
  readonly allQueues?: boolean;
  readonly progress?: readonly string[];
  readonly defines?: readonly string[];
  readonly includes?: readonly string[];
  readonly compose?: boolean;
  /** Also explain proofs and draw graphs: for reports that people look at. */
  readonly explain?: boolean;
  /** Only weakly fair runs count. */
  readonly fair?: boolean;
  /** False: every order of steps is searched. */
  readonly reduction?: boolean;
  /** The whole product instead of refinement. */
  readonly monolithic?: boolean;
  readonly strategy?: string;
  /** Formulas and invariants of the command line, beside those of the model. */
  readonly formulas?: readonly string[];
  readonly invariants?: readonly string[];
  /** Also list statements that no run reaches. */
  readonly coverage?: boolean;
  readonly dataModel?: 'ILP32' | 'LP64';
  /** Where a program begins, and what it is asked of; `main` when nothing is said. */
  readonly function?: string;
  /** `sequential`: threads take turns, also where C does not promise it. */
  readonly memoryModel?: 'c11' | 'sequential';
  /** Which export of a module is the system. */
  readonly export?: string;
  readonly scheduler?: 'in-process' | 'distributed';
  /** So many further searches, each in an order of its own. */
  readonly swarm?: number;
  /** Of `bounded`, only these queues: a case of a question that was divided (check/divide.ts), no answer by itself. */
  readonly queues?: readonly string[];
}

/** An option by its long name on the command line. */
export type OptionName = keyof typeof OPTIONS;

interface OptionSpelling {
  /** The words that say it on a command line; none when it was not given. */
  readonly words: (options: CheckOptions) => readonly string[];
}

const flag = (name: string, isGiven: (options: CheckOptions) => boolean): OptionSpelling => ({
  words: (options) => (isGiven(options) ? [`--${name}`] : []),
});
const value = (name: string, of: (options: CheckOptions) => string | undefined): OptionSpelling => ({
  words: (options) => {
    const given = of(options);
    return given === undefined ? [] : [`--${name}`, given];
  },
});
const list = (
  name: string,
  of: (options: CheckOptions) => readonly string[] | undefined,
): OptionSpelling => ({
  words: (options) => (of(options) ?? []).flatMap((given) => [`--${name}`, given]),
});
const letter = (
  short: string,
  of: (options: CheckOptions) => readonly string[] | undefined,
): OptionSpelling => ({
  words: (options) => (of(options) ?? []).map((given) => `-${short}${given}`),
});

/** One table of options: how each is written, for commands that repeat a check and for warnings about options that change nothing. */
const OPTIONS = {
  method: value('method', ({ method }) => method),
  progress: list('progress', ({ progress }) => progress),
  exact: flag('exact', ({ exact }) => exact === true),
  'no-confirm': flag('no-confirm', ({ confirm }) => confirm === false),
  fair: flag('fair', ({ fair }) => fair === true),
  'no-reduction': flag('no-reduction', ({ reduction }) => reduction === false),
  coverage: flag('coverage', ({ coverage }) => coverage === true),
  formula: list('formula', ({ formulas }) => formulas),
  invariant: list('invariant', ({ invariants }) => invariants),
  monolithic: flag('monolithic', ({ monolithic }) => monolithic === true),
  strategy: value('strategy', ({ strategy }) => strategy),
  'data-model': value('data-model', ({ dataModel }) => dataModel),
  function: value('function', (options) => options.function),
  'memory-model': value('memory-model', ({ memoryModel }) => memoryModel),
  export: value('export', (options) => options.export),
  scheduler: value('scheduler', ({ scheduler }) => scheduler),
  swarm: value('swarm', ({ swarm }) => (swarm === undefined || swarm === 0 ? undefined : String(swarm))),
  compose: flag('compose', ({ compose }) => compose === true),
  define: letter('D', ({ defines }) => defines),
  include: letter('I', ({ includes }) => includes),
} as const satisfies Record<string, OptionSpelling>;

const NAMES = Object.keys(OPTIONS) as OptionName[];

export const givenOptions = (options: CheckOptions): readonly OptionName[] =>
  NAMES.filter((name) => OPTIONS[name].words(options).length > 0);

/** The options as words of a command, for the languages that take them. */
export const optionWords = (options: CheckOptions, taken: readonly OptionName[]): readonly string[] =>
  NAMES.filter((name) => taken.includes(name)).flatMap((name) => OPTIONS[name].words(options));
