// Makes the token stream plain for a grammar that does not know typedef names: attributes are dropped, and a
// parenthesised typedef name, which could be a cast or an expression, is marked as a type by the keyword `struct`.

import type { Token } from '../../cpp/token.ts';
import type { SourceFile } from '../../source/source.ts';
import { onlyUsed } from './system.ts';

/** The tag under which a typedef name hides after `struct`. */
export const TYPEDEF_TAG = '__typedef__';

export function plainTokens(tokens: readonly Token[], system: ReadonlySet<SourceFile>): Token[] {
  return markTypedefs(onlyUsed(dropAttributes(tokens), system));
}

const ATTRIBUTES = new Set(['__attribute__', '__attribute', '__declspec', '_Alignas']);

function dropAttributes(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token.kind === 'name' && ATTRIBUTES.has(token.text)) {
      i = closing(tokens, i);
      continue;
    }
    if (token.kind === 'name' && (token.text === 'inline' || token.text === '__thread')) continue;
    kept.push(token);
  }
  return kept;
}

/** The index of the parenthesis that closes the group after position i. */
export function closing(tokens: readonly Token[], i: number): number {
  let depth = 0;
  for (let j = i + 1; j < tokens.length; j++) {
    if (isPunct(tokens[j], '(')) depth++;
    else if (isPunct(tokens[j], ')') && --depth === 0) return j;
    else if (depth === 0) return i;
  }
  return tokens.length;
}

function markTypedefs(tokens: readonly Token[]): Token[] {
  const at = (k: number): Token | undefined => tokens[k];
  // The one type of C itself that the grammar takes for a name.
  const names = new Set(['_Bool']);
  return tokens.flatMap((token, k) => {
    if (token.text === 'typedef') for (const name of typedefNames(at, k)) names.add(name);
    const marked =
      token.kind === 'name' && names.has(token.text) && isPunct(at(k - 1), '(') && isPunct(at(k + 1), ')');
    return marked
      ? [
          { ...token, text: 'struct' },
          { ...token, text: TYPEDEF_TAG + token.text },
        ]
      : [token];
  });
}

/** The names that the typedef starting at k declares: at its own depth, the last name before , ; [ or a name after (*. */
function typedefNames(at: (k: number) => Token | undefined, k: number): string[] {
  const names: string[] = [];
  let depth = 0;
  let last: string | null = null;
  let pointerName: string | null = null;
  for (let j = k + 1; ; j++) {
    const token = at(j);
    if (token === undefined) return names;
    if (depth === 0 && (isPunct(token, ';') || isPunct(token, ','))) {
      const name = pointerName ?? last;
      if (name !== null) names.push(name);
      last = null;
      pointerName = null;
      if (isPunct(token, ';')) return names;
    } else if (isPunct(token, '{') || isPunct(token, '(') || isPunct(token, '[')) {
      if (isPunct(token, '(') && depth === 0 && isPunct(at(j + 1), '*'))
        pointerName ??= at(j + 2)?.text ?? null;
      depth++;
    } else if (isPunct(token, '}') || isPunct(token, ')') || isPunct(token, ']')) depth--;
    else if (depth === 0 && token.kind === 'name') last = token.text;
  }
}

export const isPunct = (token: Token | undefined, text: string): boolean =>
  token !== undefined && token.kind === 'mark' && token.text === text;
