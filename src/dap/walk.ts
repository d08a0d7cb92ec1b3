// Moving along a trace, forwards and back, until something is reached. Long walks let other requests in between: `pause` stops them.

import type { Breakpoints, Hit } from './breakpoints.ts';
import { ExpressionError, evaluate, isTrue, type Surroundings } from './expression.ts';
import { Moments } from './moments.ts';
import type { Trace } from './trace.ts';

export type StopReason = 'entry' | 'step' | 'breakpoint' | 'pause' | 'goto' | 'exception';

export interface Stop {
  readonly reason: StopReason;
  readonly description?: string;
  readonly breakpoints?: readonly number[];
  /** Whom to show; who moves next when left out. */
  readonly actor?: number;
}

export interface WalkEvents {
  /** A step was passed on the way forwards. */
  passed(moment: number): void;
  log(text: string): void;
}

const PER_TURN = 200;

export class Walk {
  moment = 0;
  readonly trace: Trace;
  readonly moments: Moments;
  readonly breakpoints: Breakpoints;
  private readonly events: WalkEvents;
  private readonly capacities: () => ReadonlyMap<string, number | null>;
  private paused = false;

  constructor(trace: Trace, breakpoints: Breakpoints, events: WalkEvents) {
    this.trace = trace;
    this.moments = new Moments(trace);
    this.breakpoints = breakpoints;
    this.events = events;
    this.capacities = () => new Map(this.trace.run.queues.map(({ name, capacity }) => [name, capacity]));
  }

  pause(): void {
    this.paused = true;
  }

  isAtEnd(): boolean {
    return !this.trace.reach(this.moment);
  }

  surroundings(process: string | null, moment = this.moment): Surroundings {
    return { state: this.moments.state(moment), process, capacities: this.capacities() };
  }

  /** One step, whoever takes it. */
  stepOnce(): Stop {
    if (this.isAtEnd()) return this.endStop();
    this.events.passed(++this.moment);
    return this.isAtEnd() ? this.endStop() : { reason: 'step' };
  }

  /** Until this process has moved: it stays in view. */
  async stepOf(actor: number, limit: number): Promise<Stop> {
    if (this.moments.mover(this.moment) === actor) return this.stepOnce();
    const hasMoved = (): boolean => this.trace.run.steps[this.moment - 1]!.actors.includes(actor);
    const stop = await this.forwards(limit, () => (hasMoved() ? { reason: 'step', actor } : null));
    return stop.reason === 'pause' ? { ...stop, actor } : stop;
  }

  /** Until another process is about to move. */
  async stepOut(limit: number): Promise<Stop> {
    const mover = this.moments.mover(this.moment);
    return this.forwards(limit, () =>
      this.moments.mover(this.moment) === mover ? null : { reason: 'step' },
    );
  }

  back(): Stop {
    if (this.moment > 0) this.moment--;
    return { reason: 'step', ...(this.moment === 0 ? { description: 'before the first step' } : {}) };
  }

  goTo(moment: number): Stop {
    while (this.moment < moment && this.trace.reach(this.moment)) this.moment++;
    this.moment = Math.max(0, Math.min(this.moment, moment));
    return { reason: 'goto' };
  }

  /** To a breakpoint, to where `until` says so, or to the end. */
  async forwards(limit: number, until: () => Stop | null = () => null): Promise<Stop> {
    this.paused = false;
    if (this.isAtEnd()) return this.endStop();
    for (let walked = 1; ; walked++) {
      this.events.passed(++this.moment);
      const atEnd = this.isAtEnd();
      const hit = this.hit(true);
      for (const { text, process } of hit.logs) this.events.log(this.filled(text, process));
      if (hit.ids.length > 0) return { reason: 'breakpoint', breakpoints: hit.ids };
      const wanted = until();
      if (wanted !== null) return wanted;
      if (atEnd) return this.endStop();
      if (this.paused) return { reason: 'pause' };
      if (this.trace.simulation !== null && walked >= limit)
        return { reason: 'pause', description: `${limit} steps without a breakpoint` };
      if (walked % PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
    }
  }

  async backwards(): Promise<Stop> {
    this.paused = false;
    for (let walked = 1; this.moment > 0; walked++) {
      this.moment--;
      const { ids } = this.hit(false);
      if (ids.length > 0) return { reason: 'breakpoint', breakpoints: ids };
      if (this.paused) return { reason: 'pause' };
      if (walked % PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    return { reason: 'entry', description: 'before the first step' };
  }

  endStop(): Stop {
    const { fault, run } = this.trace;
    return fault === null
      ? { reason: 'step', description: run.title }
      : { reason: 'exception', description: fault };
  }

  private hit(counting: boolean): Hit {
    if (this.breakpoints.isEmpty()) return { ids: [], logs: [] };
    const { moment, trace } = this;
    const holds = (text: string, process: string | null, at: number): boolean | null => {
      try {
        return isTrue(evaluate(text, this.surroundings(process, at)));
      } catch (error) {
        if (error instanceof ExpressionError) return null;
        throw error;
      }
    };
    const { steps, actors } = trace.run;
    return this.breakpoints.hit(
      {
        next: steps[moment] ?? null,
        last: steps[moment - 1] ?? null,
        actors,
        holds: (text, process) => holds(text, process, moment),
        heldBefore: (text) => (moment === 0 ? null : holds(text, null, moment - 1)),
      },
      counting,
    );
  }

  /** `tries is {tries}`: what stands in braces is evaluated. */
  private filled(text: string, process: string | null): string {
    return text.replace(/\{([^{}]*)\}/g, (_, inside: string) => {
      try {
        const value = evaluate(inside, this.surroundings(process));
        return typeof value === 'object' ? value.name : String(value);
      } catch (error) {
        return `{${error instanceof Error ? error.message : inside}}`;
      }
    });
  }
}
