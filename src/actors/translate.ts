// A system of actors as a program of the process IR, for every engine that reads programs.
//
// One process and one channel per actor. An actor waits at a location per state; taking a message is a receive, its effects are sends in a row.
// Starting and stopping an actor are messages, too: an actor that does not run waits at its first location, throws away what arrives, and
// leaves it by a start. A family (any number of actors of one kind) is a proctype of its own that is run again and again; its members share a
// channel, and each holds a token of a second channel, whose length is their number.
//
// `distributed`: the effects of a step are one indivisible step (atomic), as the distributed scheduler has it: the program is exact (families aside).
// `interleaved`: between any two effects others may act. Every run of the in-process scheduler is one of these: a nested call is an interleaving,
// except for what a stop takes out of the mailbox, so whoever stops an actor may first throw away what waits there. More runs than real: for proofs.
// `cascade`: what a single stimulus can set off, in the same way, from any states of the actors and empty mailboxes. In-process nothing else
// ever happens (between stimuli all mailboxes are empty), so a bound for this program is one for the whole system, and if it ends, every
// computation of the system does. The stimulus is a token that one process hands out once.

import type { Expression, LValue } from '../process/expression.ts';
import type {
  ChannelSiteId,
  Proctype,
  ProctypeId,
  Program,
  ScalarType,
  Statement,
  Variable,
  VariableId,
} from '../process/program.ts';
import { messageStorage, placeStorage } from '../process/storage.ts';
import { SourceFile, type Span } from '../source/source.ts';
import { isFromOutside } from './behaviour.ts';
import { type Drain, MARK, type Mark, ProcessBuild, proctypeOf } from './process-build.ts';
import type { Actor, ActorSystem, Reaction, SystemEffect } from './system.ts';

export interface TranslateOptions {
  readonly effects: 'distributed' | 'interleaved' | 'cascade';
  /** Stimuli count as progress, all (offers, timers) or those from outside: then a run without progress is one that goes on without them. */
  readonly stimuliAreProgress?: 'all' | 'outside' | 'none';
  /** The text that positions point into. */
  readonly sources?: ReadonlyMap<string, SourceFile>;
}

/** Where a statement of the program comes from. */
export type EdgeOrigin =
  | {
      readonly kind: 'take';
      readonly actor: number;
      readonly state: number;
      readonly message: number;
      readonly reaction: number;
    }
  | {
      readonly kind: 'offer';
      readonly actor: number;
      readonly state: number;
      readonly offer: number;
      readonly reaction: number;
    }
  | { readonly kind: 'timer'; readonly actor: number; readonly state: number; readonly timer: number }
  | { readonly kind: 'start'; readonly actor: number; readonly start: number; readonly reaction: number }
  | { readonly kind: 'stop' | 'lost' | 'effect'; readonly actor: number };

export interface Translated {
  readonly program: Program;
  /** By proctype (= actor) and edge. */
  readonly origins: readonly (readonly EdgeOrigin[])[];
  /** By actor: the location of each state. */
  readonly locations: readonly (readonly number[])[];
}

const CAPACITY = 255;

export function translate(system: ActorSystem, options: TranslateOptions): Translated {
  return new Translator(system, options).run();
}

/** What can be in an actor's mailbox, with the value of each. */
interface Alphabet {
  readonly set: string;
  readonly messages: Map<number, number>;
  readonly starts: Map<number, number>;
  readonly stop: number;
  readonly members: { name: string; value: number }[];
}

class Translator {
  private readonly system: ActorSystem;
  private readonly options: TranslateOptions;
  private readonly variables: Variable[] = [];
  private readonly sites: Program['channelSites'][number][] = [];
  private readonly mailboxes: VariableId[] = [];
  private readonly counters = new Map<number, VariableId>();
  private readonly alphabets: Alphabet[];
  private readonly nowhere: Span;
  private readonly outside: VariableId | null;

