// Moves of a system as a run that people read: one step per actor that acts, its messages as traffic between mailboxes.

import type { Position } from '../source/source.ts';
import type { Change, Event, Run, Step } from '../verdict/run.ts';
import { isFromOutside } from './behaviour.ts';
import type { Move } from './graph.ts';
import { advance, initialState } from './semantics.ts';
import { type Fact, type Item, STOP, type SystemState, startOfItem } from './state.ts';
import type { ActorSystem, Reaction, Scheduler } from './system.ts';

export const mailboxName = (system: ActorSystem, actor: number): string =>
  `mailbox of ${system.actors[actor]!.name}`;

export interface RunOptions {
  readonly title: string;
  /** Index into the moves. */
  readonly loopStart: number | null;
  readonly growth?: readonly number[];
}

/** Null when the moves are none of the system: a run that cannot be taken is no evidence. */
export function runOf(
  system: ActorSystem,
  scheduler: Scheduler,
  moves: readonly Move[],
  options: RunOptions,
): Run | null {
  const writer = new Writer(system);
  let state: SystemState | null = null;
  let loopStart: number | null = null;
  for (const [index, move] of moves.entries()) {
    if (index === options.loopStart) loopStart = writer.steps.length;
    const choose = chooser(move.choices);
    if (move.stimulus === null && index > 0) return null;
    const result: ReturnType<typeof advance> =
      state === null || move.stimulus === null
        ? initialState(system, scheduler, choose)
        : advance(system, scheduler, state, move.stimulus, choose);
    const endless = result.loopStart !== null;
    const facts = endless ? result.facts.slice(0, result.facts.length) : result.facts;
    const shown = result.end === 'runs-on' ? facts.slice(0, 60) : facts;
    for (const [at, fact] of shown.entries()) {
      if (endless && at === result.loopStart) {
        writer.flush();
        loopStart = writer.steps.length;
      }
      writer.write(fact, move, at === 0);
    }
    writer.flush();
    state = result.state;
  }
  const growth = (options.growth ?? []).flatMap((perRound, actor) =>
    perRound > 0 ? [{ queue: mailboxName(system, actor), perRound }] : [],
  );
  return {
    title: options.title,
    actors: system.actors.map(({ name }) => name),
    queues: system.actors.map((_, actor) => ({ name: mailboxName(system, actor), capacity: null })),
    initial: [],
    steps: writer.steps,
    loopStart: loopStart !== null && loopStart >= writer.steps.length ? null : loopStart,
    ...(growth.length === 0 ? {} : { growth }),
  };
}

function chooser(choices: readonly number[]): () => number {
  let next = 0;
  return () => choices[next++] ?? 0;
}

/** What to choose to make the move again; see `moveOf`. */
function choiceOf({ stimulus, choices }: Move): number[] {
  if (stimulus === null) return [0, 0, 0, 0, ...choices];
  if (stimulus.kind === 'message') return [1, stimulus.actor, 0, 0, ...choices];
  return [stimulus.kind === 'offer' ? 2 : 3, stimulus.actor, stimulus.member, stimulus.index, ...choices];
}

function moveOf([kind, actor, member, index, ...choices]: readonly number[]): Move | null {
  if (kind === undefined || actor === undefined || member === undefined || index === undefined) return null;
  if (kind === 0) return { stimulus: null, choices };
  if (kind === 1) return { stimulus: { kind: 'message', actor }, choices };
  if (kind !== 2 && kind !== 3) return null;
  return { stimulus: { kind: kind === 2 ? 'offer' : 'timer', actor, member, index }, choices };
}

/** The moves that a run's steps stand for. */
export const movesOf = (run: Run): Move[] =>
  run.steps.flatMap((step) => {
    const move = step.choice.length === 0 ? null : moveOf(step.choice);
    return move === null ? [] : [move];
  });

class Writer {
  readonly steps: Step[] = [];
  private readonly system: ActorSystem;
  private open: {
    actor: number;
    texts: string[];
    events: Event[];
    changes: Change[];
    at: Position | null;
  } | null = null;
  private choice: readonly number[] = [];

  constructor(system: ActorSystem) {
    this.system = system;
  }

