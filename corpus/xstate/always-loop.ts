// Two eventless transitions whose guards are both true: the machine never comes to rest.
import { createMachine } from 'xstate';

export default createMachine({
  id: 'thermostat',
  initial: 'measuring',
  context: { degrees: 20, wanted: 20 },
  states: {
    measuring: { on: { READ: 'heating' } },
    heating: { always: { target: 'cooling', guard: ({ context }) => context.degrees >= context.wanted } },
    cooling: { always: { target: 'heating', guard: ({ context }) => context.degrees <= context.wanted } },
  },
});
