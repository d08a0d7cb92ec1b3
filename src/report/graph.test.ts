import { expect, test } from 'vitest';
import { controlGraphs } from '../process/graphs.ts';
import { programOf } from '../promela/testing.ts';
import { graphsDot, graphsMermaid, graphsSvg } from './graph.ts';

const graphs = controlGraphs(
  programOf(`
    chan q = [1] of { byte };
    active proctype sender() {
    end: do
      :: atomic { q!1; printf("sent \\"%d\\"\\n", 1) }
      :: q?2 -> progress1: skip
      od
    }`),
);

test('DOT', () => {
  const dot = graphsDot(graphs);
  expect(dot).toContain('label="sender"');
  expect(dot).toContain('n0_0 [label="end", peripheries=2];');
  expect(dot).toContain('label=" q!1 ", color="#0550ae", fontcolor="#0550ae", style=bold');
  expect(dot).toContain('label=" printf(\\"sent \\\\\\"%d\\\\\\"\\\\n\\", 1) "');
  expect(dot).toContain('label="progress1", shape=box, style="rounded,filled", fillcolor="#dafbe1"');
  expect(dot.match(/->/g)).toHaveLength(5);
});

test('Mermaid', () => {
  const mermaid = graphsMermaid(graphs);
  expect(mermaid).toContain('subgraph p0["sender"]');
  expect(mermaid).toContain('n0_0((("end")))');
  expect(mermaid).toContain('n0_0 ==>|"q!1"| n0_1');
  expect(mermaid).toContain('printf(#quot;sent');
});

test('SVG', async () => {
  const svg = await graphsSvg(graphs);
  expect(svg).toContain('<svg');
  expect(svg).toContain('q!1');
});

test('several loops at one place have their labels as nodes, so that no line runs through a text', () => {
  const loop = (label: string) => ({ from: 0, to: 0, label });
  const graph = { name: 'p', initial: [0], locations: [{ id: 0, label: '' }], edges: [loop('a'), loop('b')] };
  expect(graphsDot([graph])).toContain(
    'loop0_1 [shape=plaintext, style="", fontname="Courier", label=" b "]',
  );
  expect(graphsDot([{ ...graph, edges: [loop('a')] }])).toContain('n0_0 -> n0_0 [label=" a "]');
});
