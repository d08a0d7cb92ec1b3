// How the threads of one search get along: who has work, who wants some, when all stand still. Everything is said in one array that they share; nobody
// needs an event loop. Thread 0 leads.
//
// Work is given on request: a thread without states asks (its inbox), and whoever has finished a few states looks whether somebody asks, and
// gives half of what it has. `busy` counts threads with work and gifts on the way: when it is 0 there is nothing left. The
// leader makes all stand still by a command; a thread that wakes up says so *before* it looks at the command, so that one
// of the two sees the other.
// A thread that was given work and shows no sign of life is lost, and the search with it: the leader gives up (TeamLost), and one thread begins anew.

export const COMMAND = { run: 0, park: 1, stop: 2 } as const;
export const STATUS = {
  starting: 0,
  working: 1,
  hungry: 2,
  parked: 3,
  stopped: 4,
  failed: 5,
  memoryOver: 6,
} as const;
const INBOX = { closed: 0, asking: 1, filling: 2, full: 3 } as const;

const CELL = { command: 0, busy: 1, found: 2, epoch: 3, size: 8 } as const;
const MOST_GIFTS = 256;
const OWN = {
  status: 0,
  beats: 1,
  inbox: 2,
  gifts: 3,
  added: 4,
  wants: 5,
  states: 6,
  nodes: 7,
  spare: 8,
  nodeSpare: 9,
  ranges: 16,
  size: 16 + 2 * MOST_GIFTS,
} as const;

/** The search must be done by one thread. */
export class TeamLost extends Error {}

const WAIT_MILLISECONDS = 2;
/** So long a thread may be silent while others wait for it. */
const PATIENCE_MILLISECONDS = 30_000;

export class Team {
  readonly buffer: SharedArrayBuffer;
  readonly threads: number;
  readonly me: number;
  private readonly cells: Int32Array;
  private readonly patience: number;

  constructor(buffer: SharedArrayBuffer, me: number, patience = PATIENCE_MILLISECONDS) {
    this.buffer = buffer;
    this.cells = new Int32Array(buffer);
    this.threads = Math.floor((this.cells.length - CELL.size) / OWN.size);
    this.me = me;
    this.patience = Math.ceil(patience / WAIT_MILLISECONDS);
  }

  /** The leader has work. */
  static of(threads: number, patience?: number): Team {
    const team = new Team(new SharedArrayBuffer(4 * (CELL.size + threads * OWN.size)), 0, patience);
    Atomics.store(team.cells, CELL.busy, 1);
    team.say(STATUS.working);
    return team;
  }

  private at(thread: number, what: number): number {
    return CELL.size + thread * OWN.size + what;
  }

  private of(thread: number, what: number): number {
    return Atomics.load(this.cells, this.at(thread, what));
  }

  private put(what: number, value: number): void {
    Atomics.store(this.cells, this.at(this.me, what), value);
  }

  get command(): number {
    return Atomics.load(this.cells, CELL.command);
  }

  statusOf(thread: number): number {
    return this.of(thread, OWN.status);
  }

  say(status: number): void {
    this.put(OWN.status, status);
    Atomics.notify(this.cells, this.at(this.me, OWN.status));
  }

  /** A sign of life, and what was added since the last. */
  beat(added: number): void {
    Atomics.add(this.cells, this.at(this.me, OWN.beats), 1);
    Atomics.add(this.cells, this.at(this.me, OWN.added), added);
  }

  /** States that all threads together have added. */
  added(): number {
    let sum = 0;
    for (let thread = 0; thread < this.threads; thread++) sum += this.of(thread, OWN.added);
    return sum;
  }

  found(bits: number): number {
    return Atomics.or(this.cells, CELL.found, bits) | bits;
  }

  // Work

  /** Somebody has no work. */
  someoneAsks(): boolean {
    for (let thread = 0; thread < this.threads; thread++)
      if (this.of(thread, OWN.inbox) === INBOX.asking) return true;
    return false;
  }

  /** To the first that asks; `ranges` says what, at most MOST_GIFTS ranges. */
  give(ranges: () => readonly number[]): void {
    const { cells } = this;
    for (let thread = 0; thread < this.threads; thread++) {
      const inbox = this.at(thread, OWN.inbox);
      if (Atomics.compareExchange(cells, inbox, INBOX.asking, INBOX.filling) !== INBOX.asking) continue;
      const gift = ranges();
      if (gift.length === 0) {
        Atomics.store(cells, inbox, INBOX.asking);
        return;
      }
      Atomics.add(cells, CELL.busy, 1);
      cells.set(gift, this.at(thread, OWN.ranges));
      Atomics.store(cells, this.at(thread, OWN.gifts), gift.length);
      Atomics.store(cells, inbox, INBOX.full);
      Atomics.notify(cells, inbox);
    }
  }

  static readonly MOST_GIFTS = MOST_GIFTS;

  /** This thread is there, and has no work yet. */
  join(): void {
    this.say(STATUS.hungry);
    this.put(OWN.inbox, INBOX.asking);
  }

  /** It has no work any more. */
  ask(): void {
    this.put(OWN.inbox, INBOX.asking);
    Atomics.sub(this.cells, CELL.busy, 1);
  }

  /** After `ask`: what was given, null if nothing yet. Waits a little. */
  receive(): readonly number[] | null {
    const inbox = this.at(this.me, OWN.inbox);
    const seen = Atomics.load(this.cells, inbox);
    if (seen !== INBOX.full) Atomics.wait(this.cells, inbox, seen, WAIT_MILLISECONDS);
    return this.received();
  }

