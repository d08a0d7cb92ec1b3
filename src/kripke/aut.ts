// Aldebaran's .aut format, import and export: `des (initial, transitions, states)`, then one `(source, label, target)` a line.
// The internal label `i` (also `tau`) never synchronises: on import it becomes an event of that file alone.
// The format has no propositions; exporting a structure that has some loses them, and the caller says so.

import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { lineAt, nextLine, TransitionReader } from './aut-transitions.ts';
import { reachable } from './expand.ts';
import { problem } from './lexer.ts';
import type { Kripke } from './structure.ts';
import { eachEdge, edgeCount, stateCount } from './structure.ts';

const HEADER = /^\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$/;
const MAX_STATES = 2_000_000;

/** `name` is the component's: usually the file's name without its folder and extension. */
export function parseAut(file: SourceFile, name: string, diagnostics: Diagnostic[]): Kripke | null {
  const header = lineAt(file, nextLine(file, 0));
  const counts = HEADER.exec(file.text.slice(header.start, header.end));
  if (counts === null) {
    const span = header.start < header.end ? header : { file, start: 0, end: Math.min(1, file.text.length) };
    const help = 'the first line is: des (initial state, number of transitions, number of states)';
    diagnostics.push(problem('SPW3020', 'this is no .aut header', span, help));
    return null;
  }
  const [initial, transitions, states] = counts.slice(1).map(Number) as [number, number, number];
  const found: Diagnostic[] = [];
  if (states > MAX_STATES) found.push(problem('SPW3015', `more than ${MAX_STATES} states`, header));
  else if (states === 0) found.push(problem('SPW3010', 'this structure has no states', header));
  else if (initial >= states)
    found.push(problem('SPW3022', `the initial state ${initial} is not below ${states}`, header));
  const reader = new TransitionReader(file, states, transitions, found);
  if (!hasErrors(found)) {
    reader.readFrom(header.end);
    if (!hasErrors(found) && reader.count !== transitions) {
      const message = `the header says ${transitions} transitions, the file has ${reader.count}`;
      found.push(problem('SPW3023', message, header, 'the file may be cut off'));
    }
  }
  diagnostics.push(...found);
  if (hasErrors(found)) return null;
  const structure = structureOf(name, states, initial, reader);
  warnUnreachable(structure, header, diagnostics);
  return structure;
}

function structureOf(name: string, states: number, initial: number, reader: TransitionReader): Kripke {
  const none: readonly number[] = [];
  const isInternal = (label: string): boolean => label === 'i' || label === 'tau';
  return {
    name,
    stateNames: Array.from({ length: states }, (_, state) => String(state)),
    places: new Array<null>(states).fill(null),
    propositions: [],
    labels: new Array<readonly number[]>(states).fill(none),
    ...reader.finish((label) => (isInternal(label) ? `${name}.${label}` : label)),
    initial: [initial],
  };
}

function warnUnreachable(structure: Kripke, span: Span, diagnostics: Diagnostic[]): void {
  const reached = reachable(structure);
  const lost = structure.stateNames.filter((_, state) => reached[state] === 0);
  if (lost.length === 0) return;
  const message = `nobody reaches state ${lost[0]}${lost.length > 1 ? ` (and ${lost.length - 1} more)` : ''}`;
  diagnostics.push({ ...problem('SPW3011', message, span), severity: 'warning' });
}

/** One structure as .aut. Several initial states are not expressible: a fresh first state would change the behaviour, so null. */
export function printAut(structure: Kripke): string | null {
  if (structure.initial.length !== 1) return null;
  const lines = [`des (${structure.initial[0]}, ${edgeCount(structure)}, ${stateCount(structure)})`];
  for (let state = 0; state < stateCount(structure); state++) {
    eachEdge(structure, state, (event, target) => {
      lines.push(`(${state}, "${structure.events[event]!.replace(/["\\]/g, '\\$&')}", ${target})`);
    });
  }
  return `${lines.join('\n')}\n`;
}
