// Aldebaran's .aut format, import and export: `des (initial, transitions, states)`, then one `(source, label, target)` a line.
// The internal label `i` (also `tau`) never synchronises: on import it becomes an event of that file alone.
// The format has no propositions; exporting a structure that has some loses them, and the caller says so.

import type { Diagnostic } from '../source/diagnostic.ts';
import { hasErrors } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { reachable } from './expand.ts';
import { problem } from './lexer.ts';
import type { Kripke } from './structure.ts';
import { eachEdge, edgeCount, packEdges, stateCount } from './structure.ts';

const HEADER = /^\s*des\s*\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$/;
const LINE = /^\s*\(\s*(\d+)\s*,\s*(?:"((?:[^"\\]|\\.)*)"|([^",]*?))\s*,\s*(\d+)\s*\)\s*$/;
const MAX_STATES = 2_000_000;

/** `name` is the component's: usually the file's name without its folder and extension. */
export function parseAut(file: SourceFile, name: string, diagnostics: Diagnostic[]): Kripke | null {
  const lines = new Lines(file);
  const header = lines.next();
  const counts = header === null ? null : HEADER.exec(file.text.slice(header.start, header.end));
  if (header === null || counts === null) {
    const span = header ?? { file, start: 0, end: Math.min(1, file.text.length) };
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
  const edges = new EdgeTable(name, states, Math.min(transitions, file.text.length >> 2));
  if (!hasErrors(found)) {
    for (let span = lines.next(); span !== null; span = lines.next()) readLine(span, edges, found);
    if (!hasErrors(found) && lines.count - 1 !== transitions) {
      const message = `the header says ${transitions} transitions, the file has ${lines.count - 1}`;
      found.push(problem('SPW3023', message, header, 'the file may be cut off'));
    }
  }
  diagnostics.push(...found);
  if (hasErrors(found)) return null;
  const structure = edges.structure(initial);
  warnUnreachable(structure, header, diagnostics);
  return structure;
}

/** Lines that are not blank, as spans without the blanks around them. */
class Lines {
  count = 0;
  private readonly file: SourceFile;
  private at = 0;

  constructor(file: SourceFile) {
    this.file = file;
  }

  next(): Span | null {
    const { text } = this.file;
    while (this.at < text.length) {
      const newline = text.indexOf('\n', this.at);
      let end = newline < 0 ? text.length : newline;
      let start = this.at;
      this.at = end + 1;
      while (start < end && isBlank(text.charCodeAt(start))) start++;
      while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
      if (start === end) continue;
      this.count++;
      return { file: this.file, start, end };
    }
    return null;
  }
}

const isBlank = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** A transition: most lines have nothing to unescape and no blanks, and a file may have a million of them. */
function readLine({ file, start, end }: Span, edges: EdgeTable, found: Diagnostic[]): void {
  const { text } = file;
  const comma = text.indexOf(',', start);
  const lastComma = text.lastIndexOf(',', end);
  const open = comma + (text.charCodeAt(comma + 1) === 32 ? 2 : 1);
  if (text.charCodeAt(open) === 34 && text.charCodeAt(lastComma - 1) === 34 && lastComma > open + 2) {
    const label = text.slice(open + 1, lastComma - 1);
    const source = wholeNumber(text, start + 1, comma);
    const target = wholeNumber(text, lastComma + 1, end - 1);
    const isPlain = !label.includes('"') && !label.includes('\\');
    const framed = text.charCodeAt(start) === 40 && text.charCodeAt(end - 1) === 41;
    if (isPlain && framed && source >= 0 && target >= 0 && edges.add(source, label, target)) return;
  }
  readSlowly({ file, start, end }, edges, found);
}

/** −1 when there is anything but digits, after at most one blank. */
function wholeNumber(text: string, from: number, to: number): number {
  const begin = text.charCodeAt(from) === 32 ? from + 1 : from;
  if (begin >= to || to - begin > 9) return -1;
  let value = 0;
  for (let i = begin; i < to; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = 10 * value + digit;
  }
  return value;
}

function readSlowly(span: Span, edges: EdgeTable, found: Diagnostic[]): void {
  // A broken file is not listed line by line.
  if (found.length >= 20) return;
  const match = LINE.exec(span.file.text.slice(span.start, span.end));
  if (match === null) {
    found.push(problem('SPW3021', 'this is no transition', span, 'a transition is written (0, "label", 1)'));
    return;
  }
  const [source, target] = [Number(match[1]), Number(match[4])];
  const label = (match[2] ?? match[3]!).replace(/\\(.)/g, '$1');
  const beyond = [source, target].find((state) => state >= edges.states);
  if (beyond !== undefined) {
    const message = `state ${beyond} is outside the declared ${edges.states} states`;
    found.push(problem('SPW3022', message, span));
  } else if (label === '') found.push(problem('SPW3021', 'this transition has no label', span));
  else edges.add(source, label, target);
}

/** Transitions as they are read. */
class EdgeTable {
  readonly states: number;
  private readonly name: string;
  private readonly ids = new Map<string, number>();
  private sources: Int32Array<ArrayBuffer>;
  private events: Int32Array<ArrayBuffer>;
  private targets: Int32Array<ArrayBuffer>;
  private size = 0;

  /** `expected`: what the header says, as far as the file can hold it. */
  constructor(name: string, states: number, expected: number) {
    this.name = name;
    this.states = states;
    const length = Math.max(16, expected);
    this.sources = new Int32Array(length);
    this.events = new Int32Array(length);
    this.targets = new Int32Array(length);
  }

  /** False when a state is beyond the declared ones. */
  add(source: number, label: string, target: number): boolean {
    if (source >= this.states || target >= this.states) return false;
    if (this.size === this.sources.length) {
      this.sources = doubled(this.sources);
      this.events = doubled(this.events);
      this.targets = doubled(this.targets);
    }
    this.sources[this.size] = source;
    this.events[this.size] = this.eventOf(label);
    this.targets[this.size++] = target;
    return true;
  }

  private eventOf(label: string): number {
    const name = label === 'i' || label === 'tau' ? `${this.name}.${label}` : label;
    let id = this.ids.get(name);
    if (id === undefined) {
      id = this.ids.size;
      this.ids.set(name, id);
    }
    return id;
  }

  structure(initial: number): Kripke {
    const { states, size } = this;
    const read = (column: Int32Array): Int32Array => column.subarray(0, size);
    const none: readonly number[] = [];
    return {
      name: this.name,
      stateNames: Array.from({ length: states }, (_, state) => String(state)),
      places: new Array<null>(states).fill(null),
      propositions: [],
      labels: new Array<readonly number[]>(states).fill(none),
      events: [...this.ids.keys()],
      initial: [initial],
      edges: packEdges(states, read(this.sources), read(this.events), read(this.targets)),
    };
  }
}

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * column.length);
  larger.set(column);
  return larger;
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
