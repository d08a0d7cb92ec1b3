// The channels of a protocol: who sends to whom, which types of messages, with which fields.
//
// Two machines have a channel in each direction. Of more machines, two have a channel where an action says so: `send D(n) to B`, `receive D(n) from A`.

import type { Diagnostic } from '../../source/diagnostic.ts';
import { problem } from '../codes.ts';
import type { Channel } from '../model.ts';
import type { ActionNode, ChannelNode, Name } from '../syntax/ast.ts';
import type { WholeMachine } from './whole.ts';

export interface Channels {
  readonly channels: readonly Channel[];
  readonly alphabets: readonly (readonly string[])[];
  readonly fields: readonly (readonly (readonly string[])[])[];
}

/** An action that sends or receives, and on which channel. */
interface Use {
  readonly channel: number;
  readonly node: ActionNode & { readonly type: Name };
}

export function resolveChannels(wholes: readonly WholeMachine[], diagnostics: Diagnostic[]): Channels {
  const names = wholes.map(({ node }) => node.name.text);
  const pairs: (Channel & { node: ActionNode })[] = wholes.flatMap(({ actions }, side) =>
    actions.flatMap((node) => {
      const peer = peerOf(node, side, names, diagnostics);
      if (peer === null) return [];
      return [node.kind === 'send' ? { from: side, to: peer, node } : { from: peer, to: side, node }];
    }),
  );
  const channels = allPairs(names.length).filter(
    ({ from, to }) => names.length === 2 || pairs.some((pair) => pair.from === from && pair.to === to),
  );
  const uses = pairs.map(
    ({ from, to, node }): Use => ({ channel: channelAt(channels, from, to), node: node as Use['node'] }),
  );
  const alphabets = channels.map((_, channel) => typesOf(uses, channel));
  const fields = alphabets.map((types, channel) =>
    types.map((type) =>
      fieldsOf(
        uses.filter(({ node, ...use }) => use.channel === channel && node.type.text === type),
        diagnostics,
      ),
    ),
  );
  for (const channel of channels.keys())
    warnOfUnmatched(uses, channel, channels[channel]!, names, diagnostics);
  return { channels, alphabets, fields };
}

const allPairs = (machines: number): Channel[] =>
  Array.from({ length: machines }, (_, from) =>
    Array.from({ length: machines }, (__, to) => ({ from, to })).filter(({ to }) => to !== from),
  ).flat();

/** −1 where there is none. */
export const channelAt = (channels: readonly Channel[], from: number, to: number): number =>
  channels.findIndex((channel) => channel.from === from && channel.to === to);

/** The machine at the other end; null for what is internal, and after reporting why there is none. */
export function peerOf(
  node: ActionNode,
  side: number,
  names: readonly string[],
  diagnostics: Diagnostic[],
): number | null {
  if (node.type === null) return null;
  const others = names.filter((_, one) => one !== side);
  const word = node.kind === 'send' ? 'to' : 'from';
  if (node.peer === null) {
    if (others.length === 1) return names.indexOf(others[0]!);
    const message = `'${node.name.text}' does not say ${node.kind === 'send' ? 'to whom' : 'from whom'}`;
    const help = `with ${names.length} machines write '${node.kind} ${node.type.text}(…) ${word} ${others[0]}'`;
    diagnostics.push(problem('SPW4117', node.type.span, message, { help }));
    return null;
  }
  const peer = names.indexOf(node.peer.text);
  if (peer >= 0 && peer !== side) return peer;
  const message =
    peer === side ? `${names[side]} cannot send to itself` : `there is no machine '${node.peer.text}'`;
  diagnostics.push(
    problem('SPW4106', node.peer.span, message, { help: `the others are ${others.join(', ')}` }),
  );
  return null;
}

/** First what is sent, then what is only received. */
function typesOf(uses: readonly Use[], channel: number): string[] {
  const here = uses.filter((use) => use.channel === channel);
  const of = (kind: ActionNode['kind']): string[] =>
    here.filter(({ node }) => node.kind === kind).map(({ node }) => node.type.text);
  return [...new Set([...of('send'), ...of('receive')])];
}

/** The fields of a type are called as the first action that names them calls them, a sending one if there is any. */
function fieldsOf(uses: readonly Use[], diagnostics: Diagnostic[]): string[] {
  const naming = uses
    .filter(({ node }) => node.parameters.length > 0)
    .sort((a, b) => Number(b.node.kind === 'send') - Number(a.node.kind === 'send'));
  const first = naming[0]?.node;
  if (first === undefined) return ['n'];
  for (const { node } of naming) {
    if (node.parameters.length === first.parameters.length) continue;
    const message = `'${node.type.text}' has ${counted(first.parameters.length)} here: ${first.name.text} says so`;
    const related = [{ span: first.type.span, message: `${counted(first.parameters.length)} here` }];
    diagnostics.push(
      problem('SPW4118', node.type.span, `${message}, ${node.name.text} names ${node.parameters.length}`, {
        related,
      }),
    );
  }
  return first.parameters.map(({ text }) => text);
}

const counted = (fields: number): string => `${fields} field${fields === 1 ? '' : 's'}`;

function warnOfUnmatched(
  uses: readonly Use[],
  channel: number,
  { from, to }: Channel,
  names: readonly string[],
  diagnostics: Diagnostic[],
): void {
  const of = (kind: ActionNode['kind']): Name[] =>
    uses.filter((use) => use.channel === channel && use.node.kind === kind).map(({ node }) => node.type);
  const unmatched = (mine: readonly Name[], theirs: readonly Name[]): Name[] =>
    mine.filter((type) => !theirs.some((candidate) => candidate.text === type.text));
  const warn = (code: 'SPW4111' | 'SPW4112', type: Name, message: string): void => {
    diagnostics.push(problem(code, type.span, message, { severity: 'warning' }));
  };
  for (const type of unmatched(of('send'), of('receive')))
    warn('SPW4111', type, `'${type.text}' is sent, but ${names[to]} never receives it`);
  for (const type of unmatched(of('receive'), of('send')))
    warn('SPW4112', type, `'${type.text}' is received, but ${names[from]} never sends it`);
}

/** The channels that a line `lossy A->B, B->A;` names. */
export function namedChannels(
  named: readonly ChannelNode[],
  channels: readonly Channel[],
  names: readonly string[],
  diagnostics: Diagnostic[],
): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { from, to, span } of named) {
    const channel = channelAt(channels, names.indexOf(from.text), names.indexOf(to.text));
    if (channel >= 0) found.add(channel);
    else
      diagnostics.push(
        problem('SPW4116', span, `there is no channel ${from.text}->${to.text}`, {
          help: `there are ${listed(channels.map((one) => `${names[one.from]}->${names[one.to]}`))}`,
        }),
      );
  }
  return found;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'none') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
