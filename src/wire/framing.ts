// How messages are told apart on a stream of bytes. Editors put a header before each (`Content-Length: 42`, an empty line, 42 bytes of
// JSON: the base protocol of LSP, which DAP shares); MCP puts each on a line of its own.

export interface Framing {
  encode(message: unknown): string;
  decoder(): FrameDecoder;
}

export interface FrameDecoder {
  /** The messages that are whole with this piece, as JSON texts. Throws BrokenFrame where no later piece can be understood. */
  push(piece: Uint8Array): string[];
}

/** Nobody can tell any more where a message begins: the only way out is to end the session. */
export class BrokenFrame extends Error {}

/** A model is far smaller; a length beyond is a header that was not one. */
const LONGEST_MESSAGE = 1 << 28;
const LONGEST_HEADER = 1 << 12;

const EMPTY = new Uint8Array(0);

/** Bytes that arrive in pieces; joining happens once per message, not once per piece. */
class Pieces {
  private pieces: Uint8Array[] = [];
  length = 0;

  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.pieces.push(piece);
    this.length += piece.length;
  }

  /** All of it in one piece. */
  whole(): Uint8Array {
    if (this.pieces.length > 1) this.pieces = [joined(this.pieces, this.length)];
    return this.pieces[0] ?? EMPTY;
  }

  /** The first `count` bytes, which are taken away, with `extra` bytes after them. */
  take(count: number, extra = 0): Uint8Array {
    const all = this.whole();
    this.pieces = [all.subarray(count + extra)];
    this.length = all.length - count - extra;
    return all.subarray(0, count);
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const NEWLINE = 10;

export const CONTENT_LENGTH: Framing = {
  encode: (message) => {
    const text = JSON.stringify(message);
    return `Content-Length: ${new TextEncoder().encode(text).length}\r\n\r\n${text}`;
  },
  decoder: () => {
    const pieces = new Pieces();
    let awaited: number | null = null;
    return {
      push: (piece) => {
        pieces.add(piece);
        const found: string[] = [];
        for (;;) {
          if (awaited === null) {
            const end = endOfHeader(pieces.whole());
            if (end === null) {
              if (pieces.length > LONGEST_HEADER) throw new BrokenFrame('a header without an end');
              return found;
            }
            awaited = lengthIn(textOf(pieces.take(end)));
          }
          if (pieces.length < awaited) return found;
          found.push(textOf(pieces.take(awaited)));
          awaited = null;
        }
      },
    };
  },
};

/** After the first empty line; a lone `\n` is as good as `\r\n`, for those who type a session by hand. */
function endOfHeader(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) {
    if (bytes[at + 1] === NEWLINE) return at + 2;
    if (bytes[at + 1] === 13 && bytes[at + 2] === NEWLINE) return at + 3;
  }
  return null;
}

function lengthIn(header: string): number {
  const [, digits] = /^content-length:\s*(\d+)\s*$/im.exec(header) ?? [];
  if (digits === undefined) throw new BrokenFrame('a header without Content-Length');
  const length = Number(digits);
  if (length > LONGEST_MESSAGE) throw new BrokenFrame(`a message of ${digits} bytes`);
  return length;
}

export const LINES: Framing = {
  encode: (message) => `${JSON.stringify(message)}\n`,
  decoder: () => {
    const pieces = new Pieces();
    return {
      push: (piece) => {
        const found: string[] = [];
        let from = 0;
        for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
          pieces.add(piece.subarray(from, at));
          const line = textOf(pieces.take(pieces.length)).trim();
          if (line !== '') found.push(line);
          from = at + 1;
        }
        pieces.add(piece.subarray(from));
        if (pieces.length > LONGEST_MESSAGE) throw new BrokenFrame('a line without an end');
        return found;
      },
    };
  },
};
