// A place in a source file, as compilers write it.

import type { Position } from '../source/source.ts';

export const placeOf = (at: Position): string => `${at.file.slice(at.file.lastIndexOf('/') + 1)}:${at.line}`;
