// Statecharts as pictures: states inside states, for Graphviz (clusters) and for Mermaid (stateDiagram-v2).
//
// Graphviz draws edges between nodes only: an edge from or to a state with states inside is tied to a node in there and cut off at the border (lhead, ltail).
// Transitions that stay where they are (no target, or the state itself) are lines inside the state, as UML writes internal transitions.

import type { ControlGraph } from '../verdict/verdict.ts';

type Location = ControlGraph['locations'][number];
type Edge = ControlGraph['edges'][number];

const INK = '#57606a';
const MARK = '#cf222e';
const FILLS = ['#f6f8fa', '#ffffff'] as const;

export const isStatechart = (graph: ControlGraph): boolean =>
  graph.locations.some(({ kind }) => kind !== undefined);

/** The lines of one chart inside a `digraph`. */
export function statechartCluster(
  graph: ControlGraph,
  index: number,
  marked: (edge: Edge) => boolean,
): string[] {
  const picture = new Picture(graph, index, marked);
  return [
    `  subgraph cluster_${index} {`,
    `    label=${quoted(graph.name)}; labeljust=l; style="rounded,filled"; color="#d0d7de"; fillcolor="${FILLS[0]}"; margin=16;`,
    ...picture.initial(graph.initial, `start${index}`, '    '),
    ...picture.inside(undefined, 1),
    '  }',
    ...graph.edges.flatMap((edge) => picture.edge(edge)),
  ];
}

class Picture {
  private readonly graph: ControlGraph;
  private readonly index: number;
  private readonly marked: (edge: Edge) => boolean;
  private readonly children = new Map<number | undefined, Location[]>();
  private readonly byId = new Map<number, Location>();

  constructor(graph: ControlGraph, index: number, marked: (edge: Edge) => boolean) {
    this.graph = graph;
    this.index = index;
    this.marked = marked;
    for (const location of graph.locations) {
      this.byId.set(location.id, location);
      this.children.set(location.parent, [...(this.children.get(location.parent) ?? []), location]);
    }
  }

  inside(parent: number | undefined, depth: number): string[] {
    return (this.children.get(parent) ?? []).flatMap((location) => this.state(location, depth));
  }

  initial(targets: readonly number[], name: string, indent: string): string[] {
    if (targets.length === 0) return [];
    return [
      `${indent}${name} [shape=point, width=0.1, label="", fillcolor="${INK}"];`,
      ...targets.map(
        (target) => `${indent}${name} -> ${this.node(target)} [${this.heads(target).join(', ')}];`,
      ),
    ];
  }

  private state(location: Location, depth: number): string[] {
    const indent = '  '.repeat(depth + 1);
    const inside = this.children.get(location.id) ?? [];
    if (inside.length === 0)
      return [`${indent}${this.node(location.id)} [${this.look(location).join(', ')}];`];
    const style = location.kind === 'parallel' ? 'rounded,filled,dashed' : 'rounded,filled';
    return [
      `${indent}subgraph cluster_${this.index}_${location.id} {`,
      `${indent}  label=${quoted(this.text(location))}; labeljust=l; style="${style}"; color="${INK}"; fillcolor="${location.progress ? '#dafbe1' : FILLS[depth % 2]}"; margin=12;`,
      ...(location.initial === undefined
        ? []
        : this.initial([location.initial], `i${this.index}_${location.id}`, `${indent}  `)),
      ...this.inside(location.id, depth + 1),
      `${indent}}`,
    ];
  }

  private look(location: Location): string[] {
    const label = `label=${quoted(this.text(location))}`;
    switch (location.kind) {
      case 'history':
        return [`label=${quoted(location.label)}`, 'shape=circle', 'width=0.3'];
      case 'choice':
        return ['label=""', 'shape=point', 'width=0.06', `fillcolor="${INK}"`];
      default:
        return [
          label,
          'shape=box',
          'style="rounded,filled"',
          'margin="0.12,0.06"',
          ...(location.kind === 'final' || location.end ? ['peripheries=2'] : []),
          ...(location.progress ? ['fillcolor="#dafbe1"'] : []),
        ];
    }
  }

  /** The name, what happens inside, and the transitions that stay; lines after the first are set to the left. */
  private text(location: Location): string {
    const staying = this.graph.edges.filter((edge) => this.stays(edge) && edge.from === location.id);
    const lines = [
      ...(location.lines ?? []),
      ...staying.map((edge) => `${this.marked(edge) ? '→ ' : ''}${edge.label}`),
    ];
    return lines.length === 0 ? location.label : `${location.label}\n${lines.map(clipped).join('\n')}\n`;
  }

