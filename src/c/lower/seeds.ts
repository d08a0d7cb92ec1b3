// `srand` makes `rand` begin again: whoever gives it the same number twice gets the same numbers. (At the start it is as if 1 had been given.)
// So random numbers are any numbers where no seed is given, or one, once, that the program does not know.

import type { Expression, FunctionDefinition, Statement } from '../syntax/ast.ts';
import { nameOf } from '../syntax/declarators.ts';
import type { Unit } from '../syntax/parse.ts';
import { partsOf, someNode } from '../syntax/parts.ts';

const SEEDS: ReadonlySet<string> = new Set(['srand', 'srandom', 'initstate', 'setstate']);
/** Numbers from outside, of 32 bits at least. */
const MOMENT = /^(?:time|clock|__VERIFIER_nondet_u?(?:int|long))$/;
const NARROW: ReadonlySet<string> = new Set(['char', 'short', '_Bool']);

/** `watch`: called for every node; may throw when the time is over. */
export function areSeedsOpen(units: readonly Pick<Unit, 'items'>[], watch: () => void = () => {}): boolean {
  const items = units.flatMap((unit) => unit.items);
  const names = namesIn(items, watch);
  const count = names.filter((name) => SEEDS.has(name)).length;
  if (count === 0) return true;
  const functions = items.filter((item) => item.kind === 'function');
  const defined = new Set(functions.map(({ declarator }) => nameOf(declarator)));
  const isOnce = (main: FunctionDefinition): boolean =>
    nameOf(main.declarator) === 'main' &&
    onceIn(main.body).some((node) => isOpenSeed(node, defined)) &&
    !mentions(main.body, 'goto', watch) &&
    !mentions(main.body, 'computed-goto', watch);
  return count === 1 && functions.some(isOnce) && !names.includes('main');
}

/** What a name stands for, wherever it is used, sizes of arrays included, and what the assembler calls things; names that are declared do not count. */
export function namesIn(root: object, watch: () => void): string[] {
  const found: string[] = [];
  const walk = (node: object, isDeclared: boolean): void => {
    watch();
    const { kind, name, alias } = node as { kind?: unknown; name?: unknown; alias?: unknown };
    if (kind === 'name') {
      if (!isDeclared && typeof name === 'string') found.push(name);
      return;
    }
    if (typeof alias === 'string') found.push(alias);
    for (const [key, part] of partsOf(node)) walk(part, key === 'declarator' || key === 'inner');
  };
  walk(root, false);
  return found;
}

/** Statements of this kind, anywhere. */
const mentions = (root: object, kind: Statement['kind'], watch: () => void): boolean =>
  someNode(root, (node) => (node as { kind?: unknown }).kind === kind, watch);

/** The expressions that are statements and run at most once, where nothing jumps back. */
function onceIn(node: Statement): Expression[] {
  if (node.kind === 'block') return node.body.flatMap(onceIn);
  if (node.kind === 'if') {
    const ways = node.branches.map(({ body }) => body);
    return [...ways, ...(node.otherwise === null ? [] : [node.otherwise])].flatMap(onceIn);
  }
  return node.kind === 'expression' && node.expression !== null ? [node.expression] : [];
}

/** `srand(time(NULL))` */
function isOpenSeed(node: Expression, defined: ReadonlySet<string | null>): boolean {
  if (node.kind === 'cast') return isOpenSeed(node.arg, defined);
  if (node.kind !== 'call' || node.callee.kind !== 'name' || node.args.length !== 1) return false;
  return ['srand', 'srandom'].includes(node.callee.name) && isMoment(node.args[0]!, defined);
}

/** `time(NULL)`, `(unsigned)time(NULL)`, `__VERIFIER_nondet_uint()` */
function isMoment(node: Expression, defined: ReadonlySet<string | null>): boolean {
  if (node.kind === 'cast') {
    const { type, declarator } = node.type;
    const isWide = type.kind === 'words' && !type.words.some((word) => NARROW.has(word));
    return isWide && declarator.kind === 'name' && isMoment(node.arg, defined);
  }
  if (node.kind !== 'call' || node.callee.kind !== 'name') return false;
  return MOMENT.test(node.callee.name) && !defined.has(node.callee.name);
}
