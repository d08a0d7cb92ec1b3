// What can be wrong with a configuration, as the literature on communicating machines names it (Cécé and Finkel; Deniélou and Yoshida).

import type { Configuration, Semantics } from './configuration.ts';

export type Fault = 'deadlock-free' | 'unspecified-reception' | 'orphan-message';

/** The words for the end of a run. */
export const FAULT_TITLES: Readonly<Record<Fault, string>> = {
  'deadlock-free': 'the system is stuck: nobody can move, and somebody is not done',
  'unspecified-reception': 'a machine gets a message that it does not expect there',
  'orphan-message': 'all machines are done, and a message is left that nobody receives',
};

/** The machine or channel that shows it; null when the configuration does not have the fault. */
export function faultIn(semantics: Semantics, configuration: Configuration, fault: Fault): string | null {
  const { states, queues } = configuration;
  const { machines, channels } = semantics.system;
  switch (fault) {
    case 'deadlock-free': {
      if (semantics.steps(configuration).length > 0) return null;
      const waiting = states.findIndex((state, machine) => !semantics.isFinal(machine, state));
      return waiting < 0 ? null : machines[waiting]!.name;
    }
    case 'orphan-message': {
      if (!states.every((state, machine) => semantics.isFinal(machine, state))) return null;
      const left = queues.findIndex((queue) => queue.length > 0);
      return left < 0 ? null : channels[left]!.name;
    }
    case 'unspecified-reception': {
      const wrong = states.findIndex((state, machine) =>
        isMistaken(semantics, configuration, machine, state),
      );
      return wrong < 0 ? null : machines[wrong]!.name;
    }
  }
}

/** It can only receive; from everyone it listens to a message is there, and none is one that it takes: it is stuck for ever. */
function isMistaken(
  semantics: Semantics,
  { queues }: Configuration,
  machine: number,
  state: number,
): boolean {
  if (!semantics.waits(machine, state)) return false;
  const { moves } = semantics.system.machines[machine]!;
  return semantics.leaving[machine]![state]!.every((number) => {
    const { channel, message } = moves[number]!;
    const [head] = queues[channel]!;
    return head !== undefined && head !== message;
  });
}
