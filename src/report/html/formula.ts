// A formula proved by induction: each disjunct folded away under its name, with its atoms, why it is safe, and where each action leads.
// The liveness of a goal: the way from each disjunct.

import type { ExplainedAction, ExplainedDisjunct, FormulaExplanation } from '../../verdict/verdict.ts';
import { html, Markup } from './markup.ts';

export function formulaSection(formula: FormulaExplanation, model: number, sources: Sources): Markup {
  const anchors = new Map(formula.disjuncts.map(({ name }, index) => [name, `m${model}-d${index}`]));
  const link = (name: string): Markup =>
    html`<a class="jump" href="#${anchors.get(name) ?? ''}"><code>${name}</code></a>`;
  const id = `m${model}-formula`;
  const initial = formula.initial.map(
    ({ state, disjuncts }) => html`<li><code>${state}</code> is in ${listed(disjuncts.map(link))}</li>`,
  );
  const rows = formula.disjuncts.map((disjunct) => disjunctRow(disjunct, anchors, link, sources));
  return html`<h2 id="${id}-top">The formula and its proof</h2>
    <p>A state satisfies the formula if it satisfies one of the ${formula.disjuncts.length} disjuncts below. Every initial state does, and every
      action leads from a state of the formula to a state of the formula: so all reachable states satisfy it, however long the channels are.
      No disjunct contains a deadlock or a message that its receiver has no action for.</p>
    <ul class="notes">${initial}</ul>
    <p class="soft">An action is looked at in cases: what the channels hold afterwards decides which disjuncts can contain the result; then the
      numbers must fit. <em>By shape</em>: nothing about numbers had to be shown. <em>By differences</em>: difference constraints (Bellman–Ford).
      <em>By sums</em>: other sums together (simplex, in whole numbers). <em>By SMT</em>: the solver was asked.</p>
    <input type="search" class="wide" data-filters="${id}" placeholder="find a disjunct, an action, an atom" aria-label="find a disjunct" hidden>
    <div class="scroll tall" tabindex="0" role="group" aria-label="disjuncts"><table id="${id}" class="disjuncts"><tbody>${rows}</tbody></table></div>
    ${partsSection(formula, `${id}-parts`)}`;
}

type Sources = Readonly<Record<string, string>>;

const listed = (items: readonly Markup[]): Markup =>
  new Markup(items.map((item) => item.html).join(items.length === 2 ? ' or ' : ', '));

/** Control states and the two channels come first among the atoms: enough to find one's way. */
const HEAD = 3;

function disjunctRow(
  { name, at, atoms, safe, actions }: ExplainedDisjunct,
  anchors: ReadonlyMap<string, string>,
  link: (name: string) => Markup,
  sources: Sources,
): Markup {
  const written =
    at === null
      ? null
      : (sources[at.file]?.split('\n')[at.line - 1]?.trim().replace(/\s+/g, ' ').slice(0, 160) ?? null);
  const where =
    at === null || written === null
      ? null
      : html`<p class="soft">line ${at.line}: <code>${written}</code></p>`;
  return html`<tr id="${anchors.get(name)!}"><td><details><summary><code>${name}</code> <span class="soft">${atoms.slice(0, HEAD).join(' · ')}</span></summary>
    ${where}<p>${atoms.map((atom, i) => html`${i === 0 ? '' : ', '}<code>${atom}</code>`)}</p>
    <ul class="notes">${safe.map((sentence) => html`<li>${sentence}</li>`)}</ul>
    <ul class="notes actions">${actions.map((action) => actionItem(action, link))}</ul></details></td></tr>`;
}

function actionItem({ name, text, cases }: ExplainedAction, link: (name: string) => Markup): Markup {
  const shown = cases.map(({ when, to, decided }) => {
    const result =
      to.length === 0
        ? html`never executable here`
        : html`→ ${to.length > 1 ? 'one of ' : ''}${listed(to.map(link))}`;
    return html`<div>${when === '' ? null : html`<span class="soft">${when}:</span> `}${result} <span class="soft">${decided}</span></div>`;
  });
  return html`<li><code>${name}</code> <span class="soft"><code>${text.replace(/^\w+:\s*/, '')}</code></span>${shown}</li>`;
}

function partsSection({ parts }: FormulaExplanation, id: string): Markup | null {
  if (parts === undefined || parts.length === 0) return null;
  const rows = parts.map(
    ({ name, atoms }) =>
      html`<tr><td><code>${name}</code></td><td>${atoms.length === 0 ? 'as it was' : atoms.map((atom, i) => html`${i === 0 ? '' : ', '}<code>${atom}</code>`)}</td></tr>`,
  );
  return html`<details class="proof"><summary>divided for liveness: ${parts.length} disjuncts</summary>
    <p>The same states, divided by which channels are empty and which actions are executable, and proved again. What each part adds:</p>
    <input type="search" data-filters="${id}" placeholder="find a part" aria-label="find a part" hidden>
    <div class="scroll" tabindex="0" role="group" aria-label="table"><table id="${id}"><thead><tr><th>part</th><th>adds</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

/** The ways of a proof of liveness, from the details of its evidence. */
export function waysSection(details: Readonly<Record<string, unknown>>, anchor: string): Markup | null {
  const ways = details['ways'];
  if (typeof ways !== 'object' || ways === null) return null;
  const entries = Object.entries(ways as Record<string, string>);
  const goals = entries.filter(([name, way]) => way === name).map(([name]) => name);
  const rows = entries
    .filter(([name, way]) => way !== name)
    .map(
      ([name, way]) =>
        html`<tr><td><code>${name}</code></td><td><code>${way.startsWith(name) ? way.slice(name.length) : way}</code></td></tr>`,
    );
  const id = `${anchor}-ways`;
  return html`<p>From every reachable state, a state of the goal can be reached: each disjunct has a way to one of the goal.</p>
    <details class="proof"><summary>the ways: ${rows.length} disjuncts to ${goals.length} of the goal</summary>
    <p class="soft"><code>-A.x-></code> in every state of the disjunct A can execute x, and every result is in the next.
      <code>=A receives=></code> A receives until its channel is empty, and passes the next disjunct whatever it receives.
      <code>=A.x repeated=></code> x changes a register that is bounded, so it cannot be repeated for ever.
      <em>One of</em>: the next is not certain, but each of them has a way; the first is followed here.</p>
    <p>The goal: ${goals.map((name, i) => html`${i === 0 ? '' : ', '}<code>${name}</code>`)}</p>
    <input type="search" data-filters="${id}" placeholder="find a disjunct" aria-label="find a disjunct" hidden>
    <div class="scroll" tabindex="0" role="group" aria-label="table"><table id="${id}"><thead><tr><th>from</th><th>way</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}
