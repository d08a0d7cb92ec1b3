// Labels and the jumps to them. GNU C: `&&label` is an address, the same in every call of the function, and `goto *p` goes to the label that p is the address
// of. Which labels of a function have addresses is known when it was read to its end, so jumps through pointers branch off then; a pointer that is none of them
// goes nowhere that C knows of. How far labels are apart is not part of the model.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import { objectAt } from '../program/program.ts';
import type { Statement } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import type { Context } from './context.ts';

/** A label of the function that is read, which may stand further down. */
export function labelled(context: Context, written: string, span: Span) {
  const name = context.scope.findLabel(written);
  let label = context.frame.labels.get(name);
  if (label === undefined) {
    label = { location: context.location(span), defined: false, span };
    context.frame.labels.set(name, label);
  }
  return label;
}

/** GNU C's `__label__`: each copy of the block has its own, but their addresses are those of the text. */
export function declareLabels(context: Context, node: Extract<Statement, { kind: 'labels' }>): void {
  const known = context.labelBlocks.get(node);
  const block = known ?? context.labelBlocks.size;
  context.labelBlocks.set(node, block);
  for (const name of node.names) {
    const own = `${name} ${context.anonymous++}`;
    context.scope.labels.set(name, own);
    context.blockLabels.set(own, `${block} ${name}`);
  }
}

const keyOf = (context: Context, name: string): string =>
  `label ${context.fileNumber()} ${context.frame.function} ${context.blockLabels.get(name) ?? name}`;

/** What `&&label` is: nothing can be read there. */
export function labelAddress(context: Context, written: string, span: Span): Expr {
  if (context.frame.function === '') refuse('SPW5013', 'labels are parts of functions', span);
  labelled(context, written, span);
  const key = keyOf(context, context.scope.findLabel(written));
  let object = context.statics.get(key);
  if (object === undefined) {
    object = context.memory.object(`&&${written}`, 'function', { kind: 'void' });
    context.statics.set(key, object);
    context.labelObjects.add(object);
  }
  return context.pool.const(object.address, 64);
}

/** Every goto of the function that was just lowered needs its label. */
export function finishLabels(context: Context): void {
  const { labels, jumps } = context.frame;
  for (const [name, label] of labels)
    if (!label.defined) refuse('SPW5013', `there is no label '${name}' in this function`, label.span);
  const targets = new Map<bigint, number>();
  for (const [name, { location }] of labels) {
    const object = context.statics.get(keyOf(context, name));
    if (object === undefined) continue;
    if (targets.has(object.address))
      refuse('SPW5012', `the address of '${name}', which is read more than once, is not supported`, null);
    targets.set(object.address, location);
  }
  for (const jump of jumps) branchOff(context, jump, targets);
}

/** A jump through a pointer: where it goes is said at the end of the function. */
export function jumpThrough(context: Context, pointer: Expr, text: string, span: Span): void {
  if (context.here !== null) context.frame.jumps.push({ from: context.here, pointer, text, span });
  context.here = null;
}

function branchOff(
  context: Context,
  { from, pointer, text, span }: Context['frame']['jumps'][number],
  targets: ReadonlyMap<bigint, number>,
): void {
  const { pool, here: outer } = context;
  const tests = [...targets].map(([address, location]) => ({
    test: pool.eq(pointer, pool.const(address, 64)),
    location,
  }));
  const known = tests.reduce((any, { test }) => pool.or(any, test), pool.false);
  context.here = from;
  const why = 'a jump to what is no label of the function is undefined';
  context.emit({ kind: 'defined', test: known, why }, span);
  for (const { test, location } of tests) {
    const name = context.locations[location]!.labels[0] ?? '';
    if (test !== pool.false)
      context.edge(context.here, location, { kind: 'assume', test, branch: `[${text} == &&${name}]` }, span);
  }
  context.here = outer;
}

/** Is it the address of a label, as far as that can be seen? */
export function isLabelAddress({ memory, labelObjects }: Context, expr: Expr): boolean {
  const object = expr.op === 'const' ? objectAt(memory.objects, expr.value) : null;
  return object !== null && labelObjects.has(object);
}
