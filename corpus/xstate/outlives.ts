// A search that goes on after its page was left: the result comes to somebody who does not want it any more.
import { createMachine, sendParent, spawnChild } from 'xstate';

const search = createMachine({
  id: 'search',
  initial: 'looking',
  states: {
    looking: { after: { 300: 'found' } },
    found: { type: 'final', entry: sendParent({ type: 'RESULT' }) },
  },
});

export default createMachine({
  id: 'page',
  initial: 'idle',
  states: {
    idle: { on: { SEARCH: { target: 'searching', actions: spawnChild(search, { id: 'search' }) } } },
    searching: { on: { RESULT: 'showing', LEAVE: 'left' } },
    showing: { type: 'final' },
    left: {},
  },
});
