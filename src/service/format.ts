// Layout: only the white space at the beginning and the end of lines changes, so that a formatted model is the same model. A line stands as
// deep as it is nested; options (`::`) stand under their `if` or `do`, what an option goes on with stands one step further in, labels one step further out.

import { CLOSES, OPENS, type Piece, scan } from './scan.ts';

export interface LayoutOptions {
  readonly tabSize: number;
  readonly insertSpaces: boolean;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

export interface LineEdit {
  /** The white space from here to there. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function layout(text: string, options: LayoutOptions): LineEdit[] {
  const unit = options.insertSpaces ? ' '.repeat(Math.max(1, options.tabSize)) : '\t';
  const pieces = [...scan(text)];
  const untouched = keptLines(text, pieces);
  const nesting = new Nesting(pieces);
  const edits: LineEdit[] = [];
  for (const { start, text: line } of linesOf(text)) {
    const depth = nesting.lineAt(start, start + line.length);
    if (untouched.has(start)) continue;
    const bare = line.trim();
    const wanted = bare === '' ? '' : unit.repeat(Math.max(0, depth));
    const indent = line.length - line.trimStart().length;
    if (line.slice(0, indent) !== wanted) edits.push({ start, end: start + indent, text: wanted });
    const end = line.trimEnd().length;
    // What ends inside a comment or goes on in the next line belongs to it.
    const goesOn = untouched.has(start + line.length + 1);
    if (bare !== '' && !goesOn && end < line.replace(/\r$/, '').length)
      edits.push({ start: start + end, end: start + line.replace(/\r$/, '').length, text: '' });
  }
  return edits;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    lines.push({ start, text: text.slice(start, end < 0 ? text.length : end) });
    if (end < 0) break;
    start = end + 1;
  }
  return lines;
}

/** Lines that begin inside a comment or belong to a directive stay as they are. */
function keptLines(text: string, pieces: readonly Piece[]): Set<number> {
  const kept = new Set<number>();
  for (const { kind, start, end } of pieces) {
    if (kind !== 'comment' && kind !== 'directive') continue;
    if (kind === 'directive') kept.add(text.lastIndexOf('\n', start) + 1);
    for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1))
      kept.add(at + 1);
  }
  return kept;
}

/** How deep lines stand. */
class Nesting {
  private readonly pieces: readonly Piece[];
  private at = 0;
  private open = 0;

  constructor(pieces: readonly Piece[]) {
    this.pieces = pieces;
  }

  /** The depth of the line; its pieces are passed over. */
  lineAt(start: number, end: number): number {
    while (this.pieces[this.at] !== undefined && this.pieces[this.at]!.end <= start) this.pass();
    const first = this.pieces[this.at];
    const second = this.pieces[this.at + 1];
    let depth = this.open;
    if (first !== undefined && first.start < end && first.kind !== 'comment' && first.kind !== 'directive') {
      if (CLOSES.has(first.text)) depth -= 1;
      else if (first.text === '::') depth -= 1;
      else if (isLabel(first, second)) depth = Math.max(0, depth - 1);
    }
    while (this.pieces[this.at] !== undefined && this.pieces[this.at]!.start < end) this.pass();
    return depth;
  }

  private pass(): void {
    const { kind, text } = this.pieces[this.at++]!;
    if (kind === 'comment' || kind === 'string' || kind === 'directive') return;
    if (OPENS.has(text)) this.open++;
    else if (CLOSES.has(text)) this.open = Math.max(0, this.open - 1);
  }
}

function isLabel(first: Piece, second: Piece | undefined): boolean {
  return first.kind === 'word' && second?.text === ':' && second.start - first.end < 2;
}
