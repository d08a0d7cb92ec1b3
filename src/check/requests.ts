// What is wrong with a request, in the same words for every language.

import { type Diagnostic, suggest } from '../source/diagnostic.ts';

export function unknownProperty(property: string, known: readonly string[]): Diagnostic {
  const near = suggest(property, known) ?? known.find((name) => name.startsWith(property)) ?? null;
  return {
    code: 'SPW9003',
    severity: 'error',
    message: `the model has no property '${property}'`,
    span: null,
    help: near === null ? `known here: ${known.join(', ')}` : `did you mean '${near}'?`,
  };
}
