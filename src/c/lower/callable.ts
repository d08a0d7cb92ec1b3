// Which functions a call may reach, through a pointer or by what a file says of a name: those whose type goes with the type that is called. C wants compatible
// types (C11 6.5.2.2p9); taken for compatible is here what lies alike in memory, whatever pointers point to and whatever signs numbers have, for many
// programs hand such functions around.

import { liesAlike } from '../program/compatible.ts';
import type { CType } from '../program/types.ts';
import { DOUBLE, isScalar, promote, sameType, widthOf } from '../program/types.ts';
import type { FunctionType } from './declared-types.ts';
import type { Value } from './places.ts';

/** `given`: the arguments. A call of any other function is undefined. */
export function isCallable(
  called: FunctionType,
  { type }: { readonly type: FunctionType },
  given: readonly Value[],
): boolean {
  const { parameters } = type;
  if (type.variadic ? given.length < parameters.length : given.length !== parameters.length) return false;
  // A result that nobody takes may be anything.
  if (called.result.kind !== 'void' && !isAlike(type.result, called.result)) return false;
  return parameters.every((parameter, i) => {
    const named = called.old === true ? undefined : called.parameters[i];
    const handed = named ?? promoted(given[i]!.type);
    if (type.old === true) return isForOld(handed, parameter);
    return isAlike(handed, parameter) || isPart(handed, parameter, given[i]!.type);
  });
}

/** As arguments are handed over of which no prototype says what they are. */
function promoted(type: CType): CType {
  if (type.kind === 'float') return type.width === 32 ? DOUBLE : type;
  if (type.kind !== 'int') return type;
  const whole = promote(type);
  // A bit-field of more than 32 bits.
  return whole.width > 32 && whole.width < 64 ? { ...whole, width: 64 } : whole;
}

/** Of a small number its lower bytes are taken, which are a _Bool only where one was given. */
const isPart = (handed: CType, parameter: CType, given: CType): boolean =>
  parameter.kind === 'int' && isAlike(handed, promote(parameter)) && (!isBool(parameter) || isBool(given));

/** Functions in the old style take what is promoted, a double for a float among it. */
const isForOld = (handed: CType, parameter: CType): boolean =>
  isAlike(handed.kind === 'int' ? promote(handed) : handed, promoted(parameter));

/** What is of the type `from` comes as one of `to`: the bytes of a _Bool are a number, those of a number are no _Bool. */
function isAlike(from: CType, to: CType): boolean {
  // The same text read for two files makes two types of one struct. Which registers it takes depends on its members.
  if (from.kind === 'record' && to.kind === 'record') return liesAlike(from, to);
  if (!isScalar(from) || !isScalar(to)) return from.kind === to.kind;
  if (from.kind === 'float' || to.kind === 'float') return sameType(from, to);
  return widthOf(from) === widthOf(to) && (!isBool(to) || isBool(from));
}

export const isBool = (type: CType): boolean => type.kind === 'int' && type.name === '_Bool';
