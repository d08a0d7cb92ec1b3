// What `spillway explain CODE` says about files of nets. Codes are stable: never reuse a number for something else.

export const NET_CODES = {
  SPW8001: {
    title: 'a character that does not belong into a net',
    explanation:
      'A .spec file of a net is made of names, numbers, and the signs of docs/nets.md; # begins a comment.',
  },
  SPW8002: {
    title: 'a section is expected',
    explanation:
      'A .spec file of a net has the sections vars, rules, init, target and invariants, in this order.',
  },
  SPW8003: { title: 'a section is there twice', explanation: 'Each section but target stands once.' },
  SPW8004: {
    title: 'a section is missing',
    explanation: 'A net needs its places (vars), its transitions (rules) and its initial values (init).',
  },
  SPW8005: {
    title: 'something else was expected',
    explanation: 'The text does not follow the grammar at this place; docs/nets.md shows it.',
  },
  SPW8006: {
    title: 'no name of a place',
    explanation: 'Places are named by words of letters, digits and _.',
  },
  SPW8007: {
    title: 'a place is declared twice',
    explanation: 'Every place has one name, and every name stands for one place.',
  },
  SPW8008: { title: 'a place is not declared', explanation: 'Every place stands in the section vars.' },
  SPW8009: { title: 'a number is expected', explanation: 'Counts and weights are numbers without a sign.' },
  SPW8010: {
    title: 'a number too large for exact arithmetic',
    explanation: 'All proofs are exact; counts and weights are limited so that no sum can lose precision.',
  },
  SPW8011: {
    title: 'an empty interval',
    explanation: 'An interval is written [least, most], and the least is not greater than the most.',
  },
  SPW8012: {
    title: 'a test for an upper limit',
    explanation:
      'A transition of a Petri net can ask for at least so many tokens, never for at most so many: tests for zero make most questions undecidable.',
  },
  SPW8013: {
    title: 'a reset or a transfer',
    explanation:
      'A transition of a Petri net adds or takes a fixed number of tokens. Resets and transfers are other kinds of nets, which are not read.',
  },
  SPW8014: { title: 'a place is changed twice in one rule', explanation: 'Write one change for each place.' },
  SPW8015: { title: 'an initial value is given twice', explanation: 'Each place has one initial value.' },
  SPW8016: {
    title: 'a target that is not upward closed',
    explanation:
      'A target asks whether at least so many tokens can be there. Whether exactly so many can be is another question.',
  },
  SPW8020: { title: 'a file too large', explanation: 'The file has more characters than are read.' },
  SPW8021: {
    title: 'not well-formed XML',
    explanation: 'A PNML file is XML; the parser stopped at the place shown.',
  },
  SPW8022: {
    title: 'not a PNML file',
    explanation: 'The outermost element of a PNML file is <pnml>, and it holds a <net>.',
  },
  SPW8023: {
    title: 'a high-level net',
    explanation:
      'Tokens with colours, and what belongs to them, are not read. Unfold the net to a place/transition net first.',
  },
  SPW8024: {
    title: 'an arc of another kind',
    explanation:
      'Only plain arcs with weights make a place/transition net; inhibitor, reset and read arcs of extensions are refused.',
  },
  SPW8025: {
    title: 'an arc between two of a kind',
    explanation: 'Arcs lead from places to transitions or from transitions to places.',
  },
  SPW8026: { title: 'several nets in one file', explanation: 'One file holds one net.' },
  SPW8027: {
    title: 'an element without id',
    explanation: 'Places and transitions need an id, because arcs refer to it.',
  },
  SPW8028: { title: 'an id used twice', explanation: 'Ids are unique in a file.' },
  SPW8029: {
    title: 'not a number of tokens',
    explanation:
      'Initial markings and inscriptions are numbers without a sign, and not too large for exact arithmetic.',
  },
  SPW8030: {
    title: 'an arc to nowhere',
    explanation:
      'The source and the target of an arc are ids of a place and a transition, or of references to them.',
  },
  SPW8031: {
    title: 'a place with a capacity',
    explanation:
      'A place that takes no more than so many tokens disables transitions when it is full, which arcs alone do not say. Write the free room as a place of its own: what puts a token here takes one there, and the other way round.',
  },
  SPW8032: {
    title: 'transitions with different priorities',
    explanation:
      'Some transitions go before others, by a priority or because only some take time. Such nets are not ordinary Petri nets; what is found without the priorities may not be possible with them.',
  },
} as const;
