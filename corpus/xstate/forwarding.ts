// Two actors that hand an event to each other for ever.
import { createMachine, sendParent, sendTo } from 'xstate';

const right = createMachine({ id: 'right', on: { BALL: { actions: sendParent({ type: 'BALL' }) } } });

export default createMachine({
  id: 'left',
  invoke: { id: 'right', src: right },
  on: {
    SERVE: { actions: sendTo('right', { type: 'BALL' }) },
    BALL: { actions: sendTo('right', { type: 'BALL' }) },
  },
});
