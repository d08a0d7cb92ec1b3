// The process graphs as pictures, with the loops of counterexamples marked. Graphs too large to read are left to `spillway graph`.

import type { ModelReport } from '../../verdict/verdict.ts';
import { graphsSvg } from '../graph.ts';
import type { GraphPictures } from './page.ts';
import { marksOf, placeKey } from './source.ts';

const MOST_EDGES = 300;
const MOST_GRAPHS = 60;

export async function drawGraphs(reports: readonly ModelReport[]): Promise<GraphPictures> {
  const pictures = new Map<number, { name: string; svg: string }[]>();
  for (const [index, report] of reports.entries()) {
    const { loop } = marksOf(report);
    const drawn: { name: string; svg: string }[] = [];
    for (const graph of (report.graphs ?? []).slice(0, MOST_GRAPHS)) {
      if (graph.edges.length > MOST_EDGES) continue;
      const svg = await graphsSvg([graph], (edge) => edge.at !== undefined && loop.has(placeKey(edge.at)));
      drawn.push({ name: graph.name, svg: svg.slice(svg.indexOf('<svg')) });
    }
    pictures.set(index, drawn);
  }
  return pictures;
}
