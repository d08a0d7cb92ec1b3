// The one interface through which the CLI and the API reach every language.

import type { Budget, Observer } from '../base/budget.ts';
import type { FileSystem } from '../source/source.ts';
import type { ModelReport } from '../verdict/verdict.ts';

export interface CheckRequest {
  /** One model; several paths only for composed systems (`--compose`). */
  readonly paths: readonly string[];
  readonly files: FileSystem;
  /** Empty: everything that the model states or labels. */
  readonly properties: readonly string[];
  readonly options: CheckOptions;
  readonly budget: Budget;
  readonly observer: Observer;
}

/** Options of the analyses, as on the command line. Each language reads the ones it knows. */
export interface CheckOptions {
  readonly method?: 'flow' | 'cycles';
  /** Look for a real run when the abstraction leaves a counterexample (default true). */
  readonly confirm?: boolean;
  /** Also find the true maxima by exhaustive search. */
  readonly exact?: boolean;
  readonly progress?: readonly string[];
  readonly defines?: readonly string[];
  readonly includes?: readonly string[];
  readonly compose?: boolean;
  /** Also explain proofs and draw graphs: for reports that people look at. */
  readonly explain?: boolean;
  /** Further options by their long name, for languages of their own: `--monolithic`, `--strategy PC`, … */
  readonly extra?: Readonly<Record<string, string | boolean>>;
}

export interface Language {
  readonly name: string;
  readonly extensions: readonly string[];
  check(request: CheckRequest): Promise<ModelReport>;
}
