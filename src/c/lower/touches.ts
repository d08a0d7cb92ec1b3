// What functions of the library read and write behind the pointers that they are given. Their results are taken as any value; among threads what they use
// counts all the same.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { Extent } from '../program/program.ts';
import { LP64 } from '../program/types.ts';
import type { CallNode } from './call-pieces.ts';
import type { Context } from './context.ts';
import { stringLiteral } from './literals.ts';
import type { Value } from './places.ts';
import { saved } from './values.ts';

/** Uses memory, as far as other threads are concerned. */
export function touch(context: Context, address: Expr, extent: Extent, writes: boolean, span: Span): void {
  if (context.threads === null) return;
  const site = context.memory.site(address, 8, span);
  context.emit({ kind: 'touch', site, address, extent, writes }, span);
}

/** How much of what an argument points to is used; a number: as many bytes as that argument says. */
type Use = 'string' | 'object' | number;

/** By the number of the argument. Where it depends on values how much is read it may be any part of the object. */
const READS: Readonly<Record<string, readonly (readonly [argument: number, use: Use])[]>> = {
  strlen: [[0, 'string']],
  puts: [[0, 'string']],
  perror: [[0, 'string']],
  strcmp: [
    [0, 'object'],
    [1, 'object'],
  ],
  strncmp: [
    [0, 'object'],
    [1, 'object'],
  ],
  memcmp: [
    [0, 2],
    [1, 2],
  ],
  atoi: [[0, 'object']],
  atol: [[0, 'object']],
  sscanf: [[0, 'object']],
  __isoc99_sscanf: [[0, 'object']],
};

const FORMAT_AT: Readonly<Record<string, number>> = { printf: 0, fprintf: 1 };
const CONVERSION = /%[-+ #0']*(\*|\d*)(?:\.(\*|-?\d*))?(?:hh|h|ll|l|q|j|z|t|L)?([a-zA-Z])/g;

/** Of a call whose arguments have been computed. */
export function touchArguments(
  context: Context,
  name: string,
  node: CallNode,
  given: readonly Value[],
): void {
  if (context.threads === null) return;
  const { span } = node;
  const keep = (i: number): Expr => saved(context, node.args[i], given[i]!, span).expr;
  const use = (i: number, how: Use): void => {
    if (given[i] === undefined || given[i].type.kind !== 'pointer') return;
    const extent = typeof how === 'number' ? context.pool.resize(keep(how), 64, false) : how;
    touch(context, keep(i), extent, false, span);
  };
  for (const [i, how] of READS[name] ?? []) use(i, how);
  for (const [i, how] of printed(name, node)) use(i, how);
  if (/^k?free$/.test(name) && given[0]?.type.kind === 'pointer')
    touch(context, keep(0), 'object', true, span);
}

/** Strings that a format has printed; all pointers where it isn't understood. */
export function printed(name: string, node: CallNode): (readonly [argument: number, use: Use])[] {
  const at = FORMAT_AT[name];
  const format = at === undefined ? undefined : node.args[at];
  if (at === undefined || format === undefined) return [];
  const others = node.args.map((_, i) => i).slice(at + 1);
  if (format.kind !== 'string') return [at, ...others].map((i) => [i, 'object']);
  const text = String.fromCharCode(...stringLiteral(format.text, node.span, LP64)).replaceAll('%%', '');
  const conversions = [...text.matchAll(CONVERSION)];
  if (conversions.length !== text.split('%').length - 1) return others.map((i) => [i, 'object']);
  const uses: (readonly [number, Use])[] = [];
  let next = at + 1;
  for (const [whole, width, precision, kind] of conversions) {
    next += [width, precision].filter((part) => part === '*').length;
    if (kind === 's')
      uses.push([next, precision === undefined && !whole.includes('l') ? 'string' : 'object']);
    next++;
  }
  return uses;
}
