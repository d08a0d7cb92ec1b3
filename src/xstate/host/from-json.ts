// A machine from its configuration: the actors that it names and does not have end in any way.

import { jsonNames } from '../json.ts';
import type { XMachine } from './types.ts';

/** What a copy of XState supplies. */
export interface MachineMaker {
  readonly createMachine?: (config: unknown) => XMachine;
  readonly fromPromise?: (creator: () => Promise<never>) => object;
  /** XState 6. */
  readonly createMachineFromConfig?: (config: unknown, sources: { readonly actors: object }) => XMachine;
  readonly createAsyncLogic?: (config: { readonly run: () => Promise<never> }) => object;
}

const never = (): Promise<never> => new Promise(() => {});

export function machineFromJson(text: string, xstate: MachineMaker): XMachine {
  const config: unknown = JSON.parse(text);
  const { createMachineFromConfig, createAsyncLogic, createMachine, fromPromise } = xstate;
  const logic = createAsyncLogic?.({ run: never }) ?? fromPromise!(never);
  const actors = Object.fromEntries(jsonNames(config).actors.map((name) => [name, logic]));
  if (createMachineFromConfig !== undefined) return createMachineFromConfig(config, { actors });
  const machine = createMachine!(config) as XMachine & { provide(given: { actors: object }): XMachine };
  return machine.provide({ actors });
}
