// The player is stopped when the show is over, but the remote control still sends to it.
import { assign, createMachine, sendTo, stopChild } from 'xstate';

const player = createMachine({
  id: 'player',
  initial: 'paused',
  states: { paused: { on: { TOGGLE: 'playing' } }, playing: { on: { TOGGLE: 'paused' } } },
});

export default createMachine({
  id: 'remote',
  initial: 'on',
  context: ({ spawn }) => ({ player: spawn(player, { id: 'player' }) }),
  states: {
    on: { on: { END: { target: 'over', actions: stopChild('player') } } },
    over: { on: { AGAIN: { target: 'on', actions: assign({ player: ({ spawn }) => spawn(player, { id: 'player' }) }) } } },
  },
  on: { TOGGLE: { actions: sendTo(({ context }) => context.player, { type: 'TOGGLE' }) } },
});
