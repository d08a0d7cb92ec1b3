import { looksAtRoom } from '../../check/program/fits.ts';
import { tighten as tightenText } from '../../check/program/tighten.ts';
import { loadPromela } from '../../promela/load.ts';
import { hasErrors, renderPlaced } from '../../source/diagnostic.ts';
import { ANALYSIS_OPTIONS, MODEL_OPTIONS, MODEL_OPTIONS_HELP } from '../model-options.ts';
import type { Verb } from '../verb.ts';
import { EXIT } from '../verb.ts';
import { checkBoundedOnly } from './bounds.ts';

export const tighten: Verb = {
  name: 'tighten',
  summary: 'print the model with proven capacities',
  help: `usage: spillway tighten MODEL [--exact] [--out FILE]

Prints the model with every channel's capacity set to its proven bound (to the exact maximum with --exact). Then no send ever
blocks, and SPIN's state vector is no longer than it must be. Channels without a proven bound are left as they are.

${MODEL_OPTIONS_HELP}

example: spillway tighten ring.pml > ring-tight.pml
`,
  options: { ...MODEL_OPTIONS, ...ANALYSIS_OPTIONS, out: { takes: 'value' } },
  run: async (args, io) => {
    const report = await checkBoundedOnly(args, io);
    const path = args.positional[0]!;
    const { program } = loadPromela(
      path,
      { read: io.readFile },
      { defines: args.list('define'), includes: args.list('include') },
    );
    if (hasErrors(report.diagnostics) || program === null) {
      for (const diagnostic of report.diagnostics) io.err(`${renderPlaced(diagnostic)}\n`);
      return EXIT.input;
    }
    const property = report.properties[0]!;
    const result = tightenText(program, path, io.readFile(path) ?? '', property.queues ?? []);
    if (looksAtRoom(program))
      io.err('the model tests full or nfull: with other capacities it behaves differently\n');
    for (const { queue, why } of result.kept) io.err(`${queue}: left as it is, ${why}\n`);
    const target = args.value('out');
    if (target === undefined) io.out(result.text);
    else io.writeFile(target, result.text);
    return EXIT[property.verdict];
  },
};
