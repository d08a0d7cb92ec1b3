// Search as you type: each question starts a request, and the answer that comes last is shown, not the answer to the last question.
import { assign, createMachine, fromPromise, spawnChild } from 'xstate';

const ask = fromPromise(async ({ input }: { input: { question: string } }) => input.question);

export default createMachine(
  {
    id: 'search',
    initial: 'empty',
    context: { asked: '' },
    states: {
      empty: { on: { TYPE_A: { target: 'one', actions: [spawnChild('askA', { id: 'a', input: { question: 'a' } }), assign({ asked: 'a' })] } } },
      one: { on: { TYPE_B: { target: 'two', actions: [spawnChild('askB', { id: 'b', input: { question: 'b' } }), assign({ asked: 'b' })] } } },
      two: { on: { 'xstate.done.actor.a': 'stale', 'xstate.done.actor.b': 'fresh' } },
      fresh: { on: { 'xstate.done.actor.a': 'stale' } },
      stale: { on: { 'xstate.done.actor.b': 'fresh' } },
    },
  },
  { actors: { askA: ask, askB: ask } },
);

export const spillway = {
  outputs: { askA: ['answer to a'], askB: ['answer to b'] },
  errors: { askA: [], askB: [] },
  ltl: { neverStale: '[] !stale' },
};
