// The queues of a property: numbers for reading, bars for comparing. A bar shows the capacity as a frame, the proven bound as its filling,
// the exact maximum as a line, and how far the run shown here got as a dot.

import { longestQueues } from '../../verdict/run-state.ts';
import type { PropertyResult, QueueResult, Verdict } from '../../verdict/verdict.ts';
import { html, Markup } from './markup.ts';
import type { PlaceId } from './places.ts';

const MANY_QUEUES = 12;
const RANK: Record<Verdict, number> = { refuted: 0, unknown: 1, proved: 2 };
const ROUNDS = 3;

export function queueTable(property: PropertyResult, id: string, placeOf: PlaceId): Markup | null {
  const { queues, evidence } = property;
  if (queues === undefined) return null;
  if (queues.length === 0) return html`<p>The model has no buffered queue.</p>`;
  const reached = evidence?.kind === 'run' ? longestQueues(evidence.run, ROUNDS) : new Map<string, number>();
  const number = (value: number | null): string => (value === null ? '–' : String(value));
  // In a long table what is open must not be searched for.
  const ordered =
    queues.length > MANY_QUEUES ? queues.toSorted((a, b) => RANK[a.verdict] - RANK[b.verdict]) : queues;
  const scale = scaleOf(queues, reached);
  const rows = ordered.map((queue) => {
    const place = placeOf(queue.at);
    const name = html`<code>${queue.name}</code>`;
    return html`<tr><td>${place === null ? name : html`<a href="#${place}">${name}</a>`}</td><td class="badge ${queue.verdict}">${queue.verdict}</td>
      <td class="num">${queue.verdict === 'refuted' ? 'none' : number(queue.bound)}</td><td class="num">${number(queue.exact)}</td><td class="num">${queue.declared < 0 ? 'no limit' : queue.declared}</td>
      <td class="bar-cell">${bar(queue, reached.get(queue.name) ?? null, scale)}</td><td class="fits">${fits(queue)}</td></tr>`;
  });
  const search =
    queues.length > MANY_QUEUES
      ? html`<input type="search" data-filters="${id}" placeholder="find a queue" aria-label="find a queue" hidden>`
      : null;
  const dot = reached.size > 0 ? ', dot: reached in the run' : '';
  return html`${search}<div class="scroll" tabindex="0" role="group" aria-label="queues"><table id="${id}" class="queues"><thead><tr><th>queue</th><th>verdict</th><th class="num" title="proved: never longer than this">bound</th>
    <th class="num" title="the true maximum, by exhaustive search">exact</th><th class="num" title="the capacity in the model">capacity</th><th>length <span class="legend-bar">frame: capacity, filling: bound, line: exact${dot}</span></th><th>at that capacity</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

const scaleOf = (queues: readonly QueueResult[], reached: ReadonlyMap<string, number>): number =>
  Math.max(
    1,
    ...queues.map(({ bound, exact, declared, name }) =>
      Math.max(bound ?? 0, exact ?? 0, declared, reached.get(name) ?? 0),
    ),
  );

const WIDTH = 120;

function bar(queue: QueueResult, reached: number | null, scale: number): Markup {
  const x = (value: number): number => Math.round((value / scale) * (WIDTH - 8));
  const said = [
    queue.verdict === 'refuted'
      ? 'no bound'
      : queue.bound === null
        ? 'no bound known'
        : `bound ${queue.bound}`,
    ...(queue.exact === null ? [] : [`exact ${queue.exact}`]),
    queue.declared < 0 ? 'no limit' : `capacity ${queue.declared}`,
    ...(reached === null ? [] : [`reached ${reached}`]),
  ].join(', ');
  const parts = [
    queue.verdict === 'refuted'
      ? `<path class="grows" d="M1,4 H${WIDTH - 10} l8,5 l-8,5 H1 z"/>`
      : queue.bound === null
        ? ''
        : `<rect class="bound${queue.fits === false ? ' over' : ''}" x="1" y="4" width="${x(queue.bound)}" height="10"/>`,
    `<rect class="capacity" x="1" y="2" width="${Math.max(1, x(queue.declared))}" height="14"/>`,
    queue.exact === null
      ? ''
      : `<line class="exact" x1="${x(queue.exact) + 1}" x2="${x(queue.exact) + 1}" y1="1" y2="17"/>`,
    reached === null
      ? ''
      : `<circle class="reached" cx="${Math.min(WIDTH - 4, x(reached) + 1)}" cy="9" r="3"/>`,
  ];
  return html`<svg class="bar" width="${WIDTH}" height="18" viewBox="0 0 ${WIDTH} 18" role="img" aria-label="${said}">${new Markup(parts.join(''))}<title>${said}</title></svg>`;
}

function fits(queue: QueueResult): string {
  if (queue.verdict === 'refuted') return 'fills up, whatever the capacity';
  if (queue.declared < 0 && queue.bound !== null) return 'never longer';
  if (queue.fits === null) return 'not known';
  if (queue.fits) return 'a send never blocks';
  return queue.exact !== null && queue.exact > queue.declared
    ? `a send can block: ${queue.exact} are needed`
    : 'a send may block';
}
