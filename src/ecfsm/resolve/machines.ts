// Machines: names to indexes.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Action, ActionVariable, InitialStates, Linear, Protocol, RegisterMachine } from '../model.ts';
import { fieldVariable } from '../model.ts';
import type { ActionNode, FileNode, Name } from '../syntax/ast.ts';
import type { Channels } from './channels.ts';
import { channelAt, namedChannels, peerOf, resolveChannels } from './channels.ts';
import { resolveInitial } from './initial.ts';
import type { Resolution } from './linear.ts';
import { toConjunction, toLinear } from './linear.ts';
import { indexOf } from './names.ts';
import type { WholeMachine } from './whole.ts';
import { wholeMachine } from './whole.ts';

export type MachinesAndTypes = Pick<Protocol, 'machines' | 'channels' | 'alphabets' | 'fields' | 'initial'>;

const MOST_MACHINES = 16;

export function resolveMachines(file: FileNode, diagnostics: Diagnostic[]): MachinesAndTypes | null {
  const count = file.machines.length;
  if (count < 2 || count > MOST_MACHINES) {
    const span = file.machines[MOST_MACHINES]?.span ?? file.machines[0]?.span ?? null;
    const message = `a protocol has two machines or more, up to ${MOST_MACHINES}; this one has ${count}`;
    diagnostics.push(problem('SPW4101', span, message));
    return null;
  }
  const wholes = file.machines.map((node) => wholeMachine(node, file.machines, diagnostics));
  unique(
    wholes.map(({ node }) => node.name),
    'machine',
    diagnostics,
  );
  const names = wholes.map(({ node }) => node.name.text);
  const network = resolveChannels(wholes, diagnostics);
  const lossy = namedChannels(file.lossy, network.channels, names, diagnostics);
  const duplicating = namedChannels(file.duplicating, network.channels, names, diagnostics);
  const machines = wholes.map((whole, side): RegisterMachine => {
    const resolved = resolveMachine(whole, side, names, network, diagnostics);
    const actions = [
      ...resolved.actions,
      ...losses(resolved.actions.filter(({ channel }) => lossy.has(channel))),
      ...repetitions(resolved.actions.filter(({ channel }) => duplicating.has(channel))),
    ];
    return { ...resolved, actions };
  });
  const initial: readonly InitialStates[] = resolveInitial(file, wholes, machines, diagnostics);
  return { machines, ...network, initial };
}

/** A message that is lost some time might as well have been lost at once: the states that can be reached are the same. */
const losses = (actions: readonly Action[]): Action[] =>
  actions
    .filter(({ kind }) => kind === 'send')
    .map((action): Action => ({ ...action, name: `${action.name}.lost`, silent: 'lost' }));

/** A copy of a message arrives before the message itself: it is received, and the message stays where it is. */
const repetitions = (actions: readonly Action[]): Action[] =>
  actions
    .filter(({ kind }) => kind === 'receive')
    .map((action): Action => ({ ...action, name: `${action.name}.again`, silent: 'again' }));

function resolveMachine(
  whole: WholeMachine,
  side: number,
  names: readonly string[],
  network: Channels,
  diagnostics: Diagnostic[],
): RegisterMachine {
  unique(whole.states, 'state', diagnostics);
  unique(whole.registers, 'register', diagnostics);
  unique(
    whole.actions.map((action) => action.name),
    'action',
    diagnostics,
  );
  const states = whole.states.map((state) => state.text);
  const registers = whole.registers.map((register) => register.text);
  const actions = whole.actions.flatMap((node) => {
    // What is wrong with the other machine was said when the channels were found.
    const peer = peerOf(node, side, names, []);
    const [from, to] = node.kind === 'send' ? [side, peer] : [peer, side];
    const channel = peer === null ? -1 : channelAt(network.channels, from!, to!);
    const action = resolveAction(node, side, channel, states, registers, network, diagnostics);
    return action === null ? [] : [action];
  });
  const ends = whole.finals.map((name) => indexOf(name, states, 'state', 'SPW4103', diagnostics));
  const final = states.map((_, state) => ends.includes(state));
  const deferred = resolveDeferred(whole, side, names, network, actions, diagnostics);
  return { name: whole.node.name.text, states, registers, final, deferred, actions };
}

