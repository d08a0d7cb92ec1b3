// A counter without limit that nothing depends on: the lamp is what matters.
import { assign, createMachine } from 'xstate';

export default createMachine({
  id: 'lamp',
  initial: 'off',
  context: { switched: 0 },
  states: {
    off: { on: { SWITCH: { target: 'on', actions: assign({ switched: ({ context }) => context.switched + 1 }) } } },
    on: { on: { SWITCH: 'off' }, after: { 60000: 'off' } },
  },
});

export const spillway = { ltl: { turnsOff: '[] (on -> <> off)' } };
