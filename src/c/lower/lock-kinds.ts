// Mutexes and read-write locks of other kinds than the default one: recursive ones, those that check for errors, those that let writers go first. Only the headers of
// glibc itself, as `.i` files have them, can give a lock such a kind when it is initialised statically; the built-in headers have no such initialisers.

import type { Expr } from '../program/expr.ts';
import { findField } from '../program/type-parts.ts';
import type { CType } from '../program/types.ts';
import { type Call, setWord, word, zero } from './call-pieces.ts';
import { fork } from './conditions.ts';

/** Where the word lies that tells the kind; null where the type of the lock has none. `parameter`: which one is the lock. */
export function kindAt({ context, name }: Call, parameter = 0): number | null {
  const entity = context.scope.find(name);
  const type = entity?.kind === 'function' ? entity.type.parameters[parameter] : undefined;
  const data = type?.kind === 'pointer' ? memberOf(type.to, '__data') : null;
  const kind = data === null ? null : (memberOf(data.type, '__kind') ?? memberOf(data.type, '__flags'));
  return kind === null ? null : kind.offset & ~3;
}

const memberOf = (type: CType, name: string) =>
  type.kind === 'record' && type.record.fields !== null ? findField(type.record, name) : null;

/** The lock is of the default kind. */
export function isDefault(call: Call, at: Expr, parameter = 0): Expr {
  const { pool } = call.context;
  const offset = kindAt(call, parameter);
  return offset === null ? pool.true : pool.eq(word(call, at, offset), zero(call));
}

const why = ({ name }: Call) =>
  `'${name}' of a lock that is not of the default kind is not modelled: describe it in a .spec`;

/** Where one waits for the lock: a way of its own, so that looking at the kind is no step. */
export function orCut(call: Call, at: Expr): void {
  const { context, span } = call;
  const isOther = context.pool.not(isDefault(call, at));
  const standing = context.here;
  if (isOther === context.pool.false || standing === null) return;
  context.atomically(span, () => {
    context.emit({ kind: 'assume', test: isOther, branch: null }, span);
    context.stop('cut', why(call), span);
  });
  context.here = standing;
}

/** Goes on only where the lock is of the default kind. */
export function mustBeDefault(call: Call, at: Expr, parameter = 0): void {
  const { context, span } = call;
  const test = isDefault(call, at, parameter);
  if (test === context.pool.true) return;
  const [good, other] = [context.location(span), context.location(span)];
  fork(context, test, good, other, span, false);
  context.here = other;
  context.stop('cut', why(call), span);
  context.here = good;
}

/** A lock that is initialised without attributes is of the default kind. */
export function makeDefault(call: Call, at: Expr): void {
  const offset = kindAt(call);
  if (offset !== null) setWord(call, at, zero(call), offset);
}
