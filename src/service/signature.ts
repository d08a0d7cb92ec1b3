// The parameters of the call around a place: `run p(…)`, inlines, macros.

import type { Understanding } from './service.ts';

export interface Signature {
  readonly label: string;
  readonly parameters: readonly string[];
  readonly active: number;
}

/** Calls are short: what lies further back is another statement. */
const FARTHEST = 2000;

export function signature({ index, sources }: Understanding, path: string, offset: number): Signature | null {
  const text = sources.get(path);
  if (text === undefined) return null;
  let depth = 0;
  let commas = 0;
  for (let at = offset - 1; at >= 0 && at > offset - FARTHEST; at--) {
    const character = text[at]!;
    if (character === ')' || character === ']') depth++;
    else if (character === '[') depth--;
    else if (character === '(' && depth-- === 0) return callBefore(index, text.slice(0, at), commas);
    else if (character === ',' && depth === 0) commas++;
    else if ((character === ';' || character === '{' || character === '}') && depth === 0) return null;
  }
  return null;
}

function callBefore(index: Understanding['index'], before: string, active: number): Signature | null {
  const name = /(\w+)\s*$/.exec(before)?.[1];
  if (name === undefined) return null;
  const found = index.find(name, ({ parameters }) => parameters !== undefined);
  if (found === null) return null;
  const parameters = found.symbol.parameters!;
  const label = `${name}(${parameters.join(found.symbol.kind === 'process' ? '; ' : ', ')})`;
  return { label, parameters, active: Math.min(active, Math.max(0, parameters.length - 1)) };
}
