// Predicates of a specification: C expressions over globals, over the locals of the thread's procedure, and over those of
// other functions as `function::variable`.

import type { Span } from '../../source/source.ts';
import type { Expr } from '../program/expr.ts';
import type { MemoryObject, Program } from '../program/program.ts';
import { cellAt } from '../program/substitute.ts';
import type { Expression } from '../syntax/ast.ts';
import { Refusal, refuse } from '../text/codes.ts';
import type { Context } from './context.ts';
import type { FunctionEntity } from './scope.ts';
import { Scope } from './scope.ts';
import { truth, value } from './values.ts';

export interface NamedTest {
  readonly expression: Expression;
  /** Where the specification has it. */
  readonly span: Span;
}

/** How `f::x` is written inside the parsed expression. */
const localName = (function_: string, variable: string): string => `${function_}__local__${variable}`;

export function lowerTest(context: Context, entry: FunctionEntity, { expression, span }: NamedTest): Expr {
  const scope = new Scope(entry.scope);
  const several = new Set<string>();
  const add = (name: string, object: MemoryObject): void => {
    if (scope.names.has(name)) several.add(name);
    scope.names.set(name, { kind: 'object', object, type: object.type });
  };
  for (const [key, objects] of context.frameObjects) {
    const [own, depth] = key.split('#') as [string, string];
    if (depth !== '0') continue;
    const [name] = own.split(' ');
    for (const group of objects.values())
      for (const object of group.values()) {
        if (object.kind !== 'local') continue;
        add(localName(name!, object.name), object);
        if (own === context.ownName(entry)) add(object.name, object);
      }
  }
  const words = span.file.text
    .slice(span.start, span.end)
    .replace(/(\w+)\s*::\s*(\w+)/g, localName('$1', '$2'));
  for (const name of several)
    if (new RegExp(`\\b${name}\\b`).test(words))
      refuse(
        'SPW5104',
        `several variables are called '${name.replace(localName('', ''), '::')}' there: give them different names`,
        span,
      );
  const outer = context.scope;
  context.scope = scope;
  context.here = 0;
  try {
    return context.constantly(() => truth(context, value(context, expression), span));
  } catch (error) {
    if (error instanceof Refusal) refuse('SPW5104', error.diagnostic.message, span);
    throw error;
  } finally {
    context.scope = outer;
    context.here = null;
  }
}

/** Loads as a choice between the cells they can mean; 0 through a pointer that points nowhere. What is not followed exactly cannot be looked at. */
export function withoutLoads(program: Program, expr: Expr, span: Span): Expr {
  if (!expr.hasLoad) return expr;
  const { pool } = program;
  const args = expr.args.map((arg) => withoutLoads(program, arg, span));
  if (expr.op !== 'load') return pool.rebuild(expr, args);
  const site = program.sites[Number(expr.value) - 1]!;
  if (site.vague)
    refuse(
      'SPW5104',
      'this looks at memory whose contents are not followed (arrays of more than 256 parts, unknown pointers)',
      span,
    );
  if (site.isNumber && site.cells.some(({ mayBePointer }) => mayBePointer))
    refuse('SPW5104', 'this looks at an address as a number, which nobody knows', span);
  return cellAt(pool, args[0]!, site.cells, pool.const(0n, expr.width));
}
