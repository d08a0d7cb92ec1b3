// The channels of a translated system and what is done with them: a mailbox for every actor, the number of members for every family, and the one stimulus
// of a cascade.

import type { Expression, LValue } from '../process/expression.ts';
import type {
  ChannelSiteId,
  ProctypeId,
  Program,
  ScalarType,
  Statement,
  Variable,
  VariableId,
} from '../process/program.ts';
import { messageStorage, placeStorage } from '../process/storage.ts';
import type { Span } from '../source/source.ts';
import type { Actor, ActorSystem, Reaction, SystemEffect } from './system.ts';

const CAPACITY = 255;

/** What can be in an actor's mailbox, with the value of each. */
interface Alphabet {
  readonly set: string;
  readonly messages: Map<number, number>;
  readonly starts: Map<number, number>;
  readonly stop: number;
  readonly members: { name: string; value: number }[];
}

export class Mail {
  readonly variables: Variable[] = [];
  readonly sites: Program['channelSites'][number][] = [];
  readonly alphabets: readonly Alphabet[];
  /** By actor, of families: as many tokens as there are members. */
  readonly counters = new Map<number, VariableId>();
  /** Holds the stimulus of a cascade; null where stimuli come again and again. */
  readonly outside: VariableId | null;
  private readonly mailboxes: readonly VariableId[];
  private readonly system: ActorSystem;
  private readonly nowhere: Span;

  constructor(system: ActorSystem, isCascade: boolean, nowhere: Span) {
    this.system = system;
    this.nowhere = nowhere;
    const { actors } = system;
    const arrivals = arrivalsOf(system);
    this.alphabets = actors.map((actor, id) => this.alphabet(actor, arrivals[id]!));
    this.outside = isCascade ? this.channel('stimulus', { kind: 'bit' }) : null;
    this.mailboxes = actors.map(({ name }, id) =>
      this.channel(`mailbox of ${name}`, typeOf(this.alphabets[id]!)),
    );
    for (const [id, actor] of actors.entries())
      if (actor.family) this.counters.set(id, this.channel(`number of ${actor.name}`, { kind: 'bit' }));
  }

  private alphabet({ name, starts }: Actor, arriving: ReadonlySet<number>): Alphabet {
    const members: { name: string; value: number }[] = [];
    const add = (text: string): number => {
      const value = members.length + 1;
      members.push({ name: text, value });
      return value;
    };
    const messages = new Map(
      [...arriving].map((message) => [message, add(this.system.messages[message]!.text)]),
    );
    const stop = add('stop');
    const ways = new Map(
      starts.map((_, index) => [index, add(starts.length === 1 ? 'start' : `start ${index + 1}`)]),
    );
    return { set: name, messages, starts: ways, stop, members };
  }

  private channel(name: string, field: ScalarType): VariableId {
    const id = this.variables.length as VariableId;
    const site = this.sites.length as ChannelSiteId;
    const span = this.nowhere;
    this.variables.push({
      id,
      name,
      type: { kind: 'chan' },
      length: null,
      initial: { kind: 'channel', site },
      span,
      owner: null,
      role: 'global',
      hidden: false,
    });
    this.sites.push({
      id: site,
      variable: id,
      fieldPath: [],
      capacity: CAPACITY,
      fields: [field],
      storage: messageStorage([field]),
      span,
    });
    return id;
  }

  anyMessage(actor: number): Statement[] {
    return [...this.alphabets[actor]!.messages.values()].map((value) => this.receive(actor, value));
  }

  statements(effect: SystemEffect): Statement[] {
    switch (effect.kind) {
      case 'send':
        return effect.to === null ? [] : [this.sendMessage(effect.to, effect.message)];
      case 'stop':
        return [this.sendValue(effect.actor, this.alphabets[effect.actor]!.stop)];
      case 'start': {
        const counter = this.counters.get(effect.actor);
        if (counter === undefined)
          return [this.sendValue(effect.actor, this.alphabets[effect.actor]!.starts.get(effect.start)!)];
        return [this.putToken(counter), runOf(effect.actor, this.nowhere)];
      }
      case 'emit':
        return [];
    }
  }

  sendMessage(to: number, message: number): Statement {
    return this.sendValue(to, this.alphabets[to]!.messages.get(message)!);
  }

  private sendValue(to: number, value: number): Statement {
    return {
      kind: 'send',
      channel: this.cell(this.mailboxes[to]!),
      args: [constant(value, this.alphabets[to]!, this.nowhere)],
      sorted: false,
    };
  }

  receive(actor: number, value: number): Statement {
    return {
      kind: 'receive',
      channel: this.cell(this.mailboxes[actor]!),
      args: [{ kind: 'match', value: constant(value, this.alphabets[actor]!, this.nowhere) }],
      random: false,
      copy: false,
    };
  }

  whenEmpty(actors: Iterable<number>, span: Span): Statement {
    const parts = [...actors].map((actor): Expression => {
      const channel = this.cell(this.mailboxes[actor]!);
      return { kind: 'channel-query', query: 'empty', channel, span };
    });
    const expression = parts.reduce((left, right) => ({ kind: 'binary', operator: '&&', left, right, span }));
    return { kind: 'condition', expression };
  }

  putToken(counter: VariableId): Statement {
    return { kind: 'send', channel: this.cell(counter), args: [ONE(this.nowhere)], sorted: false };
  }

  takeToken(counter: VariableId): Statement {
    const args = [{ kind: 'match' as const, value: ONE(this.nowhere) }];
    return { kind: 'receive', channel: this.cell(counter), args, random: false, copy: false };
  }

  private cell(variable: VariableId): LValue {
    const storage = placeStorage({ kind: 'chan' }, { isElement: false });
    return { variable, path: [], type: { kind: 'chan' }, storage, span: this.nowhere };
  }
}

const typeOf = ({ members, set }: Pick<Alphabet, 'members' | 'set'>): ScalarType =>
  members.length < 256 ? { kind: 'mtype', set } : { kind: 'short' };

export const SKIP = (span: Span): Statement => ({
  kind: 'condition',
  expression: { kind: 'constant', value: 1, name: 'true', type: { kind: 'bool' }, span },
});

const ONE = (span: Span): Expression => ({ kind: 'constant', value: 1, type: { kind: 'bit' }, span });

function runOf(actor: number, span: Span): Statement {
  return {
    kind: 'condition',
    expression: { kind: 'run', proctype: actor as ProctypeId, args: [], priority: null, span },
  };
}

function constant(value: number, { members, set }: Alphabet, span: Span): Expression {
  const type = typeOf({ members, set });
  return { kind: 'constant', value, name: members[value - 1]!.name, type, span };
}

/** By actor: the messages that anybody sends to it. */
function arrivalsOf(system: ActorSystem): Set<number>[] {
  const arrivals = system.actors.map(() => new Set<number>());
  const add = (reaction: Reaction): void => {
    for (const effect of reaction.effects)
      if (effect.kind === 'send' && effect.to !== null) arrivals[effect.to]!.add(effect.message);
  };
  for (const { starts, states } of system.actors) {
    for (const { reactions } of starts) reactions.forEach(add);
    for (const { receives, offers, timers, onStop = [] } of states) {
      for (const { reactions } of [...receives, ...offers]) reactions.forEach(add);
      for (const effect of onStop)
        if (effect.kind === 'send' && effect.to !== null) arrivals[effect.to]!.add(effect.message);
      for (const { to, message } of timers) if (to !== null) arrivals[to]!.add(message);
    }
  }
  return arrivals;
}
