// Lines joined by a backslash, before anything else looks at the text: the join may lie inside a word, a string or a comment. As gcc
// does, blanks between the backslash and the line break are forgiven.

export interface Spliced {
  readonly text: string;
  /** Where an offset of the joined text lies in the written one. */
  written(offset: number): number;
}

export function splice(text: string): Spliced {
  if (!text.includes('\\')) return { text, written: same };
  const pattern = /\\[ \t\f\v]*(?:\r\n|\n)/g;
  const kept: string[] = [];
  /** Offsets in the joined text at which something was left out, and how much up to there. */
  const joints: number[] = [];
  const removed: number[] = [];
  let from = 0;
  let length = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    kept.push(text.slice(from, match.index));
    length += match.index - from;
    from = pattern.lastIndex;
    joints.push(length);
    removed.push(from - length);
  }
  if (joints.length === 0) return { text, written: same };
  kept.push(text.slice(from));
  const written = (offset: number): number => {
    let low = 0;
    let high = joints.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (joints[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? offset : offset + removed[low - 1]!;
  };
  return { text: kept.join(''), written };
}

const same = (offset: number): number => offset;
