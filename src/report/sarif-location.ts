// Places in SARIF: a file's address relative to the folder the tool ran in (code hosts match it with the repository), and the
// stretch from the place to the end of its line. Code hosts want all four numbers, so they are always there.

import type { Extent } from '../source/diagnostic.ts';
import type { Position } from '../source/source.ts';

export interface Places {
  /** The texts, to know where a line ends. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absolute path of the folder the tool ran in; without it absolute paths stay absolute. */
  readonly folder?: string | undefined;
}

export function location(at: Position, places: Places) {
  const startLine = Math.max(1, at.line);
  const startColumn = Math.max(1, at.column);
  const text = places.sources[at.file]?.split('\n')[startLine - 1]?.trimEnd() ?? '';
  return physical(at.file, places, {
    startLine,
    startColumn,
    endLine: startLine,
    endColumn: Math.max(startColumn + 1, text.length + 1),
  });
}

export const extentLocation = (at: Extent, places: Places) =>
  physical(at.file, places, {
    startLine: at.line,
    startColumn: at.column,
    endLine: at.endLine,
    endColumn: at.endColumn,
  });

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

const physical = (file: string, places: Places, region: Region) => ({
  physicalLocation: { artifactLocation: { uri: addressOf(file, places.folder) }, region },
});

/** `models/a ring.pml` → `models/a%20ring.pml`; absolute paths below the folder lose it, others become `file:` addresses. */
export function addressOf(file: string, folder?: string): string {
  const path = slashes(file);
  const base = folder === undefined ? null : `${slashes(folder).replace(/\/$/, '')}/`;
  if (base !== null && path.startsWith(base)) return encoded(path.slice(base.length));
  if (path.startsWith('/')) return `file://${encoded(path)}`;
  if (/^[A-Za-z]:\//.test(path)) return `file:///${path.slice(0, 2)}${encoded(path.slice(2))}`;
  return encoded(path.replace(/^(\.\/)+/, ''));
}

/** On Windows paths have backslashes; elsewhere a backslash is a character like others. */
const slashes = (path: string): string =>
  /^[A-Za-z]:\\/.test(path) || !path.includes('/') ? path.replaceAll('\\', '/') : path;

const encoded = (path: string): string => path.split('/').map(encodeURIComponent).join('/');
