// Machines of every feature, for the comparison of our semantics with XState's own: each with what is declared beside it.

import type { Declared } from './host/declared.ts';
import {
  errors,
  escalating,
  finalWithChildren,
  invokedTwice,
  nestedActors,
  orders,
  spawner,
  spawnInAssign,
  stoppedByParent,
  systems,
} from './machines-of-children.fuzz.ts';
import {
  callbacks,
  customSends,
  delayedSends,
  fetching,
  forwarding,
  observing,
  pingPong,
  transitionLogic,
} from './machines-of-messages.fuzz.ts';
import {
  counter,
  dynamicParameters,
  historyMachine,
  keyboard,
  light,
  parallelDone,
  reentering,
  sameTimers,
  selfSends,
  toggle,
  transient,
  wildcard,
  wizard,
} from './machines-of-states.fuzz.ts';

export interface Example {
  readonly name: string;
  readonly machine: object;
  readonly declared?: Declared;
}

const numbers = (values: readonly number[]) => values.map((value) => ({ value }));

export const EXAMPLES: readonly Example[] = [
  { name: 'toggle', machine: toggle },
  { name: 'light', machine: light },
  { name: 'counter', machine: counter, declared: { events: { INC: [], DEC: [], SET: numbers([0, 3]) } } },
  { name: 'keyboard', machine: keyboard },
  { name: 'history', machine: historyMachine },
  { name: 'wizard', machine: wizard },
  {
    name: 'transient',
    machine: transient,
    declared: { events: { PLAY: [{ score: 9 }, { score: 5 }, { score: 1 }], AGAIN: [] } },
  },
  {
    name: 'wildcard',
    machine: wildcard,
    declared: { events: { 'mouse.click': [], 'mouse.move': [], KEY: [], BACK: [], FORBIDDEN: [] } },
  },
  { name: 'reentering', machine: reentering },
  { name: 'pingPong', machine: pingPong },
  {
    name: 'fetching',
    machine: fetching,
    declared: { outputs: { fetch: [1, 2] }, errors: { fetch: ['no'] } },
  },
  {
    name: 'spawner',
    machine: spawner,
    declared: { events: { ADD: [], FAST: [{ speed: 2 }, { speed: 1 }], STOP: [], HURRY: [] } },
  },
  { name: 'delayedSends', machine: delayedSends },
  { name: 'errors', machine: errors },
  { name: 'escalating', machine: escalating },
  { name: 'systems', machine: systems },
  { name: 'spawnInAssign', machine: spawnInAssign },
  { name: 'transitionLogic', machine: transitionLogic },
  { name: 'callbacks', machine: callbacks, declared: { callbacks: { ticker: ['TICK'] } } },
  {
    name: 'observing',
    machine: observing,
    declared: {
      outputs: { numbers: [1, 2] },
      errors: { numbers: ['bad'], clicks: [] },
      callbacks: { clicks: ['CLICK'] },
    },
  },
  { name: 'parallelDone', machine: parallelDone },
  { name: 'customSends', machine: customSends },
  { name: 'sameTimers', machine: sameTimers },
  { name: 'orders', machine: orders },
  { name: 'nestedActors', machine: nestedActors },
  { name: 'finalWithChildren', machine: finalWithChildren },
  {
    name: 'dynamicParameters',
    machine: dynamicParameters,
    declared: { events: { ENTER: [{ code: 7 }, { code: 1 }], SHUT: [] } },
  },
  { name: 'selfSends', machine: selfSends },
  { name: 'forwarding', machine: forwarding },
  { name: 'invokedTwice', machine: invokedTwice, declared: { outputs: { a: [1] }, errors: { a: ['no'] } } },
  { name: 'stoppedByParent', machine: stoppedByParent },
];
