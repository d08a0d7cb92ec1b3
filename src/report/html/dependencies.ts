// Which loops need which others to go on.

import type { LoopDependency } from '../../verdict/verdict.ts';
import { html, type Markup } from './markup.ts';

export function dependenciesSection(dependencies: readonly LoopDependency[], id: string): Markup {
  const rows = dependencies.map(({ loop, needs, rounds, reason, at }) => {
    const others =
      needs.length === 0
        ? html`<strong>nothing: it cannot go on</strong>`
        : html`${needs.map((one) => html`<div><code>${one}</code></div>`)}`;
    const place = at === null ? '' : ` (line ${at.line})`;
    return html`<tr><td><code>${loop}</code></td><td class="num">${rounds === null ? 'again and again' : `every ${rounds} rounds`}</td>
      <td>${others}</td><td>${reason}${place}</td></tr>`;
  });
  return html`<p>A loop on the left cannot go on for ever unless one of those beside it does.</p>
    <input type="search" data-filters="${id}" placeholder="find a loop" aria-label="find a loop" hidden>
    <div class="scroll" tabindex="0" role="group" aria-label="table"><table id="${id}"><thead><tr><th>loop</th><th class="num">needs</th><th>one of</th><th>because</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}
