// What stands outside of functions: functions, variables and types become known to the file, or to all files of the program.

import type { Span } from '../../source/source.ts';
import { liesAlike } from '../program/compatible.ts';
import type { MemoryObject } from '../program/program.ts';
import type { CType } from '../program/types.ts';
import { sameType, sizeOf, VOID } from '../program/types.ts';
import type { Declaration, FunctionDefinition } from '../syntax/ast.ts';
import type { Unit } from '../syntax/parse.ts';
import { someNode } from '../syntax/parts.ts';
import { refuse } from '../text/codes.ts';
import { declarationOf } from './aliases.ts';
import { alignedAs } from './alignments.ts';
import { isBool } from './callable.ts';
import type { Context } from './context.ts';
import { declared, declareTypedef, specified, volatileNote } from './declare.ts';
import type { FunctionType } from './declared-types.ts';
import { initialiseGlobal } from './initial.ts';
import { completed, withRest } from './initial-parts.ts';
import { noVariablesOfThreads } from './pthread.ts';
import { type Entity, refuseDiffering, type Scope, type VariableEntity } from './scope.ts';
import { declareTag } from './tagged.ts';

export function declareFunction(context: Context, item: FunctionDefinition): void {
  const { name, type: written } = declared(context, specified(context, item.type), item.declarator);
  if (name === null || written.kind !== 'function') refuse('SPW5011', 'this is not a function', item.span);
  const type = withPrototype(context, name, written);
  // C makes 0 or 1 of the int that is given, gcc does not.
  if (type.old === true && type.parameters.some(isBool))
    refuse('SPW5012', '_Bool as a parameter in the old style is not supported', item.span);
  context.declaredTypes.define(context.scope, name, type, item);
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

/** A prototype before, in the same file, goes on to count for what is defined in the old style. It may say what is handed over (`int g(int); int g(c) char c;`). */
function withPrototype(context: Context, name: string, type: FunctionType): FunctionType {
  const prototype = type.old === true ? context.declaredTypes.prototypeIn(context.scope, name) : null;
  if (prototype === null) return type;
  const isPromoted = type.parameters.some(
    (parameter, i) => sizeOf(parameter) !== sizeOf(prototype.parameters[i] ?? parameter),
  );
  if (isPromoted) return type;
  const { old: _, ...prototyped } = type;
  return prototyped;
}

/** A declaration inside a function of something outside it. */
export function declareOuter(
  context: Context,
  item: Declaration,
  part: Part,
  name: string,
  type: CType,
): void {
  let file = context.scope;
  while (file.outer?.outer != null) file = file.outer;
  const known = file.find(name);
  const entity =
    known ??
    (type.kind === 'function'
      ? unknownFunction(context, name, type)
      : unknownVariable(context, item, part, name, type));
  if (entity.kind !== (type.kind === 'function' ? 'function' : 'object'))
    refuse('SPW5014', `'${name}' is something else outside of this function`, part.span);
  if (type.kind === 'function') context.declaredTypes.declareInside(context.frame.definition, name, type);
  if (entity.kind !== 'object' || entity !== known) context.scope.names.set(name, entity);
  else context.scope.names.set(name, seenAs(entity, type));
}

/** What another file, or another place, says of a struct or of a sign is for that one. */
function seenAs(known: VariableEntity, type: CType): VariableEntity {
  // Headers of large programs declare much that nobody uses.
  if (!liesAlike(known.type, type)) return { ...known, type, differs: true };
  const own = withLengthOf(type, known.type);
  return sameType(known.type, own) ? known : { ...known, type: own };
}

/** `int a[]` has the length that another declaration tells. */
const withLengthOf = (type: CType, told: CType): CType =>
  type.kind === 'array' && type.length === null && told.kind === 'array'
    ? { ...type, length: told.length }
    : type;

/** Where another file said less of the variable, and perhaps another sign, it goes on to see what it said. */
function completeFor(context: Context, known: VariableEntity, now: VariableEntity, name: string): void {
  for (const { file, type } of context.saidOf.get(known.object) ?? []) {
    if (file === context.scope) continue;
    const seen = seenAs(now, type);
    if (seen !== now || file.names.has(name)) file.names.set(name, seen);
  }
}

function unknownFunction(context: Context, name: string, type: Extract<CType, { kind: 'function' }>): Entity {
  const scope = globalScope(context);
  const entity: Entity = { kind: 'function', name, type, definition: null, scope };
  scope.names.set(name, entity);
  return entity;
}

/** Only functions declare it. */
function unknownVariable(context: Context, item: Declaration, part: Part, name: string, type: CType): Entity {
  const key = `extern ${name}`;
  const known = context.statics.get(key);
  if (known !== undefined) return { kind: 'object', object: known, type: known.type, weak: part.weak };
  if (item.threadLocal === true) noVariablesOfThreads(context, name, part.span);
  if (item.volatile) context.note(volatileNote(name), part.span);
  const object = context.memory.object(name, 'global', type, item.constant);
  context.statics.set(key, object);
  context.exported.add(object);
  context.elsewhere.set(object, part.span);
  if (sizeOf(type) === null) context.sizeless.add(object);
  if (isStream(object)) openStream(context, object);
  else context.forgetToBegin(object);
  return { kind: 'object', object, type, weak: part.weak };
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
    if (part.alias !== null) declareAliased(context, part.alias);
    if (written.kind === 'function') {
      context.declaredTypes.declare(context.scope, name, written);
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
    const scope = item.storage === 'static' ? context.scope : globalScope(context);
    const known = scope.names.get(name);
    // `int a[]` has the length that an earlier declaration of the file tells, not that of its list.
    const told = known?.kind === 'object' ? toldBefore(context, known.object) : null;
    const whole = told === null ? written : withLengthOf(written, told);
    const here = part.elsewhere === true ? { ...part, value: null } : part;
    declareVariable(context, item, here, name, completed(context, whole, part.value));
  }
}

/** With its size, in the same file. */
const toldBefore = ({ saidOf, scope }: Context, object: MemoryObject): CType | null =>
  saidOf.get(object)?.find(({ file, type }) => file === scope && sizeOf(type) !== null)?.type ?? null;

/** What another name is given to may stand further down; its value is given to it there. */
function declareAliased(context: Context, name: string): void {
  const item = context.scope.find(name) === null ? declarationOf(context.items, name) : null;
  if (item === null) return;
  if (item.kind === 'function') {
    const { type } = declared(context, specified(context, item.type), item.declarator);
    const scope = item.static ? context.scope : globalScope(context);
    if (type.kind === 'function')
      scope.names.set(name, { kind: 'function', name, type, definition: null, scope: context.scope });
    return;
  }
  const [part] = item.items as [Part];
  const own = specified(context, part.type ?? item.type);
  const { type } = declared(context, own, part.declarator);
  if (type.kind === 'function') declareGlobal(context, item);
  else if (item.storage !== 'typedef') {
    const storage = item.storage === 'static' ? 'static' : 'extern';
    const complete = completed(context, type, part.value);
    declareVariable(context, { ...item, storage }, { ...part, value: null }, name, complete);
  }
}

type Part = Declaration['items'][0];

function declareVariable(context: Context, item: Declaration, part: Part, name: string, type: CType): void {
  const scope = item.storage === 'static' ? context.scope : globalScope(context);
  const defines = part.elsewhere !== true && (item.storage !== 'extern' || part.value !== null);
  const known = scope.names.get(name);
  const weak = part.weak || (known?.kind === 'object' && known.weak === true);
  const seen = known?.kind === 'object' ? seenAs(known, type) : null;
  if (seen?.differs === true) {
    if (defines) refuseDiffering(name, part.span);
    context.scope.names.set(name, seen);
    return;
  }
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
    if (seen !== null && seen !== known) context.scope.names.set(name, { ...seen, weak });
    note(context, known.object, type);
    const own = seen === null || sizeOf(seen.type) === null ? known.type : seen.type;
    if (first || part.value !== null) initialiseGlobal(context, known.object, own, part.value);
    return;
  }
  if (known?.kind === 'object' && context.unsized.has(known.object))
    refuse(
      'SPW5012',
      `'${name}', whose size no declaration before its use tells, is not supported`,
      part.span,
      'declare it with its size before it is used',
    );
  const target = part.alias === null ? null : context.scope.find(part.alias);
  if (target?.kind === 'object' && sameType(target.type, type)) {
    scope.names.set(name, target);
    return;
  }
  if (target !== null)
    refuse('SPW5012', `'${name}' as another name of '${part.alias}' is not supported`, part.span);
  if (item.threadLocal === true) noVariablesOfThreads(context, name, part.span);
  if (item.volatile) context.note(volatileNote(name), part.span);
  const object = context.memory.object(name, 'global', withRest(context, type, part.value), item.constant);
  const entity: VariableEntity = {
    kind: 'object',
    object,
    type,
    ...alignedAs(context, part.aligned),
    weak,
  };
  // What this file said before, without a size, is over.
  context.scope.names.delete(name);
  scope.names.set(name, entity);
  if (known?.kind === 'object') completeFor(context, known, entity, name);
  if (item.storage !== 'static') context.exported.add(object);
  if (known?.kind === 'object') context.elsewhere.delete(known.object);
  note(context, object, type);
  if (sizeOf(type) === null) context.sizeless.add(object);
  else if (defines) initialiseGlobal(context, object, object.type, part.value);
  if (!defines) context.elsewhere.set(object, part.span);
}

