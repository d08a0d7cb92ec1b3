// Every visitor gets an actor, and none is ever stopped.
import { createMachine, spawnChild } from 'xstate';

const visitor = createMachine({ id: 'visitor', initial: 'here', states: { here: {} } });

export default createMachine({ id: 'door', on: { VISIT: { actions: spawnChild(visitor) } } });
