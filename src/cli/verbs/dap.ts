import { serveDap } from '../../dap/server.ts';
import { filesOf } from '../model.ts';
import { serveOver } from '../serve.ts';
import type { Verb } from '../verb.ts';

export const dap: Verb = {
  name: 'dap',
  summary: 'a debug adapter: step through counterexamples and simulations in an editor',
  help: `usage: spillway dap

Speaks the Debug Adapter Protocol over standard input and output; an editor starts it. Each process of the model is a
thread; steps go forwards and back. docs/debugging.md shows the launch configuration and how editors are told.

example: { "type": "spillway", "request": "launch", "program": "ring.pml", "mode": "counterexample" }
`,
  options: {},
  run: (args, io) =>
    serveOver(io, args, (streams) =>
      serveDap(streams, {
        files: filesOf(io),
        folder: io.folder,
        threads: io.openPool === undefined ? 0 : undefined,
      }),
    ),
};
