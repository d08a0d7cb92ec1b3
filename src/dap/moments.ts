// The moments of a run: before the first step, and after each. What holds in one is put together from the nearest checkpoint before it.

import type { Position } from '../source/source.ts';
import type { Step } from '../verdict/run.ts';
import { firstState, type RunState, stateAfter } from '../verdict/run-state.ts';
import type { Trace } from './trace.ts';

const EVERY = 64;

/** Where a process is, and what it does next as far as that is known. */
export interface Place {
  readonly at: Position | null;
  readonly text: string;
}

export class Moments {
  private readonly trace: Trace;
  /** The states of the moments 0, EVERY, 2·EVERY, … */
  private checkpoints: RunState[] = [];

  constructor(trace: Trace) {
    this.trace = trace;
  }

  /** What follows this moment has changed. */
  forgetAfter(moment: number): void {
    this.checkpoints = this.checkpoints.slice(0, Math.floor(moment / EVERY) + 1);
  }

  state(moment: number): RunState {
    const { run } = this.trace;
    const wanted = Math.floor(moment / EVERY);
    if (this.checkpoints.length === 0) this.checkpoints.push(firstState(run));
    const from = Math.min(wanted, this.checkpoints.length - 1);
    let state = this.checkpoints[from]!;
    for (let i = from * EVERY; i < moment; i++) {
      state = stateAfter(state, run.steps[i]!);
      if ((i + 1) % EVERY === 0) this.checkpoints[(i + 1) / EVERY] = state;
    }
    // Queues that come into being later are there, empty, from the start of a run that knows them.
    return state.queues.size === run.queues.length ? state : { ...state, queues: this.allQueues(state) };
  }

  private allQueues({ queues }: RunState): RunState['queues'] {
    return new Map(this.trace.run.queues.map(({ name }) => [name, queues.get(name) ?? []]));
  }

  /** Indices of the actors that live at this moment. */
  living(moment: number): number[] {
    const { actors, steps } = this.trace.run;
    const isThere = actors.map(() => true);
    const started = (step: Step, value: boolean): void => {
      for (const event of step.events) if (event.kind === 'start') isThere[event.actor] = value;
    };
    for (const step of steps) started(step, false);
    for (const step of steps.slice(0, moment)) {
      started(step, true);
      if (step.events.some(({ kind }) => kind === 'end')) isThere[step.actors[0]!] = false;
    }
    return [...actors.keys()].filter((actor) => isThere[actor]);
  }

  /** A process that moves later stands before its next step; one that does not, where it stands at the end. */
  placeOf(actor: number, moment: number): Place {
    const { run, standing } = this.trace;
    const next = run.steps.findIndex((step, i) => i >= moment && step.actors.includes(actor));
    if (next >= 0) return halfOf(run.steps[next]!, actor);
    const name = run.actors[actor];
    const blocked = run.blocked?.processes.find(({ process }) => process === name);
    if (blocked !== undefined) {
      const ways = waysText(blocked.waitsFor, blocked.statement);
      return { at: blocked.at, text: moment < run.steps.length ? ways : `waits: ${ways}` };
    }
    const known = standing?.find(({ process }) => process === name);
    if (known !== undefined)
      return { at: known.at, text: known.statements.join(' | ') || 'the end of its program' };
    const last = run.steps.findLast((step) => step.actors.includes(actor));
    return last === undefined
      ? { at: null, text: 'before its first step' }
      : { at: halfOf(last, actor).at, text: `after ${halfOf(last, actor).text}` };
  }

  /** Who moves next; at the end, one that is blocked, or who moved last. */
  mover(moment: number): number {
    const { run } = this.trace;
    if (this.trace.reach(moment)) return this.trace.run.steps[moment]!.actors[0]!;
    const blocked = run.actors.indexOf(run.blocked?.processes[0]?.process ?? '');
    return blocked >= 0 ? blocked : (run.steps[moment - 1]?.actors[0] ?? 0);
  }
}

const waysText = (ways: readonly { readonly statement: string }[], otherwise: string): string =>
  ways.map(({ statement }) => statement).join(' | ') || otherwise;

/** A handshake is one step of two processes, each at its own statement. */
function halfOf({ actors, text, at, partnerAt }: Step, actor: number): Place {
  const [first, second] = text.split(' → ');
  if (actors.length < 2 || second === undefined) return { at, text };
  return actors[0] === actor ? { at, text: first! } : { at: partnerAt ?? at, text: second };
}
