// What a file says about a function before a call of it. Where that is no prototype, the arguments are handed over as they are, after C's promotions: a function
// that takes something else is called wrongly (C11 6.5.2.2p6). So it is where another file knows better.

import { type CType, INT } from '../program/types.ts';
import type { FunctionDefinition } from '../syntax/ast.ts';
import { libraryFunction } from '../text/headers/results.ts';
import type { Context } from './context.ts';
import type { FunctionEntity, Scope } from './scope.ts';

export type FunctionType = Extract<CType, { kind: 'function' }>;

/** `f()`, which says nothing about its arguments. Functions defined in the old style say nothing to others. */
const isOpen = ({ variadic, parameters, old }: FunctionType): boolean =>
  old === true || (variadic && parameters.length === 0);

interface Start {
  readonly file: Scope;
  readonly since: number;
}

export class DeclaredTypes {
  private readonly known = new Map<Scope, Map<string, { type: FunctionType; since: number }[]>>();
  private readonly starts = new Map<FunctionDefinition, Start>();
  private now = 0;

  declare(file: Scope, name: string, type: FunctionType): void {
    this.add({ file, since: ++this.now }, name, type);
  }

  define(file: Scope, name: string, type: FunctionType, definition: FunctionDefinition): void {
    this.declare(file, name, type);
    this.starts.set(definition, { file, since: this.now });
  }

  /** Inside of a function: from its start on, since more than it says is never taken for wrong. */
  declareInside(definition: FunctionDefinition | null, name: string, type: FunctionType): void {
    const start = definition === null ? undefined : this.starts.get(definition);
    if (start !== undefined) this.add(start, name, type);
  }

  /** The prototype, or what else is said; null where nothing is. `undefined` where nobody knows. */
  seenFrom(definition: FunctionDefinition | null, name: string): FunctionType | null | undefined {
    const start = definition === null ? undefined : this.starts.get(definition);
    if (start === undefined) return undefined;
    const seen = (this.known.get(start.file)?.get(name) ?? []).filter(({ since }) => since <= start.since);
    return (seen.findLast(({ type }) => !isOpen(type)) ?? seen.at(-1))?.type ?? null;
  }

  /** The file says nothing of it, before or behind. */
  isUnsaid(definition: FunctionDefinition | null, name: string): boolean {
    const start = definition === null ? undefined : this.starts.get(definition);
    return start !== undefined && this.known.get(start.file)?.has(name) !== true;
  }

  prototypeIn(file: Scope, name: string): FunctionType | null {
    return (this.known.get(file)?.get(name) ?? []).find(({ type }) => !isOpen(type))?.type ?? null;
  }

  /** Do they stand in the same file? */
  isBeside(one: FunctionDefinition | null, other: FunctionDefinition | null): boolean {
    const file = (of: FunctionDefinition | null) => (of === null ? null : this.starts.get(of)?.file);
    return file(one) === file(other);
  }

  private add({ file, since }: Start, name: string, type: FunctionType): void {
    let names = this.known.get(file);
    if (names === undefined) this.known.set(file, (names = new Map()));
    const list = names.get(name);
    if (list === undefined) names.set(name, [{ type, since }]);
    else list.push({ type, since });
  }
}

const OPEN: FunctionType = { kind: 'function', result: INT, parameters: [], variadic: true };

/** As what a function is used, by what the file says before; its own type where that is a prototype of the same file, or nobody knows. */
export function typeSaid(
  { frame, declaredTypes }: Pick<Context, 'frame' | 'declaredTypes'>,
  { name, type, definition }: FunctionEntity,
): FunctionType {
  const seen = declaredTypes.seenFrom(frame.definition, name);
  if (seen === undefined) return type;
  // gcc declares what it has built in by itself.
  if (seen === null && libraryFunction(name)?.builtIn === true) return type;
  const isBeside = declaredTypes.isBeside(frame.definition, definition);
  // What it returns the compiler looks at itself, where it sees both.
  if (isBeside && (seen === null || isOpen(seen))) return { ...OPEN, result: type.result };
  // A function in the old style takes less than a prototype beside it may say.
  if (isBeside) return type.old === true ? seen! : type;
  return seen ?? OPEN;
}