function note({ saidOf, scope: file }: Context, object: MemoryObject, type: CType): void {
  const said = saidOf.get(object);
  if (said === undefined) saidOf.set(object, [{ file, type }]);
  else said.push({ file, type });
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
export function forgetVariablesFromElsewhere(context: Context, units: readonly Unit[], start: Span): void {
  for (const [object, span] of context.elsewhere) {
    if (!context.mentioned.has(object.name)) continue;
    if (isStream(object)) {
      openStream(context, object);
      continue;
    }
    const why = `'${object.name}' is defined in none of the files: it is taken as any value`;
    const cells = [...object.cells.values()];
    const wide = object.wide ? { objects: [object] } : {};
    if (cells.length > 0 || object.wide)
      context.emit({ kind: 'havoc', cells, why, exact: false, ...wide }, span);
  }
  for (const { object, cells } of context.openInitials) {
    const why = 'a number made from a pointer is taken as any number';
    context.note(why, start);
    context.emit(
      { kind: 'havoc', cells, why, exact: false, ...(object.wide ? { objects: [object] } : {}) },
      start,
    );
  }
  context.hasBegun = true;
  const isSizeless = [...context.sizeless].some(({ name }) => context.mentioned.has(name));
  if (isSizeless || declaresOuter(units, context.pool.watch)) context.emit(context.forgetting, start);
}

/** Is there a function with a declaration of a variable outside of it? */
function declaresOuter(units: readonly Unit[], watch: () => void): boolean {
  const isOuter = (node: object): boolean => {
    const { kind, declaration } = node as { readonly kind?: unknown; readonly declaration?: Declaration };
    return kind === 'declare' && declaration?.storage === 'extern';
  };
  return units.some(({ items }) =>
    items.some((item) => item.kind === 'function' && someNode(item.body, isOuter, watch)),
  );
}
