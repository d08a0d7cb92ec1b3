// Names that are used as values, not called: a function among them can be the target of a call through a pointer.

import type { Declaration, Expression, FunctionDefinition, Statement } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';
import { partsOf, someNode } from '../syntax/parts.ts';

/** `called`: also the names that are only called. */
export function functionNamesUsed(
  unit: Pick<Unit, 'items'>,
  called = false,
  watch: () => void = () => {},
): Set<string> {
  return mentionedIn(unit, called, watch).names;
}

interface Mentioned {
  readonly names: Set<string>;
  readonly labels: Set<string>;
  /** Something else than a name is called. */
  readonly isIndirect: boolean;
  /** Loops, and jumps that can make one. */
  readonly hasLoops: boolean;
  /** The address of a label is taken. */
  readonly takesLabels: boolean;
}

const LOOPS: ReadonlySet<string> = new Set([
  'while',
  'do',
  'for',
  'goto',
  'computed-goto',
  'asm',
] satisfies Statement['kind'][]);

/** `watch`: called for every node; may throw when the time is over. */
export function mentionedIn(
  { items }: Pick<Unit, 'items'>,
  called = true,
  watch: () => void = () => {},
): Mentioned {
  const names = new Set<string>();
  const labels = new Set<string>();
  let isIndirect = false;
  let hasLoops = false;
  let takesLabels = false;
  const walk = (node: object, isNoValue: boolean): void => {
    watch();
    const { kind } = node as Expression | Statement;
    if (kind === 'name' && !isNoValue) names.add((node as { name: string }).name);
    if (LOOPS.has(kind)) hasLoops = true;
    if (kind === 'label-address') takesLabels = true;
    if (kind === 'label') labels.add((node as { name: string }).name);
    if (kind === 'call' && (node as { callee: Expression }).callee.kind !== 'name') isIndirect = true;
    for (const [name, part] of partsOf(node)) {
      // What is declared is not used thereby.
      const isDeclared = name === 'declarator' || name === 'inner';
      walk(part, isDeclared || (!called && kind === 'call' && name === 'callee'));
    }
  };
  walk(items, false);
  return { names, labels, isIndirect, hasLoops, takesLabels };
}

const changed = new WeakMap<object, ReadonlySet<string>>();

/** Names that something in a function may change, or take the address of. */
export function changedIn(definition: FunctionDefinition): ReadonlySet<string> {
  let names = changed.get(definition);
  if (names === undefined) changed.set(definition, (names = findChanged(definition)));
  return names;
}

interface Jumps {
  /** Anything may be passed over. */
  readonly isOpen: boolean;
  /** There are jumps into blocks, or may be. */
  readonly intoBlocks: boolean;
  /** Declarations of the body itself, and which of them lie between a jump and its label behind them. */
  readonly passed: ReadonlyMap<Declaration, boolean>;
}

const jumps = new WeakMap<object, Jumps>();

/**
 * May a jump pass over this declaration, so that its value is not given? Of those in the body itself: one from before it to a label behind it. Others may be
 * passed by any jump.
 */
export function mayBePassed(definition: FunctionDefinition, declaration: Declaration): boolean {
  let known = jumps.get(definition);
  if (known === undefined) jumps.set(definition, (known = jumpsIn(definition)));
  return known.isOpen || (known.passed.get(declaration) ?? known.intoBlocks);
}

function jumpsIn({ body }: FunctionDefinition): Jumps {
  const items = body.kind === 'block' ? body.body : [];
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  items.forEach((item, at) => {
    for (const name of named(item, 'goto')) if (!first.has(name)) first.set(name, at);
    for (const name of named(item, 'label')) last.set(name, at);
  });
  const ways = [...first].flatMap(([name, from]) => [{ from, to: last.get(name) ?? -1 }]);
  const passed = new Map<Declaration, boolean>();
  items.forEach((item, at) => {
    if (item.kind === 'declare')
      passed.set(
        item.declaration,
        ways.some(({ from, to }) => from <= at && at <= to),
      );
  });
  return { isOpen: holds(body, 'computed-goto', 'asm'), intoBlocks: holds(body, 'goto', 'switch'), passed };
}

const holds = (root: object, ...kinds: readonly Statement['kind'][]): boolean =>
  someNode(
    root,
    (node) => kinds.some((kind) => (node as { kind?: unknown }).kind === kind),
    () => {},
  );

/** The labels that are jumped to, or defined. */
function named(node: object, kind: 'goto' | 'label'): string[] {
  const found: string[] = [];
  const walk = (at: object): void => {
    const part = at as Statement;
    if (part.kind === kind) found.push(part.kind === 'goto' ? part.label : (part as { name: string }).name);
    for (const [, child] of partsOf(at)) walk(child);
  };
  walk(node);
  return found;
}

/** Also in the sizes of parameters. */
function findChanged({ declarator, body }: FunctionDefinition): ReadonlySet<string> {
  const names = new Set<string>();
  const addNames = (node: object): void => {
    if ((node as Expression).kind === 'name') names.add((node as { name: string }).name);
    for (const [, part] of partsOf(node)) addNames(part);
  };
  const walk = (node: object): void => {
    const { kind } = node as Expression | Statement;
    const isChange =
      kind === 'assign' ||
      kind === 'update' ||
      kind === 'asm' ||
      (kind === 'unary' && (node as { op: string }).op === '&');
    if (kind === 'assign') addNames((node as { left: Expression }).left);
    else if (isChange) addNames(node);
    for (const [, part] of partsOf(node)) walk(part);
  };
  walk(declarator);
  walk(body);
  return names;
}
