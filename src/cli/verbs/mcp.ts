import { fenceAround, OutsideFolder } from '../../disk/fence.ts';
import { ownPages } from '../../disk/own-pages.ts';
import { Refusal } from '../../mcp/schema.ts';
import { serveMcp } from '../../mcp/server.ts';
import type { McpHost } from '../../mcp/workspace.ts';
import { wholeNumber } from '../args.ts';
import { loadExplanations } from '../explanations.ts';
import { serveOver } from '../serve.ts';
import type { Io, ParsedArgs, Verb } from '../verb.ts';
import { InputError } from '../verb.ts';

const LONGEST = 300;

export const mcp: Verb = {
  name: 'mcp',
  summary: 'tools for agents: check, runs, bounds, documentation',
  help: `usage: spillway mcp [--folder DIR] [options]

Speaks the Model Context Protocol over standard input and output; an agent's host starts it. The tools read files below
one folder and nowhere else, write nothing, and each call has a budget. docs/agents.md lists the tools.

  --folder DIR        the folder (default: where it is started)
  --timeout SECONDS   what a call may take at most (default ${LONGEST})
  --modules           also check XState modules, which are run for that

example: { "mcpServers": { "spillway": { "command": "spillway", "args": ["mcp", "--folder", "models"] } } }
`,
  options: { folder: { takes: 'value' }, timeout: { takes: 'value' }, modules: { takes: 'nothing' } },
  run: (args, io) => serveOver(io, args, (streams) => serveMcp(streams, hostOf(args, io))),
};

function hostOf(args: ParsedArgs, io: Io): McpHost {
  const fence = openFence(args.value('folder') ?? io.folder);
  const refusing = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof OutsideFolder ? new Refusal(error.message) : error;
    }
  };
  let pages: ReadonlyMap<string, string> | null = null;
  return {
    files: fence.files,
    inside: (path) => refusing(() => fence.inside(path)),
    list: (below, limit) => refusing(() => fence.list(below, limit)),
    pages: () => (pages ??= ownPages()),
    explanations: loadExplanations,
    threads: io.openPool === undefined ? 0 : undefined,
    longest: wholeNumber(args.value('timeout'), 'timeout', 1) ?? LONGEST,
    modules: args.flag('modules'),
  };
}

function openFence(folder: string) {
  try {
    return fenceAround(folder);
  } catch {
    throw new InputError(`${folder}: no such folder`);
  }
}
