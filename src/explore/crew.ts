// One thread's part in a search that several share: it expands its own states, gives some away, asks for more. The thread that leads looks after limits and
// makes room in the tables.

import { Frontier } from './frontier.ts';
import type { SharedEngine } from './native-shared.ts';
import { COMMAND, STATUS, Team } from './team.ts';

/** What a thread does with states, and what it knows about the search as a whole. */
export interface Member {
  /** Expands states one after the other; the result is the first that was not: it stops where there is no room, or nothing more is wanted. */
  expandRange(from: number, end: number): number;
  /** All that was wanted has been found. */
  isDone(): boolean;
}

/** Of the thread that leads. `L` says why a search ends early. */
export interface Leader<L> extends Member {
  limit(): L | null;
  /** How many states to take on at once, towards a limit. */
  batch(): number;
  /** The limit on states is so near that one thread alone must meet it. */
  isNearLimit(): boolean;
  /** Would it be better to take less memory? */
  isLarge(): boolean;
  readonly maxBytes: number;
  /** What the others have found; the ranges that they had still to do. */
  collect(): readonly (readonly number[])[];
}

/** Of the newest first: few at a time, so that it becomes deep. */
const CHUNK = { oldest: 512, newest: 32 } as const;
/** And never more than a part of what there is: others may want some. */
const LEAST_CHUNK = 8;

export class Crew {
  readonly engine: SharedEngine;
  readonly frontier = new Frontier();
  private readonly team: Team;
  private readonly order: 'oldest' | 'newest';
  /** The first new number that is not in the frontier yet. */
  private mark: number;
  private isAlone = false;
  /** The allowance that the engine has got. */
  private epoch = 0;

  constructor(engine: SharedEngine, team: Team, order: 'oldest' | 'newest') {
    this.engine = engine;
    this.team = team;
    this.order = order;
    this.mark = engine.next;
  }

  /** New states have other numbers from now on. */
  unit(end: number, start: number): void {
    this.frontier.add(this.mark, end);
    this.mark = start;
  }

  private work(member: Member, most: number): boolean {
    const part = Math.max(LEAST_CHUNK, this.frontier.size >>> 2);
    const range = this.frontier.take(Math.min(most, part, CHUNK[this.order]), this.order);
    if (range === null) return false;
    const done = member.expandRange(range[0], range[1]);
    this.frontier.add(done, range[1]);
    this.gather();
    this.team.beat(this.engine.takeAdded());
    return true;
  }

  /** Takes what was found since. */
  gather(): void {
    this.frontier.add(this.mark, this.engine.next);
    this.mark = this.engine.next;
  }

  private feed(): void {
    // Who is gone may seem to ask for ever.
    if (this.isAlone || this.frontier.size < 2 || !this.team.someoneAsks()) return;
    this.team.give(() => (this.frontier.size < 2 ? [] : this.frontier.half(Team.MOST_GIFTS, this.order)));
  }

  private keep(ranges: readonly number[]): void {
    for (let i = 0; i < ranges.length; i += 2) this.frontier.add(ranges[i]!, ranges[i + 1]!);
  }

  /** Until nothing is left, or there is a reason to stop: that, or null. */
  lead<L>(leader: Leader<L>): L | null {
    this.makeRoom(leader, false);
    for (;;) {
      const limit = leader.limit();
      if (limit !== null || leader.isDone()) return limit;
      if (!this.isAlone) {
        this.team.checkAll();
        if (leader.isNearLimit()) this.goAlone(leader);
      }
      const isLarge = leader.isLarge();
      if (isLarge || this.engine.isFull() || this.team.someoneWantsRoom()) this.makeRoom(leader, isLarge);
      if (this.work(leader, leader.batch())) this.feed();
      else if (!this.hasMore(leader)) return null;
    }
  }

  /** The leader has nothing to do: waits until somebody gives it something, or all are done. */
  private hasMore<L>(leader: Leader<L>): boolean {
    if (this.isAlone) return false;
    const { team } = this;
    const watch = team.watch();
    team.ask();
    for (;;) {
      if (team.nobodyIsBusy()) {
        team.resumeAlone();
        return false;
      }
      const gift = team.receive();
      if (gift !== null) {
        this.keep(gift);
        return true;
      }
      watch();
      team.checkAll();
      if (team.someoneWantsRoom()) this.makeRoom(leader, false);
      if (leader.isNearLimit()) {
        this.goAlone(leader);
        this.keep(team.received() ?? []);
        return true;
      }
      // With a limit the loop of `lead` ends: nothing more is received.
      if (leader.limit() !== null || leader.isDone()) return true;
    }
  }

  private makeRoom<L>(leader: Leader<L>, compact: boolean): void {
    const { team, engine } = this;
    if (!this.isAlone) team.park();
    if (compact) engine.compact();
    const allowance = engine.makeRoom(this.isAlone ? 1 : team.threads, leader.maxBytes);
    team.allowAll(allowance);
    engine.allow(allowance);
    if (!this.isAlone) team.resume();
  }

  /** The others stop, and what they had still to do is done here. */
  dismiss<L>(leader: Pick<Leader<L>, 'collect'>): void {
    if (this.isAlone) return;
    this.keep(this.team.stop());
    this.isAlone = true;
    for (const rest of leader.collect()) this.keep(rest);
    this.team.want(true);
  }

  private goAlone<L>(leader: Leader<L>): void {
    this.dismiss(leader);
    // Who had no memory left may not have finished what it had begun.
    this.team.checkAll();
  }

  /** Not the leader: until it says that it is enough. */
  follow(member: Member): void {
    const { team, engine } = this;
    team.join();
    this.receiveOrStop();
    while (team.command !== COMMAND.stop) {
      if (team.command === COMMAND.park) this.stand();
      else if (member.isDone()) team.awaitCommand(COMMAND.run);
      else if (engine.isFull()) {
        team.want(true);
        team.awaitCommand(COMMAND.run);
      } else if (this.work(member, Number.POSITIVE_INFINITY)) this.feed();
      else {
        engine.flush();
        team.say(STATUS.hungry);
        team.ask();
        this.receiveOrStop();
      }
    }
    engine.flush();
  }

  private stand(): void {
    const { team, engine } = this;
    engine.flush();
    team.say(STATUS.parked);
    while (team.command === COMMAND.park) team.awaitCommand(COMMAND.park);
    this.wake();
  }

  private receiveOrStop(): void {
    const { team } = this;
    while (team.command !== COMMAND.stop) {
      const gift = team.receive();
      if (gift === null) continue;
      this.keep(gift);
      this.wake();
      return;
    }
  }

  /** It says that it works before it looks at the command: the leader sees the one, or this thread the other. */
  private wake(): void {
    const { team, engine } = this;
    team.say(STATUS.working);
    while (team.command === COMMAND.park) {
      team.say(STATUS.parked);
      team.awaitCommand(COMMAND.park);
      team.say(STATUS.working);
    }
    if (team.epoch === this.epoch) return;
    this.epoch = team.epoch;
    engine.allow(team.allowance());
  }
}
