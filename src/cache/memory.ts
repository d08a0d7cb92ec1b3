// Answers remembered in a folder. Proofs are audited and runs replayed by whoever recalls them (check/second-look.ts); the seal only decides
// about what such a look cannot cover: an entry without it counts for its certificates and runs alone.

import { DEFAULT_LIMITS, type Limits } from '../base/budget.ts';
import type { AnswerMemory } from '../check/remembered.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { answersFor, isWorthKeeping, readEntry, writeEntry } from './entry.ts';
import { AnswerFolder } from './folder.ts';
import { keyOf } from './key.ts';

export interface AnswerCache {
  /** For questions with these limits. */
  memoryFor(limits: Limits): AnswerMemory;
  /** How many answers were recalled, and how many were kept. */
  readonly counts: { recalled: number; kept: number };
  close(): void;
}

export function openCache(path: string, givenSecret?: string): AnswerCache {
  const folder = new AnswerFolder(path);
  let secret = givenSecret;
  const known = (): string => {
    secret ??= folder.secret();
    return secret;
  };
  const counts = { recalled: 0, kept: 0 };
  return {
    counts,
    memoryFor: (limits) => ({
      recall: (question) => {
        const key = keyOf(question);
        const content = folder.read(key);
        const found = content === null ? null : readEntry(content, key, known());
        if (found === null || !answersFor(found.entry, limits)) return null;
        counts.recalled++;
        const { result, diagnostics, pictures } = found.entry;
        const answer = { result: remembered(result), diagnostics, isTrusted: found.isSealed };
        return pictures === undefined ? answer : { ...answer, pictures };
      },
      keep: (question, answer) => {
        if (!isWorthKeeping(answer)) return;
        const key = keyOf(question);
        const entry = { key, ...answer, limits: { ...DEFAULT_LIMITS, ...limits } };
        if (folder.write(key, writeEntry(entry, known()))) counts.kept++;
      },
    }),
    close: () => {
      if (counts.kept > 0) folder.prune();
    },
  };
}

const remembered = (result: PropertyResult): PropertyResult => ({
  ...result,
  stats: { ...result.stats, cached: true },
});
