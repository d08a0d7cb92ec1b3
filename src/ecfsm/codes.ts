// Every diagnostic of the .ecfsm language, with what `spillway explain CODE` says: 40xx text and macros, 41xx machines, 42xx formulas,
// 43xx definitions of predicates and functions. Codes are stable: never reuse a number for something else.

import type { Diagnostic } from '../source/diagnostic.ts';
import type { Span } from '../source/source.ts';

export const ECFSM_CODES = {
  SPW4001: {
    title: 'a character that does not belong here',
    explanation:
      'The .ecfsm language is made of names, numbers, brackets and operators; this character is none of them.',
  },
  SPW4002: {
    title: 'something else was expected',
    explanation:
      'The text does not follow the grammar at this place; docs/ecfsm.md shows it. Every statement ends with a semicolon.',
  },
  SPW4003: { title: 'a comment is never closed', explanation: 'A comment that begins with /* needs its */.' },
  SPW4004: {
    title: 'a number too large for exact arithmetic',
    explanation: 'All proofs are exact; numbers are limited so that no sum can lose precision.',
  },
  SPW4005: {
    title: 'nested too deeply',
    explanation: 'Brackets are nested deeper than anything a person writes.',
  },
  SPW4010: {
    title: 'the brackets of a macro do not balance',
    explanation:
      'The body of a macro stands in braces, and every bracket inside it must be closed inside it.',
  },
  SPW4011: {
    title: 'wrong number of arguments of a macro',
    explanation:
      'A macro is used with as many arguments, separated by commas, as its definition has parameters.',
  },
  SPW4012: {
    title: 'a macro uses itself',
    explanation: 'Macros are replaced until none is left; one that contains itself never ends.',
  },
  SPW4013: {
    title: 'macros grow beyond all measure',
    explanation: 'The text after replacing all macros is too long to be meant.',
  },
  SPW4014: {
    title: 'a macro is defined twice',
    explanation: 'Each macro has one definition; remove or rename one of them.',
  },
  SPW4101: {
    title: 'too few machines, or too many',
    explanation:
      'A protocol has at least two machines. Two are connected by one channel in each direction; of more, those that an action connects: `send D(n) to B`.',
  },
  SPW4102: {
    title: 'a name is declared twice',
    explanation: 'States, registers, actions, disjuncts and goals have different names among their kind.',
  },
  SPW4103: {
    title: 'an unknown state',
    explanation: 'The control states of a machine are those that its line `states` lists.',
  },
  SPW4104: {
    title: 'an unknown register',
    explanation:
      'An action knows the registers of its own machine and the parameter of its message. A formula writes registers with their machine: A.VM.',
  },
  SPW4105: {
    title: 'an unknown message type',
    explanation:
      'The types of a channel are those that the machine at its beginning sends or the one at its end receives.',
  },
  SPW4106: {
    title: 'an unknown machine or channel',
    explanation: 'A channel is written A->B, with the names of the two machines.',
  },
  SPW4107: {
    title: 'no initial state',
    explanation: 'Each machine needs `init STATE where …;`, or the protocol `initial A@S, B@T where …;`.',
  },
  SPW4108: {
    title: 'not linear',
    explanation: 'Only sums of numbers times variables can be used: no products of variables.',
  },
  SPW4109: {
    title: 'a register is assigned twice',
    explanation: 'All assignments of an action happen at once, so each register has one new value.',
  },
  SPW4110: {
    title: "'!=' in a condition",
    explanation:
      'Conditions of actions and rules are conjunctions of inequalities. Write two actions, one with < and one with >.',
  },
  SPW4111: {
    title: 'a message is sent but never received',
    explanation:
      'No action of the other machine receives this type: as soon as it is sent, there is an unspecified reception.',
  },
  SPW4112: {
    title: 'a message is received but never sent',
    explanation: 'The action can never be executed. Perhaps the name is misspelt.',
  },
  SPW4113: {
    title: 'a word of the language as a name',
    explanation: 'Words such as send, receive, when or e have a meaning of their own.',
  },
  SPW4114: {
    title: 'a machine that cannot be copied',
    explanation: '`machine B like A` copies another machine, which must be written out.',
  },
  SPW4116: {
    title: 'an unknown channel',
    explanation:
      '`lossy A->B;` and `duplicating A->B;` name a channel by the machine that sends and the machine that receives.',
  },
  SPW4117: {
    title: 'a message without an address',
    explanation:
      'With more than two machines, each action says where its message goes or comes from: `send D(n) to B`, `receive D(n) from A`.',
  },
  SPW4118: {
    title: 'a message with a different number of fields',
    explanation:
      'All actions of a channel give a type of message the same number of fields; an action that does not look at them names none: `receive D`.',
  },
  SPW4119: {
    title: 'messages that wait and are received',
    explanation:
      '`defer A in wait;` says that messages from A stay in their channel while the machine is in `wait`; then no action may receive them there.',
  },
  SPW4120: {
    title: 'an unknown field',
    explanation:
      'A field of a message is written D.seq, as the first action that sends D calls it, or D.2 by its number. In a set of types each has one field.',
  },
  SPW4115: {
    title: 'no initial state satisfies the conditions',
    explanation:
      'Without an initial state everything would be true of the protocol. The conditions after `where` contradict each other.',
  },
  SPW4201: {
    title: 'an unknown predicate or function',
    explanation:
      'Built in are step1, st-inc, inc, const and firstp, lastp, minp, maxp, len; others can be defined.',
  },
  SPW4202: {
    title: 'control states missing or given twice',
    explanation: 'Each disjunct says once, for each machine, in which control state it is: A@S.',
  },
  SPW4203: {
    title: 'a channel missing or given twice',
    explanation: 'Each disjunct says once, for each channel, what is in it: A->B: MIP MIP*, or A->B: e.',
  },
  SPW4204: {
    title: 'too many disjuncts',
    explanation: 'Alternatives inside a disjunct multiply. Write fewer `or` in one disjunct.',
  },
  SPW4205: {
    title: 'an unknown disjunct',
    explanation: 'A goal names disjuncts of the invariant (P1, P1.*), or control states (A@S).',
  },
  SPW4207: {
    title: 'a regular expression that is too large',
    explanation: 'Its automaton has too many states.',
  },
  SPW4209: {
    title: 'a predicate where a number is needed, or the other way round',
    explanation: 'step1(A->B) is true or false; lastp(A->B) is a number.',
  },
  SPW4301: {
    title: 'a rule that does not fit its definition',
    explanation: 'Rules have the forms f([]), f([x]), f(s . x) and f(x . s), and speak about s and x only.',
  },
  SPW4302: {
    title: 'an incomplete definition',
    explanation:
      'A definition needs rules for one element (functions) and for s . x, the sequence with a new last element.',
  },
  SPW4303: {
    title: 'the conditions of the rules do not cover all cases',
    explanation: 'For every s and x one of the rules for s . x must apply.',
  },
  SPW4304: {
    title: 'two rules disagree',
    explanation: 'Where two rules for s . x apply, they must give the same result.',
  },
  SPW4305: {
    title: 'a rule that does not follow from the definition',
    explanation:
      'Rules for [], [x] and s . x define. Rules for x . s are lemmas: they are used only if they can be derived by induction over the sequence, and this one cannot.',
  },
  SPW4306: {
    title: 'an inequality that does not follow from the definitions',
    explanation:
      'Inequalities are lemmas: they are used only if they hold for one element and carry over from s to s . x, given all other inequalities for s. A stronger inequality may be needed beside it.',
  },
  SPW4401: {
    title: 'no graph without a proof of safety',
    explanation:
      'The edges of the degenerated reachability graph are promises that rest on an invariant without unsafe states. Until that is proved there is nothing to draw.',
  },
} as const;

export type Code = keyof typeof ECFSM_CODES;

export function problem(
  code: Code,
  span: Span | null,
  message: string,
  more: Pick<Diagnostic, 'help' | 'related'> & { readonly severity?: Diagnostic['severity'] } = {},
): Diagnostic {
  return { code, severity: 'error', message, span, ...more };
}
