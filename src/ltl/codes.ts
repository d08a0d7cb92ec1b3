// Every diagnostic of the temporal logic room, for `spillway explain`.

export const LTL_CODES = {
  SPW3201: {
    title: 'a character that no formula contains',
    explanation:
      'Formulas are made of names, ! && || -> <->, the temporal operators G F X U W R M (or [] <> U W V) and parentheses. A name with other characters goes in double quotes: "x > 3".',
  },
  SPW3202: {
    title: 'a formula was expected here',
    explanation:
      'An operator lacks its operand, or the formula ends too early: `a &&`, `a U )`, `G`. Write the missing part, or remove the operator.',
  },
  SPW3203: {
    title: 'a parenthesis is not closed',
    explanation: 'Every ( needs its ). The diagnostic points at the one that was opened.',
  },
  SPW3204: {
    title: 'text after the end of the formula',
    explanation:
      'The formula was complete before this place: an operator is missing between two parts, or there is a ) too many. Operators are && (and), || (or), -> (implies), U (until) and so on.',
  },
  SPW3205: {
    title: 'an unknown name',
    explanation:
      'The model has no proposition and no event of this name. Temporal operators stand apart from names: write `F r`, not `Fr`. Names are case-sensitive.',
  },
  SPW3206: {
    title: 'a name that is both a proposition and an event',
    explanation: 'Say which one is meant: `state:NAME` for the proposition, `event:NAME` for the event.',
  },
  SPW3207: {
    title: 'a chain of binary temporal operators without parentheses',
    explanation:
      'Tools disagree about `a U b U c`: Spillway and Spot read a U (b U c), SPIN reads (a U b) U c. Add parentheses to say which.',
  },
  SPW3208: {
    title: 'the formula is nested too deeply',
    explanation: 'Formulas may be nested up to 400 levels deep.',
  },
  SPW3209: {
    title: 'a quoted name does not end',
    explanation: 'A name that starts with a double quote ends with one, on the same line.',
  },
  SPW3210: {
    title: 'the automaton of the formula is too large',
    explanation:
      'The automaton of a formula can be exponentially larger than the formula; this one passed the limits. Split a conjunction into several properties: each is checked by itself.',
  },
  SPW3211: {
    title: 'an automaton in HOA format that cannot be read',
    explanation:
      'Spillway reads HOA v1 automata with one initial state, explicit labels and (generalised) Büchi acceptance.',
  },
} as const;

export type LtlCode = keyof typeof LTL_CODES;
