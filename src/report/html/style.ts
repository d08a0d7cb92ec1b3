// The page's style: system fonts, light and dark by the reader's preference (and a switch), readable when printed.

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #14171c); --ink: light-dark(#1b1f24, #e4e7eb); --soft: light-dark(#5b6470, #9aa4b1);
  --line: light-dark(#d9dee4, #2c333c); --panel: light-dark(#f5f7f9, #1b2027); --accent: light-dark(#0b63ce, #6cb0ff);
  --good: light-dark(#12703f, #4cc38a); --bad: light-dark(#b3261e, #ff8a80); --open: light-dark(#8a5a00, #f2b84b);
  --mark: light-dark(#fff1c9, #4a3a10); --loop: light-dark(#ffe1dd, #4d211d);
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
pre.source .line { display: block; padding-left: 4em; text-indent: -4em; white-space: pre-wrap; }
pre.source .line::before { counter-increment: line; content: counter(line); display: inline-block; width: 3em; margin-right: 1em; text-align: right; color: var(--soft); text-indent: 0; user-select: none; }
.line.loop, .swatch.loop { background: var(--loop); } .line.touched, .swatch.touched { background: var(--mark); } .line.current { outline: 2px solid var(--accent); }
.run { display: grid; grid-template-columns: minmax(0, 3fr) minmax(16rem, 2fr); gap: 1rem; } @media (max-width: 60rem) { .run { grid-template-columns: 1fr; } }
.controls { display: flex; gap: 0.4rem; align-items: center; margin: 0.4rem 0; flex-wrap: wrap; } .controls input[type='range'] { flex: 1; min-width: 10rem; padding: 0; }
.diagram { overflow: auto; max-height: 34rem; border: 1px solid var(--line); border-radius: 8px; }
.diagram svg { display: block; } .diagram svg.names { position: sticky; top: 0; background: var(--paper); } .diagram .step { opacity: 0.35; } .diagram .step.done { opacity: 1; } .diagram .step.now .hit { fill: var(--mark); }
.diagram .step { cursor: pointer; }
.state { border: 1px solid var(--line); border-radius: 8px; padding: 0.6rem 0.9rem; background: var(--panel); max-height: 34rem; overflow: auto; }
.state .changed { background: var(--mark); } .queue-cells { display: inline-flex; gap: 3px; flex-wrap: wrap; }
.queue-cells span { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.4rem; background: var(--paper); }
.graph { overflow: auto; max-height: 48rem; } .graph svg { background: #fff; border-radius: 6px; }
.legend .swatch { padding: 0 0.5rem; border-radius: 4px; margin-right: 0.5rem; color: var(--ink); }
.excerpt { white-space: pre; overflow-x: auto; margin-bottom: 0.6rem; } .excerpt:empty { display: none; } .excerpt .line.current { background: var(--mark); outline: none; }
@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) .graph svg { filter: invert(0.88) hue-rotate(180deg); } }
:root[data-theme='dark'] .graph svg { filter: invert(0.88) hue-rotate(180deg); }
.scroll.tall { max-height: 60rem; } table.disjuncts { width: 100%; } table.disjuncts td { padding: 0; border: none; } table.disjuncts details { margin: 0.15rem 0; }
table.disjuncts summary { padding: 0.25rem 0; font-weight: 400; } table.disjuncts tr:target details { border-color: var(--accent); } input.wide { width: min(28rem, 100%); } ul.actions li { margin: 0.2rem 0; } ul.actions li div { margin-left: 1.2rem; }
ul.notes { padding-left: 1.2rem; } .steps { margin: 0.2rem 0 0.8rem; padding-left: 1.4rem; }
kbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 0.35rem; font-size: 0.85em; background: var(--panel); }
@media print { button, .controls, input { display: none; } details { border: none; } body { max-width: none; } }
`;
