// Two clerks who each ask the other before they answer: when both have asked, both wait.
import { createMachine, sendParent, sendTo } from 'xstate';

const colleague = createMachine({
  id: 'colleague',
  initial: 'free',
  states: {
    free: {
      on: { ASK: { actions: sendParent({ type: 'ANSWER' }) } },
      after: { 20: { target: 'asking', actions: sendParent({ type: 'ASK' }) } },
    },
    asking: { on: { ANSWER: 'free' } },
  },
});

export default createMachine({
  id: 'clerk',
  initial: 'free',
  invoke: { id: 'colleague', src: colleague },
  states: {
    free: {
      on: { ASK: { actions: sendTo('colleague', { type: 'ANSWER' }) } },
      after: { 20: { target: 'asking', actions: sendTo('colleague', { type: 'ASK' }) } },
    },
    asking: { on: { ANSWER: 'free' } },
  },
});
