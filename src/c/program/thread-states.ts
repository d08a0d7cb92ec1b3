// What the memory of a program with threads holds of each of them.

/** Nobody knows its name. */
export const FREE = 0n;
export const RUNNING = 1n;
export const ENDED = 2n;
/** Runs, and nobody will wait for its end. */
export const DETACHED = 3n;
/** Taken; it does not run yet. */
export const STARTING = 4n;
/** Has ended, and was joined or detached: it is free again when no other one is. */
export const GONE = 5n;

/** One less than the first `pthread_t`: numbers that a program would not come upon otherwise. Only whether two are equal has a meaning (threads/names.ts). */
export const firstName = (width: number): bigint => (width === 64 ? 0x7e57_1d00_7e57_1d00n : 0x7e57_1d00n);
