// Two hundred workers of one logic.
import { createMachine, sendParent, sendTo, spawnChild } from 'xstate';

const worker = createMachine({
  id: 'worker',
  initial: 'idle',
  states: {
    idle: { on: { WORK: { target: 'resting', actions: sendParent({ type: 'DONE' }) } } },
    resting: { on: { WORK: 'idle' } },
  },
});

const names = Array.from({ length: 200 }, (_, index) => `worker${index}`);

export default createMachine({
  id: 'foreman',
  entry: names.map((id) => spawnChild(worker, { id })),
  on: { BEGIN: { actions: names.map((id) => sendTo(id, { type: 'WORK' })) }, DONE: {} },
});
