// Machines in other notations: `.fsa` again, Promela for SPIN, and graphs for pictures.

import type { ControlGraph } from '../verdict/verdict.ts';
import { type MachineSystem, movesAt, moveText } from './system.ts';

export function writeFsa({ machines, channels }: MachineSystem): string {
  const word = (text: string): string => text.replace(/\s+/g, '_') || '_';
  return machines
    .map(({ name, states, initial, moves }) =>
      [
        `.outputs ${word(name)}`,
        '.state graph',
        ...moves.map(({ from, to, kind, channel, message }) => {
          const ends = [word(states[from]!.name), word(states[to]!.name)] as const;
          if (kind === 'own') return `${ends[0]} tau ${ends[1]}`;
          const { from: sender, to: receiver, messages } = channels[channel]!;
          const partner = kind === 'send' ? receiver : sender;
          return `${ends[0]} ${partner} ${kind === 'send' ? '!' : '?'} ${word(messages[message]!)} ${ends[1]}`;
        }),
        `.marking ${word(states[initial]!.name)}`,
        '.end',
        '',
      ].join('\n'),
    )
    .join('\n');
}

/** Queues become channels with room for `capacity` messages: Promela has none without limit. */
export function writeMachinesAsPromela(system: MachineSystem, capacity = 8): string {
  const { machines, channels } = system;
  const leaving = movesAt(system);
  const message = (channel: number, number: number): string => `m${channel}_${number}`;
  const all = channels.flatMap(({ messages }, channel) =>
    messages.map((_, number) => message(channel, number)),
  );
  const body = machines.map(({ name, states, initial, moves }, machine) => {
    const label = (state: number): string =>
      leaving[machine]![state]!.length === 0 ? `end_s${state}` : `s${state}`;
    const blocks = states.map((_, state) => {
      const here = leaving[machine]![state]!.map((number) => moves[number]!);
      if (here.length === 0) return `${label(state)}: skip;\n  goto done;`;
      const options = here.map((move) => {
        const { kind, channel, message: number, to } = move;
        const action =
          kind === 'own' ? 'skip' : `c${channel}${kind === 'send' ? '!' : '?'}${message(channel, number)}`;
        return `  :: ${action} -> goto ${label(to)}  /* ${moveText(system, move).replaceAll('*/', '* /')} */`;
      });
      return [`${label(state)}:`, '  if', ...options, '  fi;'].join('\n');
    });
    return [
      `active proctype p${machine}() {  /* ${name.replaceAll('*/', '* /')} */`,
      `  goto ${label(initial)};`,
      ...blocks,
      'done: skip',
      '}',
    ].join('\n');
  });
  return [
    ...(all.length === 0 ? [] : [`mtype = { ${all.join(', ')} };`]),
    ...channels.map(({ name }, channel) => `chan c${channel} = [${capacity}] of { mtype };  /* ${name} */`),
    ...body,
    '',
  ].join('\n');
}

export const drawMachines = (system: MachineSystem): ControlGraph[] =>
  system.machines.map(({ name, states, initial, moves }) => ({
    name,
    initial: [initial],
    locations: states.map((state, id) => ({
      id,
      label: state.name,
      ...(state.at === null ? {} : { at: state.at }),
    })),
    edges: moves.map((move) => ({
      from: move.from,
      to: move.to,
      label: moveText(system, move),
      ...(move.kind === 'own' ? {} : { kind: move.kind }),
      ...(move.at === null ? {} : { at: move.at }),
    })),
  }));
