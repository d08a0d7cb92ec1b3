// Process and component graphs as text for Graphviz (DOT) and for Mermaid. One box per process; sends blue, receives green, events violet,
// steps inside atomic sequences bold, valid end states doubly circled, progress states filled.

import type { ControlGraph } from '../verdict/verdict.ts';
import { isStatechart, statechartCluster, statechartsMermaid } from './statechart.ts';

const INK = '#57606a';
const COLOURS = { send: '#0550ae', receive: '#1a7f37', event: '#8250df' } as const;
const MARK = '#cf222e';
const WIDEST = 44;

export type EdgeTest = (edge: ControlGraph['edges'][number]) => boolean;

/** Where the picture leads to when an edge is clicked; null: nowhere. */
export type EdgeLink = (edge: ControlGraph['edges'][number]) => string | null;

/** `marked` edges are drawn thick and red: the loops of a counterexample. */
export function graphsDot(
  graphs: readonly ControlGraph[],
  marked: EdgeTest = () => false,
  link: EdgeLink = () => null,
): string {
  const lines = [
    'digraph model {',
    ...(graphs.some(isStatechart) ? ['  compound=true;'] : []),
    '  graph [fontname="Helvetica", fontsize=14, nodesep=0.35, ranksep=0.4, pad=0.2];',
    `  node [shape=circle, fontname="Helvetica", fontsize=10, width=0.3, margin="0.04,0.02", style=filled, fillcolor="#ffffff", color="${INK}"];`,
    `  edge [fontname="Courier", fontsize=10, color="${INK}", arrowsize=0.6];`,
    ...graphs.flatMap((graph, index) =>
      isStatechart(graph) ? statechartCluster(graph, index, marked) : cluster(graph, index, marked, link),
    ),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function cluster(graph: ControlGraph, index: number, marked: EdgeTest, link: EdgeLink): string[] {
  const node = (id: number) => `n${index}_${id}`;
  const lines = [
    `  subgraph cluster_${index} {`,
    `    label=${quoted(graph.name)}; labeljust=l; style="rounded,filled"; color="#d0d7de"; fillcolor="#f6f8fa"; margin=20;`,
  ];
  for (const [i, id] of graph.initial.entries()) {
    lines.push(`    start${index}_${i} [shape=point, width=0.08, label="", fillcolor="${INK}"];`);
    lines.push(`    start${index}_${i} -> ${node(id)};`);
  }
  for (const location of graph.locations) {
    const label = locationName(location);
    const look = [
      `label=${quoted(label)}`,
      ...(label.length > 3 ? ['shape=box', 'style="rounded,filled"'] : []),
      ...(location.end ? ['peripheries=2'] : []),
      ...(location.progress ? ['fillcolor="#dafbe1"'] : []),
    ];
    lines.push(`    ${node(location.id)} [${look.join(', ')}];`);
  }
  const loopsAt = (id: number): number =>
    graph.edges.filter((edge) => edge.from === id && edge.to === id).length;
  for (const [number, edge] of graph.edges.entries()) {
    const colour = marked(edge) ? MARK : edge.kind === undefined ? null : COLOURS[edge.kind];
    const label = `label=${quoted(wrapped(edge.label))}`;
    const ink = colour === null ? [] : [`color="${colour}"`, `fontcolor="${colour}"`];
    const href = link(edge);
    const look = [
      ...ink,
      ...(edge.atomic ? ['style=bold'] : []),
      ...(marked(edge) ? ['penwidth=2.5'] : []),
      ...(href === null ? [] : [`href=${quoted(href)}`]),
    ];
    // Of several loops at one place, Graphviz draws each through the label of the one before: their labels become nodes instead.
    if (edge.from === edge.to && loopsAt(edge.from) > 1) {
      const text = `loop${index}_${number}`;
      const plain = ['shape=plaintext', 'style=""', 'fontname="Courier"', label, ...ink];
      lines.push(`    ${text} [${plain.join(', ')}];`);
      lines.push(`    ${node(edge.from)} -> ${text} [${['arrowhead=none', ...look].join(', ')}];`);
      lines.push(`    ${text} -> ${node(edge.to)} [${look.join(', ')}];`);
    } else lines.push(`    ${node(edge.from)} -> ${node(edge.to)} [${[label, ...look].join(', ')}];`);
  }
  return [...lines, '  }'];
}

/** A label of the model, else the line, else the number. */
function locationName({ id, label, at }: ControlGraph['locations'][number]): string {
  if (label !== '' && label !== String(id)) return label;
  return at === undefined ? String(id) : `:${at.line}`;
}

/** Long statements on several lines, broken at spaces; every line ends a little before the next edge. */
function wrapped(text: string): string {
  const lines = text.split('\n').flatMap(brokenAtSpaces);
  return lines.map((part) => ` ${part} `).join('\n');
}

function brokenAtSpaces(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= WIDEST) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

export function graphsMermaid(graphs: readonly ControlGraph[]): string {
  if (graphs.length > 0 && graphs.every(isStatechart)) return statechartsMermaid(graphs);
  const lines = ['flowchart TD'];
  graphs.forEach((graph, index) => {
    const node = (id: number) => `n${index}_${id}`;
    lines.push(`  subgraph p${index}["${escaped(graph.name)}"]`);
    for (const [i, id] of graph.initial.entries()) lines.push(`    s${index}_${i}(( )) --> ${node(id)}`);
    for (const { id, label, end, at } of graph.locations) {
      const text = escaped(locationName({ id, label, ...(at === undefined ? {} : { at }) }));
      lines.push(`    ${node(id)}${end ? `((("${text}")))` : `(("${text}"))`}`);
    }
    for (const { from, to, label, atomic } of graph.edges)
      lines.push(`    ${node(from)} ${atomic ? '==>' : '-->'}|"${escaped(label)}"| ${node(to)}`);
    lines.push('  end');
    const progress = graph.locations.filter((location) => location.progress).map(({ id }) => node(id));
    if (progress.length > 0) lines.push(`  class ${progress.join(',')} progress`);
  });
  if (graphs.some((graph) => graph.locations.some((location) => location.progress)))
    lines.push('  classDef progress fill:#dafbe1');
  return `${lines.join('\n')}\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '#amp;',
  '"': '#quot;',
  '<': '#lt;',
  '>': '#gt;',
  '#': '#35;',
};

const escaped = (text: string): string =>
  text.replace(/[&"<>#]/g, (character) => ENTITIES[character]!).replaceAll('\n', '<br/>');

/** Laid out by Graphviz compiled to WebAssembly, loaded only when a picture is wanted. */
export async function graphsSvg(
  graphs: readonly ControlGraph[],
  marked: EdgeTest = () => false,
  link: EdgeLink = () => null,
): Promise<string> {
  // Starting Graphviz takes longer than most pictures, and it gets faster with every one.
  graphviz ??= import('@viz-js/viz').then(({ instance }) => instance());
  const viz = await graphviz;
  try {
    return viz.renderString(graphsDot(graphs, marked, link), { format: 'svg' });
  } catch (error) {
    graphviz = null;
    throw error;
  }
}

let graphviz: Promise<{ renderString(dot: string, options: { format: string }): string }> | null = null;
