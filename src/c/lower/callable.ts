// Which functions a call through a pointer may reach: those whose type goes with the pointer's. C wants compatible types (C11 6.5.2.2p9); taken for compatible
// is here what lies alike in memory, whatever pointers point to and whatever signs numbers have, for many programs hand such functions around.

import type { CType } from '../program/types.ts';
import { isScalar, promote, sameType, widthOf } from '../program/types.ts';
import type { FunctionEntity } from './scope.ts';

type FunctionType = Extract<CType, { kind: 'function' }>;

/** `given`: how many arguments. A call of any other function is undefined. */
export function isCallable(called: FunctionType, { type }: FunctionEntity, given: number): boolean {
  const { parameters } = type;
  if (type.variadic ? given < parameters.length : given !== parameters.length) return false;
  // A result that nobody takes may be anything.
  if (called.result.kind !== 'void' && !isAlike(called.result, type.result)) return false;
  // Nothing is said about the parameters of `int (*)()`.
  if (called.parameters.length < parameters.length) return true;
  return parameters.every((parameter, i) => {
    const named = called.parameters[i]!;
    // As parameters of functions in the old style have it.
    return isAlike(named, parameter) || isPromoted(named, parameter);
  });
}

const isPromoted = (named: CType, parameter: CType): boolean =>
  parameter.kind === 'float'
    ? parameter.width === 32 && named.kind === 'float' && named.width === 64
    : parameter.kind === 'int' && isAlike(named, promote(parameter));

function isAlike(a: CType, b: CType): boolean {
  // The same text read for two files makes two types of one struct.
  if (a.kind === 'record' && b.kind === 'record')
    return a.record.union === b.record.union && a.record.size === b.record.size;
  if (!isScalar(a) || !isScalar(b)) return a.kind === b.kind;
  if (a.kind === 'float' || b.kind === 'float') return sameType(a, b);
  return widthOf(a) === widthOf(b);
}