/** Per state: the channels whose messages wait there. */
function resolveDeferred(
  { node: { name }, states, defers }: WholeMachine,
  side: number,
  names: readonly string[],
  { channels }: Channels,
  actions: readonly Action[],
  diagnostics: Diagnostic[],
): number[][] {
  const deferred: number[][] = states.map(() => []);
  const known = states.map(({ text }) => text);
  for (const { peer, states: where } of defers) {
    const channel = channelAt(channels, names.indexOf(peer.text), side);
    if (channel < 0) {
      diagnostics.push(
        problem(
          'SPW4116',
          peer.span,
          `there is no channel ${peer.text}->${name.text}: nothing can wait in it`,
        ),
      );
      continue;
    }
    for (const word of where) {
      const state = indexOf(word, known, 'state', 'SPW4103', diagnostics);
      if (state === null) continue;
      deferred[state]!.push(channel);
      const taking = actions.find(
        (action) => action.kind === 'receive' && action.channel === channel && action.from === state,
      );
      if (taking === undefined) continue;
      const message = `in ${word.text}, messages from ${peer.text} wait and are received by ${taking.name}`;
      diagnostics.push(
        problem('SPW4119', word.span, message, {
          related: [{ span: taking.span, message: 'this action receives them' }],
        }),
      );
    }
  }
  return deferred;
}

function unique(names: readonly Name[], what: string, diagnostics: Diagnostic[]): void {
  const seen = new Map<string, Name>();
  for (const name of names) {
    const first = seen.get(name.text);
    if (first === undefined) seen.set(name.text, name);
    else
      diagnostics.push(
        problem('SPW4102', name.span, `the ${what} '${name.text}' is declared twice`, {
          related: [{ span: first.span, message: 'first here' }],
        }),
      );
  }
}

function resolveAction(
  node: ActionNode,
  side: number,
  channel: number,
  states: readonly string[],
  registers: readonly string[],
  { alphabets, fields }: Channels,
  diagnostics: Diagnostic[],
): Action | null {
  const from = indexOf(node.from, states, 'state', 'SPW4103', diagnostics);
  const to = indexOf(node.to, states, 'state', 'SPW4103', diagnostics);
  unique(node.parameters, 'parameter', diagnostics);
  const scope = actionScope(registers, node.parameters, diagnostics);
  const condition = toConjunction(node.condition, scope);
  const updates: (Linear<ActionVariable> | null)[] = registers.map((_, index) => ({
    terms: [[index, 1]],
    constant: 0,
  }));
  const assigned = new Set<number>();
  for (const { register, value } of node.updates) {
    const index = indexOf(register, registers, 'register', 'SPW4104', diagnostics);
    if (index === null) continue;
    if (assigned.has(index))
      diagnostics.push(
        problem('SPW4109', register.span, `'${register.text}' is assigned twice in one action`),
      );
    assigned.add(index);
    updates[index] = toLinear(value, scope);
  }
  if (from === null || to === null || updates.includes(null)) return null;
  if (node.type !== null && channel < 0) return null;
  const type = node.type === null ? -1 : alphabets[channel]!.indexOf(node.type.text);
  return {
    name: node.name.text,
    side,
    from,
    to,
    kind: node.kind === 'receive' ? 'receive' : 'send',
    silent: node.kind === 'internal' ? 'internal' : null,
    channel,
    type,
    fields: type < 0 ? 0 : fields[channel]![type]!.length,
    condition,
    updates: updates as Linear<ActionVariable>[],
    text: node.span.file.text.slice(node.span.start, node.span.end).replace(/\s+/g, ' '),
    span: node.span,
  };
}

function actionScope(
  registers: readonly string[],
  parameters: readonly Name[],
  diagnostics: Diagnostic[],
): Resolution<ActionVariable> {
  const fields = parameters.map(({ text }) => text);
  return {
    diagnostics,
    same: (a, b) => a === b,
    lookup: (leaf) => {
      if (leaf.kind === 'name') {
        const field = fields.indexOf(leaf.name.text);
        if (field >= 0) return fieldVariable(field);
        return indexOf(leaf.name, registers, 'register', 'SPW4104', diagnostics, [...registers, ...fields]);
      }
      diagnostics.push(
        problem(
          'SPW4104',
          leaf.span,
          'an action sees only its own registers and the parameters of its message',
        ),
      );
      return null;
    },
  };
}
