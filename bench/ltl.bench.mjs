// Automata of the formulas that the field compares translators with: states (and acceptance sets) and time,
// beside `spin -f` and lbt where they are installed. Run: node bench/ltl.bench.mjs
import { spawnSync } from 'node:child_process';
import { importSource } from './source.mjs';

/** Etessami and Holzmann, "Optimizing Büchi automata" (CONCUR 2000). */
const ETESSAMI_HOLZMANN = [
  'p0 U (p1 && G p2)',
  'p0 U (p1 && X(p2 U p3))',
  'p0 U (p1 && X(p2 && F(p3 && X F(p4 && X F(p5 && X F p6)))))',
  'F(p0 && X G p1)',
  'F(p0 && X(p1 && X F p2))',
  'F(p0 && X(p1 U p2))',
  'F G p0 || G F p1',
  'G(p0 -> (p1 U p2))',
  'G(p0 && X F(p1 && X F(p2 && X F p3)))',
  'G F p0 && G F p1 && G F p2 && G F p3 && G F p4',
  '(p0 U (p1 U p2)) || (p1 U (p2 U p0)) || (p2 U (p0 U p1))',
  'G(p0 -> (p1 U (G p2 || G p3)))',
];

/** Somenzi and Bloem, "Efficient Büchi automata from LTL formulae" (CAV 2000). */
const SOMENZI_BLOEM = [
  'p0 U p1',
  'p0 U (p1 U p2)',
  '!(p0 U (p1 U p2))',
  'G F p0 -> G F p1',
  'F p0 U G p1',
  'G p0 U p1',
  '!(F F p0 <-> F p0)',
  '!(G F p0 -> G F p1)',
  '!(G F p0 <-> G F p1)',
  'p0 R (p0 || p1)',
  '(X p0 U X p1) || !X(p0 U p1)',
  '(X p0 U p1) || !X(p0 U (p0 && p1))',
  'G(p0 -> F p1) && ((X p0 U p1) || !X(p0 U (p0 && p1)))',
  'G(p0 -> F p1)',
  '!G(p0 -> X(p1 R p2))',
  '!(G F p0 || F G p1)',
  'G(F p0 && F p1)',
  'F p0 && F !p0',
  '(X p1 && p2) R X(((p3 U p0) R p2) U (p3 R p2))',
  '(G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2',
  '(G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2',
  '!((G(p1 || G F p0) && G(p2 || G F !p0)) || G p1 || G p2)',
  '!((G(p1 || F G p0) && G(p2 || F G !p0)) || G p1 || G p2)',
  'G(p1 || X G p0) && G(p2 || X G !p0)',
  'G(p1 || (X p0 && X !p0))',
];

/** Families that grow. */
const FAMILIES = [
  ...[2, 3, 4, 5, 6].map((n) => conjunction(n, (i) => `G F p${i}`)),
  ...[2, 3, 4, 5].map((n) => `!(${conjunction(n, (i) => `G F p${i}`)} -> G(q -> F r))`),
  ...[2, 3, 4, 5].map((n) => conjunction(n, (i) => `F p${i}`)),
];

function conjunction(n, part) {
  return Array.from({ length: n }, (_, i) => `(${part(i)})`).join(' && ');
}

const ltl = await importSource(
  'ltl/translate.ts',
  'ltl/degeneralise.ts',
  'ltl/parser.ts',
  'ltl/syntax.ts',
  'ltl/formula.ts',
  'ltl/automaton.ts',
  'ltl/peers.fuzz.ts',
);
const LIMIT_SECONDS = 20;
const has = { spin: ltl.available('spin'), lbt: ltl.available('lbt') };

function ours(text) {
  const factory = new ltl.FormulaFactory();
  const { formula } = ltl.parseText(text, ltl.openVocabulary());
  const core = ltl.toFormula(factory, formula);
  const begin = performance.now();
  const generalised = ltl.translate(factory, core);
  const buchi = ltl.degeneralise(generalised);
  const milliseconds = performance.now() - begin;
  return { core, generalised, buchi, milliseconds };
}

function spin(text) {
  if (!has.spin) return { states: 'not installed', milliseconds: '' };
  const begin = performance.now();
  const run = spawnSync(
    'spin',
    ['-f', text.replaceAll(/\bG\b/g, '[]').replaceAll(/\bF\b/g, '<>').replaceAll(/\bR\b/g, 'V')],
    {
      encoding: 'utf8',
      timeout: LIMIT_SECONDS * 1000,
    },
  );
  const milliseconds = performance.now() - begin;
  if (run.error !== undefined) return { states: `> ${LIMIT_SECONDS} s`, milliseconds: '' };
  if (run.status !== 0 || !run.stdout.startsWith('never')) return { states: 'refused', milliseconds: '' };
  return { states: ltl.countSpinStates(run.stdout), milliseconds };
}

function lbt(core) {
  if (!has.lbt) return 'not installed';
  const size = ltl.lbtSize(core, LIMIT_SECONDS);
  return size === null ? `> ${LIMIT_SECONDS} s` : `${size.states} (${size.sets})`;
}

const cell = (value, width) =>
  (typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(1) : String(value)).padStart(width);

const totals = { ours: 0, spin: 0, both: 0 };
console.log('states of Büchi automata; in brackets: acceptance sets of generalised ones; times in ms');
console.log(
  `${'ours'.padStart(5)} ${'ms'.padStart(7)}  ${'spin -f'.padStart(9)} ${'ms'.padStart(8)}  ${'ours gen.'.padStart(9)} ${'lbt'.padStart(9)}  formula`,
);
for (const [name, formulas] of Object.entries({ ETESSAMI_HOLZMANN, SOMENZI_BLOEM, FAMILIES })) {
  console.log(`-- ${name.toLowerCase().replaceAll('_', ' and ')}`);
  for (const text of formulas) {
    const mine = ours(text);
    const theirs = spin(text);
    const states = mine.buchi.edges.length;
    if (typeof theirs.states === 'number') {
      totals.ours += states;
      totals.spin += theirs.states;
      totals.both++;
    }
    const generalised = `${mine.generalised.edges.length} (${mine.generalised.marks})`;
    console.log(
      `${cell(states, 5)} ${cell(mine.milliseconds, 7)}  ${cell(theirs.states, 9)} ${cell(theirs.milliseconds, 8)}  ${cell(generalised, 9)} ${cell(lbt(mine.core), 9)}  ${text}`,
    );
  }
}
console.log(
  `on the ${totals.both} formulas that spin -f translates: ${totals.ours} states, spin -f ${totals.spin}`,
);
