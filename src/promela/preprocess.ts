// Promela's preprocessor: C's, as SPIN calls it, and then SPIN's reading of what is left.

import type { ProblemKind, Reporter } from '../cpp/dialect.ts';
import type { PreprocessOptions } from '../cpp/preprocess.ts';
import { preprocess as run } from '../cpp/preprocess.ts';
import type { FileSystem } from '../source/source.ts';
import { SourceFile } from '../source/source.ts';
import type { Diagnostics, PromelaCode } from './codes.ts';
import { characterOf, PROMELA, splitNumber } from './dialect.ts';
import type { PromelaNames } from './names.ts';
import type { Token } from './token.ts';

export type { PreprocessOptions };

export interface Preprocessed {
  /** Ends with a token of kind 'end'. */
  readonly tokens: readonly Token[];
  /** Every file read, by path. */
  readonly sources: ReadonlyMap<string, SourceFile>;
  /** The tokens of a further text (a formula of the command line), in which the macros of the model count. */
  readonly expand: (text: SourceFile) => readonly Token[];
}

const CODES: Readonly<Record<ProblemKind, PromelaCode>> = {
  file: 'SPW1201',
  directive: 'SPW1202',
  unbalanced: 'SPW1203',
  condition: 'SPW1204',
  macro: 'SPW1205',
  message: 'SPW1206',
  'too large': 'SPW1207',
};

export function preprocess(
  path: string,
  files: FileSystem,
  options: PreprocessOptions,
  diagnostics: Diagnostics,
  names: PromelaNames | null = null,
): Preprocessed | null {
  const text = files.read(path);
  if (text === null) {
    diagnostics.error('SPW1201', null, `cannot read '${path}'`);
    return null;
  }
  const reporter: Reporter = {
    ...names?.macros,
    report: (kind, severity, span, message, help) =>
      diagnostics.error(CODES[kind], span, message, { severity, ...(help === undefined ? {} : { help }) }),
  };
  const result = run(
    new SourceFile(path, text),
    { read: (name) => files.read(name) },
    options,
    PROMELA,
    reporter,
  );
  const asSpinReads = (tokens: readonly Token[]): readonly Token[] => {
    const read: Token[] = [];
    for (const token of withoutStrayEnds(tokens)) {
      if (token.kind === 'number') read.push(...numberParts(token, result.macros, diagnostics));
      else read.push(token.kind === 'char' ? characterOf(token) : token);
    }
    return read;
  };
  return {
    tokens: asSpinReads(result.tokens),
    sources: result.sources,
    expand: (more) => asSpinReads(result.expand(more)),
  };
}

/** SPIN skips the end of a comment wherever it stands, for instance behind comments inside each other. */
function withoutStrayEnds(tokens: readonly Token[]): readonly Token[] {
  const opens = (index: number): boolean => {
    const [star, slash] = [tokens[index], tokens[index + 1]];
    return star?.text === '*' && slash?.text === '/' && !slash.space && !slash.newline;
  };
  if (!tokens.some((token, index) => token.text === '*' && opens(index))) return tokens;
  return tokens.filter((_, index) => !opens(index) && !(index > 0 && opens(index - 1)));
}

function numberParts(token: Token, macros: ReadonlySet<string>, diagnostics: Diagnostics): Token[] {
  const parts = splitNumber(token);
  for (const part of parts)
    if (part.kind === 'name' && macros.has(part.text))
      diagnostics.warning(
        'SPW1205',
        part.span,
        `the macro '${part.text}' is not expanded in '${token.text}'`,
        {
          help: 'the preprocessor reads this as one number: put spaces around ..',
        },
      );
  return parts;
}
