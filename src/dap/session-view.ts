// What the parts of a session share.

import type { Walk } from './walk.ts';

export interface SessionView {
  /** Throws while nothing is launched. */
  needWalk(): Walk;
  /** What the client counts from: 0 or 1. */
  readonly firstLine: number;
  readonly firstColumn: number;
  /** Lines that some statement stands on, in order, by file; null where that is not known. */
  readonly lines: ReadonlyMap<string, readonly number[]> | null;
}

export const sourceOf = (path: string): unknown => ({ name: path.slice(path.lastIndexOf('/') + 1), path });

export const fileIn = (source: unknown): string =>
  String((source as { path?: unknown } | undefined)?.path ?? '');

export const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;
