// What can be folded: blocks, loops and choices, comments of several lines, parts between #if and #endif.

import type { SourceFile } from '../source/source.ts';
import { CLOSES, OPENS, scan } from './scan.ts';

export interface Fold {
  /** Zero-based lines. */
  readonly first: number;
  readonly last: number;
  readonly kind: 'region' | 'comment';
}

export function folds(file: SourceFile, isPromela: boolean): Fold[] {
  const found: Fold[] = [];
  const lineOf = (offset: number): number => file.position(offset).line - 1;
  const open: number[] = [];
  const conditions: number[] = [];
  const add = (first: number, last: number, kind: Fold['kind']): void => {
    if (last > first) found.push({ first, last, kind });
  };
  for (const { kind, text, start, end } of scan(file.text)) {
    if (kind === 'comment') add(lineOf(start), lineOf(end), 'comment');
    else if (kind === 'directive') {
      const word = /#\s*(\w+)/.exec(text)?.[1] ?? '';
      if (word.startsWith('if')) conditions.push(lineOf(start));
      else if (word === 'endif' && conditions.length > 0) add(conditions.pop()!, lineOf(start), 'region');
    } else if (kind !== 'string' && (isPromela || kind === 'mark')) {
      if (OPENS.has(text)) open.push(lineOf(start));
      else if (CLOSES.has(text) && open.length > 0) add(open.pop()!, lineOf(start) - 1, 'region');
    }
  }
  return found;
}
