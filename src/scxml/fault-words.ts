// What is said when a chart comes to the end of what can be analysed.

import type { Diagnostic } from '../source/diagnostic.ts';
import { CODES } from './codes.ts';
import type { FaultKind } from './sandbox.ts';

export const FAULT_CODES: Record<FaultKind, Diagnostic['code']> = {
  steps: CODES.scriptLimit,
  memory: CODES.scriptLimit,
  unrepresentable: CODES.unrepresentable,
  nondeterministic: CODES.nondeterministic,
};

export const FAULT_HELP: Record<FaultKind, string> = {
  steps: 'scripts are stopped after a fixed number of steps',
  memory: 'scripts are stopped at 64 MB',
  unrepresentable: 'such data cannot be compared with other data; keep functions at the top of a script',
  nondeterministic: 'the answer differs from run to run; let the value come in as an event from outside',
};
