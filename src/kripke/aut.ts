// Aldebaran's .aut format, import and export: `des (initial, transitions, states)`, then one `(source, label, target)` a line.
// The internal label `i` (also `tau`) never synchronises: on import it becomes an event of that file alone.
// The format has no propositions; exporting a structure that has some loses them, and the caller says so.

import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { reachable } from './expand.ts';
import { problem } from './lexer.ts';
import type { Kripke } from './structure.ts';
import { eachEdge, edgeCount, KripkeBuilder, stateCount } from './structure.ts';

const HEADER = /^\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$/;
const LINE = /^\s*\(\s*(\d+)\s*,\s*(?:"((?:[^"\\]|\\.)*)"|([^",]*?))\s*,\s*(\d+)\s*\)\s*$/;
const MAX_STATES = 2_000_000;

/** `name` is the component's: usually the file's name without its folder and extension. */
export function parseAut(file: SourceFile, name: string, diagnostics: Diagnostic[]): Kripke | null {
  const lines = linesOf(file);
  const header = lines.shift();
  const counts = header === undefined ? null : HEADER.exec(header.text);
  if (header === undefined || counts === null) {
    const span = header?.span ?? { file, start: 0, end: Math.min(1, file.text.length) };
    const help = 'the first line is: des (initial state, number of transitions, number of states)';
    diagnostics.push(problem('SPW3020', 'this is no .aut header', span, help));
    return null;
  }
  const [initial, transitions, states] = counts.slice(1).map(Number) as [number, number, number];
  const found: Diagnostic[] = [];
  const builder = new KripkeBuilder(name);
  if (states > MAX_STATES) found.push(problem('SPW3015', `more than ${MAX_STATES} states`, header.span));
  else if (states === 0) found.push(problem('SPW3010', 'this structure has no states', header.span));
  else if (initial >= states)
    found.push(problem('SPW3022', `the initial state ${initial} is not below ${states}`, header.span));
  if (!hasErrors(found)) {
    for (let state = 0; state < states; state++) builder.state(String(state), [], null);
    builder.initial(initial);
    for (const { text, span } of lines) readLine(text, span, states, name, builder, found);
    if (!hasErrors(found) && lines.length !== transitions) {
      const message = `the header says ${transitions} transitions, the file has ${lines.length}`;
      found.push(problem('SPW3023', message, header.span, 'the file may be cut off'));
    }
  }
  diagnostics.push(...found);
  if (hasErrors(found)) return null;
  const structure = builder.build()!;
  warnUnreachable(structure, header.span, diagnostics);
  return structure;
}

function readLine(
  text: string,
  span: Span,
  states: number,
  name: string,
  builder: KripkeBuilder,
  found: Diagnostic[],
): void {
  // A broken file is not listed line by line.
  if (found.length >= 20) return;
  const match = LINE.exec(text);
  if (match === null) {
    found.push(problem('SPW3021', 'this is no transition', span, 'a transition is written (0, "label", 1)'));
    return;
  }
  const [source, target] = [Number(match[1]), Number(match[4])];
  const label = (match[2] ?? match[3]!).replace(/\\(.)/g, '$1');
  const beyond = [source, target].find((state) => state >= states);
  if (beyond !== undefined) {
    const message = `state ${beyond} is outside the declared ${states} states`;
    found.push(problem('SPW3022', message, span));
  } else if (label === '') found.push(problem('SPW3021', 'this transition has no label', span));
  else builder.edge(source, label === 'i' || label === 'tau' ? `${name}.${label}` : label, target);
}

function linesOf(file: SourceFile): { text: string; span: Span }[] {
  const lines: { text: string; span: Span }[] = [];
  let start = 0;
  for (const text of file.text.split('\n')) {
    const trimmed = text.trimEnd();
    const indent = trimmed.length - trimmed.trimStart().length;
    if (trimmed !== '')
      lines.push({ text: trimmed, span: { file, start: start + indent, end: start + trimmed.length } });
    start += text.length + 1;
  }
  return lines;
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
