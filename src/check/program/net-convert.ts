// A program's counting abstraction as a place/transition net.

import type { Loaded, WorkRequest } from '../../engine/language.ts';
import { buildNet } from '../../net/build.ts';
import { plainNet } from '../../net/petri.ts';
import { writePnml } from '../../petri/write-pnml.ts';
import type { Program } from '../../process/program.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';

export function convertNet(
  { paths, budget }: WorkRequest,
  { model: program, diagnostics: found }: Loaded<Program>,
): { readonly text: string | null; readonly diagnostics: readonly Diagnostic[] } {
  if (program === null) return { text: null, diagnostics: found };
  const { net, unknowns } = buildNet(program, { budget });
  const unseen = unknowns.map(
    ({ reason, at }): Diagnostic => ({
      code: 'SPW2002',
      severity: 'warning',
      message: `the net does not have every run of the model: ${reason}`,
      span: at,
    }),
  );
  return { text: writePnml(plainNet(net, { name: paths[0]! }).petri), diagnostics: [...found, ...unseen] };
}
