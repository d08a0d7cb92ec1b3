// The process graphs as pictures, with the loops and paths of counterexamples marked. A graph too large to read is cut down to the
// neighbourhood of the path, or left to `spillway graph`.

import type { ControlGraph, ModelReport } from '../../verdict/verdict.ts';
import { graphsSvg } from '../graph.ts';
import { plural } from '../table.ts';
import { neighbourhood } from './neighbourhood.ts';
import { marksOf, placeKey } from './source.ts';

const MOST_EDGES = 300;
const MOST_GRAPHS = 60;

export interface GraphPicture {
  readonly name: string;
  /** The property whose proof it shows; absent for pictures of the model. */
  readonly property?: string;
  /** What is shown, when it is not simply the whole graph. */
  readonly note: string;
  /** Null: too large to draw. */
  readonly svg: string | null;
}

/** Drawn before the page is put together: model index → pictures. */
export type GraphPictures = ReadonlyMap<number, readonly GraphPicture[]>;

export async function drawGraphs(reports: readonly ModelReport[]): Promise<GraphPictures> {
  const pictures = new Map<number, GraphPicture[]>();
  for (const [index, report] of reports.entries()) {
    const { loop } = marksOf(report);
    const isMarked = (edge: ControlGraph['edges'][number]): boolean =>
      edge.onPath ?? (edge.at !== undefined && loop.has(placeKey(edge.at)));
    const drawn: GraphPicture[] = [];
    for (const graph of (report.graphs ?? []).slice(0, MOST_GRAPHS)) drawn.push(await draw(graph, isMarked));
    pictures.set(index, drawn);
  }
  return pictures;
}

async function draw(
  graph: ControlGraph,
  isMarked: (edge: ControlGraph['edges'][number]) => boolean,
): Promise<GraphPicture> {
  const { name, edges, property } = graph;
  const small = edges.length <= MOST_EDGES;
  const shown = small ? graph : neighbourhood(graph);
  if (shown === null || shown.edges.length > MOST_EDGES)
    return {
      name,
      ...(property === undefined ? {} : { property }),
      svg: null,
      note: `${plural(edges.length, 'step')}: too large to draw here`,
    };
  const svg = await graphsSvg([shown], isMarked);
  const part = `only the path and what branches off it: ${shown.edges.length} of ${plural(edges.length, 'step')}`;
  if (property !== undefined) return { name, property, svg: forPage(svg), note: 'the goal is filled' };
  const marked = shown.edges.some(isMarked) ? 'with the counterexample or path marked' : '';
  return { name, svg: forPage(svg), note: small ? marked : part };
}

/** Without what the page does not need, which is a good part: the head, comments, and Graphviz's own names of things. */
const forPage = (svg: string): string =>
  svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/<title>[^<]*<\/title>\n?/g, '')
    .replace(/ (id|class)="[^"]*"/g, '');
