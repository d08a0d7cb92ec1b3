// A Promela model's counting abstraction as a place/transition net.

import { buildNet } from '../../net/build.ts';
import { toPnml } from '../../net/pnml.ts';
import { loadPromela } from '../../promela/load.ts';
import type { Diagnostic } from '../../source/diagnostic.ts';
import type { Converted, ConvertRequest } from '../convert.ts';

export async function convertPromelaNet(request: ConvertRequest): Promise<Converted> {
  const { defines, includes, budget } = request;
  const path = request.paths[0]!;
  const { program, diagnostics: loaded } = loadPromela(path, request.files, { defines, includes });
  const diagnostics: Diagnostic[] = [...loaded];
  if (program === null) return { text: null, diagnostics };
  const { net, unknowns } = buildNet(program, { budget });
  for (const { reason, at } of unknowns) {
    diagnostics.push({
      code: 'SPW2002',
      severity: 'warning',
      message: `the net does not have every run of the model: ${reason}`,
      span: at,
    });
  }
  return { text: toPnml(net, path), diagnostics };
}
