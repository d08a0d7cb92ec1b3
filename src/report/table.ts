/** Aligned columns: numbers to the right, words to the left, two spaces between, no trailing blanks. */
export function table(rows: readonly (readonly string[])[], align: readonly ('left' | 'right')[]): string[] {
  const widths = align.map((_, column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        align[column] === 'right' ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** The same, folded where it is wider than the terminal: each row becomes a heading and one indented line for every further column. */
export function foldedTable(
  rows: readonly (readonly string[])[],
  align: readonly ('left' | 'right')[],
  width: number,
): string[] {
  const lines = table(rows, align);
  if (lines.every((line) => line.length <= width)) return lines;
  const [head, ...body] = rows;
  return body.flatMap((row) => [
    row[0] ?? '',
    ...wrapText(
      row
        .slice(1)
        .flatMap((cell, i) => (cell === '' || cell === '-' ? [] : [`${head![i + 1]}: ${cell}`]))
        .join(', '),
      Math.max(20, width - 2),
      '  ',
    ),
  ]);
}

/** For each step its line, the end cut where it is too long; its last column on a line of its own where the others are long already. */
export function stepTable(rows: readonly (readonly string[])[], width: number): string[][] {
  const left = (some: readonly (readonly string[])[]): string[] =>
    table(
      some,
      (some[0] ?? []).map(() => 'left' as const),
    );
  const clip = (text: string): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);
  const heads = left(rows.map((row) => row.slice(0, -1)));
  if (heads.every((head) => head.length <= (width * 2) / 3)) return left(rows).map((line) => [clip(line)]);
  return rows.map((row, i) => [clip(heads[i]!), clip(`  ${row.at(-1)}`)]);
}

export function wrapText(text: string, width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(indent + line);
  return lines;
}

/** `3 steps`, `1 step`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
