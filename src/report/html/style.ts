// The page's style: system fonts, light and dark by the reader's preference (and a switch), readable when printed.

import { diagramStyle } from '../diagram.ts';

/** The diagram in the page's colours. */
const DIAGRAM = diagramStyle('.diagram ', {
  ink: 'var(--ink)',
  soft: 'var(--soft)',
  ground: 'var(--paper)',
  panel: 'var(--panel)',
  line: 'var(--edge)',
  message: 'var(--accent)',
  sync: 'var(--good)',
  open: 'var(--open)',
  bad: 'var(--bad)',
});

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171c); --ink: light-dark(#1b1f24, #e4e7eb); --soft: light-dark(#5b6470, #9aa4b1);
  --line: light-dark(#d9dee4, #2c333c); --panel: light-dark(#f5f7f9, #1b2027); --accent: light-dark(#0b63ce, #6cb0ff);
  --good: light-dark(#12703f, #4cc38a); --bad: light-dark(#b3261e, #ff8a80); --open: light-dark(#8a5a00, #f2b84b);
  --edge: light-dark(#8a94a0, #69737f); --mark: light-dark(#fff1c9, #4a3a10); --loop: light-dark(#ffe1dd, #4d211d);
}
:root[data-theme='light'] { color-scheme: light; }
:root[data-theme='dark'] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 1rem 1.5rem 4rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
code, pre, .mono, td.num { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 0.92em; }
h1 { font-size: 1.35rem; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; } h3 { font-size: 1rem; margin: 1.4rem 0 0.4rem; }
a { color: var(--accent); } .soft { color: var(--soft); }
header.top { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; border-bottom: 1px solid var(--line); padding-bottom: 0.6rem; }
button, input { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 0.2rem 0.6rem; }
button:hover:not(:disabled) { border-color: var(--accent); cursor: pointer; } button:disabled { opacity: 0.45; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { border-collapse: collapse; margin: 0.4rem 0; } th { text-align: left; color: var(--soft); font-weight: 600; }
th, td { padding: 0.25rem 0.9rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.num, th.num { text-align: right; } tr.filtered { display: none; }
.scroll { overflow: auto; max-height: 32rem; }
.verdicts { display: grid; gap: 0.6rem; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); margin: 1rem 0; }
.card { border: 1px solid var(--line); border-left: 5px solid var(--soft); border-radius: 8px; padding: 0.6rem 0.9rem; background: var(--panel); text-decoration: none; color: inherit; display: block; }
.card.proved { border-left-color: var(--good); } .card.refuted { border-left-color: var(--bad); } .card.unknown { border-left-color: var(--open); }
.badge { font-weight: 700; letter-spacing: 0.03em; } .proved .badge, .badge.proved { color: var(--good); }
.refuted .badge, .badge.refuted { color: var(--bad); } .unknown .badge, .badge.unknown { color: var(--open); }
details { border: 1px solid var(--line); border-radius: 8px; margin: 0.6rem 0; padding: 0 0.9rem; }
details > summary { cursor: pointer; padding: 0.5rem 0; font-weight: 600; } details[open] { padding-bottom: 0.8rem; }
pre.source { margin: 0; counter-reset: line; line-height: 1.45; }
pre.source .line { display: block; padding-left: 4em; text-indent: -4em; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.source .line::before { counter-increment: line; content: counter(line); display: inline-block; width: 3em; margin-right: 1em; text-align: right; color: var(--soft); text-indent: 0; user-select: none; }
.line.loop, .swatch.loop { background: var(--loop); } .line.touched, .swatch.touched { background: var(--mark); } .line.unexecuted .text, .swatch.unexecuted { text-decoration: underline dotted var(--open); text-underline-offset: 3px; color: var(--soft); } .line.current { outline: 2px solid var(--accent); }
.run { display: grid; grid-template-columns: minmax(0, 3fr) minmax(16rem, 2fr); gap: 1rem; } @media (max-width: 60rem) { .run { grid-template-columns: 1fr; } }
.controls { display: flex; gap: 0.4rem; align-items: center; margin: 0.4rem 0; flex-wrap: wrap; } .controls input[type='range'] { flex: 1; min-width: 10rem; padding: 0; }
.diagram { overflow: auto; max-height: 36rem; border: 1px solid var(--line); border-radius: 8px; position: relative; }
.diagram svg { display: block; width: calc(var(--w) * var(--zoom, 1) * 1px); height: auto; } .diagram svg.names { position: sticky; top: 0; background: var(--paper); z-index: 1; }
.diagram .step { cursor: pointer; } .live .diagram .step.later { opacity: 0.3; } .diagram .step.now .hit { fill: var(--mark); } .diagram [data-actor] { cursor: pointer; }
.live .diagram .waits { opacity: 0.3; } .live.at-end .diagram .waits { opacity: 1; }
.run-viewer:not(.live) .controls, .run-viewer:not(.live) .caption { display: none; } .run-viewer:fullscreen { background: var(--paper); padding: 1rem; overflow: auto; } .run-viewer:fullscreen .blocked .scroll { max-height: 9rem; } .run-viewer:fullscreen .diagram, .run-viewer:fullscreen .state { max-height: calc(100vh - 12rem); }
.zooming { display: inline-flex; gap: 0.3rem; align-items: center; } .zoom { min-width: 3.6em; text-align: center; }
.caption { overflow-wrap: anywhere; }
.state { overflow-wrap: anywhere; border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.9rem; background: var(--panel); max-height: 34rem; overflow: auto; }
.state .changed { background: var(--mark); } .queue-cells { display: inline-flex; gap: 3px; flex-wrap: wrap; }
.queue-cells span { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.4rem; background: var(--paper); }
.graph { overflow: auto; max-height: 44rem; border: 1px solid var(--line); border-radius: 6px; touch-action: pan-x pan-y; } .graph svg { background: #fff; display: block; height: auto; max-width: none; }
.graph a { cursor: pointer; } .graph a.current path, .graph a.current polygon { stroke-width: 4; stroke: #b3261e; } .graph a.current text { font-weight: 700; } .graph text.found { fill: #b3261e; font-weight: 700; text-decoration: underline; }
.graph-tools { display: flex; gap: 0.4rem; align-items: center; flex-wrap: wrap; margin: 0.3rem 0; } [hidden] { display: none !important; }
.counts { display: flex; gap: 1.6rem; flex-wrap: wrap; font-size: 1.05rem; margin: 1rem 0 0.4rem; } .count strong { font-size: 1.5rem; } .count.refuted { color: var(--bad); } .count.unknown { color: var(--open); } .count.proved { color: var(--good); }
.filters { display: flex; gap: 0.9rem; flex-wrap: wrap; align-items: center; } #overview a.badge { margin-right: 0.8rem; text-decoration: none; white-space: nowrap; } #overview a.badge:hover { text-decoration: underline; }
section.model ~ section.model { content-visibility: auto; contain-intrinsic-size: auto 1500px; } section.model { border-top: 2px solid var(--line); margin-top: 1.6rem; } section.filtered { display: none; } section.property { border-top: 1px solid var(--line); margin-top: 1.6rem; } .asked { margin: 0.1rem 0 0.6rem; }
.made { margin: 0.2rem 0 0; } .command { display: inline-flex; gap: 0.4rem; align-items: baseline; max-width: 100%; } .command code { overflow-wrap: anywhere; } .command button { padding: 0 0.4rem; font-size: 0.85em; }
.advice { border-left: 3px solid var(--open); padding: 0.1rem 0.9rem; margin: 0.6rem 0; } .advice dt { font-weight: 600; } .advice dd { margin: 0 0 0.4rem 0; } .sentence { max-width: 60rem; }
.bar .capacity { fill: none; stroke: var(--edge); } .bar .bound { fill: var(--good); fill-opacity: 0.55; } .bar .bound.over { fill: var(--open); } .bar .exact { stroke: var(--ink); stroke-width: 2; } .bar .reached { fill: var(--bad); } .bar .grows { fill: var(--bad); fill-opacity: 0.35; } .legend-bar { font-weight: 400; font-size: 0.85em; }
.bar { display: block; } .plots { display: flex; gap: 1rem; flex-wrap: wrap; } figure { margin: 0.4rem 0; } figcaption { color: var(--soft); font-size: 0.92em; } figure svg { max-width: 100%; height: auto; } figure text { font-size: 11px; fill: var(--soft); } figure .axis { stroke: var(--edge); } figure .round { stroke: var(--line); } figure .length { fill: none; stroke: var(--bad); stroke-width: 1.8; }
.blocked { border-left: 3px solid var(--bad); padding: 0 0.9rem; margin: 0.6rem 0; } .blocked h4 { margin: 0.3rem 0; } .circle { font-size: 1.05rem; margin: 0.2rem 0; }
.diagnostic.error { border-left: 4px solid var(--bad); padding-left: 0.8rem; } .diagnostic.warning { border-left: 4px solid var(--open); padding-left: 0.8rem; }
.steps-at, a.edges { user-select: none; margin-left: 1.2em; font-size: 0.85em; text-indent: 0; text-decoration: none; } .steps-at:hover, a.edges:hover { text-decoration: underline; } a.edges { margin-left: 0.8em; }
.legend .swatch { padding: 0 0.5rem; border-radius: 4px; margin-right: 0.5rem; color: var(--ink); }
.excerpt { white-space: pre-wrap; overflow-wrap: anywhere; margin-bottom: 0.6rem; } .excerpt:empty { display: none; } .excerpt .line.current { background: var(--mark); outline: none; }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) .graph svg { filter: invert(0.88) hue-rotate(180deg); } }
:root[data-theme='dark'] .graph svg { filter: invert(0.88) hue-rotate(180deg); }
.scroll.tall { max-height: 60rem; } table.disjuncts { width: 100%; } table.disjuncts td { padding: 0; border: none; } table.disjuncts details { margin: 0.15rem 0; }
table.disjuncts summary { padding: 0.25rem 0; font-weight: 400; } table.disjuncts tr:target details { border-color: var(--accent); } input.wide { width: min(28rem, 100%); } ul.actions li { margin: 0.2rem 0; } ul.actions li div { margin-left: 1.2rem; }
ul.notes { padding-left: 1.2rem; } .steps { margin: 0.2rem 0 0.8rem; padding-left: 1.4rem; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.35rem; font-size: 0.85em; background: var(--panel); }
@media (max-width: 40rem) { .blocked thead { display: none; } .blocked .scroll { max-height: none; } .blocked table, .blocked tbody, .blocked tr, .blocked td { display: block; } .blocked tr { border-bottom: 1px solid var(--line); padding: 0.4rem 0; } .blocked td { border: none; padding: 0; } .blocked td:nth-child(3)::before { content: 'waits for '; color: var(--soft); } .queues th, .queues td { padding-right: 0.35rem; } }
@media (max-width: 40rem) { body { padding: 0.6rem 0.7rem 3rem; } th, td { padding-right: 0.5rem; } .queues .fits, .queues th:last-child, .legend-bar, .keys { display: none; } .bar { width: 3.2rem; } .verdicts { grid-template-columns: 1fr; }
  .counts { gap: 0.9rem; } .run { grid-template-columns: minmax(0, 1fr); } pre.source .line { padding-left: 2.6em; text-indent: -2.6em; } pre.source .line::before { width: 2em; margin-right: 0.6em; } h2 { overflow-wrap: anywhere; } .controls input[type='range'] { flex-basis: 100%; order: 9; } .diagram { max-height: 24rem; } header.top { flex-wrap: wrap; } }
${DIAGRAM}
@media print { button, .controls, input, .graph-tools, .filters, .caption { display: none !important; } details { border: none; } body { max-width: none; padding: 0; color-scheme: light; } .scroll, .diagram, .state, .graph { max-height: none; overflow: visible; }
  .diagram svg { max-width: 100%; } .live .diagram .step.later, .live .diagram .waits { opacity: 1; } section.property, figure, .card { break-inside: avoid; } section.filtered { display: none; } a { color: inherit; text-decoration: none; } }
`;
