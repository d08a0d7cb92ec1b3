// The list of verbs: names and summaries for the help, the code loaded on use.

import type { Verb } from './verb.ts';

export interface VerbEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Verb>;
}

export const VERBS: readonly VerbEntry[] = [
  {
    name: 'check',
    summary: 'prove or refute properties of models',
    load: async () => (await import('./verbs/check.ts')).check,
  },
  {
    name: 'convert',
    summary: 'write a model in another format',
    load: async () => (await import('./verbs/convert.ts')).convert,
  },
  {
    name: 'audit',
    summary: 'check a certificate again, apart from the analysis that made it',
    load: async () => (await import('./verbs/audit.ts')).audit,
  },
  {
    name: 'cycles',
    summary: 'the elementary cycles of each process with their effect vectors',
    load: async () => (await import('./verbs/cycles.ts')).cycles,
  },
  {
    name: 'deps',
    summary: 'which loops need which others to go on, and why',
    load: async () => (await import('./verbs/deps.ts')).deps,
  },
  {
    name: 'bounds',
    summary: 'how long each queue gets at most',
    load: async () => (await import('./verbs/bounds.ts')).bounds,
  },
  {
    name: 'tighten',
    summary: 'print the model with proven capacities',
    load: async () => (await import('./verbs/tighten.ts')).tighten,
  },
  {
    name: 'simulate',
    summary: 'run a model: at random, or step by step',
    load: async () => (await import('./verbs/simulate.ts')).simulate,
  },
  {
    name: 'test',
    summary: 'write runs of a model as tests',
    load: async () => (await import('./verbs/test.ts')).test,
  },
  {
    name: 'replay',
    summary: 'step through a recorded run',
    load: async () => (await import('./verbs/replay.ts')).replay,
  },
  {
    name: 'conform',
    summary: 'is a recorded log possible in a model',
    load: async () => (await import('./verbs/conform.ts')).conform,
  },
  {
    name: 'worker',
    summary: 'work on questions from a queue',
    load: async () => (await import('./verbs/worker.ts')).worker,
  },
  {
    name: 'queue',
    summary: 'look after a queue of questions',
    load: async () => (await import('./verbs/queue.ts')).queue,
  },
  {
    name: 'graph',
    summary: 'the processes of a model as pictures',
    load: async () => (await import('./verbs/graph.ts')).graph,
  },
  {
    name: 'infer',
    summary: 'find an invariant of an .ecfsm protocol and prove it',
    load: async () => (await import('./verbs/infer.ts')).infer,
  },
  {
    name: 'split',
    summary: 'divide the disjuncts of an .ecfsm formula by what is empty and what is executable',
    load: async () => (await import('./verbs/split.ts')).split,
  },
  {
    name: 'explain',
    summary: 'what a diagnostic code, a reason or a property means',
    load: async () => (await import('./verbs/explain.ts')).explain,
  },
  {
    name: 'dap',
    summary: 'a debug adapter: step through counterexamples and simulations in an editor',
    load: async () => (await import('./verbs/dap.ts')).dap,
  },
  {
    name: 'mcp',
    summary: 'tools for agents: check, runs, bounds, documentation',
    load: async () => (await import('./verbs/mcp.ts')).mcp,
  },
  {
    name: 'completion',
    summary: 'a script that completes verbs and options in your shell',
    load: async () => (await import('./verbs/completion.ts')).completion,
  },
  {
    name: 'lsp',
    summary: 'a language server: diagnostics, names and verdicts in an editor',
    load: async () => (await import('./verbs/lsp.ts')).lsp,
  },
  {
    name: 'ltl',
    summary: 'show the Büchi automaton of a temporal formula',
    load: async () => (await import('./verbs/ltl.ts')).ltl,
  },
];
