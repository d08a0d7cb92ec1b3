// Reports for tests of the report room: one of each verdict, with texts that need escaping.

import { proved, refuted, unknown } from '../../verdict/answer.ts';
import type { Run } from '../../verdict/run.ts';
import {
  type ModelReport,
  type PropertyResult,
  REPORT_VERSION,
  type Reproduction,
} from '../../verdict/verdict.ts';

const SOURCE =
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

const again = (file: string, property: string): Reproduction => ({
  verb: 'check',
  paths: [file],
  property,
  options: [],
});

const report = (file: string, properties: readonly PropertyResult[]): ModelReport => ({
  version: REPORT_VERSION,
  files: [file],
  language: 'promela',
  diagnostics: [],
  sources: { [file]: SOURCE },
  properties,
});

export const REFUTED: ModelReport = report('flood & co.pml', [
  {
    id: 'bounded',
    ...refuted(FLOODING_RUN, {
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
      stats: { locations: 4, milliseconds: { parse: 1.2, solve: 3.4 } },
    }),
    reproduce: again('flood & co.pml', 'bounded'),
  },
]);

/** The same refutation by another run. */
export const refutedBy = (run: Run): ModelReport => ({
  ...REFUTED,
  properties: REFUTED.properties.map(({ id, reproduce, queues, stats }) => ({
    id,
    ...refuted(run, { queues, stats }),
    reproduce,
  })),
});

export const PROVED_AND_UNKNOWN: ModelReport = report('ring.pml', [
  {
    id: 'bounded',
    ...proved('exhaustive', { kind: 'exhaustion', states: 1234, transitions: 4321 }, 'search', {
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
      stats: { milliseconds: { search: 10 } },
    }),
    reproduce: again('ring.pml', 'bounded'),
  },
  {
    id: 'livelock-free',
    ...unknown('abstraction-too-coarse', 'the loops shown could repeat together', {
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
      notes: [
        {
          severity: 'hint',
          message: 'nothing can make this loop go on',
          at: { file: 'ring.pml', line: 3, column: 1 },
        },
      ],
    }),
    reproduce: again('ring.pml', 'livelock-free'),
  },
]);
