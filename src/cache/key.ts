// What an answer depends on, as one number: the texts of all files that reading the model took (and which of those looked for were missing), the
// question, the options, and the build of the engines. Equal keys, equal questions.

import { createHash } from 'node:crypto';
import { BUILD } from '../base/version.ts';
import type { RemoteModel } from '../check/check.ts';
import type { ModelRequest, RememberedQuestion } from '../check/remembered.ts';

const digests = new WeakMap<object, string>();

export function keyOf(question: RememberedQuestion): string {
  return hash([BUILD, modelDigest(question), question.property]);
}

/** Once for all questions about a model. */
function modelDigest({ language, paths, options, files }: RemoteModel): string {
  const known = digests.get(files);
  if (known !== undefined) return known;
  const sorted = (map: Readonly<Record<string, unknown>>): [string, unknown][] =>
    Object.entries(map)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
  const digest = hash([language, paths, sorted({ ...options }), sorted(files.texts), sorted(files.headers)]);
  digests.set(files, digest);
  return digest;
}

/** A request by its words alone: which model it is about is told by the texts that are remembered with it. */
export const requestKey = ({ language, paths, options, properties, also }: ModelRequest): string =>
  hash([BUILD, 'request', language, paths, Object.entries(options).sort(), properties, also]);

const hash = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');
