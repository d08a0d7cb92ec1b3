import { inferFile } from '../../check/ecfsm-tools.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import { runTool } from '../tool.ts';
import type { Verb } from '../verb.ts';

export const infer: Verb = {
  name: 'infer',
  summary: 'find an invariant of an .ecfsm protocol and prove it',
  help: `usage: spillway infer MODEL.ecfsm [options]

Prints the model with an invariant found by abstract reachability, in place of its own if it has one.
The formula is then proved by induction; the exit code is 0 when that succeeds.

  --fine              keep one message and a row of them apart: more disjuncts, sometimes needed
  --out FILE          write to FILE instead of the terminal
  --timeout SECONDS   (default 60)

example: spillway infer alternating-bit.ecfsm --out proved.ecfsm
`,
  options: {
    ...MODEL_OPTIONS,
    fine: { takes: 'nothing' },
    out: { takes: 'value' },
  },
  run: (args, io) => runTool(args, io, (request) => inferFile(request, args.flag('fine'))),
};
