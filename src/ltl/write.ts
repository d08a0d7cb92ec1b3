// Automata as text: HOA v1 (for Spot, Owl, Rabinizer and others), Promela never claims (for SPIN), DOT (for pictures).

import type { Alphabet, Automaton, AutomatonEdge, BuchiAutomaton, BuchiEdge } from './automaton.ts';
import type { Cube } from './cubes.ts';
import { cubesOf } from './cubes.ts';
import type { Atom } from './structure.ts';

/** The Hanoi Omega-Automata format, version 1. */
export function writeHoa(automaton: Automaton | BuchiAutomaton, name: string): string {
  const acceptance = 'marks' in automaton ? automaton.marks : 1;
  const events = automaton.atoms.flatMap((atom, index) => (atom.kind === 'event' ? [index] : []));
  const lines = [
    'HOA: v1',
    `name: ${quote(name)}`,
    'tool: "spillway"',
    `States: ${automaton.edges.length}`,
    `Start: ${automaton.initial}`,
    ['AP:', automaton.atoms.length, ...automaton.atoms.map((atom) => quote(atom.name))].join(' '),
    `acc-name: ${acceptance === 0 ? 'all' : acceptance === 1 ? 'Buchi' : `generalized-Buchi ${acceptance}`}`,
    `Acceptance: ${acceptance} ${
      acceptance === 0
        ? 't'
        : range(acceptance)
            .map((mark) => `Inf(${mark})`)
            .join('&')
    }`,
    `properties: trans-labels explicit-labels ${'marks' in automaton ? 'trans-acc' : 'state-acc'}`,
    // Which propositions are events, at most one of them true at a time; tools that do not know the header may ignore it.
    ...(events.length > 0 ? [`spillway-events: ${events.join(' ')}`] : []),
    '--BODY--',
  ];
  for (const [state, edges] of automaton.edges.entries()) {
    const accepting = 'accepting' in automaton && automaton.accepting[state];
    lines.push(`State: ${state}${accepting ? ' {0}' : ''}`);
    for (const edge of edges) {
      const label = hoaLabel(guardCubes(automaton, edge.guard));
      const marks = marksOf(automaton, edge);
      lines.push(`[${label}] ${edge.target}${marks.length > 0 ? ` {${marks.join(' ')}}` : ''}`);
    }
  }
  return `${[...lines, '--END--'].join('\n')}\n`;
}

/** A never claim as SPIN reads it. Events have no counterpart in Promela: their names are printed as they are. */
export function writeNever(automaton: BuchiAutomaton, name: string): string {
  const label = (state: number): string => {
    const prefix = automaton.accepting[state] ? 'accept' : 'T0';
    return state === automaton.initial ? `${prefix}_init` : `${prefix}_S${state}`;
  };
  const order = [
    automaton.initial,
    ...range(automaton.edges.length).filter((state) => state !== automaton.initial),
  ];
  const lines = [`never { /* ${name.replaceAll('*/', '* /')} */`];
  for (const state of order) {
    const edges = automaton.edges[state]!;
    lines.push(`${label(state)}:`);
    if (edges.length === 0) lines.push('\tfalse;');
    else {
      const choices = edges.map(
        (edge) => `\t:: (${promelaGuard(automaton, edge.guard)}) -> goto ${label(edge.target)}`,
      );
      lines.push('\tdo', ...choices, '\tod;');
    }
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

export function writeDot(automaton: Automaton | BuchiAutomaton, name: string): string {
  const lines = [
    'digraph automaton {',
    '  rankdir=LR;',
    `  label=${quote(name)};`,
    '  node [shape=circle];',
    '  start [shape=point, label=""];',
    `  start -> ${automaton.initial};`,
  ];
  for (const [state, edges] of automaton.edges.entries()) {
    if ('accepting' in automaton && automaton.accepting[state])
      lines.push(`  ${state} [shape=doublecircle];`);
    for (const edge of edges) {
      const marks = marksOf(automaton, edge);
      const text = guardText(automaton, edge.guard) + (marks.length > 0 ? ` {${marks.join(',')}}` : '');
      lines.push(`  ${state} -> ${edge.target} [label=${quote(text)}];`);
    }
  }
  return `${[...lines, '}'].join('\n')}\n`;
}

/** A guard in the words of the formula. */
function guardText(alphabet: Alphabet, guard: number): string {
  return sum(guardCubes(alphabet, guard), 'true', (cube) =>
    product(cube, ' && ', (variable) => alphabet.atoms[variable]!.name),
  );
}

function promelaGuard(alphabet: Alphabet, guard: number): string {
  const atom = ({ name }: Atom) => (/^\w+$/.test(name) ? name : `(${name})`);
  return sum(guardCubes(alphabet, guard), '1', (cube) =>
    product(cube, ' && ', (variable) => atom(alphabet.atoms[variable]!)),
  );
}

/** Letters that do not exist may be covered as well: that makes labels shorter. */
function guardCubes({ guards, letters }: Alphabet, guard: number): Cube[] {
  return cubesOf(guards, guard, guards.or(guard, guards.not(letters)));
}

function hoaLabel(cubes: readonly Cube[]): string {
  const texts = cubes.map((cube) => (cube.length === 0 ? 't' : product(cube, '&', String)));
  return texts.length === 0 ? 'f' : texts.join(' | ');
}

function sum(cubes: readonly Cube[], always: string, text: (cube: Cube) => string): string {
  if (cubes.some((cube) => cube.length === 0)) return always;
  return cubes
    .map((cube) => (cubes.length > 1 && cube.length > 1 ? `(${text(cube)})` : text(cube)))
    .join(' || ');
}

function product(cube: Cube, and: string, name: (variable: number) => string): string {
  return cube.map(({ variable, positive }) => (positive ? '' : '!') + name(variable)).join(and);
}

/** An edge's marks as a list; none where states accept. */
function marksOf(automaton: Automaton | BuchiAutomaton, edge: AutomatonEdge | BuchiEdge): number[] {
  if (!('marks' in automaton) || !('marks' in edge)) return [];
  return range(automaton.marks).filter((mark) => ((edge.marks >> mark) & 1) === 1);
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const quote = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
