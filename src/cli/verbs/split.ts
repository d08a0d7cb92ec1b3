import { splitFile } from '../../check/ecfsm-tools.ts';
import { MODEL_OPTIONS } from '../model-options.ts';
import { runTool } from '../tool.ts';
import type { Verb } from '../verb.ts';
import { UsageError } from '../verb.ts';

export const split: Verb = {
  name: 'split',
  summary: 'divide the disjuncts of an .ecfsm formula by what is empty and what is executable',
  help: `usage: spillway split MODEL.ecfsm [options]

Prints the model with every disjunct of its invariant divided by "is this channel empty?" and "is this
action executable?". The new formula describes the same states; liveness proofs need this division.

  --by WHAT           everything (default), emptiness alone, or counts: everything, and whether there is
                      exactly one message in a channel
  --out FILE          write to FILE instead of the terminal
  --timeout SECONDS   (default 60)

example: spillway split session.ecfsm --out session-live.ecfsm
`,
  options: { ...MODEL_OPTIONS, by: { takes: 'value' }, out: { takes: 'value' } },
  run: (args, io) => {
    const by = args.value('by') ?? 'everything';
    if (by !== 'everything' && by !== 'emptiness' && by !== 'counts')
      throw new UsageError(`--by is everything, emptiness or counts, not '${by}'`);
    return runTool(args, io, (request) => splitFile(request, by));
  },
};
