// One run of a protocol, step by step: at random with a seed, by someone's choice, or as a recorded run says.

import type { Run } from '../../verdict/run.ts';
import type { Protocol } from '../model.ts';
import { channelName, deedOf } from '../model.ts';
import { toRun, unsafeTitle } from '../report/report.ts';
import { accelerate } from './accelerate.ts';
import { takeRounds } from './deep.ts';
import type { ConcreteRun } from './explore.ts';
import { choose, endOf, initialStates, randomNumbers } from './explore.ts';
import type { GlobalState } from './state.ts';
import type { ConcreteStep } from './step.ts';
import { enabledSteps, stepWith, unsafety } from './step.ts';

/** Why a simulation ended; an unsafe state is the invalid one. */
export type ProtocolEnd = { readonly kind: 'steps' | 'stopped' | 'invalid-end-state' };

export class ProtocolSimulation {
  private readonly protocol: Protocol;
  private current: ConcreteRun;

  /** Begins in the given initial state (of those that `initialStates` lists). */
  constructor(protocol: Protocol, start = 0) {
    this.protocol = protocol;
    const { states } = initialStates(protocol);
    const state = states[start % states.length]!;
    if (state === undefined) throw new Error('impossible: a protocol that was read has an initial state');
    this.current = { start: state, steps: [] };
  }

  choices(): readonly ConcreteStep[] {
    return enabledSteps(this.protocol, endOf(this.current)).steps;
  }

  take(step: ConcreteStep): void {
    this.current = { ...this.current, steps: [...this.current.steps, step] };
  }

  /** Null while it can go on. */
  end(): ProtocolEnd | null {
    if (unsafety(this.protocol, endOf(this.current)) !== null) return { kind: 'invalid-end-state' };
    // Nothing is left to choose only when a number has become too large to be exact.
    return this.choices().length > 0 ? null : { kind: 'stopped' };
  }

  run(end: ProtocolEnd): Run {
    const unsafe = unsafety(this.protocol, endOf(this.current));
    const title =
      unsafe !== null
        ? unsafeTitle(this.protocol, unsafe)
        : end.kind === 'steps'
          ? 'the number of steps is reached'
          : 'stopped';
    return toRun(this.protocol, this.current, `simulation: ${title}`);
  }

  label({ action, parameters }: ConcreteStep): string {
    const { protocol } = this;
    const on = action.silent === 'internal' ? '' : ` on ${channelName(protocol, action.channel)}`;
    return `${protocol.machines[action.side]!.name}.${action.name}: ${deedOf(protocol, action, parameters)}${on}`;
  }
}

export function simulateProtocol(
  protocol: Protocol,
  seed: number,
  steps: number,
): { run: Run; end: ProtocolEnd } {
  const random = randomNumbers(seed);
  const simulation = new ProtocolSimulation(protocol, Math.floor(random() * 4));
  const inclination = 0.3 + 0.4 * random();
  let end = simulation.end();
  for (let i = 0; i < steps && end === null; i++) {
    simulation.take(choose(simulation.choices(), inclination, random)!);
    end = simulation.end();
  }
  const result = end ?? { kind: 'steps' as const };
  return { run: simulation.run(result), end: result };
}

export interface ReplayedRun {
  readonly run: Run;
  /** The first step that the protocol does not allow. */
  readonly failedAt: number | null;
  /** Every step is possible, but the end is not what it should be. */
  readonly refused?: string;
}

/** Takes the recorded steps again, from whatever initial state allows them; `wrong` says what is wrong with the state they lead to. */
export function replayProtocol(
  protocol: Protocol,
  recorded: Run,
  expandUpTo = MOST_EXPANDED,
  wrong: (end: GlobalState) => string | null = () => null,
): ReplayedRun {
  let best: ReplayedRun | null = null;
  for (const start of initialStates(protocol).states) {
    const steps: ConcreteStep[] = [];
    let state = start;
    let failedAt: number | null = null;
    for (const [index, { choice }] of recorded.steps.entries()) {
      const [side, action, ...parameters] = choice;
      if (side === -1) {
        const again = repeated(protocol, { start, steps }, choice, expandUpTo);
        if (again === null) {
          failedAt = index;
          break;
        }
        steps.push(again);
        state = again.next;
        continue;
      }
      const wanted = protocol.machines[side!]?.actions[action!];
      const step =
        wanted === undefined ? null : stepWith(protocol, state, wanted, parameters.slice(0, wanted.fields));
      if (step === null) {
        failedAt = index;
        break;
      }
      steps.push(step);
      state = step.next;
    }
    const run = toRun(protocol, { start, steps }, recorded.title);
    const refused = failedAt === null ? wrong(state) : null;
    const result = { run, failedAt, ...(refused === null ? {} : { refused }) };
    if (failedAt === null && refused === null) return result;
    if (best === null || lengthOf(result) > lengthOf(best)) best = result;
  }
  return best ?? { run: recorded, failedAt: 0 };
}

const lengthOf = ({ failedAt }: ReplayedRun): number => failedAt ?? Number.POSITIVE_INFINITY;

/** So many steps of a repetition are taken one by one; of more, one round is taken, and the conditions of all rounds are checked in exact arithmetic. */
const MOST_EXPANDED = 10_000_000;

/** The last steps again, round by round, on the concrete semantics. */
function repeated(
  protocol: Protocol,
  run: ConcreteRun,
  [, length = 0, times = 0, ...slopes]: readonly number[],
  expandUpTo: number,
): ConcreteStep | null {
  const loop = run.steps.slice(-length);
  const last = loop.at(-1);
  const isWhole = length >= 1 && loop.length === length && slopes.length === fieldsOf(loop) && times >= 1;
  if (last === undefined || !isWhole || loop.some((step) => step.repeated !== undefined)) return null;
  const rounds = { from: 1, to: times + 1, slopes };
  const next =
    times * length <= expandUpTo
      ? takeRounds(endOf(run), loop, rounds, () => {})
      : jumped(protocol, endOf({ ...run, steps: run.steps.slice(0, -length) }), loop, rounds);
  return next === null ? null : { ...last, next, repeated: { steps: length, times, slopes } };
}

const fieldsOf = (loop: readonly ConcreteStep[]): number =>
  loop.reduce((sum, { action }) => sum + action.fields, 0);

function jumped(
  protocol: Protocol,
  start: GlobalState,
  loop: readonly ConcreteStep[],
  { to, slopes }: { readonly to: number; readonly slopes: readonly number[] },
): GlobalState | null {
  const faster = accelerate(protocol, start, loop);
  if (faster === null || faster.most < to || faster.slopes.join() !== slopes.join()) return null;
  return faster.after(to);
}
