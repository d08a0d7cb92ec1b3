// Files below one folder and nowhere else: neither `..` nor a symbolic link leads out. For servers that read what somebody else names.

import { readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileSystem } from '../source/source.ts';
import { readText, systemHeader } from './files.ts';

/** Somebody asked for what lies outside. */
export class OutsideFolder extends Error {}

export interface Fence {
  readonly folder: string;
  /** As seen from the folder. Throws OutsideFolder. */
  inside(path: string): string;
  /** What lies outside is not there. */
  readonly files: FileSystem;
  /** Paths of files as seen from the folder, in order; hidden ones and packages left out. */
  list(below: string, limit: number): readonly string[];
}

/** A model is far smaller; nobody waits for a gigabyte to be read. */
const LARGEST = 1 << 26;
const LEFT_OUT = new Set(['node_modules']);

export function fenceAround(path: string): Fence {
  const folder = realpathSync(path);
  const isInside = (real: string): boolean =>
    real === folder || real.startsWith(folder === sep ? sep : folder + sep);
  /** Null for what does not exist. */
  const realOf = (asked: string): string | null => {
    try {
      return realpathSync(resolve(folder, asked));
    } catch {
      return null;
    }
  };
  const inside = (asked: string): string => {
    if (asked.includes('\0')) throw new OutsideFolder('a path has no zero character');
    const real = realOf(asked) ?? resolve(folder, asked);
    // A link to nothing is judged by its name; it cannot be read either way.
    if (!isInside(real))
      throw new OutsideFolder(`${asked} lies outside the folder that this server was started for`);
    const named = relative(folder, resolve(folder, asked));
    return named.startsWith('..') || isAbsolute(named) ? relative(folder, real) : named;
  };
  const read = (asked: string): string | null => {
    const real = asked.includes('\0') ? null : realOf(asked);
    if (real === null || !isInside(real)) return null;
    const size = statSync(real, { throwIfNoEntry: false })?.size ?? 0;
    return size > LARGEST ? null : readText(real);
  };
  return {
    folder,
    inside,
    files: {
      read,
      // The compiler's own headers, by plain names only.
      systemHeader: (name, defines) => (name.split('/').includes('..') ? null : systemHeader(name, defines)),
    },
    list: (below, limit) => [...walk(folder, inside(below), limit)],
  };
}

/** Links are not followed: they may lead out, or round in circles. */
function* walk(folder: string, below: string, limit: number): Generator<string> {
  let count = 0;
  const open = [below];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    let entries: ReturnType<typeof entriesOf>;
    try {
      entries = entriesOf(join(folder, next));
    } catch {
      continue;
    }
    for (const entry of entries) {
      if (entry.name.startsWith('.') || LEFT_OUT.has(entry.name)) continue;
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) {
        if (++count > limit) return;
        yield path;
      }
    }
  }
}

const entriesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
