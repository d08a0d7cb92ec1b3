// What `spillway explain CODE` says about files of communicating machines. Codes are stable: never reuse a number for something else.

export const MACHINE_CODES = {
  SPW8101: {
    title: 'no machine in the file',
    explanation: 'A machine begins with .outputs and ends with .end; docs/machines.md shows the notations.',
  },
  SPW8102: { title: 'two machines with one name', explanation: 'Machines are told apart by their names.' },
  SPW8103: { title: 'a machine without .end', explanation: 'Every machine ends with a line .end.' },
  SPW8104: {
    title: 'a line outside of any machine',
    explanation: 'Moves stand between .state graph and .marking of a machine.',
  },
  SPW8105: {
    title: 'a line that is not known',
    explanation: 'Lines that begin with a dot are .outputs, .state graph, .marking and .end.',
  },
  SPW8106: {
    title: 'no initial state',
    explanation: 'The line .marking STATE names the state in which the machine begins.',
  },
  SPW8107: {
    title: 'not a move',
    explanation:
      'A move is: STATE MACHINE ! MESSAGE STATE to send, with ? to receive, or STATE tau STATE for a step of its own.',
  },
  SPW8108: {
    title: 'no such machine',
    explanation: 'The partner of a move is the number or the name of another machine of the file.',
  },
  SPW8109: { title: 'a machine talks to itself', explanation: 'Queues lead from one machine to another.' },
  SPW8110: {
    title: 'a character that does not belong here',
    explanation: 'See docs/machines.md for the notations of processes.',
  },
  SPW8111: {
    title: 'something else was expected',
    explanation: 'The text does not follow the grammar at this place; docs/machines.md shows it.',
  },
  SPW8112: {
    title: 'a machine is announced and missing',
    explanation: 'Every name after "of" has an equation.',
  },
  SPW8113: {
    title: 'a participant of a choreography has too many states',
    explanation:
      'Parts side by side (|) can happen in any order: their states multiply. Write fewer of them side by side.',
  },
  SPW8114: {
    title: 'a loop that nobody in it decides',
    explanation: 'Who decides whether a loop goes on (after "repeat", or behind "@") must take part in it.',
  },
} as const;
