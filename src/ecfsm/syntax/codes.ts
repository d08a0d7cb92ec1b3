// Every diagnostic of the .ecfsm language, in one table: 40xx text and macros, 41xx machines, 42xx formulas, 43xx definitions, 44xx proofs.

import type { Diagnostic } from '../../source/diagnostic.ts';
import type { Span } from '../../source/source.ts';

export const CODES = {
  SPW4001: 'a character that does not belong here',
  SPW4002: 'something else was expected',
  SPW4003: 'a comment or bracket that is never closed',
  SPW4004: 'a number too large for exact arithmetic',
  SPW4005: 'too deeply nested',
  SPW4010: 'a macro whose brackets do not balance',
  SPW4011: 'a macro used with the wrong number of arguments',
  SPW4012: 'a macro that uses itself',
  SPW4013: 'macros that grow beyond all measure',
  SPW4014: 'a macro defined twice',
  SPW4101: 'not exactly two machines',
  SPW4102: 'a name declared twice',
  SPW4103: 'an unknown state',
  SPW4104: 'an unknown register',
  SPW4105: 'an unknown message type',
  SPW4106: 'an unknown machine or channel',
  SPW4107: 'a machine without an initial state',
  SPW4108: 'a product of variables, or no linear expression',
  SPW4109: 'a register assigned twice in one action',
  SPW4110: 'this relation cannot be used in a condition',
  SPW4111: 'a message that is sent but that no action receives',
  SPW4112: 'a message that is received but never sent',
  SPW4113: 'a word the language keeps for itself',
  SPW4114: 'the named machine cannot be copied',
  SPW4115: 'no initial state satisfies the conditions',
  SPW4201: 'an unknown predicate or function',
  SPW4202: 'a disjunct without exactly one control state for each machine',
  SPW4203: 'a disjunct without exactly one expression for each channel',
  SPW4204: 'too many disjuncts',
  SPW4205: 'an unknown disjunct',
  SPW4206: 'a disjunct that no state satisfies',
  SPW4207: 'a regular expression that is too large',
  SPW4208: 'no invariant',
  SPW4209: 'a predicate where a number is needed, or the other way round',
  SPW4210: 'a relation that can be empty of meaning',
  SPW4301: 'a rule that does not fit its definition',
  SPW4302: 'an incomplete definition',
  SPW4303: 'the conditions of the rules do not cover all cases',
  SPW4304: 'two rules disagree',
  SPW4305: 'a rule that does not follow from the definition',
  SPW4306: 'an inequality that does not follow from the definition',
  SPW4401: 'an unknown property',
} as const;

export type Code = keyof typeof CODES;

export function problem(
  code: Code,
  span: Span | null,
  message: string,
  more: Pick<Diagnostic, 'help' | 'related'> & { readonly severity?: Diagnostic['severity'] } = {},
): Diagnostic {
  return { code, severity: 'error', message, span, ...more };
}
