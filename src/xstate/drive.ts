// A real system for tests: the user's machine under the user's createActor, one stimulus at a time.

import { type CreateActor, RealSystem } from './host/real.ts';
import { nodesOf, type XEvent, type XMachine } from './host/types.ts';
import { typeOf } from './host/words.ts';

export interface Driven {
  /** An event from outside, to the actor of that name (`shop`, `shop/basket`). */
  send(actor: string, event: { readonly type: string; readonly [key: string]: unknown }): void;
  /** A promise settles, a callback sends back: `{ type: 'xstate.promise.resolve', data: 7 }`. */
  settle(actor: string, event: { readonly type: string; readonly [key: string]: unknown }): void;
  /** The actor's timer for events of that type fires. */
  fire(actor: string, type: string): void;
  /** By actor, the active states of every machine that runs. */
  states(): Record<string, string[]>;
}

const MOST_EVENTS = 5_000;

/** `createActor`: of the user's own copy of XState. */
export function drive(
  machine: object,
  { createActor, input }: { readonly createActor: unknown; readonly input?: unknown },
): Driven {
  const { id } = machine as { id: string };
  const name = id === '(machine)' ? 'machine' : id;
  let count = 0;
  const create: CreateActor = (logic, options) =>
    (createActor as CreateActor)(logic, {
      ...options,
      inspect: ({ type }: { type: string }) => {
        const isStep = type === '@xstate.event' || type === '@xstate.transition';
        if (isStep && ++count > MOST_EVENTS) throw new Error(ENDLESS);
      },
    } as never);
  const real = new RealSystem(machine as XMachine, name, input, create);
  const actor = (wanted: string) => {
    const found = real.actors().get(wanted);
    if (found === undefined)
      throw new Error(`there is no actor ${wanted}: ${[...real.actors().keys()].join(', ')}`);
    return found;
  };
  const run = (stimulus: () => void): void => {
    count = 0;
    stimulus();
    // XState takes what an observer throws for an error of an actor: it is thrown again where the test sees it.
    if (count > MOST_EVENTS) throw new Error(ENDLESS);
  };
  return {
    send: (to, event) => run(() => actor(to).send(event as XEvent)),
    settle: (to, event) => run(() => real.settle(actor(to), event as XEvent)),
    fire: (of, type) =>
      run(() => {
        const timer = [...real.timers.values()].find(
          (one) => typeOf(one.event) === type && real.nameOf(one.source) === of,
        );
        if (timer === undefined) throw new Error(`${of} has no timer for ${type}`);
        timer.fire();
      }),
    states: () =>
      Object.fromEntries(
        [...real.actors()].flatMap(([key, one]) => {
          const nodes = nodesOf(one.getSnapshot());
          if (one._processingStatus !== 1 || nodes.length === 0) return [];
          return [
            [
              key,
              nodes
                .map((node) => node.path.join('.'))
                .filter((path) => path !== '')
                .sort(),
            ],
          ];
        }),
      ),
  };
}

const ENDLESS = 'the system never comes to rest';
