// A sensor reports every ten milliseconds, whether or not the display has drawn the last report.
// On one thread the display keeps up; on a machine of its own its mailbox grows without limit.
import { createMachine, sendTo } from 'xstate';

const display = createMachine({ id: 'display', initial: 'ready', states: { ready: { on: { SHOW: {} } } } });

export default createMachine({
  id: 'sensor',
  initial: 'measuring',
  invoke: { id: 'display', src: display },
  states: {
    measuring: {
      after: { 10: { target: 'measuring', reenter: true, actions: sendTo('display', { type: 'SHOW' }) } },
    },
  },
});
