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

import type { Proctype, Program, Statement, VariableId } from '../process/program.ts';
import { SourceFile, type Span } from '../source/source.ts';
import { isFromOutside } from './behaviour.ts';
import { Mail, SKIP } from './mail.ts';
import { type Drain, MARK, type Mark, ProcessBuild, proctypeOf } from './process-build.ts';
import type { ActorSystem, Reaction, SystemEffect } from './system.ts';

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

export function translate(system: ActorSystem, options: TranslateOptions): Translated {
  return new Translator(system, options).run();
}

class Translator {
  private readonly system: ActorSystem;
  private readonly options: TranslateOptions;
  private readonly nowhere: Span;
  private readonly mail: Mail;

  constructor(system: ActorSystem, options: TranslateOptions) {
    this.system = system;
    this.options = options;
    const [first] = options.sources?.values() ?? [];
    this.nowhere = { file: first ?? new SourceFile(system.name, ''), start: 0, end: 0 };
    this.mail = new Mail(system, options.effects === 'cascade', this.nowhere);
  }

  run(): Translated {
    const { actors } = this.system;
    const { variables, sites, alphabets, outside } = this.mail;
    const built = actors.map((_, id) => this.process(id));
    if (outside !== null) built.push(this.stimulus(actors.length, outside));
    const program: Program = {
      name: this.system.name,
      variables,
      globals: variables.map(({ id }) => id),
      structs: [],
      proctypes: built.map(({ proctype }) => proctype),
      channelSites: sites,
      mtypes: alphabets
        .filter(({ members }) => members.length < 256)
        .map(({ set, members }) => ({ set, members })),
      claims: [],
      formulas: [],
      traces: [],
      opaque: [],
    };
    return { program, origins: built.map(({ origins }) => origins), locations: built.map(({ at }) => at) };
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
    const { messages, starts, stop } = this.mail.alphabets[id]!;
    const span = this.nowhere;
    for (const value of [...messages.values(), stop])
      build.edge(off, off, this.mail.receive(id, value), { kind: 'lost', actor: id }, span);
    for (const [start, value] of starts)
      actor.starts[start]!.reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'start', actor: id, start, reaction: index };
        this.react(id, build, off, this.mail.receive(id, value), origin, reaction, at, off);
      });
    if (this.mail.outside !== null) return this.anywhere(id, build, at, off);
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
    build.edge(begin, end, this.mail.putToken(outside), { kind: 'effect', actor: -1 }, this.nowhere);
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
    const { messages, stop } = this.mail.alphabets[id]!;
    const span = this.spanOf(position);
    for (const { message, reactions } of receives) {
      const value = messages.get(message);
      if (value === undefined) continue;
      reactions.forEach((reaction, index) => {
        const origin: EdgeOrigin = { kind: 'take', actor: id, state, message, reaction: index };
        this.react(id, build, from, this.mail.receive(id, value), origin, reaction, at, off);
      });
    }
    offers.forEach(({ kind, reactions }, offer) => {
      const guard =
        this.mail.outside === null
          ? this.mail.whenEmpty(kind === 'external' ? this.system.actors.keys() : [id], span)
          : this.mail.takeToken(this.mail.outside);
      reactions.forEach((reaction, index) => {
        if (!reaction.handled) return;
        const origin: EdgeOrigin = { kind: 'offer', actor: id, state, offer, reaction: index };
        this.react(id, build, from, guard, origin, reaction, at, off);
      });
    });
    timers.forEach(({ to, message, next }, timer) => {
      const statement = to === null ? SKIP(span) : this.mail.sendMessage(to, message);
      const first = this.mail.outside === null ? [] : [this.mail.takeToken(this.mail.outside)];
      const mark = this.options.stimuliAreProgress === 'all' ? [SKIP(span), MARK] : [];
      const steps = [...first, ...mark, statement];
      build.chain(from, at[next]!, steps, { kind: 'timer', actor: id, state, timer }, id, span);
    });
    this.stopped(id, build, from, off, stop, this.system.actors[id]!.states[state]!.onStop ?? []);
  }

  private leave(id: number, build: ProcessBuild, from: number, off: number): void {
    const counter = this.mail.counters.get(id);
    const origin: EdgeOrigin = { kind: 'effect', actor: id };
    const statement = counter === undefined ? SKIP(this.nowhere) : this.mail.takeToken(counter);
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
    const counter = this.mail.counters.get(id);
    const steps = [
      this.mail.receive(id, stop),
      ...(counter === undefined ? [] : [this.mail.takeToken(counter)]),
      ...effects.flatMap((effect) => this.mail.statements(effect)),
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
        steps.push({ kind: 'drain', statements: this.mail.anyMessage(effect.actor) });
      steps.push(...this.mail.statements(effect));
    }
    build.chain(from, target, steps, origin, id, span);
  }

  private isProgress(id: number, { state, offer }: EdgeOrigin & { kind: 'offer' }): boolean {
    const { stimuliAreProgress } = this.options;
    if (stimuliAreProgress !== 'outside') return stimuliAreProgress === 'all';
    return isFromOutside(this.system.actors[id]!.states[state]!.offers[offer]!.kind);
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

function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let n = 1; n < line; n++) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}
