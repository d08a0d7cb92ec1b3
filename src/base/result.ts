/** A value or the reason there is none. User errors are values; exceptions are bugs. */
export type Result<T, E> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });
export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error });

/** Marks code the types say cannot be reached; reaching it is a bug in Spillway. */
export function impossible(value: never, why: string): never {
  throw new Error(`impossible: ${why} (got ${JSON.stringify(value)})`);
}

/** A number or string that must not be confused with another of the same representation. */
export type Branded<T, Name extends string> = T & { readonly __brand: Name };
