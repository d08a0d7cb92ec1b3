// The process graphs as pictures, with the loops and paths of counterexamples marked. A graph too large to read is cut down to the
// neighbourhood of the path, or drawn by its parts.

import type { ControlGraph, ModelReport } from '../../verdict/verdict.ts';
import { graphsSvg } from '../graph.ts';
import { plural } from '../table.ts';
import { clustered } from './clusters.ts';
import { html, later, Markup } from './markup.ts';
import { neighbourhood } from './neighbourhood.ts';
import { worstFirst } from './overview.ts';
import { type PlaceId, placeIds } from './places.ts';
import { marksOf, placeKey } from './source.ts';

/** Graphviz lays out so many in about a second. */
const MOST_EDGES = 500;
/** More than this and even the parts say nothing. */
const MOST_BY_PARTS = 20_000;
const MOST_GRAPHS = 60;
/** Of all graphs of the page together, the worst models first: it must open quickly. */
const MOST_IN_ALL = 2500;

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

type EdgeTest = (edge: ControlGraph['edges'][number]) => boolean;

export async function drawGraphs(reports: readonly ModelReport[]): Promise<GraphPictures> {
  const pictures = new Map<number, GraphPicture[]>();
  let edges = 0;
  for (const index of worstFirst(reports)) {
    const report = reports[index]!;
    const { loop } = marksOf(report);
    const isMarked: EdgeTest = (edge) =>
      edge.onPath ?? (edge.at !== undefined && loop.has(placeKey(edge.at)));
    const placeOf = placeIds(report, index);
    const drawn: GraphPicture[] = [];
    for (const graph of (report.graphs ?? []).slice(0, MOST_GRAPHS)) {
      edges += Math.min(MOST_EDGES, graph.edges.length);
      drawn.push(edges > MOST_IN_ALL ? notDrawn(graph) : await draw(graph, isMarked, placeOf));
    }
    pictures.set(index, drawn);
  }
  return pictures;
}

const ofProperty = ({ property }: ControlGraph): { property?: string } =>
  property === undefined ? {} : { property };

const notDrawn = (graph: ControlGraph): GraphPicture => ({
  name: graph.name,
  ...ofProperty(graph),
  svg: null,
  note: `${plural(graph.edges.length, 'step')}: not drawn here`,
});

async function draw(graph: ControlGraph, isMarked: EdgeTest, placeOf: PlaceId): Promise<GraphPicture> {
  const { name, edges } = graph;
  const near = edges.length <= MOST_EDGES ? graph : neighbourhood(graph);
  const isNear = near !== null && near.edges.length <= MOST_EDGES;
  if (!isNear && edges.length > MOST_BY_PARTS) return notDrawn(graph);
  const shown = isNear ? near : clustered(graph);
  const link = (edge: ControlGraph['edges'][number]): string | null => {
    const place = placeOf(edge.at);
    return place === null ? null : `#${place}`;
  };
  const svg = forPage(await graphsSvg([shown], isMarked, link));
  const marked = shown.edges.some(isMarked) ? 'with the counterexample or path marked' : '';
  const note =
    shown === graph
      ? graph.property === undefined
        ? marked
        : (graph.legend ?? 'the goal is filled')
      : isNear
        ? `only the path and what branches off it: ${shown.edges.length} of ${plural(edges.length, 'step')}`
        : `by parts: ${plural(edges.length, 'step')} and ${plural(graph.locations.length, 'location')}`;
  return { name, ...ofProperty(graph), svg, note };
}

/** Without what the page does not need, which is a good part: the head, comments, and Graphviz's own names of things. */
const forPage = (svg: string): string =>
  svg
    .slice(svg.indexOf('<svg'))
    .replace(/<!--.*?-->\n?/gs, '')
    .replace(/<title>[^<]*<\/title>\n?/g, '')
    .replace(/ (id|class|xlink:title)="[^"]*"/g, '')
    .replaceAll('xlink:href=', 'href=');

export function graphSection({ name, note, svg }: GraphPicture, files: readonly string[]): Markup {
  const heading = html`<summary>${name}${note === '' ? null : html` <span class="soft">${note}</span>`}</summary>`;
  if (svg === null)
    return html`<details class="process" data-process="${name}">${heading}<p><code>spillway graph ${files.join(' ')} --process ${name}</code> writes it for Graphviz.</p></details>`;
  return html`<details class="process" data-process="${name}">${heading}<div class="graph-tools" hidden><button class="smaller" aria-label="smaller">−</button><button class="larger" aria-label="larger">+</button><button class="fit">fit</button>
    <input type="search" placeholder="find a state or step" aria-label="find a state or step of ${name}"><span class="hits soft" aria-live="polite"></span><span class="soft">drag to move, Ctrl+wheel to zoom; steps lead to the run or the source</span></div>
    <div class="graph" data-process="${name}" tabindex="0" role="group" aria-label="graph of ${name}">${later(new Markup(svg))}</div></details>`;
}
