// How a queue grows: its length over the steps of the way there and of several rounds of the loop, as a small plot.

import type { Run } from '../../verdict/run.ts';
import { html, Markup } from './markup.ts';

const ROUNDS = 6;
const WIDTH = 360;
const HEIGHT = 96;
const LEFT = 30;
const BOTTOM = 18;
const MOST_PLOTS = 4;
const MOST_POINTS = 4000;

export function growthPlots(run: Run): Markup | null {
  const growing = run.growth ?? [];
  if (run.loopStart === null || growing.length === 0) return null;
  const plots = growing
    .slice(0, MOST_PLOTS)
    .map(({ queue, perRound }) => plot(run, run.loopStart!, queue, perRound));
  const more = growing.length - plots.length;
  return html`<div class="plots">${plots}</div>${more > 0 ? html`<p class="soft">… and ${more} more queues that grow</p>` : null}`;
}

function plot(run: Run, loopStart: number, queue: string, perRound: number): Markup {
  const lengths = lengthsOf(run, loopStart, queue);
  const highest = Math.max(1, ...lengths);
  const x = (step: number): number => LEFT + (step / Math.max(1, lengths.length - 1)) * (WIDTH - LEFT - 6);
  const y = (length: number): number => HEIGHT - BOTTOM - (length / highest) * (HEIGHT - BOTTOM - 10);
  const points = lengths.map((length, step) => `${x(step).toFixed(1)},${y(length).toFixed(1)}`).join(' ');
  const size = run.steps.length - loopStart;
  const rounds = Array.from(
    { length: Math.floor((lengths.length - 1 - loopStart) / size) + 1 },
    (_, i) => loopStart + i * size,
  );
  const marks = rounds.map(
    (step) =>
      `<line class="round" x1="${x(step).toFixed(1)}" x2="${x(step).toFixed(1)}" y1="8" y2="${HEIGHT - BOTTOM}"/>`,
  );
  const said = `${queue}: each round leaves ${perRound} more; ${highest} after ${rounds.length - 1} rounds`;
  return html`<figure><svg width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${said}">${new Markup(marks.join(''))}
    <line class="axis" x1="${LEFT}" x2="${WIDTH - 4}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"/>
    <polyline class="length" points="${points}"/><text x="${LEFT - 5}" y="${y(highest) + 4}" text-anchor="end">${highest}</text>
    <text x="${LEFT - 5}" y="${HEIGHT - BOTTOM}" text-anchor="end">0</text><text x="${x(rounds[0]!).toFixed(0)}" y="${HEIGHT - 4}">rounds of the loop →</text></svg>
    <figcaption>each round leaves ${perRound} more in <code>${queue}</code></figcaption></figure>`;
}

function lengthsOf(run: Run, loopStart: number, queue: string): number[] {
  const lengths = [0];
  let length = 0;
  const take = (step: Run['steps'][number]): void => {
    for (const event of step.events) {
      if ((event.kind !== 'send' && event.kind !== 'receive') || event.queue !== queue) continue;
      if (event.kind === 'send') length++;
      else if (!event.copy) length--;
    }
    lengths.push(length);
  };
  run.steps.slice(0, loopStart).forEach(take);
  const loop = run.steps.slice(loopStart);
  for (let round = 0; round < ROUNDS && lengths.length < MOST_POINTS; round++) loop.forEach(take);
  return lengths;
}
