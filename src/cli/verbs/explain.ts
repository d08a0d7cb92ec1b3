import { wrapText } from '../../report/table.ts';
import { suggest } from '../../source/diagnostic.ts';
import { loadExplanations } from '../explanations.ts';
import type { Verb } from '../verb.ts';
import { EXIT } from '../verb.ts';

export const explain: Verb = {
  name: 'explain',
  summary: 'what a diagnostic code, a reason or a property means',
  help: `usage: spillway explain [CODE]

CODE is a diagnostic's code (SPW1003), the reason of an unknown (time-limit), or a property (bounded).
Without one, all are listed.

example: spillway explain abstraction-too-coarse
`,
  options: {},
  run: async (args, io) => {
    const explanations = await loadExplanations();
    const [code] = args.positional;
    if (code === undefined) {
      const width = Math.max(...[...explanations.keys()].map((key) => key.length));
      for (const [key, { title }] of explanations) io.out(`${key.padEnd(width)}  ${title}\n`);
      return 0;
    }
    // `ltl:p` is explained as `ltl`.
    const found =
      explanations.get(code) ??
      explanations.get(code.toUpperCase()) ??
      explanations.get(code.replace(/:.*/s, ''));
    if (found === undefined) {
      const near = suggest(code, explanations.keys());
      io.err(
        `spillway explain: nothing is called '${code}'${near === null ? '' : `; did you mean ${near}?`}\n`,
      );
      return EXIT.usage;
    }
    io.out(`${code}: ${found.title}\n\n${wrapText(found.explanation, 92, '  ').join('\n')}\n`);
    return 0;
  },
};
