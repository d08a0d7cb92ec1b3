// What bundles for browsers have instead of a language that needs Node (package.json's `imports`): it reads nothing, and says why.

import type { Language } from '../engine/language.ts';

export const xstate: Language<never> = {
  name: 'xstate',
  load: async () => ({
    model: null,
    sources: new Map(),
    diagnostics: [
      {
        code: 'SPW9001',
        severity: 'error',
        message: 'XState machines run inside Node, not inside a browser',
        span: null,
        help: 'check the file on the command line: spillway check FILE',
      },
    ],
  }),
  questions: () => ({ properties: [], diagnostics: [] }),
  portfolio: [],
};