  private stays = (edge: Edge): boolean =>
    edge.from === edge.to && this.byId.get(edge.from)?.kind !== 'choice';

  edge(edge: Edge): string[] {
    if (this.stays(edge)) return [];
    const isMarked = this.marked(edge);
    const tail = this.cluster(edge.from);
    const head = this.cluster(edge.to);
    const look = [
      `label=${quoted(` ${clipped(edge.label)} `)}`,
      ...(tail === null || this.isInside(edge.to, edge.from) ? [] : [`ltail=${tail}`]),
      ...(head === null || this.isInside(edge.from, edge.to) ? [] : [`lhead=${head}`]),
      ...(isMarked ? [`color="${MARK}"`, `fontcolor="${MARK}"`, 'penwidth=2.5'] : []),
    ];
    return [`  ${this.node(edge.from)} -> ${this.node(edge.to)} [${look.join(', ')}];`];
  }

  private heads(target: number): string[] {
    const head = this.cluster(target);
    return head === null ? ['label=""'] : ['label=""', `lhead=${head}`];
  }

  private cluster(id: number): string | null {
    return this.children.has(id) ? `cluster_${this.index}_${id}` : null;
  }

  private isInside(id: number, around: number): boolean {
    for (let at = this.byId.get(id)?.parent; at !== undefined; at = this.byId.get(at)?.parent)
      if (at === around) return true;
    return false;
  }

  /** A state with states inside is tied to where it begins. */
  private node(id: number): string {
    const inside = this.children.get(id);
    if (inside === undefined) return `n${this.index}_${id}`;
    const initial = this.byId.get(id)?.initial;
    if (initial !== undefined && this.isInside(initial, id)) return this.node(initial);
    return this.node(inside[0]!.id);
  }
}

const WIDEST = 48;
const clipped = (text: string): string => (text.length <= WIDEST ? text : `${text.slice(0, WIDEST - 1)}…`);

/** A line break that sets its line to the left, where there are several lines. */
const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\l')}"`;

export function statechartsMermaid(graphs: readonly ControlGraph[]): string {
  const several = graphs.length > 1;
  const lines = graphs.flatMap((graph, index) => {
    const writer = new MermaidWriter(graph, index);
    const body = writer.body(several ? 2 : 1);
    return several ? [`  state "${plain(graph.name)}" as chart${index} {`, ...body, '  }'] : body;
  });
  return `${['stateDiagram-v2', ...lines].join('\n')}\n`;
}

class MermaidWriter {
  private readonly graph: ControlGraph;
  private readonly index: number;

  constructor(graph: ControlGraph, index: number) {
    this.graph = graph;
    this.index = index;
  }

  body(depth: number): string[] {
    const indent = '  '.repeat(depth);
    return [
      ...this.graph.initial.map((id) => `${indent}[*] --> ${this.node(id)}`),
      ...this.inside(undefined, depth),
      ...this.graph.edges.map(
        ({ from, to, label }) =>
          `${indent}${this.node(from)} --> ${this.node(to)}${label === '' ? '' : ` : ${plain(label)}`}`,
      ),
    ];
  }

  private inside(parent: number | undefined, depth: number): string[] {
    const indent = '  '.repeat(depth);
    const states = this.graph.locations.filter((location) => location.parent === parent);
    const parallel = this.graph.locations.find(({ id }) => id === parent)?.kind === 'parallel';
    return states.flatMap((location, at) => [
      ...(parallel && at > 0 ? [`${indent}--`] : []),
      ...this.state(location, depth),
    ]);
  }

  private state(location: Location, depth: number): string[] {
    const indent = '  '.repeat(depth);
    const name = this.node(location.id);
    if (location.kind === 'choice') return [`${indent}state ${name} <<fork>>`];
    const declared = [`${indent}state "${plain(location.label)}" as ${name}`];
    const notes = (location.lines ?? []).map((line) => `${indent}${name} : ${plain(line)}`);
    const end = location.kind === 'final' ? [`${indent}${name} --> [*]`] : [];
    if (!this.graph.locations.some(({ parent }) => parent === location.id))
      return [...declared, ...notes, ...end];
    const initial =
      location.initial === undefined ? [] : [`${indent}  [*] --> ${this.node(location.initial)}`];
    return [
      ...declared,
      `${indent}state ${name} {`,
      ...initial,
      ...this.inside(location.id, depth + 1),
      `${indent}}`,
    ];
  }

  private node = (id: number): string => `s${this.index}_${id}`;
}

/** Characters that Mermaid reads as its own. */
const plain = (text: string): string =>
  text.replace(/[\n"#;:<>{}%]/g, (character) => (character === '\n' ? ' ' : `#${character.codePointAt(0)};`));
