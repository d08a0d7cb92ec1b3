// Calls of functions that are declared nowhere. C89 says that they return int; gcc knows better where it has the function built in.

import type { Span } from '../../source/source.ts';
import { typeOfWords } from '../program/type-words.ts';
import type { CType } from '../program/types.ts';
import { CHAR, INT, pointerIn, VOID, type WordSizes } from '../program/types.ts';
import { libraryFunction } from '../text/headers/results.ts';
import type { Context } from './context.ts';
import type { FunctionEntity } from './scope.ts';

/**
 * A function of the library as gcc takes it; null for any other name. Where it is not built in and the library's function returns something
 * else than int, nobody knows what the call gives: the run is cut off.
 */
export function undeclared(context: Context, name: string, span: Span): FunctionEntity | null {
  const known = libraryFunction(name);
  if (known === null) return null;
  if (!known.builtIn && known.result !== 'int' && known.result !== 'void')
    context.stop('cut', `'${name}' is declared nowhere: include <${known.header}>`, span);
  const result = known.builtIn ? resultOf(known.result, context.sizes) : INT;
  const type = { kind: 'function', result, parameters: [], variadic: true } as const;
  return { kind: 'function', name, type, definition: null, scope: context.scope };
}

/** Of the functions that gcc has built in. */
function resultOf(text: string, sizes: WordSizes): CType {
  if (text.endsWith('*')) return pointerIn(sizes, text.startsWith('char') ? CHAR : VOID);
  if (text === 'size_t') return sizes.size;
  if (text === 'intmax_t') return sizes.name === 'LP64' ? sizes.long : sizes.llong;
  return typeOfWords(text.split(' '), sizes) ?? INT;
}
