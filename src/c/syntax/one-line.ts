// What the user wrote at a place, to be shown in a line.

import type { Span } from '../../source/source.ts';

/** Without directives in between, such as the markers that preprocessors leave. */
export const oneLine = ({ file, start, end }: Span): string =>
  file.text
    .slice(start, end)
    .replace(/^[ \t]*#.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
