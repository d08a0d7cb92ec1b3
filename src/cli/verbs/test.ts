import { checkModel } from '../../check/check.ts';
import { renderPlaced } from '../../source/diagnostic.ts';
import type { Run } from '../../verdict/run.ts';
import { complain, openModel, write } from '../model.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import type { Verb } from '../verb.ts';
import { EXIT, UsageError } from '../verb.ts';

export const test: Verb = {
  name: 'test',
  summary: 'write runs of a model as tests',
  help: `usage: spillway test MODEL [options]

Writes vitest tests that drive the real system: with --property the run that refutes it, otherwise runs that together take
every transition that any run takes. Time, promises and callbacks are in the tests' hands.

  --property NAME     the run that refutes this property (repeat for several)
  --out FILE          write to FILE instead of the terminal
  --export NAME       which export of the module is the system

example: spillway test checkout.ts --out checkout.test.ts
`,
  options: {
    ...MODEL_OPTIONS,
    property: { takes: 'list' },
    out: { takes: 'value' },
    export: { takes: 'value' },
  },
  run: async (args, io) => {
    const { entry, language, request, progress } = await openModel(args.positional, args, io);
    if (language.tests === undefined)
      throw new UsageError(`${entry.name} models have no tests to be written`);
    const properties = args.list('property');
    const runs: Run[] = [];
    if (properties.length > 0) {
      const report = await checkModel({ ...request, properties });
      for (const diagnostic of report.diagnostics) io.err(`${renderPlaced(diagnostic)}\n`);
      for (const { id, verdict, evidence } of report.properties) {
        if (evidence?.kind === 'run') runs.push({ ...evidence.run, title: `${id}: ${evidence.run.title}` });
        else io.err(`${id} is ${verdict}: there is no run to write\n`);
      }
      if (runs.length === 0) {
        progress.clear();
        return report.properties.length === 0 ? EXIT.input : EXIT.proved;
      }
    }
    const { text, diagnostics } = await language
      .tests({ ...request, runs, out: args.value('out') ?? null })
      .finally(() => progress.clear());
    if (complain(diagnostics, args, io) || text === null) return EXIT.input;
    write(text, args, io);
    return EXIT.proved;
  },
};
