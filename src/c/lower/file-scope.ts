// What stands outside of functions: functions, variables and types become known to the file, or to all files of the program.

import type { MemoryObject } from '../program/program.ts';
import type { CType } from '../program/types.ts';
import { sizeOf, VOID } from '../program/types.ts';
import type { Declaration, FunctionDefinition } from '../syntax/ast.ts';
import { refuse } from '../text/codes.ts';
import { alignedAs } from './alignments.ts';
import type { Context, Scope } from './context.ts';
import { declared, declareTypedef, specified, volatileNote } from './declare.ts';
import { initialiseGlobal } from './initial.ts';
import { completed, withRest } from './initial-parts.ts';
import { noVariablesOfThreads } from './pthread.ts';
import { declareTag } from './tagged.ts';

export function declareFunction(context: Context, item: FunctionDefinition): void {
  const { name, type } = declared(context, specified(context, item.type), item.declarator);
  if (name === null || type.kind !== 'function') refuse('SPW5011', 'this is not a function', item.span);
  const scope = item.static ? context.scope : globalScope(context);
  const known = item.static ? context.scope.names.get(name) : context.scope.find(name);
  if (known?.kind === 'function' && known.definition === null) {
    Object.assign(known, { definition: item, type, scope: context.scope });
    return;
  }
  if (known?.kind === 'function' && known.definition !== null)
    refuse('SPW5014', `the function '${name}' is defined twice`, item.span);
  scope.names.set(name, {
    kind: 'function',
    name,
    type,
    definition: item,
    scope: context.scope,
  });
}

/** Functions and non-static variables are common to all files of a program. */
function globalScope(context: Context): Scope {
  let scope = context.scope;
  while (scope.outer !== null) scope = scope.outer;
  return scope;
}

export function declareGlobal(context: Context, item: Declaration): void {
  if (item.items.length === 0) {
    declareTag(context, item);
    return;
  }
  const base = specified(context, item.type);
  for (const part of item.items) {
    const own = part.type === undefined ? base : specified(context, part.type);
    const { name, type: written } = declared(context, own, part.declarator);
    if (name === null) continue;
    if (item.storage === 'typedef') {
      declareTypedef(context, name, written, part.aligned);
      continue;
    }
    if (written.kind === 'function') {
      const scope = item.storage === 'static' ? context.scope : globalScope(context);
      if (context.scope.find(name) === null || (item.storage === 'static' && !scope.names.has(name)))
        scope.names.set(name, {
          kind: 'function',
          name,
          type: written,
          definition: null,
          scope: context.scope,
        });
      const entity = context.scope.find(name);
      if (part.noreturn && entity?.kind === 'function') entity.noreturn = true;
      if (part.alias !== null && entity?.kind === 'function') entity.alias = part.alias;
      if (part.weak && entity?.kind === 'function') entity.weak = true;
      continue;
    }
    declareVariable(context, item, part, name, completed(context, written, part.value));
  }
}

function declareVariable(
  context: Context,
  item: Declaration,
  part: Declaration['items'][0],
  name: string,
  type: CType,
): void {
  const scope = item.storage === 'static' ? context.scope : globalScope(context);
  const defines = item.storage !== 'extern' || part.value !== null;
  const known = scope.names.get(name);
  const weak = part.weak || (known?.kind === 'object' && known.weak === true);
  if (known?.kind === 'object' && (!context.sizeless.has(known.object) || sizeOf(type) === null)) {
    // Another declaration of the same variable; a definition without a value makes it 0.
    const first = defines && context.elsewhere.delete(known.object);
    scope.names.set(name, { ...known, ...alignedAs(context, part.aligned, known.aligned), weak });
    if (sizeOf(withRest(context, type, part.value)) !== sizeOf(type))
      refuse(
        'SPW5012',
        `'${name}', whose last member gets its length from a later declaration, is not supported`,
        part.span,
        'declare it only once, with its value',
      );
    if (first || part.value !== null) initialiseGlobal(context, known.object, known.type, part.value);
    return;
  }
  if (part.alias !== null && scope.find(part.alias)?.kind === 'object')
    refuse('SPW5012', `'${name}' as another name of '${part.alias}' is not supported`, part.span);
  if (item.threadLocal === true) noVariablesOfThreads(context, name, part.span);
  if (item.volatile) context.note(volatileNote(name), part.span);
  const object = context.memory.object(name, 'global', withRest(context, type, part.value), item.constant);
  scope.names.set(name, { kind: 'object', object, type, ...alignedAs(context, part.aligned), weak });
  if (item.storage !== 'static') context.exported.add(object);
  if (known?.kind === 'object') context.elsewhere.delete(known.object);
  if (sizeOf(type) === null) context.sizeless.add(object);
  else if (defines) initialiseGlobal(context, object, object.type, part.value);
  if (!defines) context.elsewhere.set(object, part.span);
}

const STREAMS: ReadonlySet<string> = new Set(['stdin', 'stdout', 'stderr']);

/** Of <stdio.h>, whose FILE only the library knows. */
const isStream = ({ name, type }: MemoryObject): boolean =>
  STREAMS.has(name) && type.kind === 'pointer' && type.to.kind === 'record' && type.to.record.fields === null;

/** It points to an object of its own, which the program cannot look into. */
function openStream(context: Context, stream: MemoryObject): void {
  const contents = context.memory.object(`(${stream.name})`, 'function', VOID);
  for (const cell of stream.cells.values())
    context.initial.set(cell.id, context.pool.const(contents.address, cell.width));
}

/** Variables that no file defines hold anything at the start, pointers to objects we cannot see among it. Those that nobody mentions do not matter. */
export function forgetVariablesFromElsewhere(context: Context): void {
  for (const [object, span] of context.elsewhere) {
    if (!context.mentioned.has(object.name)) continue;
    if (isStream(object)) {
      openStream(context, object);
      continue;
    }
    const why = `'${object.name}' is defined in none of the files: it is taken as any value`;
    if (object.cells.size > 0)
      context.emit({ kind: 'havoc', cells: [...object.cells.values()], why, exact: false }, span);
  }
}
