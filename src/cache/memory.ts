// Answers remembered in a folder. Proofs are audited and runs replayed by whoever recalls them (check/second-look.ts); the seal only decides
// about what such a look cannot cover: an entry without it counts for its certificates and runs alone.

import { createHash } from 'node:crypto';
import { DEFAULT_LIMITS, type Limits } from '../base/budget.ts';
import type { AnswerMemory } from '../check/remembered.ts';
import type { PlacedDiagnostic } from '../source/diagnostic.ts';
import type { PropertyResult } from '../verdict/verdict.ts';
import { answersFor, isWorthKeeping, readEntry, readSealed, writeEntry, writeSealed } from './entry.ts';
import { AnswerFolder } from './folder.ts';
import { keyOf, requestKey } from './key.ts';

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
      recallModel: (request, files) => {
        const key = requestKey(request);
        const content = folder.read(key);
        const kept = content === null ? null : readSealed<KeptModel>(content, known());
        if (kept === null || kept.key !== key) return null;
        const texts: Record<string, string | null> = {};
        for (const [path, digest] of Object.entries(kept.files)) {
          texts[path] = files.read(path);
          if (digestOf(texts[path]) !== digest) return null;
        }
        return { texts, properties: kept.properties, diagnostics: kept.diagnostics };
      },
      keepModel: (request, { texts, properties, diagnostics }) => {
        const key = requestKey(request);
        const files = Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, digestOf(text)]));
        const model: KeptModel = { key, files, properties, diagnostics };
        folder.write(key, writeSealed(model, known()));
      },
    }),
    close: () => {
      if (counts.kept > 0) folder.prune();
    },
  };
}

interface KeptModel {
  readonly key: string;
  /** By path: a fingerprint of the text, null where there was no file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly properties: readonly string[];
  readonly diagnostics: readonly PlacedDiagnostic[];
}

const digestOf = (text: string | null): string | null =>
  text === null ? null : createHash('sha256').update(text).digest('hex');

const remembered = (result: PropertyResult): PropertyResult => ({
  ...result,
  stats: { ...result.stats, cached: true },
});