  constructor(system: ActorSystem, options: TranslateOptions) {
    this.system = system;
    this.options = options;
    const [first] = options.sources?.values() ?? [];
    this.nowhere = { file: first ?? new SourceFile(system.name, ''), start: 0, end: 0 };
    const arrivals = arrivalsOf(system);
    this.alphabets = system.actors.map((actor, id) => this.alphabet(actor, arrivals[id]!));
    this.outside = options.effects === 'cascade' ? this.channel('stimulus', { kind: 'bit' }) : null;
  }

  run(): Translated {
    const { actors } = this.system;
    for (const [id, actor] of actors.entries()) {
      const { members, set } = this.alphabets[id]!;
      const type: ScalarType = members.length < 256 ? { kind: 'mtype', set } : { kind: 'short' };
      this.mailboxes.push(this.channel(`mailbox of ${actor.name}`, type));
    }
    for (const [id, actor] of actors.entries())
      if (actor.family) this.counters.set(id, this.channel(`number of ${actor.name}`, { kind: 'bit' }));
    const built = actors.map((_, id) => this.process(id));
    if (this.outside !== null) built.push(this.stimulus(actors.length, this.outside));
    const program: Program = {
      name: this.system.name,
      variables: this.variables,
      globals: this.variables.map(({ id }) => id),
      structs: [],
      proctypes: built.map(({ proctype }) => proctype),
      channelSites: this.sites,
      mtypes: this.alphabets
        .filter(({ members }) => members.length < 256)
        .map(({ set, members }) => ({ set, members })),
      claims: [],
      formulas: [],
      traces: [],
      opaque: [],
    };
    return { program, origins: built.map(({ origins }) => origins), locations: built.map(({ at }) => at) };
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

  private process(id: number): { proctype: Proctype; origins: EdgeOrigin[]; at: number[] } {
    const actor = this.system.actors[id]!;
    const build = new ProcessBuild(this.nowhere, this.options.effects === 'distributed');
    const span = this.spanOf(actor.logic === null ? null : this.system.logics[actor.logic]!.at);
    const at = actor.states.map(({ rests, status, at: position }) =>
      build.location({
        isEnd: rests || status !== 'active',
        span: this.spanOf(position),
      }),
    );
    const off = build.location({ isEnd: true, isFinal: false, span });
    const initial = actor.family
      ? this.familyStart(id, build, at, off)
      : this.waitingStart(id, build, at, off);
    actor.states.forEach((_, state) => {
      this.state(id, state, build, at, off);
    });
    if (actor.family) build.edge(off, build.final(), SKIP(span), { kind: 'effect', actor: id }, span);
    const proctype = proctypeOf(id, actor.name, build, initial, actor.family ? 0 : 1, span);
    return { proctype, origins: build.origins, at };
  }

  /** An actor that does not run: roots start at once, the others wait for it and lose everything else. */
  private waitingStart(id: number, build: ProcessBuild, at: readonly number[], off: number): number {
    const actor = this.system.actors[id]!;
    const { messages, starts, stop } = this.alphabets[id]!;
    const span = this.nowhere;
    for (const value of [...messages.values(), stop])
      build.edge(off, off, this.receive(id, value), { kind: 'lost', actor: id }, span);
    for (const [start, value] of starts)
      actor.starts[start]!.reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'start', actor: id, start, reaction: index };
        this.react(id, build, off, this.receive(id, value), origin, reaction, at, off);
      });
    if (this.outside !== null) return this.anywhere(id, build, at, off);
    if (!actor.root) return off;
    const begin = build.location({ isEnd: false, span });
    for (const [start, { reactions }] of actor.starts.entries())
      reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'start', actor: id, start, reaction: index };
        this.react(id, build, begin, SKIP(span), origin, reaction, at, off);
      });
    return begin;
  }

  /** Between stimuli an actor may be in any of its states, or not run at all. */
  private anywhere(id: number, build: ProcessBuild, at: readonly number[], off: number): number {
    const begin = build.location({ isEnd: false, span: this.nowhere });
    for (const location of [...at, off])
      build.edge(begin, location, SKIP(this.nowhere), { kind: 'effect', actor: id }, this.nowhere);
    return begin;
  }

  /** Hands out the one stimulus. */
  private stimulus(
    id: number,
    outside: VariableId,
  ): { proctype: Proctype; origins: EdgeOrigin[]; at: number[] } {
    const build = new ProcessBuild(this.nowhere, false);
    const begin = build.location({ isEnd: true });
    const end = build.location({ isEnd: true });
    build.edge(begin, end, this.putToken(outside), { kind: 'effect', actor: -1 }, this.nowhere);
    return {
      proctype: proctypeOf(id, 'stimulus', build, begin, 1, this.nowhere),
      origins: build.origins,
      at: [],
    };
  }

  /** A member of a family is born by `run`; it never starts again. */
  private familyStart(id: number, build: ProcessBuild, at: readonly number[], off: number): number {
    const begin = build.location({ isEnd: false, span: this.nowhere });
    this.system.actors[id]!.starts.forEach(({ reactions }, start) => {
      reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'start', actor: id, start, reaction: index };
        this.react(id, build, begin, SKIP(this.nowhere), origin, reaction, at, off);
      });
    });
    return begin;
  }

  private state(id: number, state: number, build: ProcessBuild, at: readonly number[], off: number): void {
    const { status, receives, offers, timers, at: position } = this.system.actors[id]!.states[state]!;
    if (status !== 'active') {
      // A member of a family that ends gives its token back.
      this.leave(id, build, at[state]!, off);
      return;
    }
    const from = at[state]!;
    const { messages, stop } = this.alphabets[id]!;
    const span = this.spanOf(position);
    for (const { message, reactions } of receives) {
      const value = messages.get(message);
      if (value === undefined) continue;
      reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'take', actor: id, state, message, reaction: index };
        this.react(id, build, from, this.receive(id, value), origin, reaction, at, off);
      });
    }
    offers.forEach(({ kind, reactions }, offer) => {
      const guard =
        this.outside === null
          ? this.whenEmpty(kind === 'external' ? this.system.actors.keys() : [id], span)
          : this.takeToken(this.outside);
      reactions.forEach((reaction, index) => {
        if (!reaction.handled) return;
        const origin: EdgeOrigin = { kind: 'offer', actor: id, state, offer, reaction: index };
        this.react(id, build, from, guard, origin, reaction, at, off);
      });
    });
    timers.forEach(({ to, message, next }, timer) => {
      const statement = to === null ? SKIP(span) : this.sendMessage(to, message);
      const first = this.outside === null ? [] : [this.takeToken(this.outside)];
      const mark = this.options.stimuliAreProgress === 'all' ? [SKIP(span), MARK] : [];
      const steps = [...first, ...mark, statement];
      build.chain(from, at[next]!, steps, { kind: 'timer', actor: id, state, timer }, id, span);
    });
    this.stopped(id, build, from, off, stop, this.system.actors[id]!.states[state]!.onStop ?? []);
  }

  private leave(id: number, build: ProcessBuild, from: number, off: number): void {
    const counter = this.counters.get(id);
    const origin: EdgeOrigin = { kind: 'effect', actor: id };
    const statement = counter === undefined ? SKIP(this.nowhere) : this.takeToken(counter);
    build.edge(from, off, statement, origin, this.nowhere);
  }

  private stopped(
    id: number,
    build: ProcessBuild,
    from: number,
    off: number,
    stop: number,
    last: readonly SystemEffect[],
  ): void {
    const children = this.system.actors.flatMap((child, index) => (child.parent === id ? [index] : []));
    const effects = [...last, ...children.map((actor): SystemEffect => ({ kind: 'stop', actor }))];
    const counter = this.counters.get(id);
    const steps = [
      this.receive(id, stop),
      ...(counter === undefined ? [] : [this.takeToken(counter)]),
      ...effects.flatMap((effect) => this.statements(effect)),
    ];
    build.chain(from, off, steps, { kind: 'stop', actor: id }, id, this.nowhere);
  }

  private react(
    id: number,
    build: ProcessBuild,
    from: number,
    first: Statement,
    origin: EdgeOrigin,
    reaction: Reaction,
    at: readonly number[],
    off: number,
  ): void {
    const next = this.system.actors[id]!.states[reaction.next]!;
    const target = next.status === 'active' || this.system.actors[id]!.family ? at[reaction.next]! : off;
    const span = this.reactionSpan(id, reaction);
    const marked = origin.kind === 'offer' && this.isProgress(id, origin);
    const steps: (Statement | Drain | Mark)[] = marked ? [first, MARK, SKIP(span)] : [first];
    for (const effect of reaction.effects) {
      if (effect.kind === 'stop' && this.options.effects !== 'distributed')
        steps.push({ kind: 'drain', statements: this.anyMessage(effect.actor) });
      steps.push(...this.statements(effect));
    }
    build.chain(from, target, steps, origin, id, span);
  }

  private isProgress(id: number, { state, offer }: EdgeOrigin & { kind: 'offer' }): boolean {
    const { stimuliAreProgress } = this.options;
    if (stimuliAreProgress !== 'outside') return stimuliAreProgress === 'all';
    return isFromOutside(this.system.actors[id]!.states[state]!.offers[offer]!.kind);
  }

  private anyMessage(actor: number): Statement[] {
    return [...this.alphabets[actor]!.messages.values()].map((value) => this.receive(actor, value));
  }

  private statements(effect: SystemEffect): Statement[] {
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

  private sendMessage(to: number, message: number): Statement {
    return this.sendValue(to, this.alphabets[to]!.messages.get(message)!);
  }

  private sendValue(to: number, value: number): Statement {
    const { members, set } = this.alphabets[to]!;
    return {
      kind: 'send',
      channel: this.cell(this.mailboxes[to]!),
      args: [constant(value, members, set, this.nowhere)],
      sorted: false,
    };
  }

  private receive(actor: number, value: number): Statement {
    const { members, set } = this.alphabets[actor]!;
    return {
      kind: 'receive',
      channel: this.cell(this.mailboxes[actor]!),
      args: [{ kind: 'match', value: constant(value, members, set, this.nowhere) }],
      random: false,
      copy: false,
    };
  }

  private whenEmpty(actors: Iterable<number>, span: Span): Statement {
    const parts = [...actors].map((actor): Expression => {
      const channel = this.cell(this.mailboxes[actor]!);
      return { kind: 'channel-query', query: 'empty', channel, span };
    });
    const expression = parts.reduce((left, right) => ({ kind: 'binary', operator: '&&', left, right, span }));
    return { kind: 'condition', expression };
  }

  private putToken(counter: VariableId): Statement {
    return { kind: 'send', channel: this.cell(counter), args: [ONE(this.nowhere)], sorted: false };
  }

  private takeToken(counter: VariableId): Statement {
    const args = [{ kind: 'match' as const, value: ONE(this.nowhere) }];
    return { kind: 'receive', channel: this.cell(counter), args, random: false, copy: false };
  }

  private cell(variable: VariableId): LValue {
    const storage = placeStorage({ kind: 'chan' }, { isElement: false });
    return { variable, path: [], type: { kind: 'chan' }, storage, span: this.nowhere };
  }

  private reactionSpan(id: number, reaction: Reaction): Span {
    const { logic } = this.system.actors[id]!;
    const [first] = reaction.transitions;
    if (logic === null || first === undefined) return this.nowhere;
    return this.spanOf(this.system.logics[logic]!.transitions[first]!.at);
  }

  private spanOf(
    position: { readonly file: string; readonly line: number; readonly column: number } | null,
  ): Span {
    const file = position === null ? undefined : this.options.sources?.get(position.file);
    if (position === null || file === undefined) return this.nowhere;
    const start = offsetOf(file.text, position);
    return { file, start, end: start };
  }
}

const SKIP = (span: Span): Statement => ({
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

function constant(
  value: number,
  members: readonly { name: string; value: number }[],
  set: string,
  span: Span,
): Expression {
  const type: ScalarType = members.length < 256 ? { kind: 'mtype', set } : { kind: 'short' };
  return { kind: 'constant', value, name: members[value - 1]!.name, type, span };
}

function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
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
