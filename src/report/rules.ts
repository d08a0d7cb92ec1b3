// One rule per kind of finding: what the property means, in the words SARIF viewers and `spillway explain` show.

export interface Rule {
  readonly id: string;
  readonly name: string;
  /** Does the rule speak of the property with this id? */
  readonly matches: (property: string) => boolean;
  readonly short: string;
  readonly full: string;
  readonly help: string;
}

const named = (prefix: string) => (property: string) => property.startsWith(prefix);
const exactly = (id: string) => (property: string) => property === id;

export const RULES: readonly Rule[] = [
  {
    id: 'bounded',
    name: 'QueueBounded',
    matches: exactly('bounded'),
    short: 'No message queue grows without limit.',
    full: 'A queue is bounded if there is a number that its length never exceeds in any run, taking every buffered channel as unlimited.',
    help: 'Look at the loop that floods the queue: make the sender wait for an answer, or make the receiver keep up. `spillway replay` steps through the run.',
  },
  {
    id: 'livelock-free',
    name: 'LivelockFree',
    matches: exactly('livelock-free'),
    short: 'Every infinite run makes progress infinitely often.',
    full: 'Progress is what the labels progress* or --progress name. A livelock is an infinite run that stops making progress at some point.',
    help: 'Look at the repeating part of the run: something in it should lead to progress, or should not be able to repeat alone.',
  },
  {
    id: 'deadlock-free',
    name: 'DeadlockFree',
    matches: exactly('deadlock-free'),
    short: 'The system never gets stuck.',
    full: 'A deadlock (invalid end state) is a state without a successor in which some process is neither finished nor at an end* label.',
    help: 'Look at the last state: each process waits for something no other can give. An end* label marks a place where waiting is fine.',
  },
  {
    id: 'assertions',
    name: 'AssertionsHold',
    matches: exactly('assertions'),
    short: 'No assertion fails and no runtime error occurs.',
    full: 'Every assert(e) that is reached has e true, and no array index, division or process creation goes wrong.',
    help: 'The run ends at the statement that failed; the values of the variables are shown at each step.',
  },
  {
    id: 'ltl',
    name: 'TemporalProperty',
    matches: named('ltl:'),
    short: 'A temporal formula holds in every run.',
    full: 'The formula is checked on all infinite runs (finite ones are extended by stuttering where the language says so).',
    help: 'The counterexample is a run whose repeating part violates the formula.',
  },
  {
    id: 'stuck-free',
    name: 'StuckFree',
    matches: exactly('stuck-free'),
    short: 'No process is blocked for ever.',
    full: 'From every reachable state every process that is neither finished nor at an end* label can move again on some continuation, even if the rest of the system goes on.',
    help: 'At the end of the run the process stands at a statement that never becomes executable again, whatever the others do.',
  },
  {
    id: 'never',
    name: 'NeverClaim',
    matches: exactly('never'),
    short: 'The never claim is not satisfied by any run.',
    full: 'A run matches a never claim if the claim ends, or goes through an accept* label infinitely often, while moving in step with it.',
    help: 'The run shown does what the claim describes; its repeating part, if it has one, goes through an accept* label.',
  },
  {
    id: 'acceptance',
    name: 'NoAcceptanceCycle',
    matches: exactly('acceptance'),
    short: 'No run goes through an accept* label infinitely often.',
    full: 'Labels accept* outside of a claim mark what must not happen again and again.',
    help: 'Look at the repeating part of the run: it goes through the label in every round.',
  },
  {
    id: 'unreachable',
    name: 'LabelUnreachable',
    matches: named('unreachable:'),
    short: 'A thread never reaches a label.',
    full: 'The specification says that the label in the C code is never reached.',
    help: 'The run shows the way to the label: source lines, branches and events of each thread.',
  },
  {
    id: 'conforms',
    name: 'ThreadConforms',
    matches: named('conforms:'),
    short: 'A thread does only what a process of the specification allows.',
    full: 'Every sequence of the events of the process that the thread can do, by itself and in any surroundings, the process can do.',
    help: 'The last event of the run is one that the process does not allow at this point.',
  },
  {
    id: 'safe',
    name: 'ProtocolSafe',
    matches: exactly('safe'),
    short:
      'The invariant holds in every reachable state, and no state is stuck or receives what it cannot handle.',
    full: 'The formula is proved by induction over the actions of both machines with unbounded channels.',
    help: 'The failed step names the disjunct, the action and an example state: strengthen the formula or correct the protocol.',
  },
  {
    id: 'live',
    name: 'ProtocolLive',
    matches: named('live:'),
    short: 'From every reachable state some state of the goal can be reached.',
    full: 'Q-liveness: decided on the degenerated reachability graph of the invariant.',
    help: 'The disjuncts without a path to the goal are listed; splitting them may help.',
  },
  {
    id: 'other',
    name: 'Property',
    matches: () => true,
    short: 'A property stated by the model.',
    full: 'A property stated by the model or its specification.',
    help: 'The evidence shows why it fails.',
  },
];

export const ruleOf = (property: string): Rule => RULES.find((rule) => rule.matches(property))!;
