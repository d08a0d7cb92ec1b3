// Diagnostics of XState modules: 7000 loading, 7020 exploring.

export const XSTATE_CODES = {
  SPW7001: {
    title: 'XState is not installed',
    explanation:
      'The module’s own copy of XState is used, version 5 or 6. Install it beside the module: npm install xstate.',
  },
  SPW7002: {
    title: 'TypeScript needs esbuild, or Node 22.6',
    explanation:
      'A TypeScript module is put together by esbuild, which was not found beside the module (npm install --save-dev esbuild). Without it Node itself strips the types, from version 22.6 on.',
  },
  SPW7003: {
    title: 'the module cannot be put together',
    explanation: 'A syntax error, or an import that leads nowhere, in the module or in what it imports.',
  },
  SPW7004: {
    title: 'the module throws when it is loaded',
    explanation: 'The code at the top level of the module, or of one that it imports, ended in an exception.',
  },
  SPW7005: {
    title: 'the module does not finish loading',
    explanation:
      'The top level of a module must come to an end: an endless loop, or a top-level await that never settles, keeps it from that. It was stopped.',
  },
  SPW7006: {
    title: 'the module asks for what a model must not do',
    explanation:
      'While a module is loaded and explored it cannot end the process, start others, write files or open connections. Move such code into promise or callback actors, which are not executed.',
  },
  SPW7007: {
    title: 'the module has no machine',
    explanation:
      'The system is the default export, or the last exported machine, or the one named with --export.',
  },
  SPW7008: {
    title: 'there is no such export',
    explanation: 'The name after --export is not that of an exported machine.',
  },
  SPW7009: {
    title: 'the declaration beside the machine is not understood',
    explanation:
      'The export `spillway` says which events, outputs and formulas there are: docs/xstate.md lists its fields.',
  },
  SPW7010: {
    title: 'the module uses more memory than it may have',
    explanation: 'The process that holds the module reached its limit of memory and was ended.',
  },
  SPW7020: {
    title: 'the system is too large to be explored',
    explanation:
      'Each actor’s states are explored one by one, with the data they hold. Declare which keys of the context matter (spillway.context), or fewer payloads.',
  },
  SPW7021: {
    title: 'the exploration did not come to an end in time',
    explanation:
      'A guard or an action may be very slow, or there are too many states. Give it more time (--timeout), or declare less.',
  },
  SPW7022: {
    title: 'the process that explores the module died',
    explanation: 'It ended by itself while the machine was explored. Please report it with the module.',
  },
  SPW7023: {
    title: 'the model asks for the time or a random number',
    explanation:
      'A guard, an action or another function of the model reads the clock or asks for a random number. Its answer is data that is not known: guards that look at it may be true or false, and what is computed from it is unknown in turn. Pass it in with an event, and declare the payloads to try, to say more.',
  },
  SPW7024: {
    title: 'an action of a configuration has no code',
    explanation:
      'A machine as JSON names its actions without having them. They are taken to send nothing and to change no data; guards that nobody implements may be true or false, actors end in any way. Check the module where actions send or raise events.',
  },
  SPW7030: {
    title: 'the format cannot carry everything',
    explanation: 'Guards and actions of XState are functions; in another format only their names are left.',
  },
} as const;

export type XStateCode = keyof typeof XSTATE_CODES;
