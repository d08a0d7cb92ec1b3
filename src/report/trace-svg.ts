// A run as an SVG file that stands alone: the diagram with its title, and colours for light and dark grounds.

import type { Run } from '../verdict/run.ts';
import { type DiagramColours, diagramStyle, drawRun } from './diagram.ts';
import { escapeXml } from './escape.ts';

const MOST_STEPS = 400;
const TITLE_HEIGHT = 34;
const TITLE_CHARACTER = 8;

const LIGHT: DiagramColours = {
  ink: '#3b4252',
  soft: '#69737f',
  ground: '#fff',
  panel: '#e8eef5',
  line: '#9aa5b1',
  message: '#3b6ea5',
  sync: '#2f855a',
  open: '#c05621',
  bad: '#b3261e',
};
const DARK: DiagramColours = {
  ink: '#d8dee9',
  soft: '#9aa5b1',
  ground: '#161b22',
  panel: '#26313f',
  line: '#69737f',
  message: '#81a9d8',
  sync: '#68d391',
  open: '#f6ad55',
  bad: '#ff8a80',
};

const style = (colours: DiagramColours): string =>
  `${diagramStyle('', colours)}\n.ground{fill:${colours.ground}}.title{font-weight:600;font-size:13px}`;

export function traceSvg(run: Run): string {
  const from = Math.max(0, run.steps.length - MOST_STEPS);
  const diagram = drawRun(run, { namesAtBirth: true, from });
  const notes = [
    ...(from > 0 ? [`the first ${from} steps are left out`] : []),
    ...(run.growth ?? []).map(({ queue, perRound }) => `each round leaves ${perRound} more in ${queue}`),
  ];
  const width = Math.max(diagram.width, Math.ceil(28 + run.title.length * TITLE_CHARACTER));
  const top = TITLE_HEIGHT + diagram.headHeight;
  const bottom = top + diagram.height;
  const height = bottom + notes.length * 18 + 10;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(run.title)}">`,
    `<style>${style(LIGHT)}\n@media (prefers-color-scheme:dark){${style(DARK)}}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="title" x="14" y="22">${escapeXml(run.title)}</text>`,
    `<g transform="translate(0 ${TITLE_HEIGHT})">${diagram.head}</g>`,
    `<g transform="translate(0 ${top})">${diagram.body}</g>`,
    ...notes.map(
      (note, i) => `<text class="note" x="16" y="${bottom + 12 + i * 18}">${escapeXml(note)}</text>`,
    ),
    '</svg>',
  ].join('\n')}\n`;
}