  /** The same without waiting. */
  received(): readonly number[] | null {
    if (this.of(this.me, OWN.inbox) !== INBOX.full) return null;
    // Before it takes: the leader, who may want it back, knows then whom to wait for.
    this.beat(0);
    return this.takeFrom(this.me);
  }

  /** What is in a thread's inbox; one of those who try gets it. */
  private takeFrom(thread: number): readonly number[] | null {
    const inbox = this.at(thread, OWN.inbox);
    if (Atomics.compareExchange(this.cells, inbox, INBOX.full, INBOX.closed) !== INBOX.full) return null;
    const start = this.at(thread, OWN.ranges);
    return Array.from(this.cells.subarray(start, start + this.of(thread, OWN.gifts)));
  }

  nobodyIsBusy(): boolean {
    return Atomics.load(this.cells, CELL.busy) === 0;
  }

  /** After `nobodyIsBusy`: there is work again, and the leader has it. */
  resumeAlone(): void {
    this.put(OWN.inbox, INBOX.closed);
    Atomics.add(this.cells, CELL.busy, 1);
  }

  // Room in the tables

  want(wants: boolean): void {
    this.put(OWN.wants, wants ? 1 : 0);
  }

  someoneWantsRoom(): boolean {
    for (let thread = 0; thread < this.threads; thread++) if (this.of(thread, OWN.wants) !== 0) return true;
    return false;
  }

  allowAll(allowance: { states: number; nodes: number; spare: number; nodeSpare: number }): void {
    for (let thread = 0; thread < this.threads; thread++) {
      Atomics.store(this.cells, this.at(thread, OWN.wants), 0);
      for (const name of ['states', 'nodes', 'spare', 'nodeSpare'] as const)
        Atomics.store(this.cells, this.at(thread, OWN[name]), allowance[name]);
    }
    Atomics.add(this.cells, CELL.epoch, 1);
  }

  /** Which allowance is the last one. */
  get epoch(): number {
    return Atomics.load(this.cells, CELL.epoch);
  }

  allowance(): { states: number; nodes: number; spare: number; nodeSpare: number } {
    const { me } = this;
    return {
      states: this.of(me, OWN.states),
      nodes: this.of(me, OWN.nodes),
      spare: this.of(me, OWN.spare),
      nodeSpare: this.of(me, OWN.nodeSpare),
    };
  }

  // Commands

  /** Leader: afterwards nobody else touches the store. */
  park(): void {
    Atomics.store(this.cells, CELL.command, COMMAND.park);
    for (let thread = 1; thread < this.threads; thread++)
      this.awaitStatus(thread, (status) => status !== STATUS.working);
  }

  resume(): void {
    Atomics.store(this.cells, CELL.command, COMMAND.run);
    Atomics.notify(this.cells, CELL.command);
  }

  /**
   * Leader: afterwards everybody who ever worked has written down what it found, and nobody takes anything any more. Gives back what was on its way to
   * somebody: those who give have stopped by then, and who takes has shown a sign of life before.
   */
  stop(): readonly number[] {
    Atomics.store(this.cells, CELL.command, COMMAND.stop);
    Atomics.notify(this.cells, CELL.command);
    for (let thread = 1; thread < this.threads; thread++)
      Atomics.notify(this.cells, this.at(thread, OWN.inbox));
    this.awaitAll();
    const gifts: number[] = [];
    for (let thread = 1; thread < this.threads; thread++) gifts.push(...(this.takeFrom(thread) ?? []));
    this.awaitAll();
    return gifts;
  }

  private awaitAll(): void {
    for (let thread = 1; thread < this.threads; thread++) {
      if (this.of(thread, OWN.beats) > 0 || this.statusOf(thread) === STATUS.working)
        this.awaitStatus(thread, (status) => status >= STATUS.stopped);
      if (this.statusOf(thread) === STATUS.failed) throw new TeamLost('a thread has failed');
    }
  }

  /** Leader: nobody is waited for. */
  abandon(): void {
    Atomics.store(this.cells, CELL.command, COMMAND.stop);
    Atomics.notify(this.cells, CELL.command);
  }

  /** Not the leader: waits until there is another command than this one. */
  awaitCommand(command: number): void {
    Atomics.wait(this.cells, CELL.command, command, 5 * WAIT_MILLISECONDS);
  }

  private awaitStatus(thread: number, isIt: (status: number) => boolean): void {
    const watch = this.watchFor(thread);
    for (let status = this.statusOf(thread); !isIt(status); status = this.statusOf(thread)) {
      this.check(thread);
      Atomics.wait(this.cells, this.at(thread, OWN.status), status, WAIT_MILLISECONDS);
      watch();
    }
  }

  /** Throws when a thread has failed. */
  checkAll(): void {
    for (let thread = 1; thread < this.threads; thread++) this.check(thread);
  }

  private check(thread: number): void {
    const status = this.statusOf(thread);
    if (status === STATUS.failed) throw new TeamLost('a thread has failed');
    if (status === STATUS.memoryOver) throw new RangeError('memory');
  }

  /** To be called after each wait: throws when a thread that has work has been silent for too long. */
  watch(): () => void {
    const watches = Array.from({ length: this.threads - 1 }, (_, i) => this.watchFor(i + 1));
    return () => {
      for (const watch of watches) watch();
    };
  }

  private watchFor(thread: number): () => void {
    let last = this.of(thread, OWN.beats);
    let waits = 0;
    return () => {
      const beats = this.of(thread, OWN.beats);
      const isWorking = this.statusOf(thread) === STATUS.working || this.of(thread, OWN.inbox) === INBOX.full;
      if (beats !== last || !isWorking) waits = 0;
      else if (++waits > this.patience) throw new TeamLost('a thread is silent');
      last = beats;
    };
  }
}
