// Patterns for paths: `*` and `?` within a name, `**` for any number of folders, `{a,b}` for one or the other. Hidden files, hidden
// folders and node_modules are only found by a pattern that names them.

import type { Io } from './verb.ts';

export const isGlob = (path: string): boolean => /[*?{]/.test(path);

/** The files that the pattern stands for, in alphabetical order. */
export function expandGlob(
  pattern: string,
  folder: string,
  listFolder: NonNullable<Io['listFolder']>,
): string[] {
  const found = new Set<string>();
  for (const one of alternatives(pattern)) {
    const [start, names] = one.startsWith('/') ? ['/', one.slice(1)] : [folder, one];
    walk(
      start,
      names.split('/').filter((name) => name !== '' && name !== '.'),
      listFolder,
      found,
    );
  }
  return [...found].sort();
}

/** `{a,b}c` is `ac` and `bc`; braces may be nested. */
function alternatives(pattern: string): string[] {
  const inner = /\{([^{}]*)\}/.exec(pattern);
  if (inner === null) return [pattern];
  const [whole, list] = inner;
  const after = pattern.slice(inner.index + whole.length);
  return list!.split(',').flatMap((one) => alternatives(pattern.slice(0, inner.index) + one + after));
}

function walk(
  folder: string,
  names: readonly string[],
  listFolder: NonNullable<Io['listFolder']>,
  found: Set<string>,
): void {
  const [name, ...rest] = names;
  if (name === undefined) return;
  const below = (child: string): string =>
    folder === '.' ? child : folder.endsWith('/') ? folder + child : `${folder}/${child}`;
  if (name === '..') {
    walk(below('..'), rest, listFolder, found);
    return;
  }
  if (name === '**') walk(folder, rest, listFolder, found);
  for (const entry of listFolder(folder) ?? []) {
    if (name === '**') {
      if (entry.isFolder && !isHidden(entry.name)) walk(below(entry.name), names, listFolder, found);
      else if (rest.length === 0 && !entry.isFolder && !isHidden(entry.name)) found.add(below(entry.name));
    } else if (matches(entry.name, name)) {
      if (rest.length > 0) {
        if (entry.isFolder) walk(below(entry.name), rest, listFolder, found);
      } else if (!entry.isFolder) found.add(below(entry.name));
    }
  }
}

const isHidden = (name: string): boolean => name.startsWith('.') || name === 'node_modules';

function matches(name: string, pattern: string): boolean {
  if (name === pattern) return true;
  return !isHidden(name) && isMatch(name, pattern);
}

/** Without regular expressions: many stars would make one slow. The last star takes one character more whenever what follows fails. */
function isMatch(name: string, pattern: string): boolean {
  let [at, inPattern, star, resume] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      resume = at;
    } else if (pattern[inPattern] === '?' || pattern[inPattern] === name[at]) {
      at++;
      inPattern++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}
