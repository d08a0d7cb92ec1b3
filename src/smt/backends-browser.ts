// In a browser there is no SMT solver (z3 compiled to WebAssembly needs memory shared between threads, which a plain page may not have).
// Every question is answered `unknown`, so that analyses say what they could not settle, and never more than they know.

import type { Backend, OpenBackend } from './backend.ts';

const silent: Backend = {
  name: 'none',
  run: (commands) => {
    const questions =
      commands.match(/\((check-sat(?:-assuming)?|get-value|get-unsat-core|get-model)\b/g) ?? [];
    const answers = questions.map((one) =>
      one.startsWith('(check-sat') ? 'unknown' : '(error "no solver")',
    );
    return Promise.resolve(answers.join('\n'));
  },
  dispose: () => {},
};

export const BACKENDS: Readonly<Record<string, OpenBackend>> = { none: () => Promise.resolve(silent) };
