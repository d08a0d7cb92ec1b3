// Two hundred workers of one logic, each with customers of its own: 2^200 states, and no mailbox ever holds more than a few messages.
import { createMachine, sendParent, spawnChild } from 'xstate';

const worker = createMachine({
  id: 'worker',
  initial: 'idle',
  states: {
    idle: { on: { CALL: { target: 'busy', actions: sendParent({ type: 'BUSY' }) } } },
    busy: { on: { HANG_UP: { target: 'idle', actions: sendParent({ type: 'FREE' }) } } },
  },
});

export default createMachine({
  id: 'exchange',
  entry: Array.from({ length: 200 }, (_, index) => spawnChild(worker, { id: `worker${index}` })),
  on: { BUSY: {}, FREE: {} },
});
