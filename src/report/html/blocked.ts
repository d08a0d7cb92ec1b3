// Why nothing moves: where each process stands, what it waits for, and why nobody brings it. Above all the circle, where there is one.

import type { Blockage, BlockedProcess, Wait } from '../../verdict/blocked.ts';
import { html, Markup } from './markup.ts';
import type { PlaceId } from './places.ts';
import { lineLink } from './proof.ts';

const MANY_PROCESSES = 40;
const MANY_HELPERS = 4;

export function blockedSection(blocked: Blockage | undefined, placeOf: PlaceId): Markup | null {
  if (blocked === undefined || blocked.processes.length === 0) return null;
  const { processes, circularWait } = blocked;
  // What explains most comes first: who can never go on, then the circle.
  const rank = (one: BlockedProcess): number =>
    isAtDeadEnd(one) ? 0 : circularWait?.includes(one.process) ? 1 : 2;
  const shown = processes.toSorted((a, b) => rank(a) - rank(b)).slice(0, MANY_PROCESSES);
  const more = processes.length - shown.length;
  return html`<div class="blocked"><h4>Why nothing moves</h4>${shown
    .filter(isAtDeadEnd)
    .slice(0, 3)
    .map((one) => deadEnd(one, placeOf))}${circle(circularWait)}
    <div class="scroll" tabindex="0" role="group" aria-label="who waits for what"><table><thead><tr><th>process</th><th>stands at</th><th>waits for</th><th>and nobody brings it, because</th></tr></thead>
    <tbody>${shown.flatMap((one) => rows(one, placeOf))}</tbody></table></div>${more > 0 ? html`<p class="soft">… and ${more} more processes</p>` : null}</div>`;
}

/** It has come to a statement that is never executable: an error state of the model, most often. */
const isAtDeadEnd = ({ waitsFor }: BlockedProcess): boolean =>
  waitsFor.length > 0 && waitsFor.every(({ kind }) => kind === 'never');

const deadEnd = ({ process, statement, at }: BlockedProcess, placeOf: PlaceId): Markup =>
  html`<p class="circle"><strong>${process}</strong> has come to <code>${statement}</code> (${lineLink(at, placeOf)}), which is never executable.</p>`;

function circle(names: readonly string[] | null): Markup | null {
  if (names === null || names.length === 0) return null;
  const round = [...names, names[0]!].map((name) => html`<strong>${name}</strong>`);
  const words =
    names.length === 2 ? 'these two wait for each other.' : 'each waits for what the next one could do.';
  return html`<p class="circle">${new Markup(round.map(({ html: name }) => name).join(' <span aria-label="waits for">→</span> '))}: ${words}</p>`;
}

/** One row for each statement that the process could go on with. */
function rows({ process, at, statement, waitsFor }: BlockedProcess, placeOf: PlaceId): Markup[] {
  const place = lineLink(at, placeOf);
  if (waitsFor.length === 0)
    return [
      html`<tr><td><strong>${process}</strong></td><td><code>${statement}</code> ${place}</td><td colspan="2">nothing: it has no way on, and may not stop here</td></tr>`,
    ];
  return waitsFor.map(
    (wait, index) =>
      html`<tr><td>${index === 0 ? html`<strong>${process}</strong>` : html`<span class="soft">or</span>`}</td><td><code>${wait.statement}</code> ${lineLink(wait.at, placeOf) ?? place}</td><td>${wait.text}</td><td>${helpersOf(wait)}</td></tr>`,
  );
}

function helpersOf({ kind, helpers }: Wait): Markup {
  if (kind === 'never') return html`there is no way on from here`;
  if (helpers.length === 0) return html`nobody else can do that any more`;
  const shown = helpers
    .slice(0, MANY_HELPERS)
    .map(({ process, text }) => html`<div>${process} ${text}</div>`);
  return html`${shown}${helpers.length > shown.length ? html`<div class="soft">and ${helpers.length - shown.length} more</div>` : null}`;
}
