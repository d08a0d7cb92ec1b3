// An .ecfsm protocol ready to be run, for `simulate` and `replay`; what is wrong with it goes to stderr.

import { readFrom } from '../check/ecfsm.ts';
import type { Protocol } from '../ecfsm/model.ts';
import { hasErrors, render } from '../source/diagnostic.ts';
import type { ExitCode, Io } from './verb.ts';
import { EXIT } from './verb.ts';

export const isEcfsm = (path: string): boolean => path.endsWith('.ecfsm');

export async function loadProtocol(
  path: string,
  io: Io,
): Promise<{ readonly protocol: Protocol } | { readonly exit: ExitCode }> {
  const { model, diagnostics } = await readFrom({ read: io.readFile }, path);
  for (const diagnostic of diagnostics) io.err(`${render(diagnostic)}\n`);
  if (model === null || hasErrors(diagnostics)) return { exit: EXIT.input };
  return { protocol: model.protocol };
}
