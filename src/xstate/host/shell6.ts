// Machines of XState 6 with shells in the place of promises, callbacks and observables: see real.ts.

import type { XLogic6, XMachine6 } from './types.ts';

type Fn = (...args: unknown[]) => unknown;
type Plain = Record<string, unknown>;

/** It starts, and does nothing of itself. */
export const shellOf6 = (logic: XLogic6): XLogic6 => ({
  ...logic,
  initialTransition: (input, scope) => [logic.initialTransition(input, scope)[0], []],
});

/** `shelled` gives the logic in the place of a logic. */
export function shelledMachine6(machine: XMachine6, shelled: (logic: unknown) => unknown): XMachine6 {
  const Machine = machine.constructor as unknown as new (config: unknown, sources: unknown) => XMachine6;
  const actors = Object.fromEntries(
    Object.entries(machine.sources.actors).map(([name, logic]) => [name, shelled(logic)]),
  );
  return new Machine(replaced(machine.config, shelled), { ...machine.sources, actors });
}

/** Every logic in the configuration, and every one that a function spawns. */
function replaced(value: unknown, shelled: (logic: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => replaced(part, shelled));
  if (typeof value === 'function') return spawningShells(value as Fn, shelled);
  if (typeof value !== 'object' || value === null) return value;
  if ('initialTransition' in value) return shelled(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [
      key,
      key === 'meta' || key === 'schemas' ? part : replaced(part, shelled),
    ]),
  );
}

/** XState looks at how many parameters a function has. */
function spawningShells(fn: Fn, shelled: (logic: unknown) => unknown): Fn {
  const given = (args: unknown): unknown => {
    if (typeof args !== 'object' || args === null || typeof (args as Plain)['spawn'] !== 'function')
      return args;
    const spawn = (args as { spawn: Fn }).spawn;
    return { ...args, spawn: (source: unknown, options: unknown) => spawn(shelled(source), options) };
  };
  if (fn.length < 2) return (args) => fn(given(args));
  return (args, enq) => {
    const real = enq as Fn & Record<string, Fn>;
    const spawn = (source: unknown, options: unknown): unknown => real['spawn']!(shelled(source), options);
    return fn(
      args,
      Object.assign((...parts: unknown[]) => real(...parts), real, { spawn }),
    );
  };
}
