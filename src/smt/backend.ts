// A solver reduced to what both kinds have in common: SMT-LIB text in, text out, state kept in between.

export interface Backend {
  readonly name: 'native' | 'npm';
  /** Runs commands and gives what they print. Null when there was no answer within the limit: the backend is then dead. */
  run(commands: string, limitMilliseconds: number): Promise<string | null>;
  dispose(): void;
}

/** Opens a backend that is needed for so many milliseconds at most; null when this machine has none of that kind. */
export type OpenBackend = (milliseconds: number) => Promise<Backend | null>;
