// Texts as runs of words, marks, comments and strings, good enough for layout: it works on any text of a language with C's comments.

export interface Piece {
  readonly kind: 'word' | 'mark' | 'comment' | 'string' | 'directive';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const PIECE =
  /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)'|(?<=^|\n)[ \t]*#(?:[^\n\\]|\\[\s\S])*|\w+|::|->|[^\s\w]/g;

export function* scan(text: string): Generator<Piece> {
  for (const match of text.matchAll(PIECE)) {
    const [piece] = match;
    const start = match.index;
    yield { kind: kindOf(piece), text: piece, start, end: start + piece.length };
  }
}

function kindOf(piece: string): Piece['kind'] {
  if (piece.startsWith('/*') || piece.startsWith('//')) return 'comment';
  if (piece[0] === '"' || (piece[0] === "'" && piece.length > 1)) return 'string';
  if (/^[ \t]*#/.test(piece)) return 'directive';
  return /^\w/.test(piece) ? 'word' : 'mark';
}

export const OPENS: ReadonlySet<string> = new Set(['{', '(', '[', 'do', 'if']);
export const CLOSES: ReadonlySet<string> = new Set(['}', ')', ']', 'od', 'fi']);
