// Where a program begins: its main function, or one that the user names, with arguments that are given or any.

import { suggest } from '../../source/diagnostic.ts';
import type { Span } from '../../source/source.ts';
import { computedWidth, isScalar } from '../program/types.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import { inline } from './inlining.ts';
import type { FunctionEntity, Scope } from './scope.ts';

/** Functions that a message names. */
const MOST_NAMED = 5;

export interface Entry {
  readonly function: string;
  /** Constants for its parameters, in order; parameters without one get any value. */
  readonly arguments: readonly bigint[];
  /** Where the user names it, for messages. */
  readonly span: Span | null;
}

/** A program by itself, from its main function or from one that the user names. */
export const entryOf = (name = 'main'): Entry => ({ function: name, arguments: [], span: null });

/** The function by its name: one that all files know, else the one that a single file has for itself (`static`). */
export function entryIn([globals, ...scopes]: readonly [Scope, ...Scope[]], entry: Entry): FunctionEntity {
  const definedIn = ({ names }: Scope): FunctionEntity[] => {
    const entity = names.get(entry.function);
    return entity?.kind === 'function' && entity.definition !== null ? [entity] : [];
  };
  const [shared] = definedIn(globals);
  if (shared !== undefined) return shared;
  const own = scopes.flatMap(definedIn);
  if (own.length > 1)
    return refuse(
      noEntryCode(entry),
      `several files have a function '${entry.function}' of their own`,
      entry.span,
    );
  return own[0] ?? noEntry([globals, ...scopes], entry);
}

const noEntryCode = ({ span }: Entry) => (span === null ? 'SPW5020' : 'SPW5102');

function noEntry(scopes: readonly Scope[], entry: Entry): never {
  const defined = scopes
    .flatMap((scope) => [...scope.names])
    .filter(([, entity]) => entity.kind === 'function' && entity.definition)
    .map(([name]) => name);
  const names = [...new Set(defined)];
  const near = suggest(entry.function, names);
  return refuse(
    noEntryCode(entry),
    `there is no function '${entry.function}'${near === null ? '' : `; did you mean '${near}'?`}`,
    entry.span,
    entry.span === null && names.length > 0
      ? `--function NAME asks about another one: ${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ', …' : ''}; --compose takes all files as one program`
      : undefined,
  );
}

export function enter(context: Context, found: FunctionEntity, entry: Entry): void {
  const span = entry.span ?? found.definition!.span;
  const values = found.type.parameters.map((type, i) => {
    if (!isScalar(type)) return refuse('SPW5012', 'the entry function takes a struct', span);
    const given = entry.arguments[i];
    if (given !== undefined) return { type, expr: context.pool.const(given, computedWidth(type)) };
    if (type.kind === 'pointer')
      return {
        type,
        expr: context.unknown(
          `argument ${i}`,
          type,
          'a parameter of the entry function is taken as any value',
          span,
        ),
      };
    const cell = context.temporary(`argument ${i}`, type, 'argument');
    context.emit({ kind: 'input', cell, source: `argument ${i + 1} of ${found.name}` }, span);
    const expr = context.pool.symbol(cell.id, cell.width);
    // How many texts a program is given is never negative.
    const counts = found.name === 'main' && i === 0 && type.kind === 'int' && type.signed;
    const test = context.pool.compare('sle', context.pool.const(0n, cell.width), expr);
    if (counts) context.emit({ kind: 'assume', test, branch: null }, span);
    return { type, expr };
  });
  if (entry.arguments.length > values.length)
    refuse(
      'SPW5011',
      `'${found.name}' takes ${values.length} arguments, not ${entry.arguments.length}`,
      span,
    );
  inline(context, found, values, span);
}
