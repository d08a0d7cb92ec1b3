// Functions of the library that do not come back, or come back twice: errors, ends of the program, jumps that leave functions. They are known by their names,
// whether they are called directly or through a pointer.

import type { Span } from '../../source/source.ts';
import type { Context } from './context.ts';
import type { FunctionEntity } from './scope.ts';

const ERRORS = new Set(['reach_error', '__VERIFIER_error']);
const HALTS = new Set([
  'abort',
  'exit',
  '_exit',
  '_Exit',
  'quick_exit',
  '__builtin_trap',
  '__builtin_abort',
  '__builtin_exit',
]);
/** What they mean depends on more than a call through a pointer shows. */
const ONLY_BY_NAME =
  /^(?:atexit|assert|__VERIFIER_(?:assert|assume)|__CPROVER_\w+|__builtin_assume|(?:pthread|sem|mtx|thrd|cnd)_\w+)$/;
/** What they allocate is the program's, and they may end the life of what they are given. */
const ALLOCATES =
  /^(?:k?[mc]alloc|kzalloc|realloc(?:array)?|aligned_alloc|(?:posix_)?memalign|p?valloc|alloca|strn?dup|v?asprintf|getline|getdelim)$/;
/** Their results may not fit: `no-overflow` and `no-undefined` look at these by their names. */
const QUOTIENTS_AND_SIZES = /^(?:(?:l|ll|imax)?(?:abs|div))$/;
/** With these a run goes on somewhere else, or a second time from here (`vfork`: with variables that the child has changed). */
const JUMPS =
  /^(?:(?:_|__|sig|__sig|__builtin_)?(?:setjmp|longjmp)|__longjmp_chk|(?:get|set|make|swap)context|(?:__)?vfork)$/;

export const isErrorCall = (name: string): boolean => ERRORS.has(name);
/** Calls by which a text states a property. */
export const isAssertion = (name: string): boolean =>
  ERRORS.has(name) || /^(?:assert|__VERIFIER_assert|__CPROVER_assert|__assert_fail)$/.test(name);
export const isHalt = (name: string): boolean => HALTS.has(name);

export function fail(context: Context, name: string, span: Span): void {
  context.statesProperty = true;
  context.stop('error', ERRORS.has(name) ? `${name}() is called` : 'an assertion fails', span);
}

export function halt(context: Context, name: string, span: Span): void {
  if (context.exits !== null && (name === 'exit' || name === '__builtin_exit'))
    context.exits.leave(context, span);
  else if (/abort|trap/.test(name)) context.stop('end', `${name}()`, span);
  else context.exit(`${name}()`, span);
}

/** A way out of the model beside the call, where runs can go on in ways that nothing here follows. */
export function mayJump(context: Context, name: string, span: Span): void {
  if (JUMPS.test(name)) leaveBeside(context, `where '${name}' goes on is not modelled`, span);
}

const isOnlyByName = (name: string): boolean =>
  ONLY_BY_NAME.test(name) || isAllocator(name) || QUOTIENTS_AND_SIZES.test(plain(name));

const plain = (name: string): string => name.replace(/^__builtin_/, '');

/** A function of the library that gives memory to the program, which is to be freed. */
export const isAllocator = (name: string): boolean => ALLOCATES.test(plain(name));

/** Called through a pointer: what needs more than the outside's freedom. Afterwards the call may have ended the run. */
export function throughPointer(context: Context, entity: FunctionEntity, span: Span): void {
  const { name, definition } = entity;
  const { events, routines } = context.calls;
  const isOfSpec = events.has(name) || routines.has(name);
  if (isErrorCall(name) || (definition === null && name === '__assert_fail')) fail(context, name, span);
  else if (isOfSpec || (definition === null && isOnlyByName(name)))
    context.stop('cut', `a call of '${name}' through a pointer is not modelled`, span);
  else if (definition === null && isHalt(name)) halt(context, name, span);
  else if (definition === null) mayJump(context, name, span);
}

function leaveBeside(context: Context, why: string, span: Span): void {
  const { here } = context;
  context.stop('cut', why, span);
  context.here = here;
}
