// `srand` makes `rand` begin again: whoever gives it the same number twice gets the same numbers. (At the start it is as if 1 had been given.)

import type { Expression } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';

const SEEDS: ReadonlySet<string> = new Set(['srand', 'srandom', 'initstate', 'setstate']);
const MOMENT = /^(?:time|clock|getpid|__VERIFIER_nondet_\w+)$/;

/** Are random numbers any numbers, because no seed is given, or only some that the program does not know? */
export function areSeedsOpen(units: readonly Pick<Unit, 'items'>[]): boolean {
  const walk = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.every(walk);
    if (typeof node !== 'object' || node === null) return true;
    const { kind } = node as Expression;
    if (kind === 'name' && SEEDS.has((node as { name: string }).name)) return false;
    if (kind === 'call') {
      const { callee, args } = node as Extract<Expression, { kind: 'call' }>;
      if (callee.kind === 'name' && SEEDS.has(callee.name)) return args.length === 1 && isMoment(args[0]!);
    }
    return Object.entries(node).every(
      ([key, child]) => key === 'span' || key === 'declarator' || walk(child),
    );
  };
  return units.every(({ items }) => walk(items));
}

/** `time(NULL)`, `(unsigned)time(NULL)`, `__VERIFIER_nondet_uint()` */
function isMoment(node: Expression): boolean {
  if (node.kind === 'cast') return isMoment(node.arg);
  return node.kind === 'call' && node.callee.kind === 'name' && MOMENT.test(node.callee.name);
}