  write(fact: Fact, move: Move, first: boolean): void {
    const { actors } = this.system;
    if (first) {
      this.flush();
      this.choice = choiceOf(move);
    }
    switch (fact.kind) {
      case 'take':
        this.begin(
          fact.actor,
          fact.item >= 0
            ? `takes ${this.itemText(fact.actor, fact.item)}`
            : this.itemText(fact.actor, fact.item),
        );
        if (fact.item >= 0 || fact.item === STOP) this.receive(fact.actor, fact.item);
        else if (this.wasSent(fact.actor, fact.item)) this.receive(fact.actor, fact.item);
        return;
      case 'offer': {
        const offer = actors[fact.actor]!.states[fact.from]!.offers[fact.index]!;
        const text = this.system.messages[offer.message]!.text;
        this.begin(fact.actor, isFromOutside(offer.kind) ? `gets ${text} from outside` : text);
        this.event({ kind: 'event', name: text });
        return;
      }
      case 'timer': {
        const timer = actors[fact.actor]!.states[fact.from]!.timers[fact.index]!;
        const text = this.system.messages[timer.message]!.text;
        this.begin(fact.actor, `its timer fires: ${text}`);
        return;
      }
      case 'react':
        this.reaction(fact.actor, fact.reaction);
        return;
      case 'send':
        this.goOn(fact.from, `sends ${this.itemText(fact.to, fact.item)} to ${actors[fact.to]!.name}`);
        this.event({
          kind: 'send',
          queue: mailboxName(this.system, fact.to),
          message: this.itemText(fact.to, fact.item),
        });
        this.pending.push(`${fact.to} ${fact.item}`);
        return;
      case 'lost': {
        const text = this.system.messages[fact.message]!.text;
        if (fact.from !== null) this.goOn(fact.from, `${text} to ${fact.target} is lost`);
        else if (fact.to !== null) this.goOn(fact.to, `is not running: ${text} is lost`);
        return;
      }
      case 'ignored':
        this.goOn(fact.actor, `has no transition for ${this.system.messages[fact.message]!.text}`);
        return;
      case 'emit':
        this.goOn(fact.actor, `emits ${this.system.messages[fact.message]!.text}`);
        return;
      case 'ended':
      case 'stopped':
        this.goOn(fact.actor, fact.kind === 'ended' ? 'ends' : 'is stopped');
        this.change(fact.actor, fact.kind);
        return;
      case 'started':
        return;
    }
  }

  /** Starts of roots are nobody's message. */
  private readonly pending: string[] = [];

  private wasSent(actor: number, item: Item): boolean {
    const at = this.pending.indexOf(`${actor} ${item}`);
    if (at < 0) return false;
    this.pending.splice(at, 1);
    return true;
  }

  private itemText(actor: number, item: Item): string {
    if (item >= 0) return this.system.messages[item]!.text;
    if (item === STOP) return 'stop';
    const { starts } = this.system.actors[actor]!;
    return starts.length <= 1 ? 'start' : `start ${startOfItem(item) + 1}`;
  }

  private reaction(actor: number, reaction: Reaction): void {
    const { states, logic } = this.system.actors[actor]!;
    const [first] = reaction.transitions;
    const at =
      logic === null || first === undefined ? null : this.system.logics[logic]!.transitions[first]!.at;
    const assumed = reaction.assumed.length === 0 ? '' : ` (${reaction.assumed.join(', ')})`;
    const { text } = states[reaction.next]!;
    this.goOn(actor, `is in ${text === '' ? 'its state' : text}${assumed}`);
    if (this.open !== null) this.open.at ??= at ?? states[reaction.next]!.at;
    this.change(actor, text);
  }

  private change(actor: number, value: string): void {
    this.open?.changes.push({ name: this.system.actors[actor]!.name, value });
  }

  private receive(actor: number, item: Item): void {
    this.event({
      kind: 'receive',
      queue: mailboxName(this.system, actor),
      message: this.itemText(actor, item),
    });
    this.wasSent(actor, item);
  }

  private event(event: Event): void {
    this.open?.events.push(event);
  }

  private begin(actor: number, text: string): void {
    this.flush();
    this.open = { actor, texts: [text], events: [], changes: [], at: null };
  }

  private goOn(actor: number, text: string): void {
    if (this.open === null || this.open.actor !== actor) this.begin(actor, text);
    else this.open.texts.push(text);
  }

  flush(): void {
    if (this.open === null) return;
    const { actor, texts, events, changes, at } = this.open;
    this.steps.push({ actors: [actor], text: texts.join(', '), at, events, changes, choice: this.choice });
    this.choice = [];
    this.open = null;
  }
}
