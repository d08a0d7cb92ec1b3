import { expect, test } from 'vitest';
import { graphsDot, graphsMermaid, graphsSvg } from './graph.ts';

const chart = {
  name: 'lift "A"',
  initial: [0],
  locations: [
    { id: 0, label: 'idle', kind: 'atomic' },
    { id: 1, label: 'moving', kind: 'parallel', lines: ['entry / send timeout'] },
    { id: 2, label: 'motor', kind: 'compound', parent: 1, initial: 3 },
    { id: 3, label: 'slow', kind: 'atomic', parent: 2 },
    { id: 4, label: 'off', kind: 'final', parent: 2 },
    { id: 5, label: 'H', kind: 'history', parent: 2 },
    { id: 6, label: 'light', kind: 'atomic', parent: 1 },
    { id: 7, label: '', kind: 'choice' },
  ],
  edges: [
    { from: 0, to: 1, label: 'call' },
    { from: 1, to: 1, label: 'ping [x < 3]' },
    { from: 3, to: 4, label: 'stop' },
    { from: 1, to: 0, label: 'timeout' },
    { from: 2, to: 3, label: 'again' },
    { from: 0, to: 7, label: 'both' },
    { from: 7, to: 5, label: '' },
    { from: 7, to: 6, label: '' },
  ],
} as const;

test('states lie inside states, arrows end at borders, what stays is a line inside', async () => {
  const dot = graphsDot([chart]);
  expect(dot).toContain('compound=true');
  expect(dot).toContain('subgraph cluster_0_1 {');
  expect(dot).toContain('subgraph cluster_0_2 {');
  expect(dot).toContain('n0_0 -> n0_3 [label=" call ", lhead=cluster_0_1]');
  expect(dot).toContain('n0_3 -> n0_0 [label=" timeout ", ltail=cluster_0_1]');
  expect(dot).toContain('label="moving\\lentry / send timeout\\lping [x < 3]\\l"');
  expect(dot).not.toContain('-> n0_1');
  expect(await graphsSvg([chart])).toContain('</svg>');
});

test('Mermaid gets a state diagram', () => {
  expect(graphsMermaid([chart])).toMatchInlineSnapshot(`
    "stateDiagram-v2
      [*] --> s0_0
      state "idle" as s0_0
      state "moving" as s0_1
      state s0_1 {
        state "motor" as s0_2
        state s0_2 {
          [*] --> s0_3
          state "slow" as s0_3
          state "off" as s0_4
          s0_4 --> [*]
          state "H" as s0_5
        }
        --
        state "light" as s0_6
      }
      state s0_7 <<fork>>
      s0_0 --> s0_1 : call
      s0_1 --> s0_1 : ping [x #60; 3]
      s0_3 --> s0_4 : stop
      s0_1 --> s0_0 : timeout
      s0_2 --> s0_3 : again
      s0_0 --> s0_7 : both
      s0_7 --> s0_5
      s0_7 --> s0_6
    "
  `);
  expect(graphsMermaid([chart, { ...chart, name: 'second' }])).toContain('state "second" as chart1 {');
});
