// The diagnostics of .lks and .aut files: stable codes for `spillway explain`.

export const KRIPKE_CODES = {
  SPW3001: {
    title: 'a character that has no meaning here',
    explanation:
      'A .lks file is made of names, whole numbers and the signs ( ) { } [ ] , ; : . = | -> || .. and arithmetic. Comments are // to the end of the line and /* … */.',
  },
  SPW3002: {
    title: 'a syntax error in a .lks file',
    explanation:
      'The message says what was expected. A state is written NAME {propositions} = ( event -> STATE | event -> STATE ). with a full stop at its end; docs/kripke.md has the whole notation.',
  },
  SPW3003: {
    title: 'something is not closed',
    explanation:
      'A comment, a component or a formula runs into the end of the file. Look for the missing */ or }.',
  },
  SPW3004: {
    title: 'an unknown constant or parameter',
    explanation:
      'Expressions may use constants of the file (const N = 3;), the parameters of the component, and the variables of enclosing `for` clauses.',
  },
  SPW3005: {
    title: 'an expression without a value',
    explanation: 'A division by zero, or a number outside the safe range of integers.',
  },
  SPW3006: {
    title: 'defined twice',
    explanation:
      'Constants, components, states of one component and formulas each need names of their own. Replicated states must differ in an index.',
  },
  SPW3007: {
    title: 'an unknown component',
    explanation: 'The `system` clause names a component that the file does not define.',
  },
  SPW3008: {
    title: 'a wrong number of arguments',
    explanation: 'A component takes as many arguments as it has parameters.',
  },
  SPW3009: {
    title: 'an unknown state',
    explanation:
      'An arrow or an `init` clause names a state that its component does not define, perhaps for one value of an index only.',
  },
  SPW3010: {
    title: 'an empty structure',
    explanation:
      'A component needs at least one state, and one of its states must be initial: without that it has no behaviour at all, and no composition with it has.',
  },
  SPW3011: {
    title: 'a state nobody reaches',
    explanation:
      'No path of the component leads from an initial state to this state, so whatever is written there is never checked. Usually an arrow is missing. If it is meant, write `allow unreachable;` in the component. In .aut files this is a warning.',
  },
  SPW3012: {
    title: 'two components share a proposition',
    explanation:
      'Components communicate through events only; a proposition belongs to one component. In replicated components give it an index: eating[i].',
  },
  SPW3013: {
    title: 'an empty system',
    explanation:
      'There is no component to check: the file defines none, or the ranges of the `system` clause are empty.',
  },
  SPW3014: {
    title: 'a component with parameters and no `system` clause',
    explanation: 'Say which instances there are: system = for i in 1..N: Phil(i);',
  },
  SPW3015: {
    title: 'too large',
    explanation:
      'The replicated text would make more states or edges than Spillway accepts in one model. Choose a smaller constant.',
  },
  SPW3016: {
    title: 'a definition on the command line that does not fit',
    explanation:
      '-DN=10 overrides `const N` of the file. The name must be a constant of the file and the value a whole number.',
  },
  SPW3017: {
    title: 'a component that is not part of the system',
    explanation: 'The `system` clause does not mention this component. It is not checked.',
  },
  SPW3018: {
    title: 'an event that only one component knows, while its siblings are shared',
    explanation:
      'Of a family of events such as go[1], go[2], go[3] some happen in several components at once, and one happens in a single component alone, whenever it likes. Often a range is too short somewhere. If it is meant, give it another name, or add it to the `alphabet` of who should take part.',
  },
  SPW3020: {
    title: 'a malformed .aut header',
    explanation: 'An .aut file begins with: des (initial state, number of transitions, number of states)',
  },
  SPW3021: {
    title: 'a malformed .aut transition',
    explanation:
      'Each line is (source, label, target) with the label in double quotes where it holds commas, blanks or brackets.',
  },
  SPW3022: {
    title: 'a state outside the declared range',
    explanation: 'States are numbered from 0; the header says how many there are.',
  },
  SPW3023: {
    title: 'the number of transitions differs from the header',
    explanation: 'The file may be cut off. Correct the header or the transitions.',
  },
  SPW3030: {
    title: 'an unknown property',
    explanation:
      'Structures can be checked for deadlock-free, for ltl:NAME with a formula of the file, and for ltl:FORMULA.',
  },
  SPW3032: {
    title: 'an unknown strategy',
    explanation:
      'For structures --strategy is portfolio (the default), linear, symbolic, compositional, minimised, reduced, refinement or monolithic; --monolithic is short for the last.',
  },
  SPW3031: {
    title: 'a file that cannot be read',
    explanation: 'There is no such file, or it is not readable.',
  },
  SPW3040: {
    title: 'a format that cannot carry everything',
    explanation: 'The model was converted, but the message says what the target format has no place for.',
  },
  SPW3041: {
    title: 'several initial states',
    explanation:
      'An .aut file has exactly one initial state. A fresh one in front would change the behaviour by a step.',
  },
} as const;

export type KripkeCode = keyof typeof KRIPKE_CODES;
