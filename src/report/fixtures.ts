// Reports for tests of the report room: one of each verdict, with texts that need escaping.

import type { Run } from '../verdict/run.ts';
import type { ModelReport } from '../verdict/verdict.ts';

export const SOURCE =
  'chan q = [2] of { byte };\nactive proctype producer() {\n  do :: q!1 od\n}\nactive proctype consumer() {\n  do :: q?_ od\n}\n';

export const FLOODING_RUN: Run = {
  title: 'the queue q grows <without> limit',
  actors: ['producer', 'consumer'],
  queues: [{ name: 'q', capacity: null }],
  initial: [{ name: 'x', value: '0' }],
  steps: [step(0, 'q!1', 3, 'send'), step(1, 'q?_', 6, 'receive'), step(0, 'q!1', 3, 'send')],
  loopStart: 2,
  growth: [{ queue: 'q', perRound: 1 }],
};

function step(actor: number, text: string, line: number, kind: 'send' | 'receive') {
  return {
    actors: [actor],
    text,
    at: { file: 'flood & co.pml', line, column: 6 },
    events: [{ kind, queue: 'q', message: '1' }],
    changes: [],
    choice: [actor, 0],
  } as const;
}

export const REFUTED: ModelReport = {
  files: ['flood & co.pml'],
  language: 'promela',
  diagnostics: [],
  sources: new Map([['flood & co.pml', SOURCE]]),
  properties: [
    {
      id: 'bounded',
      verdict: 'refuted',
      method: 'run',
      queues: [
        {
          name: 'q',
          verdict: 'refuted',
          bound: null,
          certifiedBound: null,
          exact: null,
          declared: 2,
          fits: null,
          at: { file: 'flood & co.pml', line: 1, column: 6 },
        },
      ],
      evidence: { kind: 'run', run: FLOODING_RUN },
      stats: { locations: 4, milliseconds: { parse: 1.2, solve: 3.4 } },
      reproduce: "spillway check 'flood & co.pml' --property bounded",
    },
  ],
};

export const PROVED_AND_UNKNOWN: ModelReport = {
  files: ['ring.pml'],
  language: 'promela',
  diagnostics: [],
  sources: new Map([['ring.pml', SOURCE]]),
  properties: [
    {
      id: 'bounded',
      verdict: 'proved',
      method: 'exhaustive',
      queues: [
        {
          name: 'link[0]',
          verdict: 'proved',
          bound: 2,
          certifiedBound: 2,
          exact: 2,
          declared: 4,
          fits: true,
        },
        {
          name: 'link[1]',
          verdict: 'proved',
          bound: 5,
          certifiedBound: 5,
          exact: null,
          declared: 4,
          fits: false,
        },
      ],
      evidence: { kind: 'exhaustion', states: 1234, transitions: 4321 },
      stats: { milliseconds: { search: 10 } },
      reproduce: 'spillway check ring.pml --property bounded',
    },
    {
      id: 'livelock-free',
      verdict: 'unknown',
      reason: 'the loops shown could repeat together',
      reasonCode: 'abstraction-too-coarse',
      evidence: {
        kind: 'suspicious-cycles',
        cycles: [
          {
            process: 'node(0)',
            steps: [{ text: 'link[0]!x', at: { file: 'ring.pml', line: 3, column: 9 } }],
            effect: [{ queue: 'link[0]', change: 1 }],
            times: 2,
          },
        ],
      },
      stats: {},
      reproduce: 'spillway check ring.pml --property livelock-free',
      notes: [
        {
          severity: 'hint',
          message: 'nothing can make this loop go on',
          at: { file: 'ring.pml', line: 3, column: 1 },
        },
      ],
    },
  ],
};
