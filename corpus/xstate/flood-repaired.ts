// The sensor waits until the display has drawn: one report is under way at a time.
import { createMachine, sendParent, sendTo } from 'xstate';

const display = createMachine({
  id: 'display',
  initial: 'ready',
  states: { ready: { on: { SHOW: { actions: sendParent({ type: 'SHOWN' }) } } } },
});

export default createMachine({
  id: 'sensor',
  initial: 'measuring',
  invoke: { id: 'display', src: display },
  states: {
    measuring: { after: { 10: { target: 'waiting', actions: sendTo('display', { type: 'SHOW' }) } } },
    waiting: { on: { SHOWN: 'measuring' } },
  },
});
