// The transitions of an .aut file, one a line. Files with a million of them are usual, so that the common shapes, (0,"label",1) and (0, label, 1), are read in one pass
// over the characters; whatever else a line may hold (escapes, blanks in odd places, mistakes) is left to a regular expression.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { SourceFile, Span } from '../source/source.ts';
import { EMPTY_HASH, Labels, nextHash } from './aut-labels.ts';
import { problem } from './lexer.ts';
import type { Edges } from './structure.ts';
import { packEdges } from './structure.ts';

const LINE = /^\s*\(\s*(\d+)\s*,\s*(?:"((?:[^"\\]|\\.)*)"|([^",]*?))\s*,\s*(\d+)\s*\)\s*$/;
/** A broken file is not listed line by line. */
const MOST_PROBLEMS = 20;
const MOST_DIGITS = 9;
const NEWLINE = 10;
const BLANK = 32;
const QUOTE = 34;
const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const BACKSLASH = 92;

export class TransitionReader {
  /** Lines that are not blank. */
  count = 0;
  private readonly labels = new Labels();
  private readonly file: SourceFile;
  private readonly states: number;
  private readonly found: Diagnostic[];
  private sources: Int32Array<ArrayBuffer>;
  private events: Int32Array<ArrayBuffer>;
  private targets: Int32Array<ArrayBuffer>;
  private size = 0;
  /** The next character. */
  private at = 0;

  /** `expected`: how many transitions the header says there are. */
  constructor(file: SourceFile, states: number, expected: number, found: Diagnostic[]) {
    this.file = file;
    this.states = states;
    this.found = found;
    // A header may lie: no file has more transitions than it has room for.
    const length = Math.max(16, Math.min(expected, file.text.length >> 2));
    this.sources = new Int32Array(length);
    this.events = new Int32Array(length);
    this.targets = new Int32Array(length);
  }

  /** Reads to the end of the file. */
  readFrom(start: number): void {
    const { file } = this;
    for (let line = nextLine(file, start); line < file.text.length; line = nextLine(file, this.at)) {
      this.count++;
      this.at = line;
      if (this.quick()) continue;
      const span = lineAt(file, line);
      this.at = span.end;
      this.slow(span);
    }
  }

  /** The edges, and the events as `rename` wants them: where two labels become one event, they are one. */
  finish(rename: (label: string) => string): { readonly events: readonly string[]; readonly edges: Edges } {
    const { names } = this.labels;
    const events = names.map(rename);
    const changed = events.filter((event, i) => event !== names[i]);
    if (events.some((event, i) => event === names[i] && changed.includes(event))) return this.merged(events);
    return { events, edges: this.packed() };
  }

  private merged(events: readonly string[]): { readonly events: readonly string[]; readonly edges: Edges } {
    const ids = new Map([...new Set(events)].map((event, id) => [event, id]));
    for (let i = 0; i < this.size; i++) this.events[i] = ids.get(events[this.events[i]!]!)!;
    return { events: [...ids.keys()], edges: this.packed() };
  }

  private packed(): Edges {
    const read = (column: Int32Array): Int32Array => column.subarray(0, this.size);
    return packEdges(this.states, read(this.sources), read(this.events), read(this.targets));
  }

  /** False when the line has another shape; nothing is kept of it then. */
  private quick(): boolean {
    const { text } = this.file;
    if (text.charCodeAt(this.at++) !== OPEN) return false;
    const source = this.wholeNumber(COMMA);
    if (source < 0) return false;
    if (text.charCodeAt(this.at) === BLANK) this.at++;
    const label = text.charCodeAt(this.at) === QUOTE ? this.quoted() : this.unquoted();
    if (label < 0) return false;
    const target = this.wholeNumber(CLOSE);
    if (target < 0 || !this.atLineEnd()) return false;
    return this.add(source, label, target);
  }

  /** Digits after at most one blank, and the character that ends them; −1 for anything else. */
  private wholeNumber(end: number): number {
    const { text } = this.file;
    let at = this.at;
    if (text.charCodeAt(at) === BLANK) at++;
    const begin = at;
    let value = 0;
    let code = text.charCodeAt(at);
    while (code >= 48 && code <= 57) {
      value = 10 * value + code - 48;
      code = text.charCodeAt(++at);
    }
    if (code !== end || at === begin || at - begin > MOST_DIGITS) return -1;
    this.at = at + 1;
    return value;
  }

  private quoted(): number {
    const { text } = this.file;
    const from = this.at + 1;
    let hash = EMPTY_HASH;
    let at = from;
    let code = text.charCodeAt(at);
    while (code !== QUOTE) {
      // NaN at the end of the text.
      if (!(code > 0) || code === BACKSLASH || code === NEWLINE) return -1;
      hash = nextHash(hash, code);
      code = text.charCodeAt(++at);
    }
    if (at === from || text.charCodeAt(at + 1) !== COMMA) return -1;
    this.at = at + 2;
    return this.labels.numberOf(text, from, at, hash);
  }

  private unquoted(): number {
    const { text } = this.file;
    const from = this.at;
    let hash = EMPTY_HASH;
    let at = from;
    let code = text.charCodeAt(at);
    while (code !== COMMA) {
      if (!(code > BLANK && code < 127) || code === BACKSLASH || code === QUOTE) return -1;
      hash = nextHash(hash, code);
      code = text.charCodeAt(++at);
    }
    if (at === from) return -1;
    this.at = at + 1;
    return this.labels.numberOf(text, from, at, hash);
  }

  private atLineEnd(): boolean {
    const { text } = this.file;
    if (text.charCodeAt(this.at) === 13) this.at++;
    return this.at === text.length || text.charCodeAt(this.at) === NEWLINE;
  }

  private slow(span: Span): void {
    if (this.found.length >= MOST_PROBLEMS) return;
    const match = LINE.exec(span.file.text.slice(span.start, span.end));
    if (match === null) {
      const help = 'a transition is written (0, "label", 1)';
      this.found.push(problem('SPW3021', 'this is no transition', span, help));
      return;
    }
    const [source, target] = [Number(match[1]), Number(match[4])];
    const label = (match[2] ?? match[3]!).replace(/\\(.)/g, '$1');
    const beyond = [source, target].find((state) => state >= this.states);
    if (beyond !== undefined) {
      const message = `state ${beyond} is outside the declared ${this.states} states`;
      this.found.push(problem('SPW3022', message, span));
    } else if (label === '') this.found.push(problem('SPW3021', 'this transition has no label', span));
    else this.add(source, this.labels.numberOfName(label), target);
  }

  /** False when a state is beyond the declared ones. */
  private add(source: number, label: number, target: number): boolean {
    if (source >= this.states || target >= this.states) return false;
    if (this.size === this.sources.length) {
      this.sources = doubled(this.sources);
      this.events = doubled(this.events);
      this.targets = doubled(this.targets);
    }
    this.sources[this.size] = source;
    this.events[this.size] = label;
    this.targets[this.size++] = target;
    return true;
  }
}

/** Where the next line that is not blank begins; the length of the text when there is none. */
export function nextLine({ text }: SourceFile, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text.charCodeAt(at))) at++;
  return at;
}

/** The rest of the line, without the blanks at its end. */
export function lineAt(file: SourceFile, start: number): Span {
  const newline = file.text.indexOf('\n', start);
  let end = newline < 0 ? file.text.length : newline;
  while (end > start && isBlank(file.text.charCodeAt(end - 1))) end--;
  return { file, start, end };
}

const isBlank = (code: number): boolean => code === BLANK || (code >= 9 && code <= 13);

function doubled(column: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * column.length);
  larger.set(column);
  return larger;
}
